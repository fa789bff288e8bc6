/* SPDX-License-Identifier: MIT
 * Strides as the steps of a regression: of the CPU time of job and others, or of the processor's counters of each. */
#include "own/learnt.h"

#include "base/cpu_ticks.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>

#define GIGA 1e9

double learnt_ticks_variance(unsigned parts)
{
    const double tick_s = s_from_ns(tick_ns());

    return parts * tick_s * tick_s / 6;
}

/* The rounding noise of two columns, in a stride of a second; others are the difference of all and job. */
static double noise_in(const struct stride *stride, enum learnt_column a, enum learnt_column b)
{
    const double of_all = learnt_ticks_variance(1), of_job = learnt_ticks_variance(stride->job_cpu_roundings);

    if (a == b && a == LEARNT_BUSY)
        return of_all;
    if (a == b && a == LEARNT_OTHERS)
        return of_all + of_job;
    if (a == b && a == LEARNT_JOB)
        return of_job;
    return (a == LEARNT_OTHERS && b == LEARNT_JOB) || (a == LEARNT_JOB && b == LEARNT_OTHERS) ? -of_job : 0;
}

/* How much of a column there is in a stride: seconds, seconds of CPUs, thousand millions of events. */
static double amount_in(const struct stride *stride, enum learnt_column column)
{
    switch (column) {
    case LEARNT_IDLE: return s_from_ns(stride->duration_ns);
    case LEARNT_OTHERS: return s_from_ns(stride->busy_ns) - s_from_ns(stride->job_ns);
    case LEARNT_JOB: return s_from_ns(stride->job_ns);
    case LEARNT_BUSY: return s_from_ns(stride->busy_ns);
    case LEARNT_CYCLES: return (double)stride->all.cycles / GIGA;
    case LEARNT_INSTRUCTIONS: return (double)stride->all.instructions / GIGA;
    case LEARNT_MISSES: return (double)stride->all.misses / GIGA;
    }
    return NAN;
}

/* For columns counted for the whole machine, the job's part in a run. */
static double amount_of_job(const struct usage *usage, enum learnt_column column)
{
    switch (column) {
    case LEARNT_BUSY: return s_from_ns(usage->cpu_ns.value);
    case LEARNT_CYCLES: return usage->cycles.known ? (double)usage->cycles.value / GIGA : NAN;
    case LEARNT_INSTRUCTIONS: return usage->instructions.known ? (double)usage->instructions.value / GIGA : NAN;
    case LEARNT_MISSES: return usage->cache_misses.known ? (double)usage->cache_misses.value / GIGA : NAN;
    default: return 0;
    }
}

/* With room for the powers of one domain. */
struct learnt_table {
    const struct learnt_from *from;
    const struct learnt *learnt;
    const struct strides *strides; /* strides of `from`, or counted */
    struct strides *counted;       /* NULL: all of them are taken */
    struct regression_steps steps;
    double *x, *weight, *y, *of_step;
    bool *of_run; /* not of a baseline */
};

static void clear(struct learnt_table *table)
{
    free(table->x);
    free(table->weight);
    free(table->y);
    free(table->of_step);
    free(table->of_run);
    strides_free(table->counted);
}

bool learnt_is_of_baseline(const struct learnt_from *from, const struct stride *stride)
{
    for (size_t i = 0; i < from->baseline_count; i++)
        if (stride_is_in(stride, &from->baselines[i]))
            return true;
    return false;
}

/* False: there are none, or there is no memory; to be cleared all the same. */
static bool lay_out(struct learnt_table *table, const struct learnt_from *from, bool counted)
{
    struct strides *those = counted && from->strides ? strides_counted(from->strides) : NULL;
    const struct strides *strides = counted ? those : from->strides;
    const size_t count = strides ? strides->count : 0;

    *table = (struct learnt_table){
        .from = from,
        .strides = strides,
        .counted = those,
        .x = calloc(count * REGRESSORS_MAX + 1, sizeof *table->x),
        .weight = calloc(count + 1, sizeof *table->weight),
        .y = calloc(count + 1, sizeof *table->y),
        .of_step = calloc(count + 1, sizeof *table->of_step),
        .of_run = calloc(count + 1, sizeof *table->of_run),
    };
    if (!strides || !table->x || !table->weight || !table->y || !table->of_step || !table->of_run)
        return false;
    table->steps =
        (struct regression_steps){ .count = count, .x = table->x, .weight = table->weight, .second = table->of_run };
    for (size_t i = 0; i < count; i++) {
        table->weight[i] = s_from_ns(strides->items[i].duration_ns);
        table->of_run[i] = !learnt_is_of_baseline(from, &strides->items[i]);
    }
    return true;
}

