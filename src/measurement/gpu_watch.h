/* SPDX-License-Identifier: MIT
 * Whose the energy of the counted graphics cards is, while a run goes on: the drivers are asked each second. Used
 * throughout measurement. Begin with gpu_watch_open(). */
#ifndef MEASUREMENT_GPU_WATCH_H
#define MEASUREMENT_GPU_WATCH_H

#include "measurement/measurement.h"
#include "meter/gpu_split.h"
#include "target/target.h"

/* Whose processes are meant. */
struct gpu_owner {
    const struct target *target;            /* NULL: the command that carbon started */
    bool unseen;                            /* that is started by another, and nothing is known of its processes */
    const struct target *const *concurrent; /* whose processes are not: NULL-ended; NULL: none */
};

struct gpu_card {
    struct gpu_use use;
    struct gpu_split split;
    double own_j, used_j, lost_j, concurrent_j, of_j;
    uint64_t over_ns;
};

struct gpu_watch {
    struct meter *meter;
    struct gpu_owner owner;
    struct gpu_card cards[GPU_USES_MAX];
    size_t count;
    pid_t known[GPU_MAX_USERS]; /* of the job, also where they have ended since */
    size_t known_count;
    struct sample last;
    uint64_t next_ns; /* CLOCK_MONOTONIC when a sample is wanted for it; UINT64_MAX: never */
};

/* Excludes the use of the cards before this sample. */
void gpu_watch_open(struct gpu_watch *watch, struct meter *meter, const struct counting *counting,
                    const struct gpu_owner *owner, const struct sample *start);

void gpu_watch_take(struct gpu_watch *watch, const struct sample *sample);

/* With the last sample of the run. Its unreported end is shared like the time before it. */
void gpu_watch_close(struct gpu_watch *watch, const struct sample *sample, struct run *run);

/* The entry of a domain; NULL: it has none. */
const struct gpu_use *gpu_use_of(const struct run *run, size_t domain);

#endif
