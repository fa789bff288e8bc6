/* SPDX-License-Identifier: MIT
 * The output of a job, read by carbon while it runs, up to a maximum of bytes. Used by commands/indicator/indicator.h
 * and measurement/workload_step.c. Begin with capture_open(). */
#ifndef RUN_CAPTURE_H
#define RUN_CAPTURE_H

#include "run/job.h"

struct captured {
    char *bytes; /* with a NUL behind them; NULL: nothing came */
    size_t length, size;
    int fd;    /* the end that is read; -1: none, or no writer any more */
    bool over; /* there was more than may be taken */
};

enum { CAPTURE_OUT, CAPTURE_ERROR, CAPTURE_STREAMS };

/* Of one run. The caller sets the first part before it. */
struct capture {
    size_t max;       /* bytes of each stream */
    bool takes_error; /* standard error, too, which is passed on to carbon's as it comes */

    struct captured streams[CAPTURE_STREAMS];
    struct job_descriptor given[CAPTURE_STREAMS]; /* for job_options, as the next two */
    size_t given_count;
    struct pollfd watched[CAPTURE_STREAMS];
};

/* Forgets what an earlier run printed. */
bool capture_open(struct capture *capture, struct error *err) MUST_CHECK;

/* Once the job has its ends, or never will. */
void capture_started(struct capture *capture);

/* After JOB_READY. Of standard output that is over nothing more is read: the job waits, or is ended. */
void capture_take(struct capture *capture);

/* When the command has ended: reads the remaining output. Later output, from orphaned processes, is not waited
 * for. */
void capture_finish(struct capture *capture);

/* The bytes stay, until the next capture_open or capture_free. */
void capture_close(struct capture *capture);
void capture_free(struct capture *capture);

#endif
