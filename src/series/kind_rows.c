/* SPDX-License-Identifier: MIT
 * From series to rows: each series tells of one thing, and of what that is a part of; what tells of the same is added
 * up. */
#include "series/kind_told.h"

#include "base/array.h"
#include "series/kind_choice.h"
#include "series/kind_doubts.h"
#include "series/kind_figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is at work. */
struct working {
    const struct kind_window *window;
    struct series_set set;
    struct pod_names names;
    struct kind_choice choice;
    struct increase *increases; /* one a series */
    struct told *told;
    size_t count, size;
    struct kind_doubts doubts;
};

static bool no_memory(struct error *err)
{
    return error_set(err, ERROR_SYSTEM, "no memory for the rows");
}

static bool keep(struct working *working, const struct told *told, struct error *err)
{
    working->told = array_room(working->told, &working->size, working->count + 1, sizeof *working->told);
    if (working->count == working->size)
        return no_memory(err);
    working->told[working->count++] = *told;
    return true;
}

/* Adds the series to its own row and to every row that contains it. */
static bool tell(struct working *working, const struct series *series, const struct told *told, struct error *err)
{
    struct told larger;

    if (!keep(working, told, err))
        return false;
    for (enum kind_level level = 0; level < KIND_LEVEL_COUNT; level++)
        if (level != told->level && told_within(told, level, series, &larger) && !keep(working, &larger, err))
            return false;
    return true;
}

/* A mode that a label tells is part of all, too. */
static bool tell_modes(struct working *working, const struct series *series, enum kind_mode mode, struct told *told,
                       struct error *err)
{
    const char *label = mode == KIND_ALL ? series_label_of(series, "mode") : NULL;

    told->mode = mode;
    if (!tell(working, series, told, err))
        return false;
    if (!label || (strcmp(label, "dynamic") != 0 && strcmp(label, "idle") != 0))
        return true;
    told->mode = *label == 'd' ? KIND_DYNAMIC : KIND_IDLE;
    return tell(working, series, told, err);
}

/* What carbon says of a group has no part in a sum where it lies within another part. */
static bool is_in_own_sum(const struct series *series, const struct told *told)
{
    const char *counted = series_label_of(series, "counted");

    if (told->kind != KIND_CARBON)
        return false;
    return told->level == KIND_OF_NODE ? counted && strcmp(counted, "yes") == 0
                                       : told->part != KIND_CORE && told->part != KIND_UNCORE;
}

static bool is_noticed(const struct kind_window *window, const char *namespace, const char *pod)
{
    return (!window->namespace || strcmp(window->namespace, namespace) == 0) &&
           (!window->pod || strcmp(window->pod, pod) == 0);
}

static bool tell_series(struct working *working, size_t i, struct error *err)
{
    const struct series *series = &working->set.items[i];
    const struct kind_family *family = kind_family_of_series(series);
    const char *path = series_label_of(series, "path");
    struct increase_rules rules = {
        .from_s = working->window->from_s,
        .to_s = working->window->to_s,
        .untimed = working->window->untimed,
        .raw = family->raw,
        .range_j = NAN,
        .zones_most = path && strncmp(path, "aggregated", 10) == 0 ? TOLD_SOCKETS_MOST : 0,
        .j_per_unit = family->j_per_unit,
        .most_w = told_most_w(series, family->level, told_part(series, family)),
    };
    struct increase *increase = &working->increases[i];
    bool any;
    struct told told;

    told_of(series, family, &working->names, &told);
    if (working->window->node && strcmp(told.texts[TOLD_NODE], working->window->node) != 0)
        return true;
    told.part = told_part(series, family);
    if (!kind_choice_increase(&working->choice, series, &told, &rules, increase, &any, err))
        return false;
    if (!any) {
        kind_doubts_left_out(&working->doubts, family);
        return true;
    }
    if (!increase->told)
        return true;
    told.increase = increase;
    if (is_noticed(working->window, told.texts[TOLD_NAMESPACE], told.texts[TOLD_POD]))
        kind_doubts_add(&working->doubts, series, family, increase, working->window);
    if (is_in_own_sum(series, &told) && told.part != KIND_OWN_SUM) {
        const enum kind_part part = told.part;
        told.part = KIND_OWN_SUM;
        if (!tell_modes(working, series, family->mode, &told, err))
            return false;
        told.part = part;
    }
    return told.part == KIND_PART_COUNT || tell_modes(working, series, family->mode, &told, err);
}

