/* SPDX-License-Identifier: MIT
 * A meter that a separate process reads, as a reading that never waits: the last answer with its own time,
 * and none where that is too old. Used by ipmi.c and named_meter.c. Begin with asked_read(). */
#ifndef ENERGY_ASKED_H
#define ENERGY_ASKED_H

#include "energy/gauge.h"
#include "energy/poller.h"

/* After this number of readings without an answer, the last answer is not used any longer. */
#define ASKED_CADENCES 3

struct asked {
    struct poller_question question;
    bool counts;          /* it reports an increasing energy; otherwise a power */
    double micro;         /* µJ or µW in the unit of its answers */
    uint64_t patience_ns; /* minimum time for which an answer is used; 0: ASKED_CADENCES */

    /* the caller leaves these zeroed */
    struct poller poller;
    struct gauge gauge;
    int error;            /* errno of the last answer */
    uint64_t answered_ns; /* when the last good one was true */
    uint64_t holds_ns;    /* and for how long */
    uint64_t reported_uj; /* of a power: never reported below this; of an energy: the last */
};

/* Begins to ask. */
bool asked_start(struct asked *asked, struct error *err) MUST_CHECK;

/* The first answer; ETIMEDOUT is its error where none came until then, ENODEV where the process has ended. */
struct poller_answer asked_first(struct asked *asked, uint64_t until_ns);

/* Of a power: between two answers the last one holds. */
void asked_read(struct asked *asked, struct reading *reading);

void asked_stop(struct asked *asked); /* harmless twice */

#endif
