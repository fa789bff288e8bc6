/* SPDX-License-Identifier: MIT
 * Signals that come while carbon has work running. Used by job.c, job.h and marks.c. Begin with job_signals_open(). */
#ifndef RUN_SIGNALS_H
#define RUN_SIGNALS_H

#include "base/error.h"

#include <signal.h>
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
 *   if the command is not in carbon's process group any more. A SIGHUP from the terminal to a session
 *   leader comes to that process alone: passed on where carbon leads the session;
 * - from the command or a descendant of it: not passed back.
 * A signal sent by kill(2) to the whole group cannot be distinguished from one sent to carbon alone: the
 * command gets it twice. No signal makes carbon end a command by itself;
 * what carbon does in a process of its own (work) is ended some seconds after one (measurement/workload_step.c). */
struct job_signals {
    bool opened;
    int fd;       /* signalfd */
    int timer_fd; /* for job_wait */
    sigset_t original;
    struct sigaction original_pipe;  /* SIGPIPE, ignored by carbon, as the job must find it */
    struct sigaction original_child; /* SIGCHLD, likewise: ignored, a child could not be waited for */
    int adopt_error;                 /* why orphans do not come to this process: an errno; 0: they do */
    int interrupted;                 /* the first SIGINT, SIGQUIT, SIGTERM or SIGHUP seen, or 0 */
};

/* Also makes this process, from then on, the reaper of orphaned descendants (PR_SET_CHILD_SUBREAPER), where the kernel
 * lets it: qemu-user and some sandboxes do not. The process must have no other children that it waits for. */
bool job_signals_open(struct job_signals *signals, struct error *err) MUST_CHECK;
void job_signals_close(struct job_signals *signals); /* restores mask and dispositions */

/* Reads all pending signals and passes on to the job (0: none) those that it must get.
 * True: one of the signals of `interrupted` was among them. */
bool signals_take(struct job_signals *signals, pid_t job);

#endif
