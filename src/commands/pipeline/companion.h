/* SPDX-License-Identifier: MIT
 * A server beside the steps of a pipeline (Triton with its models, a service of Clara's): started outside of any
 * window, waited for until it answers, watched apart from the step, ended. Container or process, a process of carbon's
 * looks after it, out of reach of the terminal's signals, and ends it when carbon dies. Used by companion_ready.c and
 * companions.h. Begin with companion_start(). */
#ifndef COMMANDS_PIPELINE_COMPANION_H
#define COMMANDS_PIPELINE_COMPANION_H

#include "app/container_job.h"
#include "app/work_folders.h"
#include "commands/pipeline/pipeline.h"
#include "commands/pipeline/step_samples.h"
#include "run/side_command.h"

enum { COMPANION_ADDRESS_SIZE = 46 };

struct companion {
    /* What is run; pipeline_companions.c fills it, all borrowed. */
    const char *name;
    const struct engine *engine; /* NULL: it is a process */
    const char *image;           /* NULL: none */
    char *const *argv;           /* of a process whole, of a container its command; NULL-ended; NULL: the image's own */
    char *const *environment;    /* of a process; NULL: carbon's own */
    const struct inherited_signals *signals;
    const struct pipeline_connection *connections;
    size_t connection_count;
    bool triton;                   /* it tells whether it is ready, and each of its models */
    const char *const *models;     /* NULL-ended; NULL: none is asked for */
    struct container_job job;      /* plan of a container */
    char log_path[WORK_PATH_SIZE]; /* "": its output goes to a file without a name */
    int log;                       /* -1: not open */

    char address[COMPANION_ADDRESS_SIZE]; /* "": not known yet */
    pid_t pid;                            /* who looks after it; 0: it does not run */
    struct target process;                /* what is watched of a process */
    size_t starts;
    double waited_s; /* until it was ready, all starts together */

    /* companion_look, within one window, and over all of them */
    struct step_samples rows;
    struct step_sample first, last;
    size_t looks;
    double cpu_s, watched_s; /* NAN: unknown */
    struct step_figures cpu_percent_of_core, memory_mb;
    double min_cpu_percent, memory_peak_mb;
};

/* Waits until it answers, for patience_s at most; progress: a line tells so. False: it does not run then. */
bool companion_start(struct companion *companion, double patience_s, bool progress, struct notices *notices,
                     struct error *err) MUST_CHECK;
bool companion_runs(struct companion *companion);
/* Asked to end, then killed; harmless where it does not run. */
void companion_stop(struct companion *companion, struct notices *notices);

struct target *companion_target(struct companion *companion);

/* Within a window: begun by its first look; max_cpu_percent as in step_samples_open. */
void companion_look(struct companion *companion, uint64_t now_ns, double max_cpu_percent);
/* What it used since the first look, in seconds of CPU; NAN unknown. Begins anew. */
double companion_window_end(struct companion *companion);

/* companion_ready.c: one question. missing: what is not ready yet, for a message. */
bool companion_is_ready(const struct companion *companion, char *missing, size_t size);

#endif
