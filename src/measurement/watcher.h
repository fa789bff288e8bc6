/* SPDX-License-Identifier: MIT
 * One window while it is open: the time series, keep-alive reads, polls and the progress line are done when they fall
 * due. Used by attach.h. Begin with watcher_open(). */
#ifndef MEASUREMENT_WATCHER_H
#define MEASUREMENT_WATCHER_H

#include "measurement/busy.h"
#include "measurement/gpu_watch.h"
#include "measurement/phases.h"
#include "measurement/slices.h"
#include "measurement/workload_plan.h"
#include "own/strides.h"
#include "usage/machine_counter.h"

struct watcher {
    struct meter *meter;
    const struct workload_watch *watch;
    const struct measurement *so_far;
    struct job_signals *signals;
    struct usage_meter *usage; /* of the job that runs; NULL: none */
    struct target *target;     /* target that is watched; NULL: none */
    struct target *unfollowed; /* becomes the watched target when its CPU time is requested; NULL: none will */
    pid_t unfollowed_pid;      /* the process that it follows then */
    struct marks *marks;       /* marks of the run; NULL: none */
    struct phase_book *book;   /* where marks are recorded */
    struct slicer slicer;
    struct strider strider;
    struct machine_counter counter; /* of all processes, since others were first seen */
    bool counter_tried;
    struct slices **slices;  /* the current run's slices; NULL: the run is not sliced */
    struct run *run;         /* that goes on, and gets to know whose the cards' energy is; NULL: none */
    struct gpu_owner owner;  /* owner of the GPU energy */
    uint64_t used_before_ns; /* CPU time of its target until then; 0: it begins with the run */
    struct gpu_watch gpus;
    struct workload_place place;
    uint64_t interval_ns, slice_ns, progress_ns;
    struct busy busy;
    int ready_fd;     /* see watcher_tell_begun; 0: none */
    bool begun_written;  /* watcher_tell_begun was called in this phase */
    const bool *stop; /* watcher_wait returns once it is set; NULL: never */

    /* open window: */
    struct window *window;
    struct sample start, last, part;
    uint64_t realtime_ns;
    uint64_t poll_ns, keep_alive_ns;
    uint64_t unseen_ns; /* maximum delay between the job's end and its detection, when carbon did not run; 0: none */
    /* UINT64_MAX: never */
    uint64_t next_sample_ns, next_tick_ns, next_poll_ns, next_keep_alive_ns, next_progress_ns;
};

/* Takes the opening sample. */
void watcher_open(struct watcher *watcher, struct window *window);

/* Sleeps as job_wait, and does on the way what falls due. Marks are taken; JOB_READY is returned for other descriptors.
 */
enum job_event watcher_wait(struct watcher *watcher, struct job *job, uint64_t until_ns);

/* Takes the closing sample; the marks that are still on the way, and the phases, end with it. */
void watcher_close(struct watcher *watcher);

/* A whole window in which nothing is run, read within in BASELINE_PARTS parts. False: interrupted; the window
 * ends there. */
bool watcher_idle(struct watcher *watcher, struct window *window, uint64_t duration_ns) MUST_CHECK;

void watcher_tell_progress(const struct watcher *watcher);

/* A line to ready_fd, left out where it would have to wait for its reader: once a phase, after the opening sample of
 * its first window, the phase's name; and "end". */
void watcher_tell_begun(struct watcher *watcher);
void watcher_tell_end(const struct watcher *watcher);

#endif
