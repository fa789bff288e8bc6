/* SPDX-License-Identifier: MIT
 * A server that runs during the steps of a pipeline (Triton with its models, a service of Clara): started outside of
 * any window, awaited until it is ready, measured separately from the step, stopped. A process of carbon supervises it,
 * container or process, is out of reach of the terminal's signals, and stops it when carbon dies. Used by
 * companion_ready.c and companions.h. Begin with companion_start(). */
#ifndef COMMANDS_PIPELINE_COMPANION_H
#define COMMANDS_PIPELINE_COMPANION_H

#include "app/container_job.h"
#include "app/work_folders.h"
#include "commands/pipeline/pipeline.h"
#include "commands/pipeline/step_samples.h"
#include "run/side_command.h"

enum { COMPANION_ADDRESS_SIZE = 46 };

struct companion {
    /* Its command; pipeline_companions.c fills it, all borrowed. */
    const char *name;
    const struct engine *engine; /* NULL: a process */
    const char *image;           /* NULL: none */
    char *const *argv;           /* argv of a process; command of a container, NULL: the image's own; NULL-ended */
    char *const *environment;    /* of a process; NULL: carbon's own */
    const struct inherited_signals *signals;
    const struct pipeline_connection *connections;
    size_t connection_count;
    bool triton;                   /* it reports its readiness, and that of each model */
    const char *const *models;     /* NULL-ended; NULL: none requested */
    struct container_job job;      /* plan of a container */
    char log_path[WORK_PATH_SIZE]; /* "": its output goes to an unnamed file */
    int log;                       /* -1: not open */

    char address[COMPANION_ADDRESS_SIZE]; /* "": unknown so far */
    pid_t pid;                            /* of the supervising process; 0: not running */
    struct target process;                /* target of a process */
    size_t starts;
    double waited_s; /* time until it was ready, sum of all starts */

    /* companion_look: within one window, and over all windows */
    struct step_samples rows;
    struct step_sample first, last;
    size_t looks;
    double cpu_s, watched_s; /* NAN: unknown */
    struct step_figures cpu_percent_of_core, memory_mb;
    double min_cpu_percent, memory_peak_mb;
};

/* Waits until it is ready, for patience_s at most; progress: prints a progress line. False: it is not running then. */
bool companion_start(struct companion *companion, double patience_s, bool progress, struct notices *notices,
                     struct error *err) MUST_CHECK;
bool companion_runs(struct companion *companion);
/* Asks it to end, then kills it; harmless if it is not running. */
void companion_stop(struct companion *companion, struct notices *notices);

struct target *companion_target(struct companion *companion);

/* Within a window, which the first call begins; max_cpu_percent as in step_samples_open. */
void companion_look(struct companion *companion, uint64_t now_ns, double max_cpu_percent);
/* CPU time in seconds since the first look; NAN unknown. Ends the window. */
double companion_window_end(struct companion *companion);

/* companion_ready.c: asks once. missing: the parts that are not ready yet, for a message. */
bool companion_is_ready(const struct companion *companion, char *missing, size_t size);

#endif
