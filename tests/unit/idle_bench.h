/* SPDX-License-Identifier: MIT
 * Baselines and runs of one counted package, put together by hand. */
#ifndef TESTS_IDLE_BENCH_H
#define TESTS_IDLE_BENCH_H

#include "base/units.h"
#include "measurement/idle.h"

#include <string.h>

#define S NS_PER_S_INT
#define J UINT64_C(1000000)

enum { MAX = 16 };

/* One counted package; windows are added one after the other. */
struct bench {
    struct domain domain;
    struct meter meter;
    struct counting counting;
    struct window baselines[MAX];
    struct run runs[MAX];
    struct measurement measurement;
    struct summary summary;
    uint64_t now_ns;
};

/* One for all tests: each runs in a process of its own. */
static struct bench b;

static struct energy_driver driver = { .name = "powercap", .quality = QUALITY_MEASURED };
static struct energy_source source = { .driver = &driver };

static inline void begin(void)
{
    memset(&b, 0, sizeof b);
    b.domain = (struct domain){ .name = "package-0",
                                .component = COMPONENT_PACKAGE,
                                .quality = QUALITY_MEASURED,
                                .update_ns = 1000000,
                                .low_ratio = 1,
                                .high_ratio = 1 };
    b.meter.domains[0] =
        (struct meter_domain){ .domain = &b.domain, .source = &source, .started = true, .moved = true };
    b.meter.domain_count = 1;
    b.counting.is_counted[0] = true;
    b.counting.counted = 1;
    b.measurement =
        (struct measurement){ .meter = &b.meter, .counting = &b.counting, .baselines = b.baselines, .runs = b.runs };
    b.now_ns = 100 * S;
}

static inline struct window window_of(uint64_t duration_s, uint64_t energy_j, double busy_cores)
{
    const struct window window = {
        .start_ns = b.now_ns,
        .duration_ns = duration_s * S,
        .energy_uj = { energy_j * J },
        .known = { 1 },
        .machine_busy_known = true,
        .machine_busy_ns = (uint64_t)(busy_cores * (double)(duration_s * S)),
    };

    b.now_ns += window.duration_ns;
    return window;
}

static inline void baseline(uint64_t duration_s, uint64_t energy_j, double busy_cores)
{
    b.baselines[b.measurement.baseline_count++] = window_of(duration_s, energy_j, busy_cores);
}

static inline struct run *run(uint64_t duration_s, uint64_t energy_j, double busy_cores, double job_cores)
{
    struct run *run = &b.runs[b.measurement.run_count++];

    *run = (struct run){ .window = window_of(duration_s, energy_j, busy_cores), .ended = true };
    run->usage.cpu_ns = (struct usage_value){ true, (uint64_t)(job_cores * (double)(duration_s * S)), "cgroup" };
    return run;
}

#endif
