/* SPDX-License-Identifier: MIT
 * Signals that end carbon are only noted, so that unfinished work is cleaned up. Used in commands/model and
 * commands/report. Begin with pending_signals_open(). */
#ifndef APP_PENDING_SIGNALS_H
#define APP_PENDING_SIGNALS_H

#include <signal.h>

enum { PENDING_SIGNALS = 6 };

struct pending_signals {
    struct sigaction before[PENDING_SIGNALS];
};

/* From here on to pending_signals_close SIGINT, SIGQUIT, SIGTERM and SIGHUP are noted, and SIGUSR1 and SIGUSR2 do
 * nothing; one that carbon was started with as ignored stays so. Whoever blocks and reads them (run/job.h) has them
 * alone. */
void pending_signals_open(struct pending_signals *pending);
void pending_signals_close(const struct pending_signals *pending);

/* The first terminating signal received since pending_signals_open, or 0. */
int first_pending_signal(void);

#endif
