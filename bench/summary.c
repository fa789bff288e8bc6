/* SPDX-License-Identifier: MIT
 * What it costs to sum up 10,000 windows (5,000 runs, each between baselines of its own), beside one bare pass that
 * adds up the energies in them; and what own costs there beside net: where it is net, and where it is learnt from
 * strides. */
#include "base/clock.h"
#include "base/units.h"
#include "measurement/measurement.h"
#include "own/strides.h"

#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 5000, DOMAINS = 6, ROUNDS = 21 };

static struct window window_at(uint64_t *now_ns, uint64_t duration_ns, uint64_t watts)
{
    struct window window = { .start_ns = *now_ns, .duration_ns = duration_ns, .part_count = BASELINE_PARTS };

    for (size_t i = 0; i < DOMAINS; i++) {
        window.known[i] = 1;
        window.energy_uj[i] = (watts + i) * duration_ns / 1000;
    }
    for (size_t i = 0; i < BASELINE_PARTS; i++)
        window.parts_w[i] = (double)watts;
    *now_ns += duration_ns;
    return window;
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static uint64_t median(uint64_t *values)
{
    qsort(values, ROUNDS, sizeof *values, compare);
    return values[ROUNDS / 2];
}

static uint64_t bare_pass_ns(const struct measurement *measurement, uint64_t *sum_uj)
{
    const uint64_t begun_ns = clock_monotonic_ns();

    for (size_t i = 0; i < measurement->run_count; i++)
        for (size_t j = 0; j < DOMAINS; j++)
            *sum_uj += measurement->runs[i].window.energy_uj[j];
    for (size_t i = 0; i < measurement->baseline_count; i++)
        for (size_t j = 0; j < DOMAINS; j++)
            *sum_uj += measurement->baselines[i].energy_uj[j];
    return clock_monotonic_ns() - begun_ns;
}

static uint64_t summary_ns(const struct measurement *measurement)
{
    static struct summary summary;
    const uint64_t begun_ns = clock_monotonic_ns();

    summarize(measurement, &summary);
    return summary.runs == measurement->run_count ? clock_monotonic_ns() - begun_ns : UINT64_MAX;
}

/* It is known who used the CPUs: others so many of them, by turns. */
static void tell_cpus(struct measurement *measurement, size_t others)
{
    for (size_t i = 0; i < measurement->baseline_count; i++) {
        struct window *window = &measurement->baselines[i];
        window->machine_busy_known = true;
        window->machine_busy_ns = i % (others + 1) * window->duration_ns;
    }
    for (size_t i = 0; i < measurement->run_count; i++) {
        struct run *run = &measurement->runs[i];
        run->usage.cpu_ns = (struct usage_value){ true, run->window.duration_ns, "cgroup" };
        run->window.machine_busy_known = true;
        run->window.machine_busy_ns = (1 + i % (others + 1)) * run->window.duration_ns;
    }
}

/* As many as are kept, in the windows: of others that come and go. */
static bool make_strides(struct measurement *measurement)
{
    measurement->strides = strides_new(DOMAINS, NS_PER_S_INT / 5);
    for (size_t k = 0; measurement->strides && k < STRIDES_MAX; k++) {
        const bool of_run = k % 2;
        const size_t i = k / 2 % measurement->run_count;
        const struct window *window = of_run ? &measurement->runs[i].window : &measurement->baselines[2 * i];
        const uint64_t others = k * 7 % 5 / 2;
        struct stride stride = { .start_ns = window->start_ns, .duration_ns = window->duration_ns };
        uint64_t energy_uj[DOMAINS];
        stride.job_ns = of_run ? stride.duration_ns : 0;
        stride.busy_ns = stride.job_ns + others * stride.duration_ns;
        for (size_t d = 0; d < DOMAINS; d++)
            energy_uj[d] = (40 + 10 * others + (of_run ? 50 : 0) + k % 3) * stride.duration_ns / 1000;
        if (!strides_add(measurement->strides, &stride, energy_uj))
            return false;
    }
    return measurement->strides;
}

/* A series of 20 runs, as compare has it, with strides and without. */
static bool print_learnt(const struct measurement *measurement)
{
    struct measurement few = *measurement;
    uint64_t net_ns[ROUNDS], own_ns[ROUNDS];

    few.run_count = 20;
    few.baseline_count = 40;
    tell_cpus(&few, 2);
    if (!make_strides(&few))
        return false;
    for (size_t i = 0; i < ROUNDS; i++) {
        struct measurement without = few;
        without.strides = NULL;
        net_ns[i] = summary_ns(&without);
        own_ns[i] = summary_ns(&few);
    }
    printf("20 runs beside others: %d strides     %8.2f ms   (without strides %.2f ms)\n", STRIDES_MAX,
           (double)median(own_ns) / 1e6, (double)median(net_ns) / 1e6);
    strides_free(few.strides);
    return true;
}

int main(void)
{
    static const struct energy_driver driver = { .name = "powercap", .quality = QUALITY_MEASURED };
    static const struct energy_source source = { .driver = &driver };
    static struct domain domains[DOMAINS];
    static struct machine machine = { .cpus_online = 4 };
    static struct meter meter = { .machine = &machine, .domain_count = DOMAINS };
    static struct counting counting = { .counted = 2, .is_counted = { true, true } };
    struct measurement measurement = { .meter = &meter, .counting = &counting };
    uint64_t now_ns = NS_PER_S_INT, sum_uj = 0, bare_ns[ROUNDS], net_ns[ROUNDS], own_ns[ROUNDS];
    bool done;

    for (size_t i = 0; i < DOMAINS; i++) {
        domains[i] = (struct domain){ .component = COMPONENT_PACKAGE,
                                      .quality = QUALITY_MEASURED,
                                      .update_ns = 1000000,
                                      .low_ratio = 1,
                                      .high_ratio = 1 };
        meter.domains[i] =
            (struct meter_domain){ .domain = &domains[i], .source = &source, .started = true, .moved = true };
    }
    measurement.runs = calloc(RUNS, sizeof *measurement.runs);
    measurement.baselines = calloc(2 * RUNS, sizeof *measurement.baselines);
    if (!measurement.runs || !measurement.baselines)
        return 1;
    for (size_t i = 0; i < RUNS; i++) {
        measurement.baselines[measurement.baseline_count++] = window_at(&now_ns, NS_PER_S_INT, 40 + i % 3);
        measurement.runs[i].window = window_at(&now_ns, 2 * NS_PER_S_INT, 90 + i % 7);
        measurement.runs[i].ended = true;
        measurement.run_count++;
        measurement.baselines[measurement.baseline_count++] = window_at(&now_ns, NS_PER_S_INT, 41 + i % 2);
    }
    for (size_t i = 0; i < ROUNDS; i++) {
        bare_ns[i] = bare_pass_ns(&measurement, &sum_uj);
        net_ns[i] = summary_ns(&measurement);
    }
    tell_cpus(&measurement, 0);
    for (size_t i = 0; i < ROUNDS; i++)
        own_ns[i] = summary_ns(&measurement);
    printf("one bare pass over %d windows      %8.2f ms (%llu J)\n", 3 * RUNS, (double)median(bare_ns) / 1e6,
           (unsigned long long)(sum_uj / ROUNDS / 1000000));
    printf("their summary, %d domains          %8.2f ms   (target <= 100 ms for 10,000)\n", DOMAINS,
           (double)median(net_ns) / 1e6);
    printf("  summary / bare pass                               %6.2f\n",
           (double)median(net_ns) / (double)median(bare_ns));
    printf("the same where it is known who used the CPUs, so that own is told %8.2f ms\n",
           (double)median(own_ns) / 1e6);
    printf("  with own / with net alone                         %6.2f\n",
           (double)median(own_ns) / (double)median(net_ns));
    done = print_learnt(&measurement);
    measurement_close(&measurement);
    return done && sum_uj ? 0 : 1;
}
