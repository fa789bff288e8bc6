/* SPDX-License-Identifier: MIT
 * The common state of every command that runs something: the machine, its meter, the factor, the CPUs, and the common
 * parts of all its results. Used in app and 5 commands. Begin with session_open(). */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include "app/options/options.h"
#include "app/profile_slopes.h"
#include "measurement/workload.h"
#include "power/machine_profile.h"
#include "result/report.h"
#include "run/cpus.h"
#include "run/environment.h"

struct session {
    const struct settings *settings;
    struct root root;
    struct machine machine;
    struct machine_profile profile; /* of the machine, where one was found */
    struct profile_slopes slopes;   /* slopes that the profile gives for metered domains */
    struct meter meter;
    struct counting counting;
    struct environment environment; /* environment of the jobs */
    struct cpus job_cpus;
    bool pins_job;        /* the jobs are given job_cpus */
    bool progress;        /* a progress line is wanted */
    uint64_t begun_ns;    /* with report.started_realtime_ns: monotonic and sleep, which cannot be set */
    struct report report; /* all but the command and the measurement; copied for each result */
};

/* Everything that can be wrong is, before anything is run. session is zeroed; session_close is
 * called after a failure too. Rights beyond the user's are given up on the way. */
bool session_open(struct session *session, const struct settings *settings, struct error *err) MUST_CHECK;
/* The same of the machine, its meter and the CPUs alone: without what a report has of names, factors and the ledger. */
bool session_open_machine(struct session *session, const struct settings *settings, struct error *err) MUST_CHECK;
void session_close(struct session *session); /* harmless on a zeroed one */

/* The time of day by the clock at the start: it includes all time since, and no setting of the wall clock. */
uint64_t session_now_ns(const struct session *session);
/* When a report ends: its start plus the time since. If the wall clock was set in between, there is a notice.
 */
void session_end(const struct session *session, struct report *report);

/* The carbon side of a report with its start time: PUE, factor, duty and supplementary figures. */
bool session_find_factor(const struct settings *settings, struct report *report, struct error *err) MUST_CHECK;

/* Baselines, settling and rests as the options of the group "Measuring" ask; options->schedule is made. */
void session_windows(const struct session *session, struct workload_options *options);

/* A command as the session runs it; argv is borrowed. */
struct workload_command session_command(const struct session *session, char *const *argv);

/* A line about the window that goes on, while nothing of a command runs: then the terminal is the command's. what
 * comes next follows: "; run 2 of 5 comes next". */
void session_progress(const struct workload_place *place, const char *what);

/* A random UUID (RFC 9562, version 4). */
void session_make_id(char id[40]);

#endif
