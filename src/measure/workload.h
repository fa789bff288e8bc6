/* SPDX-License-Identifier: MIT
 * Baselines and runs, in order, around one command. */
#ifndef MEASURE_WORKLOAD_H
#define MEASURE_WORKLOAD_H

#include "measure/measurement.h"

enum workload_phase { PHASE_BASELINE, PHASE_WARMUP, PHASE_RUN };

const char *workload_phase_name(enum workload_phase phase);

struct workload_options {
    char *const *argv;
    char *const *environment; /* of the job; NULL: carbon's own */
    uint64_t baseline_ns;     /* before each run; 0: none */
    size_t warmups, runs;
    uint64_t interval_ns; /* of the time series; 0: keep-alive reads alone */
    bool ignore_failure;
    const cpu_set_t *cpus; /* for the job; NULL: as inherited */
    size_t cpus_size;
};

/* Told of what happens; every member may be NULL. */
struct workload_watch {
    void *context;
    void (*on_sample)(void *context, enum workload_phase phase, size_t number, const struct sample *sample);
    /* At least every 10 s and at each window's end, with the windows so far (the last may be open). */
    void (*on_progress)(void *context, enum workload_phase phase, size_t number, const struct measurement *so_far);
    /* Every tick_ns (0: never), for a progress line; reads nothing. */
    void (*on_tick)(void *context, enum workload_phase phase, size_t number, uint64_t elapsed_ns);
    uint64_t tick_ns;
};

/* How the series went. */
struct workload_end {
    int exit_status; /* of the last run; 126 or 127 when the command could not be run */
    bool ran;        /* the command ran at least once */
    bool cannot_run; /* it could not be started; err says why, exit_status is 126 or 127 */
    bool failed_run; /* a run exited other than 0 and the series stopped there */
    size_t failed_number;
};

/* Does the work and fills the measurement (freed with measurement_close). False: carbon failed, or
 * the command could not be run; what was measured until then is in the measurement. */
bool workload_run(struct meter *meter, const struct counting *counting, const struct workload_options *options,
                  const struct workload_watch *watch, struct measurement *measurement, struct workload_end *end,
                  struct error *err) MUST_CHECK;

#endif
