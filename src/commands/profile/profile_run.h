/* SPDX-License-Identifier: MIT
 * A job that is run with its stacks sampled, and the terms of its own energy. Used by cmd_profile.c. Begin with
 * profile_run(). */
#ifndef COMMANDS_PROFILE_PROFILE_RUN_H
#define COMMANDS_PROFILE_PROFILE_RUN_H

#include "app/session.h"
#include "commands/profile/profile.h"

struct profile_run {
    struct session *session;
    struct rings_options rings;
    bool ring_fits;             /* the rings are large enough for the samples of an interval */
    struct target *target;      /* a running target, instead of the command; NULL: none */
    struct marks_options marks; /* how the job marks its phases */
    uint64_t for_ns;            /* duration of the profile; 0: to the end of the job, or a signal */
    pid_t *pids;                /* its processes */
    size_t pid_count;
    pid_t held;        /* process of the command */
    double interval_s; /* NAN: the meter's */
    struct sampler sampler;
    struct sample last;
    bool begun;
    double terms[ENERGY_MAX_DOMAINS + 1]; /* the energy of each domain in J, and the time in s */
    double by_term[ENERGY_MAX_DOMAINS + 1];
};

/* Runs it once, or watches the target (argv of nothing). As workload_run. */
bool profile_run(struct profile_run *run, char *const *argv, struct measurement *measurement, struct command_end *end,
                 struct error *err) MUST_CHECK;

void profile_run_close(struct profile_run *run);

/* The weights of the terms in the job's own energy; report is finished. */
struct tally_weights profile_weights(struct profile_run *run, const struct report *report, enum own_method *within);

/* The default interval of energy readings. */
double profile_interval_s(const struct session *session);

#endif
