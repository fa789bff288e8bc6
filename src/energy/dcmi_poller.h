/* SPDX-License-Identifier: MIT
 * A process beside carbon that asks the BMC for its power again and again: one answer takes 0.1 to 5 s. */
#ifndef ENERGY_DCMI_POLLER_H
#define ENERGY_DCMI_POLLER_H

#include "base/error.h"
#include "energy/dcmi_text.h"

#include <sys/types.h>

/* For one answer; then the program is ended and asked anew. */
#define DCMI_PATIENCE_NS UINT64_C(10000000000)

struct dcmi_answer {
    int error;        /* 0, an errno of dcmi_text_power, or ETIMEDOUT */
    uint64_t time_ns; /* CLOCK_MONOTONIC, half way between question and answer */
    uint64_t took_ns;
    struct dcmi_power power;
    char words[200]; /* the program's own */
};

struct dcmi_poller {
    pid_t pid; /* 0: none */
    int fd;
};

/* argv[0] is a path. Any program that it starts ends with it, and it ends with this process, however that ends. It
 * has a session of its own, so that no signal of a terminal reaches it. */
bool dcmi_poller_start(struct dcmi_poller *poller, char *const *argv, struct error *err) MUST_CHECK;

/* The next answer, waiting for it no longer than until_ns (0: not at all). Returns 0, EAGAIN (none yet) or ENODEV (the
 * process has ended). */
int dcmi_poller_take(struct dcmi_poller *poller, uint64_t until_ns, struct dcmi_answer *answer) MUST_CHECK;

/* Harmless twice. */
void dcmi_poller_stop(struct dcmi_poller *poller);

/* From one question to the next. */
uint64_t dcmi_cadence_ns(uint64_t took_ns);

#endif