static void take_columns(struct learnt_table *table, const struct learnt *learnt)
{
    const struct strides *strides = table->strides;

    table->steps.columns = learnt->columns;
    table->steps.noise = (struct regression_matrix){ .at = { { 0 } } };
    for (size_t c = 0; c < learnt->columns; c++)
        for (size_t i = 0; i < strides->count; i++) {
            table->x[i * learnt->columns + c] = amount_in(&strides->items[i], learnt->column[c]) / table->weight[i];
            for (size_t other = 0; other < learnt->columns; other++)
                table->steps.noise.at[c][other] +=
                    noise_in(&strides->items[i], learnt->column[c], learnt->column[other]) / table->weight[i];
        }
}

static void take_powers(struct learnt_table *table, size_t domain)
{
    const struct strides *strides = table->strides;

    for (size_t i = 0; i < strides->count; i++)
        table->y[i] = j_from_uj(stride_energy_uj(strides, i)[domain]) / table->weight[i];
}

/* Of all metered domains that count. */
static void take_all_powers(struct learnt_table *table)
{
    const struct learnt_from *from = table->from;
    const struct strides *strides = table->strides;

    for (size_t i = 0; i < strides->count; i++) {
        double sum_j = 0;
        for (size_t d = 0; d < strides->domain_count; d++)
            if (from->counting->is_counted[d] && strides_tell(from->meter->domains[d].domain))
                sum_j += j_from_uj(stride_energy_uj(strides, i)[d]);
        table->y[i] = sum_j / table->weight[i];
    }
}

/* What the slopes leave of the powers. */
static double squares_of(const struct learnt_table *table, const double *slopes)
{
    double squares = 0;

    for (size_t i = 0; i < table->steps.count; i++) {
        double error = table->y[i];
        for (size_t c = 0; c < table->steps.columns; c++)
            error -= slopes[c] * table->x[i * table->steps.columns + c];
        squares += table->weight[i] * error * error;
    }
    return squares;
}

/* The best fit of the powers of all counted domains by the first `always` columns and any of the others that the
 * strides resolve; slopes are at least 0. */
static bool choose(struct learnt_table *table, const enum learnt_column *columns, size_t count, size_t always,
                   struct learnt *learnt)
{
    struct learnt tried = *learnt;
    double min = INFINITY;

    take_all_powers(table);
    for (unsigned set = 0; set < 1U << (count - always); set++) {
        double slopes[REGRESSORS_MAX];
        tried.columns = 0;
        for (size_t c = 0; c < count; c++)
            if (c < always || set & 1U << (c - always))
                tried.column[tried.columns++] = columns[c];
        take_columns(table, &tried);
        if (!regression_of(&table->steps, &tried.regression))
            continue;
        regression_slopes(&table->steps, &tried.regression, table->y, slopes);
        if (squares_of(table, slopes) < min) {
            min = squares_of(table, slopes);
            *learnt = tried;
        }
    }
    take_columns(table, learnt);
    return isfinite(min);
}

/* All of these, or nothing is reported. */
static bool by_cpu_time(struct learnt_table *table, struct learnt *learnt)
{
    const struct strides *strides = table->strides;
    static const enum learnt_column columns[] = { LEARNT_IDLE, LEARNT_OTHERS, LEARNT_JOB };
    bool any_job = false;

    for (size_t i = 0; i < strides->count; i++)
        any_job |= strides->items[i].job_ns > 0;
    learnt->columns = any_job ? 3 : 2;
    for (size_t c = 0; c < learnt->columns; c++)
        learnt->column[c] = columns[c];
    take_columns(table, learnt);
    return regression_of(&table->steps, &learnt->regression);
}

/* Idle and cycles, and the other resolved columns. */
static bool by_counters(struct learnt_table *table, struct learnt *learnt)
{
    static const enum learnt_column columns[] = { LEARNT_IDLE, LEARNT_CYCLES, LEARNT_MISSES, LEARNT_INSTRUCTIONS,
                                                  LEARNT_BUSY };

    return choose(table, columns, sizeof columns / sizeof columns[0], 2, learnt);
}

static void fill_from(const struct learnt_from *from, bool counted, struct learnt *learnt)
{
    struct learnt_table table;

    *learnt = (struct learnt){ .by_counters = counted };
    if (lay_out(&table, from, counted)) {
        learnt->reported = counted ? by_counters(&table, learnt) : by_cpu_time(&table, learnt);
        for (size_t i = 0; learnt->reported && i < from->meter->domain_count; i++) {
            take_powers(&table, i);
            regression_slopes(&table.steps, &learnt->regression, table.y, learnt->slope[i]);
        }
    }
    clear(&table);
}

