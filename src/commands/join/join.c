/* SPDX-License-Identifier: MIT
 * Joules per operation: power of the run, or of a row's own phase, times the seconds of one. */
#include "commands/join/join.h"

#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More than the run can have lasted; its ends are known to some milliseconds. */
#define MORE_THAN_RUN 1.05
#define HALF_OF_RUN 0.5

static const struct phase_summary *phase_of(const struct report *report, const char *name)
{
    for (size_t i = 0; i < report->phases.count; i++)
        if (strcmp(report->phases.items[i].name, name) == 0 && !report->phases.items[i].below_resolution)
            return &report->phases.items[i];
    return NULL;
}

static const struct sample_stats *energy_of(const struct phase_summary *phase, enum figure figure)
{
    return figure == FIGURE_OWN_J ? &phase->own_j : figure == FIGURE_NET_J ? &phase->net_j : &phase->gross_j;
}

/* Watts of a row: of all its figures those of one phase, or those of the run. */
static void take_power(const struct join *join, const struct answer *answer, struct join_row *row)
{
    const struct phase_summary *phase = phase_of(join->report, row->name);
    const struct domain_energy *total = &join->report->summary.total;
    double low_w, high_w, gross_w;

    row->by_phase = phase && isfinite(energy_of(phase, join->figure)->mean) && phase->duration_s.mean > 0;
    if (row->by_phase) {
        const double own = join->figure == FIGURE_OWN_J ? 1 : NAN, duration_s = phase->duration_s.mean;

        row->power_w = energy_of(phase, join->figure)->mean / duration_s;
        low_w = own * phase->own_low_j / duration_s;
        high_w = own * phase->own_high_j / duration_s;
        gross_w = phase->gross_j.mean / duration_s;
    } else {
        row->power_w = join->power_w;
        low_w = answer->low_j / join->duration_s;
        high_w = answer->high_j / join->duration_s;
        gross_w = total->gross_j.mean / join->duration_s;
    }
    row->j_per_operation = row->power_w * row->s_per_operation;
    row->low_j_per_operation = low_w * row->s_per_operation;
    row->high_j_per_operation = high_w * row->s_per_operation;
    row->gross_j_per_operation = gross_w * row->s_per_operation;
}

static void take_emission(const struct join *join, const struct answer *answer, struct join_row *row)
{
    const struct report *report = join->report;
    const double gross_kgco2eq =
        footprint_of(row->gross_j_per_operation, report->pue, report->gross.kgco2eq_per_kwh).kgco2eq;

    row->kgco2eq_per_operation =
        footprint_of(row->j_per_operation, report->pue, answer->emission->kgco2eq_per_kwh).kgco2eq;
    row->see_kwh_per_operation = row->gross_j_per_operation * report->pue / J_PER_KWH;
    row->sci_kgco2eq_per_operation =
        report->sci.enabled ? gross_kgco2eq + report->sci.embodied_kgco2eq * row->s_per_operation / join->duration_s
                            : NAN;
}

static void note_rows(struct join *join)
{
    size_t unknown = 0, by_phase = 0;

    for (size_t i = 0; i < join->count; i++) {
        unknown += isnan(join->rows[i].s_per_operation);
        by_phase += join->rows[i].by_phase;
    }
    if (unknown)
        notice_add(&join->notices, NOTICE_UNKNOWN, "it has no time above 0 in a unit of time", "",
                   "%zu of %zu rows have no time, so no energy", unknown, join->count);
    if (by_phase < join->count)
        notice_add(&join->notices, NOTICE_ASSUMED,
                   "energy per operation = power of the whole run × time of one operation",
                   "a phase that is called as the row gives it a power of its own: carbon measure --phase",
                   "%zu of %zu rows are taken to draw the mean power of the run", join->count - by_phase, join->count);
}

static void note_times(struct join *join)
{
    double rows_s = 0;
    char took[UNITS_SIZE], lasted[UNITS_SIZE];

    for (size_t i = 0; i < join->count; i++)
        rows_s += join->rows[i].total_s;
    join->covered = rows_s / join->duration_s;
    units_duration(rows_s, took);
    units_duration(join->duration_s, lasted);
    if (join->covered > MORE_THAN_RUN)
        notice_add(&join->notices, NOTICE_INCONSISTENT, "the file is of another run, or of several",
                   "join the record of the command that wrote the file", "the operations took %s, the run lasted %s",
                   took, lasted);
    else if (join->covered < HALF_OF_RUN)
        notice_add(&join->notices, NOTICE_MIXED, "start, warm-up and calibration have their part in its mean power",
                   "let each benchmark run longer", "the operations took %s of %s", took, lasted);
}

bool join_work_out(struct join *join, const struct report *report, const struct benchmarks *benchmarks,
                   struct error *err)
{
    const struct answer answer = answer_of(report);

    *join = (struct join){ .report = report,
                           .tool = benchmarks->tool,
                           .figure = answer.figure,
                           .quality = report->summary.quality,
                           .duration_s = report->summary.duration_s.mean,
                           .power_w = answer.energy_j / report->summary.duration_s.mean,
                           .count = benchmarks->count };
    join->rows = calloc(join->count, sizeof *join->rows);
    if (!join->rows)
        return error_errno(err, "no memory for %zu rows", join->count);
    for (size_t i = 0; i < join->count; i++) {
        const struct benchmark_row *from = &benchmarks->rows[i];
        struct join_row *row = &join->rows[i];

        *row = (struct join_row){
            .name = from->name, .s_per_operation = from->s, .deviation_s = from->deviation_s, .total_s = from->total_s
        };
        take_power(join, &answer, row);
        take_emission(join, &answer, row);
    }
    note_rows(join);
    note_times(join);
    return true;
}

void join_close(struct join *join)
{
    free(join->rows);
    join->rows = NULL;
    notices_clear(&join->notices);
}
