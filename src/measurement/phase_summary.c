/* SPDX-License-Identifier: MIT
 * From the phases of runs to joules with their spread. */
#include "measurement/phase_summary.h"

#include "base/auto.h"
#include "base/text.h"
#include "base/units.h"
#include "measurement/idle.h"
#include "measurement/own_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool phase_is_at_least(const struct measurement *measurement, const struct phase *phase)
{
    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        if (measurement->counting->is_counted[i] && measurement->meter->domains[i].moved && phase->known[i] &&
            phase->unknown_ns[i])
            return true;
    return false;
}

static bool is_in_total(const struct measurement *measurement, const struct run *run, size_t domain)
{
    return measurement->counting->is_counted[domain] && window_has_figure(measurement, &run->window, domain);
}

static struct energies domain_in_phase(const struct measurement *measurement, const struct run *run,
                                       const struct phase *phase, size_t domain)
{
    const struct neighbours neighbours = neighbours_of(measurement, &run->window);
    struct energies one = { NAN, NAN, NAN };

    if (!phase->known[domain])
        return one;
    one.gross_j = figure_j(measurement->meter->domains[domain].domain, phase->energy_uj[domain]);
    one.idle_j = idle_w_under(measurement, &neighbours, &run->window, domain) *
                 s_from_ns(known_ns_of(phase->duration_ns, phase->unknown_ns[domain]));
    if (!phase->unknown_ns[domain])
        one.net_j = one.gross_j - one.idle_j;
    return one;
}

struct energies phase_energies(const struct measurement *measurement, const struct run *run, const struct phase *phase)
{
    struct energies sum = { NAN, NAN, NAN };

    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        struct energies one;
        if (!is_in_total(measurement, run, i))
            continue;
        if (!phase->known[i])
            return (struct energies){ NAN, NAN, NAN };
        one = domain_in_phase(measurement, run, phase, i);
        if (isnan(sum.gross_j))
            sum.gross_j = sum.idle_j = 0;
        sum.gross_j += one.gross_j;
        sum.idle_j += one.idle_j;
    }
    sum.net_j = phase_is_at_least(measurement, phase) ? NAN : sum.gross_j - sum.idle_j;
    return sum;
}

static double cpu_s_of(const struct phase *phase)
{
    return phase->cpu_known ? s_from_ns(phase->cpu_ns) : NAN;
}

struct own phase_own(const struct measurement *measurement, const struct own_basis *basis, const struct run *run,
                     const struct phase *phase)
{
    struct own sum = { NAN, NAN, NAN, NAN, OWN_UNKNOWN };
    bool any = false;

    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        const struct energies one = domain_in_phase(measurement, run, phase, i);
        const struct own_part part = {
            .domain = i,
            .gross_j = phase->unknown_ns[i] ? NAN : one.gross_j,
            .net_j = one.net_j,
            .cpu_s = cpu_s_of(phase),
            .duration_s = s_from_ns(phase->duration_ns),
        };
        struct own own;
        if (!is_in_total(measurement, run, i))
            continue;
        own = own_of_part(measurement, basis, run, &part);
        sum = any ? own_add(&sum, &own) : own;
        any = true;
    }
    return sum;
}

/* The row of a phase: that of its name, or where there are too many names the last. */
static struct phase_summary *row_of(struct phases_summary *summary, const char *name)
{
    for (size_t i = 0; i < summary->count; i++)
        if (strcmp(summary->items[i].name, name) == 0)
            return &summary->items[i];
    return summary->count > PHASES_MAX ? &summary->items[PHASES_MAX] : NULL;
}

static void add_rows(struct phases_summary *summary, const struct phases *phases)
{
    for (size_t i = 0; i < phases->count; i++)
        if (!row_of(summary, phases->items[i].name)) {
            struct phase_summary *row = &summary->items[summary->count++];
            memset(row, 0, sizeof *row);
            text_copy(row->name, sizeof row->name, summary->count > PHASES_MAX ? PHASE_OTHERS : phases->items[i].name);
        }
    for (size_t i = 0; i < MARK_ORIGINS; i++)
        summary->origins[i] += phases->origins[i];
}

