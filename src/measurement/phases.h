/* SPDX-License-Identifier: MIT
 * The phases that a job's marks divide its run into. Used by measurement.c, phase_summary.h and watcher.h. Begin with
 * phase_book_open(). */
#ifndef MEASUREMENT_PHASES_H
#define MEASUREMENT_PHASES_H

#include "meter/meter.h"
#include "run/marks.h"
#include "usage/usage.h"

enum {
    PHASES_MAX = 64,        /* names; further ones are one more phase, PHASE_OTHERS */
    PHASE_MARKS_MAX = 1000, /* marks whose times are kept */
};

#define PHASE_BEFORE "(before the first mark)"
#define PHASE_NONE "(no phase)"
#define PHASE_OTHERS "(other phases)"

/* All the times that a run was in it. */
struct phase {
    char name[MARK_NAME_SIZE];
    uint64_t times; /* entered */
    uint64_t duration_ns;
    uint64_t cpu_ns; /* CPU time of the job */
    bool cpu_known;  /* it was read at each of its ends */
    uint64_t energy_uj[ENERGY_MAX_DOMAINS];
    uint8_t known[ENERGY_MAX_DOMAINS];       /* the domain was read at each of its ends */
    uint64_t unknown_ns[ENERGY_MAX_DOMAINS]; /* see struct window */
    uint8_t hole[ENERGY_MAX_DOMAINS];
};

struct phase_mark {
    size_t phase;   /* the one that begins, by its place in the run */
    uint64_t at_ns; /* since the opening sample */
};

/* Of one run, in the order of their first marks. They add up to the run's window: in time, and in the energy of each
 * domain to the last microjoule. */
struct phases {
    struct phase *items;
    size_t count;
    struct phase_mark *marks;
    size_t mark_count;
    uint64_t origins[MARK_ORIGINS]; /* marks of each origin */
    struct phases *next;            /* of another run of the measurement that they belong to */
};

/* The phases of the run that goes on; of one size however many marks come. */
struct phase_book {
    struct phases phases;
    struct phase items[PHASES_MAX + 1];
    struct phase_mark marks[PHASE_MARKS_MAX];
    uint64_t opened_ns;
    size_t current;
    struct sample since;
    struct usage_value used; /* CPU time of the job so far */
};

void phase_book_open(struct phase_book *book, const struct sample *opening);

/* Reports the job's CPU time so far: the time since the last report belongs to the present phase. Called
 * before each mark that has a sample of its own, and at the end with the CPU time of the whole run. */
void phase_book_used(struct phase_book *book, const struct usage_value *cpu_ns);

/* What has been since the last mark belongs to the phase until now; the next one begins. name "": PHASE_NONE. */
void phase_book_mark(struct phase_book *book, enum mark_origin origin, const char *name, const struct sample *sample);

void phase_book_close(struct phase_book *book, const struct sample *closing);

/* A copy of the smallest size; NULL: no memory. */
struct phases *phase_book_copy(const struct phase_book *book);

void phases_free(struct phases *phases); /* and those after it */

#endif
