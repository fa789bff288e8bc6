/* SPDX-License-Identifier: MIT
 * The options of the group "Gate". */
#include "app/options/gate_options.h"

#include <math.h>

const struct option_spec option_fail_over =
    OPTION(NUMBER, "Gate", "fail-over", .argument = "<percent>", .quantity = QUANTITY_PERCENT, .min = 0,
           .max = INFINITY, .help = "allowed growth of the energy: 3%; exit 3 where it is more, 5 unknown");
const struct option_spec option_max_runs =
    OPTION(COUNT, "Gate", "max-runs", .argument = "<n>", .default_text = "30", .min = 3, .max = 300,
           .help = "maximum runs of each; the series ends as soon as the answer is sure");
const struct option_spec option_max_time =
    OPTION(NUMBER, "Gate", "max-time", .argument = "<time>", .quantity = QUANTITY_SECONDS, .min = 0.01,
           .max = LONGEST_S, .help = "maximum time of the series: 90s, 10min (default: none)");
static const char *const proxies[] = { "instructions", "cpu-time", NULL };
const struct option_spec option_proxy = OPTION(CHOICE, "Gate", "proxy", .argument = "<figure>", .choices = proxies,
                                               .help = "decide by instructions or cpu-time in place of energy");
const struct option_spec option_accept_modelled =
    OPTION(FLAG, "Gate", "accept-modelled", .help = "a model may decide by net or gross, too");
const struct option_spec option_budget =
    OPTION(TEXT, "Gate", "budget", .argument = "<amount>", .cli_only = true,
           .help = "energy or emissions of a run: 500J, 0.2Wh, 5gCO2eq; exit 3 above, 5 unknown");
const struct option_spec option_stop =
    OPTION(FLAG, "Gate", "stop", .cli_only = true, .help = "end the command when it has used its --budget");
