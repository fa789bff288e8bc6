/* SPDX-License-Identifier: MIT
 * In which order the runs of one command or several are done. Used by commands/batch/batch.h and workload_plan.h. Begin
 * with schedule_make(). */
#ifndef MEASUREMENT_SCHEDULE_H
#define MEASUREMENT_SCHEDULE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Round by round: each command once a round, so that a drift meets all of them alike. */
enum order {
    ORDER_INTERLEAVED, /* order given: A B A B */
    ORDER_SHUFFLED,    /* a new order in every round: A B B A */
};

/* "interleaved", "shuffled". */
const char *order_name(enum order order);
enum order order_of(const char *name); /* of the two; another is none of them: interleaved */

struct step {
    size_t command;
    bool warmup;
    size_t number; /* of the command's warm-ups, or of its runs, from 1 */
};

struct schedule {
    struct step *steps;
    size_t count;
};

/* Warm-ups first, round by round, too. The same seed gives the same order. */
bool schedule_make(struct schedule *schedule, size_t commands, size_t warmups, size_t runs, enum order order,
                   uint64_t seed, struct error *err) MUST_CHECK;
void schedule_close(struct schedule *schedule);

/* A random seed of 32 bits, so that it is easy to read and type. */
uint64_t schedule_seed(void);

#endif
