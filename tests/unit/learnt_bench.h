/* SPDX-License-Identifier: MIT
 * A machine with the counter of one package, a baseline and a run: what strides tell of it. */
#ifndef TESTS_LEARNT_BENCH_H
#define TESTS_LEARNT_BENCH_H

#include "base/units.h"
#include "measurement/measurement.h"

struct learnt_bench {
    struct machine machine;
    struct domain domain;
    struct meter meter;
    struct counting counting;
    struct window baseline;
    struct run run;
    struct measurement measurement;
    struct summary summary;
};

/* bench is zeroed. */
static inline void learnt_bench_open(struct learnt_bench *bench, int cpus)
{
    static struct energy_driver driver = { .name = "powercap", .quality = QUALITY_MEASURED };
    static struct energy_source source = { .driver = &driver };

    bench->machine.cpus_online = cpus;
    bench->domain = (struct domain){ .component = COMPONENT_PACKAGE,
                                     .quality = QUALITY_MEASURED,
                                     .update_ns = NS_PER_S_INT / 1000,
                                     .low_ratio = 1,
                                     .high_ratio = 1 };
    bench->meter.machine = &bench->machine;
    bench->meter.domains[0] =
        (struct meter_domain){ .domain = &bench->domain, .source = &source, .started = true, .moved = true };
    bench->meter.domain_count = 1;
    bench->counting.is_counted[0] = true;
    bench->counting.counted = 1;
}

/* Anew, with these strides. */
static inline void learnt_bench_begin(struct learnt_bench *bench, struct strides *strides)
{
    bench->run = (struct run){ .ended = true };
    bench->measurement = (struct measurement){ .meter = &bench->meter,
                                               .counting = &bench->counting,
                                               .baselines = &bench->baseline,
                                               .baseline_count = 1,
                                               .runs = &bench->run,
                                               .run_count = 1,
                                               .strides = strides };
}

#endif
