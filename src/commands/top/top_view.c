/* SPDX-License-Identifier: MIT
 * Rows of a kind of groups, sorted and filtered, and the lines that complete them to what the machine draws. Pure. */
#include "commands/top/top.h"

#include "base/array.h"
#include "base/c_locale.h"
#include "base/text.h"
#include "base/units.h"
#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define S_PER_H 3600.0
#define ROUNDING 1e-12 /* of sums of thousands of figures */

const char *top_sort_name(enum top_sort sort)
{
    static const char *const names[TOP_SORTS] = { "power", "energy", "cpu", "carbon", "name" };

    return names[sort];
}

static const struct top_figures unknown = { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };

static void add_known(double *sum, double more)
{
    if (!isnan(more))
        *sum = isnan(*sum) ? more : *sum + more;
}

void top_figures_add(struct top_figures *sum, const struct top_figures *more)
{
    add_known(&sum->power_w, more->power_w);
    add_known(&sum->energy_j, more->energy_j);
    add_known(&sum->own_w, more->own_w);
    add_known(&sum->own_j, more->own_j);
    add_known(&sum->cpu_share, more->cpu_share);
    add_known(&sum->cpu_s, more->cpu_s);
    add_known(&sum->kgco2eq_per_h, more->kgco2eq_per_h);
    add_known(&sum->kgco2eq, more->kgco2eq);
}

static double kgco2eq_of(const struct collector *collector, double energy_j)
{
    return footprint_of(energy_j, collector->pue, collector->factor.kgco2eq_per_kwh).kgco2eq;
}

static double share_of(const struct collector *collector, uint64_t cpu_ns)
{
    const double there_was_ns = (double)collector->interval.cpus * (double)collector->interval.interval_ns;

    return there_was_ns > 0 ? (double)cpu_ns / there_was_ns : NAN;
}

static struct top_figures figures_of(const struct collector *collector, const struct group *group)
{
    const double power_w = group_power_w(group);

    return (struct top_figures){
        .power_w = power_w,
        .energy_j = group_energy_j(group),
        .own_w = group_own_w(group),
        .own_j = group_own_j(group),
        .cpu_share = share_of(collector, group_recent_ns(group)),
        .cpu_s = s_from_ns(group->cpu_ns),
        .kgco2eq_per_h = kgco2eq_of(collector, power_w * S_PER_H),
        .kgco2eq = group->kgco2eq,
    };
}

/* A container without a name by the beginning of its id, as engines show it. */
static void name_row(struct top_row *row)
{
    const struct group *group = row->group;
    const char *id = group_name_id(&group->name);
    enum { SHORT_ID = 12 };

    switch (group->name.kind) {
    case GROUP_PROCESS:
        row->pid = (pid_t)strtol(id, NULL, 10);
        text_copy(row->name, sizeof row->name, group->title);
        break;
    case GROUP_USER: text_copy(row->name, sizeof row->name, row->user); break;
    case GROUP_CONTAINER:
        if (!group->title[0]) {
            text_copy(row->name, SHORT_ID + 1, id);
            break;
        }
        /* fall through */
    default: utf8_printable(row->name, sizeof row->name, group->title[0] ? group->title : id);
    }
}

static bool is_wanted(const struct top_row *row, const struct top_choice *choice)
{
    return !choice->filter[0] || c_strcasestr(row->name, choice->filter) || c_strcasestr(row->user, choice->filter) ||
           c_strcasestr(group_name_id(&row->group->name), choice->filter);
}

static double sorted_by(const struct top_row *row, enum top_sort sort)
{
    const double values[TOP_SORTS] = { row->figures.power_w, row->figures.energy_j, row->figures.cpu_share,
                                       row->figures.kgco2eq, 0 };

    return isnan(values[sort]) ? -INFINITY : values[sort];
}

