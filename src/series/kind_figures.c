/* SPDX-License-Identifier: MIT
 * The figures of a row: of one series, of several, and of the parts of a thing together. */
#include "series/kind_figures.h"

#include <math.h>

/* A machine that runs draws something at every moment; an exporter may look at it every few seconds only. */
#define STILL_S 10.0

static double known_sum(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : a + b;
}

void kind_figure_add(struct energy_figure *figure, const struct energy_figure *other)
{
    figure->joules = known_sum(figure->joules, other->joules);
    figure->low_j = known_sum(figure->low_j, other->low_j);
    figure->high_j = known_sum(figure->high_j, other->high_j);
    figure->irate_w = known_sum(figure->irate_w, other->irate_w);
    figure->first_s = fmin(figure->first_s, other->first_s);
    figure->last_s = fmax(figure->last_s, other->last_s);
    figure->doubtful_j += other->doubtful_j;
    figure->series += other->series;
    figure->single += other->single;
    figure->unknown += other->unknown;
    figure->points += other->points;
    figure->covered = fmax(figure->covered, other->covered);
    figure->resets += other->resets;
    figure->wraps += other->wraps;
    figure->gaps += other->gaps;
    figure->implausible += other->implausible;
    if (figure->unknown)
        figure->joules = figure->low_j = figure->high_j = NAN;
    figure->watts = figure->joules / (figure->last_s > figure->first_s ? figure->last_s - figure->first_s : NAN);
}

const struct energy_figure kind_no_figure = { .joules = NAN,
                                              .low_j = NAN,
                                              .high_j = NAN,
                                              .watts = NAN,
                                              .irate_w = NAN,
                                              .first_s = NAN,
                                              .last_s = NAN,
                                              .covered = NAN };

struct energy_figure kind_figure_of(const struct increase *increase, bool totals)
{
    struct energy_figure figure = kind_no_figure;

    figure.series = 1;
    figure.points = increase->points;
    if (totals) {
        figure.joules = increase->last_j;
        return figure;
    }
    figure.joules = increase->joules;
    figure.low_j = increase->low_j;
    figure.high_j = increase->high_j;
    figure.covered = increase->covered;
    figure.irate_w = increase->irate_w;
    figure.first_s = increase->first_s;
    figure.last_s = increase->last_s;
    figure.doubtful_j = increase->doubtful_j;
    figure.single = increase->single;
    figure.unknown = isnan(increase->joules) && !increase->single;
    figure.implausible = increase->implausible;
    figure.resets = increase->resets;
    figure.wraps = increase->wraps;
    figure.gaps = increase->gaps;
    return figure;
}

/* Package + dram + other + gpu if there is a package; the total of carbon's own metrics, and of metrics without parts,
 * is the exporter's. */
static void sum_mode(struct workload_row *row, enum energy_mode mode)
{
    static const enum rapl_domain parts[] = { DOMAIN_PACKAGE, DOMAIN_DRAM, DOMAIN_OTHER, DOMAIN_GPU };
    struct energy_figure *sum = &row->figures[DOMAIN_SUM][mode];
    const struct energy_figure *own = &row->figures[DOMAIN_OWN_SUM][mode],
                               *package = &row->figures[DOMAIN_PACKAGE][mode];
    const bool known = !isnan(package->joules);
    double covered = NAN;

    if (row->kind == EXPORTER_DCGM) {
        *sum = row->figures[DOMAIN_GPU][mode];
        return;
    }
    if (package->series == 0 || (!isnan(own->joules) && (row->kind == EXPORTER_CARBON || !known))) {
        *sum = *own;
        return;
    }
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        kind_figure_add(sum, &row->figures[parts[i]][mode]);
        covered = fmin(covered, row->figures[parts[i]][mode].covered);
    }
    sum->covered = covered;
    if (!known)
        sum->joules = sum->low_j = sum->high_j = sum->watts = sum->irate_w = NAN;
}

static void forget(struct energy_figure *figure)
{
    figure->unknown += figure->series;
    figure->joules = figure->low_j = figure->high_j = figure->watts = figure->irate_w = NAN;
}

void kind_row_sums(struct workload_row *row)
{
    struct energy_figure *sum = row->figures[DOMAIN_SUM];

    for (enum energy_mode mode = 0; mode < MODE_COUNT; mode++)
        sum_mode(row, mode);
    /* it may have the parts of one mode and only the total of the other */
    if (row->kind == EXPORTER_KEPLER_OLD && (sum[MODE_DYNAMIC].series || sum[MODE_IDLE].series)) {
        sum[MODE_ALL] = kind_no_figure;
        kind_figure_add(&sum[MODE_ALL], &sum[MODE_DYNAMIC]);
        kind_figure_add(&sum[MODE_ALL], &sum[MODE_IDLE]);
    }
    row->covered = sum->covered;
}

bool kind_row_stands_still(struct workload_row *row)
{
    const struct energy_figure *package = &row->figures[DOMAIN_PACKAGE][MODE_ALL];

    if (row->level != LEVEL_NODE || package->joules != 0 || !(package->last_s - package->first_s >= STILL_S))
        return false;
    for (enum rapl_domain part = 0; part < DOMAIN_COUNT; part++)
        for (enum energy_mode mode = 0; mode < MODE_COUNT; mode++)
            if (part == DOMAIN_SUM || row->figures[part][mode].joules == 0)
                forget(&row->figures[part][mode]);
    return true;
}
