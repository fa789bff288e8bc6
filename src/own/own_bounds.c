/* SPDX-License-Identifier: MIT
 * Windows and strides as steps of the possible power, and of the mean. */
#include "own/own_bounds.h"

#include "base/auto.h"
#include "base/cpu_ticks.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>

#define POWERS_APART 4.0
#define FAR_APART 1000.0

/* The CPUs of others scatter by no more than this part of them. */
#define STEADY 0.1

double powers_apart(enum component component)
{
    return component == COMPONENT_MEMORY || component == COMPONENT_UNCORE ? FAR_APART : POWERS_APART;
}

static void take_step(struct possible_step *step, double energy_j, double busy_s, uint64_t duration_ns)
{
    const double duration_s = s_from_ns(duration_ns);

    *step = (struct possible_step){
        .power_w = energy_j / duration_s,
        .busy = busy_s / duration_s,
        .off_w = 1 / duration_s,
        .off_busy = COARSE_TICKS * s_from_ns(tick_ns()) / duration_s,
    };
}

static bool take_window(struct possible_step *step, const struct window *window, size_t domain)
{
    if (!window->duration_ns || !window->machine_busy_known || !window->known[domain] || window->unknown_ns[domain])
        return false;
    take_step(step, j_from_uj(window->energy_uj[domain]), s_from_ns(window->machine_busy_ns), window->duration_ns);
    return true;
}

/* Returns the number of steps. */
static size_t take_steps(const struct learnt_from *from, const struct window *const windows[BOUND_WINDOWS],
                         size_t domain, struct possible_step *steps)
{
    size_t count = 0;

    for (size_t i = 0; i < BOUND_WINDOWS; i++)
        count += windows[i] && take_window(&steps[count], windows[i], domain);
    for (size_t i = 0; from->strides && i < from->strides->count; i++) {
        const struct stride *stride = &from->strides->items[i];
        take_step(&steps[count++], j_from_uj(stride_energy_uj(from->strides, i)[domain]), s_from_ns(stride->busy_ns),
                  stride->duration_ns);
    }
    return count;
}

/* The counter was updated up to this long before each reading, at the highest observed power. */
static void take_lag(struct possible_step *steps, size_t count, double update_s)
{
    double highest_w = 0;

    for (size_t i = 0; i < count; i++)
        highest_w = fmax(highest_w, steps[i].power_w);
    for (size_t i = 0; i < count; i++)
        steps[i].off_w *= highest_w * update_s;
}

struct possible_range bounds_of(const struct learnt_from *from, const struct window *const windows[BOUND_WINDOWS],
                                const struct usage *usage, size_t domain)
{
    const struct window *run = windows[0];
    const struct domain *of = from->meter->domains[domain].domain;
    const size_t max = BOUND_WINDOWS + (from->strides ? from->strides->count : 0);
    const double job_s = s_from_ns(usage->cpu_ns.value);
    const struct possible_run asked = {
        .gross_j = j_from_uj(run->energy_uj[domain]),
        .duration_s = s_from_ns(run->duration_ns),
        .job_s = job_s,
        .others_s = fmax(0, s_from_ns(run->machine_busy_ns) - job_s),
    };
    AUTO_FREE struct possible_step *steps = calloc(max, sizeof *steps);
    size_t count;

    if (!steps || !usage->cpu_ns.known || !run->machine_busy_known)
        return (struct possible_range){ NAN, NAN };
    count = take_steps(from, windows, domain, steps);
    take_lag(steps, count, s_from_ns(of->update_ns));
    return possible_of(steps, count, &asked, powers_apart(of->component));
}

/* Strides with two means of power: of baselines, and of runs. */
struct means {
    const struct strides *strides;
    struct regression_steps steps;
    double *x, *weight, *y, *of_step;
    bool *of_run;
};

enum { OF_BASELINES, OF_RUNS, MEANS };

/* Fewer strides of a kind say nothing of how a mean scatters. */
enum { MIN_STRIDES = 4 };

