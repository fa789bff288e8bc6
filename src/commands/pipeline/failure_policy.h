/* SPDX-License-Identifier: MIT
 * Whether a pipeline continues after a failed step: --force none|cont|stop, as in CPOST. Used throughout
 * commands/pipeline. Begin with failure_policy_goes_on(). */
#ifndef COMMANDS_PIPELINE_FAILURE_POLICY_H
#define COMMANDS_PIPELINE_FAILURE_POLICY_H

#include "app/options/options.h"

#include <signal.h>

extern const struct option_spec option_force;

/* what: "step 'writer' ended with status 126". With "none" it asks on the terminal; without a terminal it stops, and
 * says so. A signal that carbon has blocked ends the question. */
bool failure_policy_goes_on(const struct settings *settings, const char *what);

/* The signals that end carbon, except those ignored at its start; and the pending one of them, blocked; 0: none. */
void failure_policy_signals(sigset_t *set);
int failure_policy_signal(void);

#endif
