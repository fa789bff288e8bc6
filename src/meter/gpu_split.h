/* SPDX-License-Identifier: MIT
 * The energy of a graphics card on the processes that used it: the one rule of all that measures and serves. Used by
 * groups/collector.h, groups/gpu_shares.h and measurement/gpu_watch.h. Begin with gpu_split_take(). */
#ifndef METER_GPU_SPLIT_H
#define METER_GPU_SPLIT_H

#include "meter/meter.h"

/* NVIDIA's drivers report the last sample period, a sixth of a second to a second: queried again within it,
 * they have nothing new. */
#define GPU_SAMPLE_NS UINT64_C(1000000000)

/* One card between two questions. */
struct gpu_split {
    double waiting_j; /* energy since the last report, */
    uint64_t waiting_ns;
};

struct gpu_part {
    pid_t pid; /* in the first PID namespace, which is carbon's own */
    double energy_j;
};

/* The energy of a card, by its processes; the rest belongs to none. */
struct gpu_parts {
    struct gpu_part items[GPU_MAX_USERS];
    size_t count;
    double of_j; /* total of the parts, and its duration; 0 and 0: it waits for the next report */
    uint64_t over_ns;
};

/* What meter->domains[domain] used since the call before, to each process × the part of the time of the card's
 * processors that it had; where that is more than there was, of all that they had. Without a new report within
 * GPU_SAMPLE_NS, it waits. At first, of a split that is zeroed, with 0 and 0: its earlier use is not reported
 * of again. */
enum gpu_attribution gpu_split_take(struct meter *meter, size_t domain, double energy_j, uint64_t interval_ns,
                                    struct gpu_split *split, struct gpu_parts *parts);

#endif
