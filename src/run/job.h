/* SPDX-License-Identifier: MIT
 * How a command is started, held, released and awaited, with its terminal, its standard streams, its signals and its
 * exit status left as they would be without carbon. Used in measurement and run. Begin with job_start(). */
#ifndef RUN_JOB_H
#define RUN_JOB_H

#include "base/error.h"
#include "run/signals.h"

#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/* A descriptor of carbon's that the job finds under a number; fd is above the numbers of all that it is given. */
struct job_descriptor {
    int fd, number;
};

/* Closes carbon's ends of the job's pipes. */
void job_given_close(struct job_descriptor *given, size_t *count);

struct job_options {
    char *const *argv;
    /* Instead of the command, which is then a name for messages: called in the job's process once the gate is
     * open. What it returns is the exit status. */
    int (*work)(void *context);
    void *context;
    const char *folder;       /* that the job works in; NULL: carbon's own */
    char *const *environment; /* NULL: carbon's own */
    const cpu_set_t *cpus;    /* NULL: as inherited */
    size_t cpus_size;
    int cgroup_fd; /* the job is born in this cgroup (clone3), or -1 */
    const struct job_descriptor *given;
    size_t given_count;
    /* What job_wait also wakes up for, JOB_MAX_WATCHED at most; the caller changes them as it likes. */
    struct pollfd *watched;
    size_t watched_count;
};

enum { JOB_MAX_WATCHED = 4 };

struct job {
    pid_t pid;  /* 0: none */
    int gate;   /* a byte written here lets the command start; -1: it has started */
    int failed; /* the child writes errno here when it cannot run; closes when it can */
    struct job_signals *signals;
    char *const *argv;          /* of the options; must live as long as the job */
    int (*work)(void *context); /* borrowed from the options, like argv */
    void *context;
    char *const *environment; /* borrowed from the options, like argv */
    struct pollfd *watched;   /* borrowed from the options, like argv */
    size_t watched_count;
    uint64_t end_ns;       /* when carbon noticed the end, or 0 */
    struct rusage orphans; /* of the descendants reaped so far */
    /* Children from before the job: left over from an earlier run, or started by the shell that
     * became carbon (`carbon ... > >(tee log)`). Reaped, but not the job's. */
    pid_t *others;
    size_t other_count;
};

/* Why job_wait returned. */
enum job_event {
    JOB_ENDED,       /* the command itself ended (its descendants may live on) */
    JOB_DEADLINE,    /* until_ns has come */
    JOB_INTERRUPTED, /* one of the signals of `interrupted` came, and was passed on where it had to be */
    JOB_READY,       /* one of the watched is ready; an end that was seen with it is returned by the next call */
};

/* How it ended. */
struct job_end {
    int exit_status; /* the job's own; 128 + n when signal n ended it */
    int signal;      /* n, or 0 */
    bool core_dumped;
    uint64_t end_ns;      /* CLOCK_MONOTONIC when carbon noticed it */
    struct rusage rusage; /* the command and every descendant that was waited for, orphans included */
};

/* Forks and returns when the child waits at the gate, with nothing of the command run. Descriptors
 * of carbon do not reach it, but for those given. If carbon dies first, the child ends without running anything.
 * Where the kernel refuses the cgroup the job runs outside of it, and the cgroup stays unused. */
bool job_start(struct job *job, struct job_signals *signals, const struct job_options *options,
               struct error *err) MUST_CHECK;

/* Opens the gate and returns once the command runs (execve done), with that moment in *exec_ns.
 * False: it could not be run; *exit_status is 127 (not found) or 126 (found, cannot run), the child
 * is reaped, err says why and names a near file where there is one. Where a signal ended the child
 * at the gate *exit_status is 128 + n, and a signal that came for carbon has been taken. */
bool job_release(struct job *job, uint64_t *exec_ns, int *exit_status, struct error *err) MUST_CHECK;

/* Sleeps until the command ends, a signal comes or CLOCK_MONOTONIC reaches until_ns. With job->pid 0
 * it only sleeps (a baseline). Reaps orphans on the way. After JOB_ENDED take the closing sample,
 * then call job_reap. */
enum job_event job_wait(struct job *job, uint64_t until_ns);

/* Collects the status after JOB_ENDED. */
bool job_reap(struct job *job, struct job_end *end, struct error *err) MUST_CHECK;

/* Ends the command where it is still held or running (SIGTERM, then SIGKILL after 2 s) and reaps
 * it; harmless when there is nothing. */
void job_abandon(struct job *job);

#endif