static int compare_who(const struct told *left, const struct told *right)
{
    int order = (int)left->level - (int)right->level;

    if (order == 0)
        order = (int)left->kind - (int)right->kind;
    for (size_t i = 0; i < TOLD_TEXTS && order == 0; i++)
        order = strcmp(left->texts[i], right->texts[i]);
    return order;
}

static int compare_what(const struct told *left, const struct told *right)
{
    int order = compare_who(left, right);

    if (order == 0)
        order = (int)left->part - (int)right->part;
    return order ? order : (int)left->mode - (int)right->mode;
}

static int compare_told(const void *a, const void *b)
{
    const struct told *left = a, *right = b;
    const int order = compare_what(left, right);

    return order ? order : (int)left->rank - (int)right->rank;
}

/* Two dies, or two zones, that show one counter: it is read at two moments, and what it says is the same but for these.
 */
#define MIRROR_APART_J 5.0
#define MIRROR_LEAST_J 1000.0

static bool are_mirrors(const struct series *a, const struct series *b, double j_per_unit)
{
    if (a->point_count != b->point_count || a->point_count < 2)
        return false;
    for (size_t i = 0; i < a->point_count; i++)
        if (a->points[i].time_s != b->points[i].time_s ||
            !(fabs(a->points[i].value - b->points[i].value) * j_per_unit <= MIRROR_APART_J) ||
            !(a->points[i].value * j_per_unit >= MIRROR_LEAST_J))
            return false;
    return true;
}

static const struct series *series_of(const struct working *working, const struct told *told)
{
    return &working->set.items[told->increase - working->increases];
}

/* Instances of a partitioned card (MIG), and pods that share one, each show what the whole card used. */
static bool are_one_card(const struct series *a, const struct series *b)
{
    const char *of_a = series_label_of(a, "UUID"), *of_b = series_label_of(b, "UUID");

    if (!of_a || !of_b) {
        of_a = series_label_of(a, "gpu");
        of_b = series_label_of(b, "gpu");
    }
    return of_a && of_b && strcmp(of_a, of_b) == 0 && a->point_count && b->point_count &&
           a->points[0].time_s <= b->points[b->point_count - 1].time_s &&
           b->points[0].time_s <= a->points[a->point_count - 1].time_s;
}

static bool show_one(const struct told *told, const struct series *a, const struct series *b)
{
    const struct kind_family *family = kind_family_of_series(a);

    if (told->level != KIND_OF_NODE || kind_family_of_series(b) != family)
        return false;
    if (family->kind == KIND_DCGM)
        return are_one_card(a, b);
    return !family->power && told->increase->joules > 0 && (told->part == KIND_PACKAGE || told->part == KIND_DRAM) &&
           are_mirrors(a, b, family->j_per_unit);
}

/* What tells the same by a better way, which stands first, counts in its place. */
static bool is_left_out(const struct working *working, const struct told *told)
{
    const struct told *first = told;

    while (first > working->told && compare_what(first - 1, told) == 0)
        first--;
    return first->rank != told->rank;
}

/* Of two that show one the longer counts. */
static void mark_mirror(struct working *working, struct told *kept, struct told *twin)
{
    const bool left_out = is_left_out(working, twin);
    const struct told shorter = *kept;

    if (twin->increase->last_s - twin->increase->first_s > kept->increase->last_s - kept->increase->first_s) {
        *kept = *twin;
        *twin = shorter;
    }
    twin->rank = TOLD_TWIN;
    if (!left_out)
        kind_doubts_mirror(&working->doubts, series_of(working, twin), twin);
}

/* What tells of one part of a node stands together. */
static void mark_mirrors(struct working *working)
{
    for (size_t i = 1; i < working->count; i++) {
        struct told *told = &working->told[i];
        for (size_t j = i; j-- > 0 && compare_what(&working->told[j], told) == 0;) {
            struct told *other = &working->told[j];
            if (other->rank == told->rank && show_one(told, series_of(working, other), series_of(working, told))) {
                mark_mirror(working, other, told);
                break;
            }
        }
    }
}

