/* SPDX-License-Identifier: MIT
 * The marks by which a job says what it is at: lines that it writes to a descriptor of its own, and lines of its
 * standard error that match a pattern. Used by measurement/phases.h and result/stored/record_load.h. Begin with
 * marks_open(). */
#ifndef RUN_MARKS_H
#define RUN_MARKS_H

#include "run/job.h"
#include "run/mark_line.h"

/* In the job's environment: the number of the descriptor. */
#define MARKS_VARIABLE "CARBON_MARK_FD"

/* What is listened to. */
struct marks_options {
    bool written;       /* the job is given a descriptor for its marks */
    bool matched;       /* its standard error goes through carbon, and the pattern is looked for */
    const char *phrase; /* the pattern as the user wrote it */
    struct pattern *pattern;
};

enum mark_origin { MARK_WRITTEN, MARK_MATCHED, MARK_ORIGINS };

/* Called for each mark, in order. An empty name: the phase ends and none begins. */
struct mark_listener {
    void *context;
    void (*on_mark)(void *context, enum mark_origin origin, const char *name);
};

enum {
    MARKS_HELD = 1 << 16, /* of standard error, read and not passed on yet */
    MARKS_GIVEN = 2,
    MARKS_WATCHED = 3,
};

/* Of one run: writes of an earlier run's orphaned processes are lost. */
struct marks {
    const struct marks_options *options;
    struct job_descriptor given[MARKS_GIVEN]; /* for job_options, as the next two */
    size_t given_count;
    struct pollfd watched[MARKS_WATCHED];
    char **environment; /* NULL: as it was */
    char variable[32];
    int written_fd, error_fd; /* the ends that carbon reads; -1: none, or no writer any more */
    struct mark_line written, matched;
    char held[MARKS_HELD];
    size_t held_from, held_to;
};

/* environment: the job's, NULL: carbon's own. */
bool marks_open(struct marks *marks, const struct marks_options *options, char *const *environment,
                struct error *err) MUST_CHECK;

/* Once the job has its ends, or never will. */
void marks_started(struct marks *marks);

/* After JOB_READY. Takes what has come and passes the job's standard error on to carbon's, byte by byte as it was;
 * never waits, so that a slow reader holds up the job as it would have, and carbon not at all. */
void marks_take(struct marks *marks, const struct mark_listener *listener);

/* When the command has ended: the remaining output is read and passed on, even if carbon has to wait for a slow reader,
 * until a signal interrupts that. What comes later, from processes left behind, is not waited for. */
void marks_finish(struct marks *marks, struct job_signals *signals, const struct mark_listener *listener);

void marks_close(struct marks *marks); /* harmless twice */

#endif
