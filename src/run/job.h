/* SPDX-License-Identifier: MIT
 * How a command is started, held, released and awaited, with its terminal, its standard streams,
 * its signals and its exit status left as they would be without carbon. */
#ifndef RUN_JOB_H
#define RUN_JOB_H

#include "base/error.h"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/* Signals as carbon takes them while it has work running: blocked and read from a descriptor.
 * One for the whole series of windows; the original mask is given to each child.
 *
 * Taken: SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2, unless carbon was started with the
 * signal ignored or blocked (nohup, a background job of a script), and SIGCHLD. Left as they are:
 * all others; the terminal stops and continues carbon together with the job.
 *
 * Each is passed on to the command at once, except where the command has it already:
 * - from the terminal, which signals the whole foreground group (Ctrl-C, Ctrl-\): passed on only
 *   where the command has left carbon's process group. A SIGHUP from the terminal to a session
 *   leader comes to that process alone: passed on where carbon leads the session;
 * - from the command or a descendant of it: not passed back.
 * A signal sent by kill(2) to the whole group cannot be told from one sent to carbon alone: the
 * command gets it twice. No signal makes carbon end a command by itself;
 * what carbon does in a process of its own (work) is ended some seconds after one (measurement/workload_step.c). */
struct job_signals {
    bool opened;
    int fd;       /* signalfd */
    int timer_fd; /* for job_wait */
    sigset_t original;
    struct sigaction original_pipe;  /* SIGPIPE, ignored by carbon, as the job must find it */
    struct sigaction original_child; /* SIGCHLD, likewise: ignored, a child could not be waited for */
    int interrupted;                 /* the first SIGINT, SIGQUIT, SIGTERM or SIGHUP seen, or 0 */
};

/* Also makes this process, from then on, the reaper of orphaned descendants
 * (PR_SET_CHILD_SUBREAPER). The process must have no other children that it waits for. */
bool job_signals_open(struct job_signals *signals, struct error *err) MUST_CHECK;
void job_signals_close(struct job_signals *signals); /* restores mask and dispositions */

/* A descriptor of carbon's that the job finds under a number; fd is above the numbers of all that it is given. */
struct job_descriptor {
    int fd, number;
};

struct job_options {
    char *const *argv;
    /* In place of the command, which is then a name for messages: what the job's process does itself once the gate is
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

enum { JOB_MAX_OTHERS = 32, JOB_MAX_WATCHED = 4 };

struct job {
    pid_t pid;  /* 0: none */
    int gate;   /* a byte written here lets the command start; -1: it has started */
    int failed; /* the child writes errno here when it cannot run; closes when it can */
    struct job_signals *signals;
    char *const *argv;          /* of the options; must live as long as the job */
    int (*work)(void *context); /* likewise */
    void *context;
    char *const *environment; /* likewise */
    struct pollfd *watched;   /* likewise */
    size_t watched_count;
    uint64_t end_ns;       /* when carbon was told of the end, or 0 */
    struct rusage orphans; /* of the descendants reaped so far */
    /* Children from before the job: left over from an earlier run, or started by the shell that
     * became carbon (`carbon ... > >(tee log)`). Reaped, but not the job's. */
    pid_t others[JOB_MAX_OTHERS];
    size_t other_count;
};

/* Why job_wait came back. */
enum job_event {
    JOB_ENDED,       /* the command itself ended (its descendants may live on) */
    JOB_DEADLINE,    /* until_ns has come */
    JOB_INTERRUPTED, /* one of the signals of `interrupted` came, and was passed on where it had to be */
    JOB_READY,       /* one of the watched is ready; an end that was seen with it is told by the next call */
};

/* How it ended. */
struct job_end {
    int exit_status; /* the job's own; 128 + n when signal n ended it */
    int signal;      /* n, or 0 */
    bool core_dumped;
    uint64_t end_ns;      /* CLOCK_MONOTONIC when carbon was told */
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
