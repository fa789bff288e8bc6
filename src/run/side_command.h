/* SPDX-License-Identifier: MIT
 * Commands outside the measurement, one at a time: they prepare a job, or clean up after it. Used in
 * form and 4 commands. Begin with side_command_run(). */
#ifndef RUN_SIDE_COMMAND_H
#define RUN_SIDE_COMMAND_H

#include "base/error.h"

#include <signal.h>

/* Signal mask and SIGPIPE disposition that carbon inherited, to be restored in the child. */
struct inherited_signals {
    sigset_t mask;
    struct sigaction pipe;
};

void inherited_signals_read(struct inherited_signals *signals);

struct side_command_options {
    const struct inherited_signals *signals;
    char *const *argv;
    char *const *environment; /* NULL: carbon's own */
    unsigned limit_s;         /* time limit, then it is killed; 0: none */
    int input_fd;             /* 0: its input is empty */
    int output_fd;            /* where both its outputs go, */
    int error_fd;             /* but for the second, where this is not 0 */
    /* Carbon does nothing but wait for it: it ends with carbon, however that ends, and a signal that came for carbon
     * ends that, too, as if it had waited for nothing. */
    bool alone;
    /* It is to end whatever happens: it does not get what the terminal sends to all in the foreground, and only the
     * second signal that carbon gets while it runs is passed on. */
    bool shielded;
};

struct side_command_end {
    int exit_status; /* 128 + n when signal n ended it; 126, 127: it could not be run */
    bool late;       /* it took too long, and was killed */
    int interrupted; /* the first SIGINT, SIGQUIT, SIGTERM or SIGHUP that carbon got meanwhile, or 0 */
};

/* Runs it and waits for its end. A signal to carbon is passed on, as job_wait does. May be called while signals are
 * blocked and read from elsewhere. False: it could not be run (err says why), or carbon failed (exit_status 125). */
bool side_command_run(const struct side_command_options *options, struct side_command_end *end,
                      struct error *err) MUST_CHECK;

#endif
