/* SPDX-License-Identifier: MIT
 * Whether a pipeline goes on after a step has failed: --force none|cont|stop, as CPOST has it. Used throughout
 * commands/pipeline. Begin with failure_policy_goes_on(). */
#ifndef COMMANDS_PIPELINE_FAILURE_POLICY_H
#define COMMANDS_PIPELINE_FAILURE_POLICY_H

#include "app/options/options.h"

#include <signal.h>

extern const struct option_spec option_force;

/* what: "step 'writer' ended with status 126". With "none" it is asked for on the terminal; where there is none it
 * ends, and says so. A signal that carbon has blocked ends the question. */
bool failure_policy_goes_on(const struct settings *settings, const char *what);

/* The signals that end carbon, but for those that it was started to ignore; and whether one of them waits, blocked; 0:
 * none does. */
void failure_policy_signals(sigset_t *set);
int failure_policy_signal(void);

#endif
