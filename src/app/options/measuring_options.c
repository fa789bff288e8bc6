/* SPDX-License-Identifier: MIT
 * The options of the group "Measuring", which the commands that run something share. */
#include "app/options/options.h"

#include "base/units.h"
#include "run/cpus.h"
#include "run/mark_line.h"

static bool check_cpus(const char *text, struct error *err)
{
    struct cpus cpus;

    return cpus_of_list(text, &cpus, err);
}

static bool check_phase(const char *text, struct error *err)
{
    struct pattern *pattern = pattern_open(text, err);

    pattern_close(pattern);
    return pattern != NULL;
}

const struct option_spec option_baseline = OPTION(
    NUMBER, "Measuring", "baseline", .short_name = 'b', .argument = "<s>", .quantity = QUANTITY_SECONDS,
    .keyword = "same", .help = "seconds of baseline; same: as a run", .default_text = "5", .min = 0, .max = S_PER_DAY);
const struct option_spec option_runs =
    OPTION(COUNT, "Measuring", "runs", .short_name = 'r', .argument = "<n>",
           .help = "number of runs, baselines between them", .default_text = "1", .min = 1, .max = 10000);
const struct option_spec option_warmup =
    OPTION(COUNT, "Measuring", "warmup", .short_name = 'w', .argument = "<n>",
           .help = "warm-up runs, excluded from the result", .default_text = "0", .min = 0, .max = 1000);
const struct option_spec option_settle = OPTION(
    NUMBER, "Measuring", "settle", .argument = "<s>", .quantity = QUANTITY_SECONDS,
    .help = "maximum time for idle power to settle (default 6 baselines, one run: 0)", .min = 0, .max = S_PER_DAY);
const struct option_spec option_cooldown =
    OPTION(NUMBER, "Measuring", "cooldown", .argument = "<s>", .quantity = QUANTITY_SECONDS,
           .help = "pause between runs, in seconds", .default_text = "0", .min = 0, .max = S_PER_DAY);
static const char *const orders[] = { "interleaved", "shuffled", NULL };
const struct option_spec option_order =
    OPTION(CHOICE, "Measuring", "order", .argument = "<how>", .help = "of the commands in each round",
           .default_text = "interleaved", .choices = orders);
const struct option_spec option_seed = OPTION(
    COUNT, "Measuring", "seed", .argument = "<n>",
    .help = "of the shuffled order, to do it again (default: one by chance, recorded)", .min = 0, .max = 4294967295);
const struct option_spec option_cpus =
    OPTION(TEXT, "Measuring", "cpus", .argument = "<list>", .help = "pin the command to these CPUs: 0-3,8",
           .check = check_cpus, .sample = "0");
const struct option_spec option_ready_fd =
    OPTION(COUNT, "Measuring", "ready-fd", .argument = "<n>",
           .help = "write a line to descriptor n as each window begins, and at the end", .min = 3, .max = 1048575,
           .cli_only = true);
const struct option_spec option_ignore_failure =
    OPTION(FLAG, "Measuring", "ignore-failure", .help = "continue after a failed run");
const struct option_spec option_marks =
    OPTION(FLAG, "Measuring", "marks", .help = "the command writes phase names to file descriptor $CARBON_MARK_FD");
const struct option_spec option_phase =
    OPTION(TEXT, "Measuring", "phase", .argument = "<regex>", .check = check_phase, .sample = "step",
           .help = "start a phase at each stderr line that matches; group 1 is its name");