/* What all the phases of this row come to in one run. False: it has none. */
static bool figures_in(const struct measurement *measurement, const struct own_basis *basis, const struct run *run,
                       struct phases_summary *summary, struct phase_summary *row, struct run_figures *figures)
{
    bool has = false;

    *figures = (struct run_figures){ .items = NAN };
    for (size_t i = 0; i < run->phases->count; i++) {
        const struct phase *phase = &run->phases->items[i];
        struct energies energies;
        struct own own;
        if (row_of(summary, phase->name) != row)
            continue;
        own = phase_own(measurement, basis, run, phase);
        figures->own_j += own.own_j;
        row->own_low_j += own.low_j;
        row->own_high_j += own.high_j;
        row->own_method = own_method_worst(row->own_method, own.method);
        row->cpu_s += cpu_s_of(phase);
        energies = phase_energies(measurement, run, phase);
        figures->duration_s += s_from_ns(phase->duration_ns);
        figures->gross_j += energies.gross_j;
        figures->idle_j += energies.idle_j;
        figures->net_j += energies.net_j;
        row->at_least |= phase_is_at_least(measurement, phase);
        row->times += (double)phase->times;
        has = true;
    }
    return has;
}

static void fill_own(struct phase_summary *row, const struct run_series *series)
{
    row->own_j = series_spread(series, FIGURE_OWN_J);
    row->own_low_j /= (double)row->runs;
    row->own_high_j /= (double)row->runs;
    if (row->own_low_j == row->own_high_j)
        row->own_low_j = row->own_high_j = NAN;
    row->cpu_s /= (double)row->runs;
    row->own_w = row->below_resolution ? NAN : row->own_j.mean / row->duration_s.mean;
}

static void fill_part(const struct domain_energy *total, enum figure of, struct phase_summary *row)
{
    const struct sample_stats *of_total = of == FIGURE_OWN_J   ? &total->own_j
                                          : of == FIGURE_NET_J ? &total->net_j
                                                               : &total->gross_j;
    const struct sample_stats *of_row = of == FIGURE_OWN_J   ? &row->own_j
                                        : of == FIGURE_NET_J ? &row->net_j
                                                             : &row->gross_j;

    row->part = of_row->mean * (double)of_row->count / (of_total->mean * (double)of_total->count);
    if (!isfinite(row->part) || of_total->mean <= 0)
        row->part = NAN;
}

static void fill_row(const struct measurement *measurement, const struct summary *whole, struct phases_summary *summary,
                     struct phase_summary *row, struct run_series *series)
{
    double update_s = s_from_ns(measurement_update_ns(measurement));

    series->count = 0;
    row->own_method = OWN_NET;
    for (size_t i = 0; i < measurement->run_count; i++) {
        const struct run *run = &measurement->runs[i];
        if (run->phases && run_is_counted(run) &&
            figures_in(measurement, &whole->own_basis, run, summary, row, &series->runs[series->count]))
            series->count++;
    }
    row->runs = series->count;
    row->duration_s = series_spread(series, FIGURE_DURATION_S);
    row->gross_j = series_spread(series, FIGURE_GROSS_J);
    row->idle_j = series_spread(series, FIGURE_IDLE_J);
    row->net_j = series_spread(series, FIGURE_NET_J);
    row->below_resolution = row->duration_s.mean * (double)row->runs < row->times * RATE_UPDATES * update_s;
    row->times /= (double)row->runs;
    row->gross_w = row->below_resolution || row->at_least ? NAN : row->gross_j.mean / row->duration_s.mean;
    row->net_w = row->below_resolution ? NAN : row->net_j.mean / row->duration_s.mean;
    fill_own(row, series);
    fill_part(&whole->total, summary->part_of, row);
    summary->at_least |= row->at_least;
}

