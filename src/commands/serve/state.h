/* SPDX-License-Identifier: MIT
 * What the exporter remembers from one process to the next, so that its counters go on where they were. Used by
 * cmd_serve.c, state_resume.c and teller.c. Begin with state_read(). */
#ifndef COMMANDS_SERVE_STATE_H
#define COMMANDS_SERVE_STATE_H

#include "groups/collector.h"

#define STATE_SCHEMA "carbon.exporter-state/1"

/* When something was, for whoever starts anew. */
struct state_time {
    char boot_id[40];     /* "" not known */
    uint64_t boottime_ns; /* CLOCK_BOOTTIME */
    uint64_t asleep_ns;   /* how much of it the machine has slept */
};

/* One domain as it was left. */
struct state_domain {
    uint64_t total_uj, raw_uj;
    bool raw_known;         /* it could be read, in the same place */
    struct state_time time; /* time of the raw value */
};

/* What a domain's counter says of the time in which nobody read it. Pure. False: nothing that is certain; why says what
 * is in the way. */
bool state_between(const struct state_domain *left, const struct meter_domain *now, const struct state_time *now_time,
                   uint64_t *between_uj, const char **why);

/* Takes up what a file holds, where there is one, before collector_begin. What could not be told of the time between
 * becomes a notice. Another file than a state of carbon's is refused. */
bool state_read(const char *path, struct collector *collector, struct notices *notices, struct error *err) MUST_CHECK;

/* What such a file holds of this collector, after a collection. Freed by the caller; NULL: no memory. */
char *state_text(const struct collector *collector, struct error *err) MUST_CHECK;

#endif