static int compare_rows(const void *a, const void *b, void *context)
{
    const struct top_row *first = a, *second = b;
    const struct top_choice *choice = context;
    const double one = sorted_by(first, choice->sort), other = sorted_by(second, choice->sort);
    int order = choice->sort == TOP_BY_NAME ? strcmp(first->name, second->name) : ARRAY_ORDER(other, one);

    if (choice->reversed)
        order = -order;
    /* what is equal keeps one place: by energy, then by what it is */
    if (!order)
        order = ARRAY_ORDER(second->figures.energy_j, first->figures.energy_j);
    return order ? order : strcmp(group_name_id(&first->group->name), group_name_id(&second->group->name));
}

static bool add_row(struct top_view *view, const struct top_row *row)
{
    view->rows = array_room(view->rows, &view->row_room, view->row_count + 1, sizeof *view->rows);
    if (view->row_count == view->row_room)
        return false;
    view->rows[view->row_count++] = *row;
    return true;
}

static void leave_out(struct top_view *view, const struct top_row *row)
{
    top_figures_add(&view->others.figures, &row->figures);
    view->others.count++;
}

static bool make_rows(struct top_view *view, top_user_name *user_name, void *context)
{
    const struct groups *groups = &view->collector->groups;
    const struct top_choice *choice = &view->choice;

    for (size_t i = 0; i < groups->count; i++) {
        const struct group *group = &groups->items[i];
        struct top_row row = { .group = group };
        if (group->name.kind != choice->by)
            continue;
        row.figures = figures_of(view->collector, group);
        if (choice->by == GROUP_PROCESS || choice->by == GROUP_USER)
            user_name(context, group->owner, row.user, sizeof row.user);
        else
            text_copy(row.user, sizeof row.user, group->name.user);
        name_row(&row);
        if (!is_wanted(&row, choice))
            leave_out(view, &row);
        else if (!add_row(view, &row))
            return false;
    }
    if (view->row_count > 1)
        qsort_r(view->rows, view->row_count, sizeof *view->rows, compare_rows, &view->choice);
    while (choice->max_rows && view->row_count > choice->max_rows)
        leave_out(view, &view->rows[--view->row_count]);
    return true;
}

static void make_machine(struct top_view *view)
{
    const struct collector *collector = view->collector;
    const struct group_interval *interval = &collector->interval;
    struct top_figures *machine = &view->machine;
    const bool any = collector_quality(collector) != QUALITY_UNKNOWN;

    *machine = unknown;
    machine->power_w = collector->whole.power_w;
    machine->energy_j = any ? collector->whole.energy_j : NAN;
    machine->cpu_share = interval->busy_known ? fmin(1, share_of(collector, interval->busy_ns)) : NAN;
    machine->kgco2eq_per_h = kgco2eq_of(collector, machine->power_w * S_PER_H);
    machine->kgco2eq = kgco2eq_of(collector, machine->energy_j);
}

/* The idle power of the components that count, as far as it is known. */
static double idle_power_w(const struct collector *collector)
{
    double sum_w = NAN;

    for (size_t i = 0; i < COMPONENT_COUNT; i++)
        if (i == COMPONENT_GPU)
            add_known(&sum_w, collector->groups.idle_w[i]); /* of the cards whose power is known */
        else if (!isnan(collector->interval.power_w[i]))
            add_known(&sum_w, fmin(collector->groups.idle_w[i], collector->interval.power_w[i]));
    return sum_w;
}

static void make_idle(struct top_view *view)
{
    const struct groups_idle *idle = &view->collector->groups.idle;
    struct top_figures *figures = &view->idle.figures;

    *figures = unknown;
    figures->power_w = idle->known ? idle->power_w : NAN;
    figures->energy_j = idle->known || idle->energy_j > 0 ? idle->energy_j : NAN;
    figures->cpu_share = isnan(view->machine.cpu_share) ? NAN : 1 - view->machine.cpu_share;
    figures->kgco2eq_per_h = kgco2eq_of(view->collector, figures->power_w * S_PER_H);
    figures->kgco2eq = kgco2eq_of(view->collector, figures->energy_j);
    view->idle.idle_w = idle_power_w(view->collector);
    view->idle.idle_j = isnan(view->idle.idle_w) ? NAN : idle->idle_j;
}

