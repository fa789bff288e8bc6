/* SPDX-License-Identifier: MIT
 * Signals that end carbon are only noted, so that what has been begun is cleared up. */
#ifndef APP_CAUGHT_H
#define APP_CAUGHT_H

#include <signal.h>

enum { CAUGHT_SIGNALS = 6 };

struct caught {
    struct sigaction before[CAUGHT_SIGNALS];
};

/* From here on to caught_close SIGINT, SIGQUIT, SIGTERM and SIGHUP are noted, and SIGUSR1 and SIGUSR2 do nothing; one
 * that carbon was started with as ignored stays so. Whoever blocks and reads them (run/job.h) has them alone. */
void caught_open(struct caught *caught);
void caught_close(const struct caught *caught);

/* The first terminating signal received since caught_open, or 0. */
int caught_first(void);

#endif
