/* SPDX-License-Identifier: MIT
 * The saved state of the exporter, so that its counters continue after a restart. Used by cmd_serve.c, state_resume.c
 * and teller.c. Begin with state_read(). */
#ifndef COMMANDS_SERVE_STATE_H
#define COMMANDS_SERVE_STATE_H

#include "groups/collector.h"

#define STATE_SCHEMA "carbon.exporter-state/1"

/* A time that another process can interpret. */
struct state_time {
    char boot_id[40];     /* "" not known */
    uint64_t boottime_ns; /* CLOCK_BOOTTIME */
    uint64_t asleep_ns;   /* time that the machine has been suspended */
};

/* A domain at the end of the last process. */
struct state_domain {
    uint64_t total_uj, raw_uj;
    bool raw_known;         /* it could be read, and is the same counter */
    struct state_time time; /* time of the raw value */
};

/* The increase of a domain's counter between two processes. Pure. False: not certain; why gives the reason. */
bool state_between(const struct state_domain *left, const struct meter_domain *now, const struct state_time *now_time,
                   uint64_t *between_uj, const char **why);

/* Restores a state file, if there is one, before collector_begin. Energy that could not be determined for the time
 * between becomes a notice. A file that is not a state of carbon is refused. */
bool state_read(const char *path, struct collector *collector, struct notices *notices, struct error *err) MUST_CHECK;

/* The state file of this collector, after a collection. Freed by the caller; NULL: no memory. */
char *state_text(const struct collector *collector, struct error *err) MUST_CHECK;

#endif
