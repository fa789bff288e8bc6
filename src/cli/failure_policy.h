/* SPDX-License-Identifier: MIT
 * Whether a pipeline goes on after a step has failed: --force none|cont|stop, as CPOST has it. */
#ifndef CLI_FAILURE_POLICY_H
#define CLI_FAILURE_POLICY_H

#include "cli/options.h"

extern const struct option_spec option_force;

/* what: "step 'writer' ended with status 126". With "none" it is asked for on the terminal; where there is none it
 * ends, and says so. A signal that carbon has blocked ends the question. */
bool failure_policy_goes_on(const struct settings *settings, const char *what);

#endif
