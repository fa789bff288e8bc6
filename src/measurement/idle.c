/* SPDX-License-Identifier: MIT
 * The baselines beside a run, and what the machine would have used anyway while it was going on. */
#include "measurement/idle.h"

#include "base/cpu_ticks.h"
#include "base/units.h"
#include "measurement/cpu_sums.h"
#include "own/strides.h"

#include <math.h>
#include <stdlib.h>

/* How many baselines begin before this moment; they are in time order. */
static size_t begun_before(const struct measurement *measurement, uint64_t time_ns)
{
    size_t low = 0, high = measurement->baseline_count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (measurement->baselines[middle].start_ns < time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct neighbours neighbours_of(const struct measurement *measurement, const struct window *run)
{
    const size_t begun = begun_before(measurement, run->start_ns);

    return (struct neighbours){
        .before = begun ? &measurement->baselines[begun - 1] : NULL,
        .after = begun < measurement->baseline_count ? &measurement->baselines[begun] : NULL,
    };
}

/* Whole numbers, so that the same comes out wherever the clock began. */
static uint64_t twice_middle_ns(const struct window *window)
{
    return 2 * window->start_ns + window->duration_ns;
}

/* Where the run's middle lies between those of its baselines: 0 at the one before, 1 at the one after. */
static double way_between(const struct neighbours *neighbours, const struct window *run)
{
    const uint64_t from_ns = twice_middle_ns(neighbours->before), to_ns = twice_middle_ns(neighbours->after);

    return to_ns > from_ns ? (double)(int64_t)(twice_middle_ns(run) - from_ns) / (double)(to_ns - from_ns) : 0.5;
}

static double between(double before, double after, const struct neighbours *neighbours, const struct window *run)
{
    if (isnan(before))
        return after;
    if (isnan(after))
        return before;
    return before + (after - before) * way_between(neighbours, run);
}

static double baseline_w(const struct measurement *measurement, const struct window *baseline, size_t domain)
{
    if (!baseline || !baseline->duration_ns || !window_has_figure(measurement, baseline, domain))
        return NAN;
    return domain_figure_ratio(measurement->meter->domains[domain].domain) * window_w(baseline, domain);
}

double idle_w_under(const struct measurement *measurement, const struct neighbours *neighbours,
                    const struct window *run, size_t domain)
{
    return between(baseline_w(measurement, neighbours->before, domain),
                   baseline_w(measurement, neighbours->after, domain), neighbours, run);
}

double window_busy_cpus(const struct window *window)
{
    if (!window || !window->duration_ns || !window->machine_busy_known)
        return NAN;
    return (double)window->machine_busy_ns / (double)window->duration_ns;
}

double window_busy_mask_cpus(const struct window *window)
{
    if (!window || !window->duration_ns || !window->mask_cpus)
        return NAN;
    return (double)window->mask_busy_ns / (double)window->duration_ns;
}

double idle_cores_under(const struct neighbours *neighbours, const struct window *run)
{
    return between(window_busy_cpus(neighbours->before), window_busy_cpus(neighbours->after), neighbours, run);
}

double idle_mask_cores_under(const struct neighbours *neighbours, const struct window *run)
{
    return between(window_busy_mask_cpus(neighbours->before), window_busy_mask_cpus(neighbours->after), neighbours,
                   run);
}

double baseline_busy_cpus(const struct measurement *measurement)
{
    const struct cpu_sums busy = cpu_sums_in_baselines(measurement);

    return cpu_sums_others(&busy);
}

double baseline_busy_mask_cpus(const struct measurement *measurement)
{
    const struct cpu_sums busy = cpu_sums_in_baselines(measurement);

    return cpu_sums_of_mask(&busy);
}

unsigned baseline_mask_cpus(const struct measurement *measurement)
{
    return measurement->baseline_count ? measurement->baselines[0].mask_cpus : 0;
}

static const struct window *baseline_at(const void *of, size_t step)
{
    return &((const struct measurement *)of)->baselines[step];
}

static unsigned all_cpus(const struct measurement *measurement)
{
    const struct machine *machine = measurement->meter->machine;

    return machine ? (unsigned)machine_stat_cpus(machine) : 0;
}

/* Of each baseline a tick of each CPU may be another's. */
static bool is_above_idle(const struct measurement *measurement, double others, unsigned cpus)
{
    const struct window_list baselines = { baseline_at, measurement, measurement->baseline_count };
    const double ticks_s = s_from_ns(tick_ns()) * (double)baselines.count;

    return cpus && others > (double)cpus * (BASELINE_IDLE + ticks_s / s_from_ns(windows_ns(&baselines)));
}

enum idleness baseline_idleness(const struct measurement *measurement)
{
    const double everywhere = baseline_busy_cpus(measurement), within = baseline_busy_mask_cpus(measurement);
    const unsigned mask_cpus = baseline_mask_cpus(measurement);

    if (isnan(everywhere) && isnan(within))
        return IDLENESS_UNKNOWN;
    if (within > (double)mask_cpus - SPARE_CPUS)
        return IDLENESS_FULL;
    return is_above_idle(measurement, everywhere, all_cpus(measurement)) ||
                   is_above_idle(measurement, within, mask_cpus)
               ? IDLENESS_BUSY
               : IDLENESS_IDLE;
}

bool measurement_of_command(const struct measurement *all, size_t command, struct measurement *view)
{
    const size_t runs = all->run_count ? all->run_count : 1, baselines = all->baseline_count ? all->baseline_count : 1;
    struct window_list windows;

    *view = *all;
    if (!all->series_cpu.lasted_ns)
        view->series_cpu = cpu_sums_concurrent(all);
    view->run_count = view->baseline_count = 0;
    view->phases = NULL;
    view->slices = NULL;
    view->strides = NULL;
    view->runs = calloc(runs, sizeof *view->runs);
    view->baselines = calloc(baselines, sizeof *view->baselines);
    if (!view->runs || !view->baselines) {
        measurement_close(view);
        return false;
    }
    for (size_t i = 0; i < all->run_count; i++) {
        struct neighbours neighbours;
        if (all->runs[i].command != command)
            continue;
        neighbours = neighbours_of(all, &all->runs[i].window);
        view->runs[view->run_count++] = all->runs[i];
        if (neighbours.before &&
            (!view->baseline_count || view->baselines[view->baseline_count - 1].start_ns < neighbours.before->start_ns))
            view->baselines[view->baseline_count++] = *neighbours.before;
        if (neighbours.after)
            view->baselines[view->baseline_count++] = *neighbours.after;
    }
    if (!all->strides)
        return true;
    windows = measurement_steps(view);
    view->strides = strides_within(all->strides, &windows);
    if (!view->strides)
        measurement_close(view);
    return view->strides;
}