void learnt_fill(const struct learnt_from *from, struct learnt *learnt)
{
    *learnt = (struct learnt){ .reported = false };
    if (from->strides)
        fill_from(from, true, learnt);
    if (from->strides && !learnt->reported)
        fill_from(from, false, learnt);
}

double learnt_slope(const struct learnt *learnt, size_t domain, enum learnt_column column)
{
    for (size_t c = 0; learnt->reported && c < learnt->columns; c++)
        if (learnt->column[c] == column)
            return learnt->slope[domain][c];
    return 0;
}

struct learnt_table *learnt_open(const struct learnt_from *from, const struct learnt *learnt)
{
    struct learnt_table *table = learnt->reported ? malloc(sizeof *table) : NULL;

    if (!table)
        return NULL;
    if (!lay_out(table, from, learnt->by_counters)) {
        learnt_close(table);
        return NULL;
    }
    table->learnt = learnt;
    take_columns(table, learnt);
    return table;
}

void learnt_close(struct learnt_table *table)
{
    if (table)
        clear(table);
    free(table);
}

/* Which strides are of the run; how long it is beyond them, and how many figures of its CPU time are in ticks. */
static double take_run(struct learnt_table *table, const struct window *run, unsigned *roundings)
{
    uint64_t seen_ns = 0;

    *roundings = 0;
    for (size_t i = 0; i < table->strides->count; i++) {
        const struct stride *stride = &table->strides->items[i];
        const bool is_in = stride_is_in(stride, run);
        table->of_step[i] = is_in ? table->weight[i] : 0;
        *roundings = is_in ? stride->job_cpu_roundings : *roundings;
        seen_ns += is_in ? stride->duration_ns : 0;
    }
    return s_from_ns(run->duration_ns - seen_ns);
}

/* By CPU time own is the remainder: the energy of the run, less these. By counters it is these. */
static void take_amounts(const struct learnt *learnt, const struct window *run, const struct usage *usage,
                         double amounts[REGRESSORS_MAX])
{
    const double others_s = s_from_ns(run->machine_busy_ns) - s_from_ns(usage->cpu_ns.value);

    for (size_t c = 0; c < learnt->columns; c++)
        switch (learnt->column[c]) {
        case LEARNT_IDLE: amounts[c] = learnt->by_counters ? 0 : s_from_ns(run->duration_ns); break;
        case LEARNT_OTHERS: amounts[c] = fmax(0, others_s); break;
        default: amounts[c] = amount_of_job(usage, learnt->column[c]); break;
        }
}

static size_t column_of_job(const struct learnt *learnt)
{
    for (size_t c = 0; c < learnt->columns; c++)
        if (learnt->column[c] == LEARNT_JOB)
            return c;
    return 0;
}

static void take_doubt(struct learnt_table *table, const struct window *run, size_t domain, const double *amounts,
                       struct learnt_figure *figure)
{
    const struct learnt *learnt = table->learnt;
    unsigned roundings = 0;
    const double unseen_s = learnt->by_counters ? 0 : take_run(table, run, &roundings);
    const double others_w = learnt_slope(learnt, domain, LEARNT_OTHERS);
    const struct regression_figure of = { table->of_step, amounts, column_of_job(learnt) };
    struct regression_doubt doubt;

    take_powers(table, domain);
    doubt = regression_doubt_of(&table->steps, &learnt->regression, table->y, &of);
    figure->deviation_j = sqrt(doubt.deviation * doubt.deviation + doubt.scatter * unseen_s +
                               others_w * others_w * learnt_ticks_variance(1 + roundings));
    figure->freedom = doubt.freedom;
}

struct learnt_figure learnt_own(struct learnt_table *table, const struct window *run, const struct usage *usage,
                                size_t domain)
{
    const struct learnt *learnt = table->learnt;
    struct learnt_figure figure = { NAN, NAN, NAN, NAN };
    double amounts[REGRESSORS_MAX] = { 0 }, sum_j = 0;

    if (!strides_tell(table->from->meter->domains[domain].domain) || !usage->cpu_ns.known || !run->machine_busy_known)
        return figure;
    take_amounts(learnt, run, usage, amounts);
    for (size_t c = 0; c < learnt->columns; c++)
        sum_j += learnt->slope[domain][c] * amounts[c];
    figure.own_j = learnt->by_counters ? sum_j : j_from_uj(run->energy_uj[domain]) - sum_j;
    figure.idle_j = learnt_slope(learnt, domain, LEARNT_IDLE) * s_from_ns(run->duration_ns);
    take_doubt(table, run, domain, amounts, &figure);
    return figure;
}
