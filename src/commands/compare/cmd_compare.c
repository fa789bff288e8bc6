/* SPDX-License-Identifier: MIT
 * carbon compare: finds the command that uses the least energy. */
#include "app/options/command.h"

#include "app/ci_options.h"
#include "app/ledger_options.h"
#include "app/options/gate_options.h"
#include "app/options/naming_options.h"
#include "app/options/sci_options.h"
#include "commands/compare/candidates.h"
#include "commands/compare/compare.h"
#include "commands/compare/parameter_scan.h"

const struct option_spec option_compare_runs = OPTION(
    COUNT, "Measuring", "runs", .short_name = 'r', .argument = "<n>",
    .help = "run each command n times, with a baseline between the runs", .default_text = "5", .min = 1, .max = 10000);
const struct option_spec option_compare_warmup =
    OPTION(COUNT, "Measuring", "warmup", .short_name = 'w', .argument = "<n>",
           .help = "runs of each before that, left out of the result", .default_text = "1", .min = 0, .max = 1000);

static int run_compare(const struct command_line *line)
{
    const bool live = line->dashed || settings_text(&line->settings, &option_results);

    return live ? compare_live(line) : compare_records(line);
}

const struct command cmd_compare = {
    .name = "compare",
    .purpose = "energy of two or more commands, with a verdict",
    .synopsis = "[options] -- 'command A' -- 'command B' ...\n"
                "[options] --parameter name v1,v2,... -- 'command {name}'\n"
                "[options] --from hyperfine.json\n"
                "[options] a.json b.json ...",
    .options = OPTIONS(&option_parameter, &option_results, &option_name, &option_baseline, &option_compare_runs,
                       &option_compare_warmup, ORDER_OPTIONS, PACE_OPTIONS, &option_ignore_failure, METER_OPTIONS,
                       CARBON_OPTIONS, GATE_OPTIONS, &option_ci, UNIT_OPTIONS, KEEPING_OPTIONS, RESULT_OPTIONS,
                       &option_html, &option_show_output, DETAIL_OPTIONS),
    .common = COMMON("fail-over", "runs", "warmup", "baseline", "name", "zone", "pue", "output", "verbose",
                     "quiet", "show-output"),
    .examples = EXAMPLES("carbon compare -- 'gzip -9 -k -c big' -- 'zstd -9 -k -c big'",
                         "carbon compare --runs 10 --name old --name new -- ./old 4 -- ./new 4",
                         "carbon compare --parameter threads 1,2,4 -- './job --threads {threads}'",
                         "carbon compare before.json after.json", "carbon compare --from hyperfine.json",
                         "carbon compare --fail-over 3% --max-runs 30 -- ./old -- ./new"),
    .schemas = SCHEMAS(&comparison_schema),
    .run = run_compare,
    OPERANDS(0, -1, OPERAND_FILE),
    .runs_command = true,
    .about = "Run several commands interleaved, or one at several values of a parameter, or read records; report how "
             "each differs from the first.",
};
