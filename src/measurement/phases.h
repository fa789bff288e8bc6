/* SPDX-License-Identifier: MIT
 * The phases that a job's marks divide its run into. */
#ifndef MEASUREMENT_PHASES_H
#define MEASUREMENT_PHASES_H

#include "measurement/measurement.h"
#include "run/marks.h"

enum {
    PHASES_MAX = 64,        /* names; what has others is one phase more, PHASE_OTHERS */
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
    uint64_t energy_uj[ENERGY_MAX_DOMAINS];
    uint8_t known[ENERGY_MAX_DOMAINS]; /* the domain was read at each of its ends */
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
};

void phase_book_open(struct phase_book *book, const struct sample *opening);

/* What has been since the last mark belongs to the phase until now; the next one begins. name "": PHASE_NONE. */
void phase_book_mark(struct phase_book *book, enum mark_origin origin, const char *name, const struct sample *sample);

void phase_book_close(struct phase_book *book, const struct sample *closing);

/* A copy that is no larger than it must be; NULL: no memory. */
struct phases *phase_book_copy(const struct phase_book *book);

void phases_free(struct phases *phases); /* and those after it */

/* What one phase of a run comes to over the counted domains of that run, with the idle power under the run; NAN where
 * one of them was not read at each of the phase's ends. */
struct energies phase_energies(const struct measurement *measurement, const struct run *run, const struct phase *phase);

/* The counted runs that have a phase of this name. */
struct phase_summary {
    char name[MARK_NAME_SIZE];
    size_t runs;
    double times;                                     /* per run, on average */
    struct spread duration_s, gross_j, idle_j, net_j; /* per run */
    double gross_w, net_w; /* mean energy / mean duration; NAN unknown, or below resolution */
    double part;           /* of all the runs' energy, of the kind below */
    bool below_resolution; /* its stays are shorter than RATE_UPDATES updates of the meter */
};

struct phases_summary {
    struct phase_summary items[PHASES_MAX + 1];
    size_t count;
    bool part_of_net; /* false: of gross, since net is unknown or none */
    uint64_t origins[MARK_ORIGINS];
};

/* total: of the same runs. */
void phases_summarize(const struct measurement *measurement, const struct domain_energy *total,
                      struct phases_summary *summary);

void phases_notices(const struct measurement *measurement, const struct phases_summary *summary,
                    struct notices *notices);

#endif