static void make_ended(struct top_view *view)
{
    const struct groups_ended *ended = &view->collector->groups.ended[view->choice.by];

    view->ended.count = ended->count;
    if (!ended->count)
        return;
    view->ended.figures = (struct top_figures){
        .power_w = 0,
        .energy_j = ended->energy_j,
        .own_w = 0,
        .own_j = ended->own_j,
        .cpu_share = 0,
        .cpu_s = s_from_ns(ended->cpu_ns),
        .kgco2eq_per_h = 0,
        .kgco2eq = ended->kgco2eq,
    };
}

static double known_or_0(double value)
{
    return isnan(value) ? 0 : value;
}

/* What is left of a sum; what rounding leaves is nothing. */
static double left_of(double whole, double shown, double idle)
{
    const double left = whole - shown - idle;

    return fabs(left) <= ROUNDING * fabs(whole) ? 0 : left;
}

/* What is left of the machine's: all lines add up to it. */
static void make_rest(struct top_view *view)
{
    struct top_figures shown = view->others.figures, *rest = &view->not_attributed;
    const struct top_figures *machine = &view->machine, *idle = &view->idle.figures;

    for (size_t i = 0; i < view->row_count; i++)
        top_figures_add(&shown, &view->rows[i].figures);
    top_figures_add(&shown, &view->ended.figures);
    *rest = (struct top_figures){
        .power_w = left_of(machine->power_w, known_or_0(shown.power_w), known_or_0(idle->power_w)),
        .energy_j = left_of(machine->energy_j, known_or_0(shown.energy_j), known_or_0(idle->energy_j)),
        .own_w = left_of(machine->power_w, known_or_0(shown.own_w), view->idle.idle_w),
        .own_j = left_of(machine->energy_j, known_or_0(shown.own_j), view->idle.idle_j),
        .cpu_share = fmax(0, machine->cpu_share - known_or_0(shown.cpu_share)),
        .cpu_s = NAN,
        .kgco2eq = left_of(machine->kgco2eq, known_or_0(shown.kgco2eq), known_or_0(idle->kgco2eq)),
    };
    if (isnan(machine->cpu_share))
        rest->cpu_share = NAN;
    rest->kgco2eq_per_h = kgco2eq_of(view->collector, rest->power_w * S_PER_H);
}

bool top_view_make(struct top_view *view, const struct collector *collector, const struct top_choice *choice,
                   top_user_name *user_name, void *context)
{
    view->collector = collector;
    view->choice = *choice;
    view->elapsed_s = collector->update.elapsed_s;
    view->interval_s = s_from_ns(collector->interval.interval_ns);
    view->row_count = 0;
    view->others = view->ended = (struct top_others){ .figures = unknown };
    view->processes = collector->processes.before.count;
    view->quality = collector_quality(collector);
    view->row_quality =
        view->quality == QUALITY_UNKNOWN || view->quality > QUALITY_ATTRIBUTED ? view->quality : QUALITY_ATTRIBUTED;
    if (!make_rows(view, user_name, context))
        return false;
    make_machine(view);
    make_idle(view);
    make_ended(view);
    make_rest(view);
    return true;
}

void top_view_close(struct top_view *view)
{
    free(view->rows);
    notices_clear(&view->notices);
    view->rows = NULL;
    view->row_count = view->row_room = 0;
}

void top_history_take(struct top_history *history, const struct top_view *view)
{
    const size_t at = history->count % TOP_HISTORY;
    const struct collector *collector = view->collector;

    history->machine_w[at] = (float)view->machine.power_w;
    for (size_t i = 0; i < collector->meter->domain_count; i++)
        history->domain_w[i][at] = (float)collector->update.domains[i].w;
    history->count++;
}
