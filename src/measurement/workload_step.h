/* SPDX-License-Identifier: MIT
 * One run of a series: started, watched, reaped. For workload.c alone. Used by workload.c. Begin with
 * series_enter_phase(). */
#ifndef MEASUREMENT_WORKLOAD_STEP_H
#define MEASUREMENT_WORKLOAD_STEP_H

#include "measurement/attach.h"
#include "run/cpus.h"

/* What one call of workload_run works with. */
struct series_run {
    struct watcher watcher;
    const struct workload_options *options;
    struct measurement *measurement;
    struct command_end *ends;
    struct job_signals signals;
    bool *dropped;    /* commands that are not run again */
    uint64_t runs_ns; /* the runs so far, together */
    struct window scratch;
    struct cpus inherited; /* where a job runs that is not pinned */
    struct marks marks;
    struct phase_book book;
};

/* Sets the progress of the series: from here on before or in the run of this step. */
void series_enter_phase(struct series_run *work, enum workload_phase phase, size_t step, uint64_t lasts_ns);

/* The next window is one for the job of this step: which CPUs may it run on? */
void series_choose_mask(struct series_run *work, size_t step);

/* The next baseline: as the options have it; with baseline_fits twice the longest run, from half a second on. */
uint64_t series_baseline_ns(const struct series_run *work);

/* Does a run and adds it to the measurement. False: the command could not be started, or carbon failed. */
bool series_run_step(struct series_run *work, size_t number, struct error *err) MUST_CHECK;

#endif
