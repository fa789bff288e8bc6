/* SPDX-License-Identifier: MIT
 * What it costs to sum up 10,000 windows (5,000 runs, each between baselines of its own), beside one bare pass that
 * adds up the energies in them. */
#include "base/clock.h"
#include "base/units.h"
#include "measurement/measurement.h"

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

int main(void)
{
    static const struct energy_driver driver = { .name = "powercap", .quality = QUALITY_MEASURED };
    static const struct energy_source source = { .driver = &driver };
    static struct domain domains[DOMAINS];
    static struct meter meter = { .domain_count = DOMAINS };
    static struct counting counting = { .counted = 2, .counts = { true, true } };
    static struct summary summary;
    struct measurement measurement = { .meter = &meter, .counting = &counting };
    uint64_t now_ns = NS_PER_S_INT, sum_uj = 0, bare_ns[ROUNDS], summary_ns[ROUNDS];

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
        uint64_t begun_ns;
        bare_ns[i] = bare_pass_ns(&measurement, &sum_uj);
        begun_ns = clock_monotonic_ns();
        summarize(&measurement, &summary);
        summary_ns[i] = clock_monotonic_ns() - begun_ns;
    }
    printf("one bare pass over %d windows      %8.2f ms (%llu J)\n", 3 * RUNS, (double)median(bare_ns) / 1e6,
           (unsigned long long)(sum_uj / ROUNDS / 1000000));
    printf("their summary, %d domains          %8.2f ms   (target <= 100 ms for 10,000)\n", DOMAINS,
           (double)median(summary_ns) / 1e6);
    printf("  summary / bare pass                               %6.2f\n",
           (double)median(summary_ns) / (double)median(bare_ns));
    measurement_close(&measurement);
    return summary.runs == RUNS && sum_uj ? 0 : 1;
}
