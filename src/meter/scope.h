/* SPDX-License-Identifier: MIT
 * Which domains add up to the total, and why the others do not. */
#ifndef METER_SCOPE_H
#define METER_SCOPE_H

#include "meter/meter.h"

/* Domains in one scope never overlap. */
enum scope {
    SCOPE_COMPUTE,  /* packages, memory and graphics cards: the default */
    SCOPE_PLATFORM, /* the board (RAPL psys), and graphics cards */
    SCOPE_MACHINE,  /* the plug */
};

const char *scope_name(enum scope scope);
bool scope_of(const char *name, enum scope *scope) MUST_CHECK;

/* How a notice begins that says what should be in the total and is not. */
#define INCOMPLETE "the total is incomplete: "

struct counting {
    bool counts[ENERGY_MAX_DOMAINS];
    bool would_count[ENERGY_MAX_DOMAINS]; /* counts, or would if it could be read */
    char reason[ENERGY_MAX_DOMAINS][128]; /* why it counts or does not */
    size_t counted;
    bool incomplete; /* something that should count is not there; a notice names it */
    bool stands_in;  /* no package can be counted here: the whole machine's meter counts instead */
    /* Beside a total of components: the readable domain that covers the whole machine, else the
     * platform; never added. -1: none, or it is what counts. */
    int whole_machine;
    char whole_machine_name[128]; /* its name, or those of all parts that add up to it: "battery-BAT0 + battery-BAT1" */
};

/* Decides for every domain of the meter. ERROR_ABSENT: the scope has no readable domain here. */
bool scope_count(const struct meter *meter, enum scope scope, struct counting *counting, struct notices *notices,
                 struct error *err) MUST_CHECK;

#endif