/* By CPU time it is told of a busy machine as well; a share is a part of net. */
static enum figure part_of(const struct summary *whole)
{
    const struct domain_energy *total = &whole->total;

    if (total->own_method == OWN_CPU_TIME || (total->own_method > OWN_NET && whole->net_is_reported))
        return FIGURE_OWN_J;
    return whole->net_is_reported ? FIGURE_NET_J : FIGURE_GROSS_J;
}

void phases_summarize(const struct measurement *measurement, const struct summary *whole,
                      struct phases_summary *summary)
{
    AUTO_FREE struct run_figures *runs = calloc(measurement->run_count + 1, sizeof *runs);
    struct run_series series = { .runs = runs };

    memset(summary, 0, offsetof(struct phases_summary, items));
    summary->part_of = part_of(whole);
    for (size_t i = 0; i < measurement->run_count; i++)
        if (measurement->runs[i].phases && run_is_counted(&measurement->runs[i]))
            add_rows(summary, measurement->runs[i].phases);
    if (!runs)
        summary->count = 0;
    for (size_t i = 0; i < summary->count; i++)
        fill_row(measurement, whole, summary, &summary->items[i], &series);
    for (size_t i = 0; i < summary->count && summary->at_least; i++)
        summary->items[i].part = NAN;
}

static bool is_named(const struct phase_summary *row)
{
    return strcmp(row->name, PHASE_BEFORE) != 0 && strcmp(row->name, PHASE_NONE) != 0;
}

static void short_notice(const struct measurement *measurement, const struct phases_summary *summary,
                         struct notices *notices)
{
    char update[UNITS_SIZE];
    const struct phase_summary *first = NULL;
    size_t count = 0;

    for (size_t i = 0; i < summary->count; i++)
        if (summary->items[i].below_resolution && is_named(&summary->items[i])) {
            first = first ? first : &summary->items[i];
            count++;
        }
    if (!count)
        return;
    units_duration(RATE_UPDATES * s_from_ns(measurement_update_ns(measurement)), update);
    if (count == 1)
        notice_add(notices, NOTICE_BELOW_RESOLUTION,
                   "each end of a phase is off by up to one update: its energy is approximate, its power unknown",
                   "put several steps into one phase", "phase '%s' is below resolution: its stays are under %s",
                   first->name, update);
    else
        notice_add(notices, NOTICE_BELOW_RESOLUTION,
                   "each end of a phase is off by up to one update: the energy is approximate, the power unknown",
                   "put several steps into one phase",
                   "%zu phases are below resolution, their stays under %s: '%s' ...", count, update, first->name);
}

void phases_notices(const struct measurement *measurement, const struct phases_summary *summary,
                    struct notices *notices)
{
    const struct marks_options *options = measurement->marks;

    if (!options || !summary->count)
        return;
    if (options->written && !summary->origins[MARK_WRITTEN])
        notice_add(notices, NOTICE_UNKNOWN, "nothing was written to the descriptor that " MARKS_VARIABLE " names",
                   "echo NAME >&$" MARKS_VARIABLE, "no mark came from the command");
    if (options->matched && !summary->origins[MARK_MATCHED])
        notice_add(notices, NOTICE_UNKNOWN,
                   "it is looked for line by line, with colour codes and all that is in the line",
                   "COMMAND 2>&1 > /dev/null | grep -E REGEX shows what would match",
                   "no line of standard error matched '%s'", options->phrase);
    if (summary->count > PHASES_MAX)
        notice_add(notices, NOTICE_TOO_MANY, "limit of a result", "fewer names: without a number or a file in them",
                   "only %d phases are distinguished; the rest is '%s'", PHASES_MAX, PHASE_OTHERS);
    short_notice(measurement, summary, notices);
}