static void lay_out(struct means *means, const struct learnt_from *from, const struct window *run, size_t domain)
{
    for (size_t i = 0; i < means->strides->count; i++) {
        const struct stride *stride = &means->strides->items[i];
        means->of_run[i] = !learnt_is_of_baseline(from, stride);
        means->weight[i] = s_from_ns(stride->duration_ns);
        means->x[i * MEANS + OF_BASELINES] = !means->of_run[i];
        means->x[i * MEANS + OF_RUNS] = means->of_run[i];
        means->y[i] = j_from_uj(stride_energy_uj(means->strides, i)[domain]) / means->weight[i];
        means->of_step[i] = stride_is_in(stride, run) ? means->weight[i] : 0;
    }
    means->steps = (struct regression_steps){ .count = means->strides->count,
                                              .columns = MEANS,
                                              .x = means->x,
                                              .weight = means->weight,
                                              .second = means->of_run };
}

/* False: there are too few. */
static bool take_means(const struct means *means, struct regression *regression)
{
    size_t count[MEANS] = { 0, 0 };

    *regression = (struct regression){ .columns = MEANS };
    for (size_t i = 0; i < means->strides->count; i++) {
        const int kind = means->of_run[i] ? OF_RUNS : OF_BASELINES;
        regression->gram.at[kind][kind] += means->weight[i];
        count[kind]++;
    }
    for (int kind = 0; kind < MEANS; kind++)
        regression->inverse.at[kind][kind] = 1 / regression->gram.at[kind][kind];
    return count[OF_BASELINES] >= MIN_STRIDES && count[OF_RUNS] >= MIN_STRIDES;
}

/* The variance of others' CPUs in strides of one kind, without what the ticks add; their mean. */
static double scatter_of(const struct means *means, bool of_run, double *mean)
{
    double lasted_s = 0, sum_s = 0, square = 0, count = 0, ticks = 0;

    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < means->strides->count; i++) {
            const struct stride *stride = &means->strides->items[i];
            const double others_s = s_from_ns(stride->busy_ns) - s_from_ns(stride->job_ns);
            const double off = others_s / means->weight[i] - sum_s / lasted_s;
            if (means->of_run[i] != of_run)
                continue;
            if (pass == 0) {
                lasted_s += means->weight[i];
                sum_s += others_s;
                continue;
            }
            count++;
            square += off * off;
            ticks += learnt_ticks_variance(1 + stride->job_cpu_roundings) / (means->weight[i] * means->weight[i]);
        }
    *mean = count > 0 ? sum_s / lasted_s : 0;
    return count > 1 ? square / (count - 1) - ticks / count : 0;
}

struct constancy constancy_of(const struct learnt_from *from, const struct window *run, size_t domain)
{
    const size_t count = from->strides ? from->strides->count : 0;
    AUTO_FREE double *room = calloc((MEANS + 3) * count + 1, sizeof *room);
    AUTO_FREE bool *of_run = calloc(count + 1, sizeof *of_run);
    struct means means = { from->strides, .x = room, .of_run = of_run };
    struct constancy constancy = { false, NAN, NAN };
    struct regression regression;

    if (!count || !room || !of_run)
        return constancy;
    means.weight = room + MEANS * count;
    means.y = means.weight + count;
    means.of_step = means.y + count;
    lay_out(&means, from, run, domain);
    for (int kind = 0; kind < MEANS; kind++) {
        double mean, variance = scatter_of(&means, kind == OF_RUNS, &mean);
        constancy.changed |= variance > STEADY * STEADY * mean * mean;
    }
    if (!constancy.changed && take_means(&means, &regression)) {
        const struct regression_figure net = { means.of_step, (double[]){ s_from_ns(run->duration_ns), 0 }, 0 };
        const struct regression_doubt doubt = regression_doubt_of(&means.steps, &regression, means.y, &net);
        constancy.deviation_j = doubt.deviation;
        constancy.freedom = doubt.freedom;
    }
    return constancy;
}