static void finish_row(struct kind_row *row, struct working *working)
{
    kind_row_sums(row);
    if (is_noticed(working->window, row->namespace, row->pod))
        kind_doubts_row(&working->doubts, row, kind_row_stands_still(row));
}

static bool begin_row(struct kind_rows *rows, const struct told *told, struct error *err)
{
    struct kind_row *row = &rows->items[rows->count];
    const char **const texts[TOLD_TEXTS] = { &row->node,      &row->namespace, &row->pod,
                                             &row->container, &row->name,      &row->id };

    *row = (struct kind_row){ .kind = told->kind, .level = told->level };
    for (size_t i = 0; i < TOLD_TEXTS; i++) {
        *texts[i] = arena_copy(&rows->arena, told->texts[i], strlen(told->texts[i]));
        if (!*texts[i])
            return no_memory(err);
    }
    for (enum kind_part part = 0; part < KIND_PART_COUNT; part++)
        for (enum kind_mode mode = 0; mode < KIND_MODE_COUNT; mode++)
            row->figures[part][mode] = kind_no_figure;
    rows->count++;
    return true;
}

static size_t count_rows(const struct working *working)
{
    size_t count = 0;

    for (size_t i = 0; i < working->count; i++)
        count += i == 0 || compare_who(&working->told[i - 1], &working->told[i]) != 0;
    return count;
}

static bool make_rows(struct working *working, struct kind_rows *rows, struct error *err)
{
    enum told_rank rank = TOLD_COUNTER;

    rows->items = calloc(count_rows(working) + 1, sizeof *rows->items);
    if (!rows->items)
        return no_memory(err);
    for (size_t i = 0; i < working->count; i++) {
        const struct told *told = &working->told[i];
        const bool new_row = i == 0 || compare_who(told - 1, told) != 0;
        struct kind_figure figure = kind_figure_of(told->increase, working->window->totals);
        struct kind_row *row;
        if (new_row && rows->count)
            finish_row(&rows->items[rows->count - 1], working);
        if (new_row && !begin_row(rows, told, err))
            return false;
        row = &rows->items[rows->count - 1];
        if (row->figures[told->part][told->mode].series == 0)
            rank = told->rank;
        if (told->rank != rank)
            continue;
        kind_figure_add(&row->figures[told->part][told->mode], &figure);
        if (rank == TOLD_POWER && is_noticed(working->window, row->namespace, row->pod))
            kind_doubts_power(&working->doubts, series_of(working, told));
        row->quality = told->quality > row->quality ? told->quality : row->quality;
    }
    if (rows->count)
        finish_row(&rows->items[rows->count - 1], working);
    return true;
}

static bool work(struct working *working, const struct series_set *set, struct kind_rows *rows, struct error *err)
{
    if (!kind_prepare(set, working->window, &working->set, &working->doubts.stats, err) ||
        !pod_names_open(&working->names, &working->set, err) ||
        !kind_choice_open(&working->choice, &working->set, &working->names, err))
        return false;
    working->increases = malloc((working->set.count + 1) * sizeof *working->increases);
    if (!working->increases)
        return no_memory(err);
    for (size_t i = 0; i < working->set.count; i++)
        if (!tell_series(working, i, err))
            return false;
    if (working->count)
        qsort(working->told, working->count, sizeof *working->told, compare_told);
    mark_mirrors(working);
    return make_rows(working, rows, err);
}

bool kind_rows_of(const struct series_set *set, const struct kind_window *window, struct kind_rows *rows,
                  struct notices *notices, struct error *err)
{
    struct working working = { .window = window };
    bool done;

    *rows = (struct kind_rows){ .items = NULL };
    done = work(&working, set, rows, err);
    if (done)
        kind_doubts_tell(&working.doubts, notices);
    pod_names_close(&working.names);
    kind_choice_close(&working.choice);
    series_set_close(&working.set);
    free(working.increases);
    free(working.told);
    if (!done)
        kind_rows_close(rows);
    return done;
}

void kind_rows_close(struct kind_rows *rows)
{
    free(rows->items);
    arena_close(&rows->arena);
    *rows = (struct kind_rows){ .items = NULL };
}
