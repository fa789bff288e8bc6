/* SPDX-License-Identifier: MIT
 * Options of the group "Gate": the energy that is allowed, and the limits of a series. Used in 3 commands.
 * Begin with GATE_OPTIONS. */
#ifndef APP_OPTIONS_GATE_OPTIONS_H
#define APP_OPTIONS_GATE_OPTIONS_H

#include "app/options/options.h"

extern const struct option_spec option_fail_over, option_accept_modelled, option_max_runs, option_max_time,
    option_proxy, option_budget, option_stop;

/* Gate of a comparison of commands; gate/sequence.h has the bounds of --max-runs. */
/* clang-format off */
#define GATE_OPTIONS &option_fail_over, &option_max_runs, &option_max_time, &option_proxy, &option_accept_modelled
#define BUDGET_OPTIONS &option_budget, &option_stop
/* clang-format on */

#endif
