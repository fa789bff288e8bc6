/* SPDX-License-Identifier: MIT
 * What a series of baselines and runs is to do, where it is, and how its commands went. Used by watcher.h and
 * workload.h. Begin with workload_phase_name(). */
#ifndef MEASUREMENT_WORKLOAD_PLAN_H
#define MEASUREMENT_WORKLOAD_PLAN_H

#include "measurement/measurement.h"
#include "measurement/schedule.h"
#include "target/target.h"

struct capture;

enum workload_phase { PHASE_SETTLE, PHASE_BASELINE, PHASE_WARMUP, PHASE_RUN, PHASE_COOLDOWN };

const char *workload_phase_name(enum workload_phase phase);

struct workload_command {
    char *const *argv;     /* NULL-ended */
    const cpu_set_t *cpus; /* for the job; NULL: as inherited */
    size_t cpus_size;
    /* What runs already and is watched in place of the job; the command, if there is one, is its client: the window
     * is the command's, the usage the target's. Without a command the window ends with the target, after for_ns (0:
     * however long) or at a signal, and a baseline can only follow it. NULL: the job itself. */
    struct target *target;
    uint64_t for_ns;
    /* Servers that run with it, are not part of the job, and may use graphics cards; NULL-ended; NULL: none. */
    const struct target *const *concurrent;
    /* In place of the command, which is then a name for messages: see struct job_options. */
    int (*work)(void *context);
    void *context;
    char *const *environment; /* NULL: that of the options */
    const char *folder;       /* that it works in; NULL: carbon's own */
    int output_fd, error_fd;  /* where its outputs go; 0: to carbon's own */
    struct capture *capture;  /* takes what it prints, and has it ended where that is too much; NULL: nothing does */
    bool made_later;          /* before_run makes what is run: argv is a name of it, and need not be here */
    bool may_fail;            /* an exit status other than 0 does not fail the series, and it is run again */
    uint64_t limit_ns;        /* time limit: SIGTERM, then SIGKILL; 0: none */
    const bool *stop;         /* it is ended likewise as soon as a callback sets this; NULL: never */
};

/* When a run ends other than with 0, or cannot be started. */
enum workload_failure {
    FAILURE_STOPS,   /* the series ends */
    FAILURE_DROPS,   /* that command is not run again, the others are */
    FAILURE_IGNORED, /* nothing; a command that cannot be started still ends the series */
};

struct workload_options {
    const struct workload_command *commands;
    size_t command_count;
    struct schedule schedule; /* which of them is run when */
    char *const *environment; /* of the jobs; NULL: carbon's own */
    uint64_t baseline_ns;     /* before the first run, between runs, and after the last of several; 0: none */
    bool baseline_same;       /* after each run, as long as that run; baseline_ns does not matter then */
    bool baseline_once;       /* before the first run alone */
    bool baseline_fits;       /* baseline_ns is the most: as long as the runs so far have use for, see
                               * series_baseline_ns; settling, likewise, comes behind the warm-ups */
    uint64_t settle_ns;       /* maximum wait for idle power to settle; 0: no wait */
    uint64_t cooldown_ns;     /* pause after each run except the last, not part of any baseline */
    uint64_t interval_ns;     /* of the time series; 0: keep-alive reads alone */
    uint64_t slice_ns;        /* runs are cut at multiples of it in UTC; 0: they are not */
    int ready_fd;             /* gets a line for each phase, see watcher_tell_begun; 0: none */
    enum workload_failure failure;
    const struct marks_options *marks; /* what divides the runs into phases; must live as long as the measurement. NULL:
                                        * nothing */
};

/* Progress of the series. */
struct workload_place {
    enum workload_phase phase;
    size_t command, number; /* of the run that comes or goes on; number counts from 1 */
    size_t step;            /* how many runs of the schedule are behind */
    uint64_t since_ns;      /* CLOCK_MONOTONIC when the phase began */
    uint64_t lasts_ns;      /* how long it will take, at most; 0: unknown */
    int interrupted;        /* the signal that ends the series, or 0; set after a run */
    uint64_t left_ns;       /* estimated time to the end of the series; 0: unknown */
};

/* Callbacks for progress; every member may be NULL. */
struct workload_watch {
    void *context;
    /* used: the job's current CPU and memory, if `looks` is set; else NULL. */
    void (*on_sample)(void *context, const struct workload_place *place, const struct sample *sample,
                      const struct target_now *used);
    bool looks;
    /* Outside of all windows, before each run: the caller may change the command. False: it cannot be run, err says
     * why. And after it, or after it could not be run (run NULL). False: the series ends. */
    bool (*before_run)(void *context, const struct workload_place *place, struct error *err);
    bool (*after_run)(void *context, const struct workload_place *place, const struct run *run);
    /* After each run and the baseline that follows it, with the number of completed steps of the schedule. True: the
     * series ends here, as one that was done. */
    bool (*is_enough)(void *context, size_t behind);
    /* The job's process is there and waits; its window begins next. False: it is not run, err says why. */
    bool (*on_held)(void *context, pid_t pid, struct error *err);
    /* A mark of the job begins a phase, by its place in the run's phases, with this sample; of several marks that were
     * read together the last one counts. */
    void (*on_mark)(void *context, size_t phase, const struct sample *sample);
    /* At least every 10 s and at each window's end, with the windows so far (the last may be open). */
    void (*on_progress)(void *context, const struct workload_place *place, const struct measurement *so_far);
    uint64_t progress_ns; /* in place of the 10 s; 0: these */
    /* Every tick_ns (0: never), for a progress line; reads nothing. */
    void (*on_tick)(void *context, const struct workload_place *place);
    uint64_t tick_ns;
};

/* How the runs of one command went. */
struct command_end {
    int exit_status; /* of the last run; 126 or 127 when the command could not be run */
    bool ran;        /* started at least once */
    bool cannot_run; /* it could not be started; error says why */
    bool failed;     /* a run exited other than 0 and it was not run again */
    size_t failed_number;
    struct error error;
};

#endif
