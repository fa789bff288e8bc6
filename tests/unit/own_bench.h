/* SPDX-License-Identifier: MIT
 * Windows of a small machine of four CPUs, to have own of: in tests/unit/measurement. */
#ifndef OWN_BENCH_H
#define OWN_BENCH_H

#include "unit.h"

#include "base/units.h"
#include "measurement/cpu_sums.h"
#include "measurement/own_runs.h"
#include "power/power_curve.h"

#include <math.h>
#include <string.h>

#define S NS_PER_S_INT
#define MS (NS_PER_S_INT / 1000)
#define TICKS 0.004 /* CPUs: two of 10 ms in a baseline of 5 s */
#define NEAR(a, b) ck_assert_double_eq_tol(a, b, 1e-9 * fmax(1, fabs(b)))

enum { PACKAGE, MEMORY, CARD, MAX_WINDOWS = 8 };

/* Four CPUs; the package counts, and what else a test makes count. */
struct bench {
    struct machine machine;
    struct domain domains[3];
    struct meter meter;
    struct counting counting;
    struct window baselines[MAX_WINDOWS];
    struct run runs[MAX_WINDOWS];
    struct measurement measurement;
    struct summary summary;
    struct power_curve curve, flat;
    uint64_t now_ns;
};

/* One for all tests: each runs in a process of its own. */
static struct bench b;

static inline void begin(void)
{
    static struct energy_driver driver = { .name = "powercap", .quality = QUALITY_MEASURED };
    static struct energy_source source = { .driver = &driver };
    static const enum component components[] = { COMPONENT_PACKAGE, COMPONENT_MEMORY, COMPONENT_GPU };

    memset(&b, 0, sizeof b);
    b.machine.cpus_online = 4;
    b.meter.machine = &b.machine;
    for (size_t i = 0; i < 3; i++) {
        b.domains[i] = (struct domain){ .component = components[i],
                                        .quality = QUALITY_MEASURED,
                                        .update_ns = 1000000,
                                        .low_ratio = 1,
                                        .high_ratio = 1 };
        b.meter.domains[i] = (struct meter_domain){ .domain = &b.domains[i], .source = &source, .moved = true };
    }
    b.meter.domain_count = 3;
    b.counting.is_counted[PACKAGE] = true;
    b.counting.counted = 1;
    b.measurement =
        (struct measurement){ .meter = &b.meter, .counting = &b.counting, .baselines = b.baselines, .runs = b.runs };
    b.now_ns = 50 * S;
}

/* Of so many joules of the package; busy: CPUs that everything kept busy. */
static inline struct window window_of(uint64_t duration_ns, double package_j, double busy)
{
    struct window window = {
        .start_ns = b.now_ns,
        .duration_ns = duration_ns,
        .energy_uj = { (uint64_t)llround(package_j * UJ_PER_J) },
        .known = { 1, 1, 1 },
        .machine_busy_known = true,
        .machine_busy_ns = (uint64_t)llround(busy * (double)duration_ns),
    };

    b.now_ns += duration_ns;
    return window;
}

static inline void baseline(uint64_t duration_ns, double package_j, double busy)
{
    b.baselines[b.measurement.baseline_count++] = window_of(duration_ns, package_j, busy);
}

/* job: CPUs that the job kept busy. */
static inline struct run *run(uint64_t duration_ns, double package_j, double busy, double job)
{
    struct run *run = &b.runs[b.measurement.run_count++];

    *run = (struct run){ .window = window_of(duration_ns, package_j, busy), .ended = true };
    run->usage.cpu_ns = (struct usage_value){ true, (uint64_t)llround(job * (double)duration_ns), "cgroup" };
    return run;
}

static inline const struct domain_energy *total_of(void)
{
    summarize(&b.measurement, &b.summary);
    return &b.summary.total;
}

static inline void own_is(const struct domain_energy *energy, enum own_method method, double own_j, double low_j,
                          double high_j)
{
    ck_assert_str_eq(own_method_name(energy->own_method), own_method_name(method));
    if (isnan(own_j))
        ck_assert(isnan(energy->own_j.mean));
    else
        NEAR(energy->own_j.mean, own_j);
    ck_assert(isnan(energy->own_low_j) == isnan(low_j) && isnan(energy->own_high_j) == isnan(high_j));
    if (isfinite(low_j))
        NEAR(energy->own_low_j, low_j);
    if (isfinite(high_j))
        NEAR(energy->own_high_j, high_j);
}

#endif
