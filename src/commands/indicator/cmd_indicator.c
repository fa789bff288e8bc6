/* SPDX-License-Identifier: MIT
 * carbon indicator: performance indicators, as Thoth runs them, with their energy and carbon. */
#include "app/options/command.h"

#include "app/ci_options.h"
#include "app/ledger_options.h"
#include "app/options/gate_options.h"
#include "app/options/naming_options.h"
#include "app/options/sci_options.h"
#include "app/terminal.h"
#include "base/auto.h"
#include "commands/indicator/indicator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BYTES_PER_MB 1e6

const struct option_spec option_compare =
    OPTION(FILE, "Gate", "compare", .argument = "<file>",
           .help = "compare the energy with this earlier result; exit status 3 if it has grown significantly");
const struct option_spec option_max_regression =
    OPTION(NUMBER, "Gate", "max-regression", .argument = "<percent>", .quantity = QUANTITY_PERCENT, .min = 0,
           .max = INFINITY, .help = "allowed growth", .default_text = "5%");
const struct option_spec option_require_verdict =
    OPTION(FLAG, "Gate", "require-verdict", .help = "exit status 3 also without a decision");
const struct option_spec option_summary =
    OPTION(FILE, "Gate", "summary", .file = FILE_ADDED, .argument = "<file>",
           .help = "append the verdict in Markdown; 'markdown' is GitHub's step summary, elsewhere standard error");
const struct option_spec option_flat =
    OPTION(FILE, "Output", "flat", .alias = "csv", .file = FILE_WRITTEN, .argument = "<file>",
           .help = "write CSV, a row a run, each parameter and result in a column");
const struct option_spec option_amun = OPTION(FILE, "Output", "amun", .file = FILE_FOLDER, .argument = "<dir>",
                                              .help = "write <dir>/results/<i>/{result,hwinfo,log}, as Amun does");
const struct option_spec option_merge =
    OPTION(FLAG, "Output", "merge-into-result", .help = "put the energy and carbon into @result, too");
const struct option_spec option_score =
    OPTION(TEXT, "Output", "score", .argument = "<key>",
           .help = "overall_score is @result.<key> per own joule; joules: runs per joule");
const struct option_spec option_allow_nan =
    OPTION(FLAG, "Contract", "allow-nan", .help = "pass NaN and Infinity on, instead of null");
const struct option_spec option_strict = OPTION(FLAG, "Contract", "strict", .help = "refuse NaN and Infinity");
const struct option_spec option_max_output =
    OPTION(NUMBER, "Contract", "most-output", .argument = "<mb>", .quantity = QUANTITY_MEGABYTES,
           .help = "end a script that prints more", .default_text = "16", .min = 0.001, .max = 1000);
const struct option_spec option_check_only = OPTION(FLAG, "Contract", "check", .cli_only = true,
                                                    .help = "check files: outputs, or reports of Amun; nothing is run");
const struct option_spec option_specification =
    OPTION(FILE, "Contract", "spec", .argument = "<file>", .cli_only = true,
           .help = "take script, environment and batch_size from a specification of Amun");
const struct option_spec option_schema =
    OPTION(FLAG, "Contract", "schema", .cli_only = true,
           .help = "print the table (SQL) that the rows of --flat go into, of a script or of files");

static void read_options(const struct settings *settings, struct indicator_options *options)
{
    *options = (struct indicator_options){
        .strict = settings_flag(settings, &option_strict),
        .keeps_nan = settings_flag(settings, &option_allow_nan),
        .merges = settings_flag(settings, &option_merge),
        .score = settings_text(settings, &option_score),
        .max_bytes = (size_t)round(settings_number(settings, &option_max_output) * BYTES_PER_MB),
    };
}

static int fail_without_input(struct error *err)
{
    return terminal_fail(err, STATUS_CARBON_FAILED);
}

/* As many runs as it says, where the command line does not. */
static int run_specification(const struct command_line *line, const struct indicator_options *wanted,
                             struct indicator_spec *spec)
{
    const char *path = settings_text(&line->settings, &option_specification);
    AUTO_FREE struct command_line *own = malloc(sizeof *own);
    struct error err;

    if (!own) {
        error_errno(&err, "cannot start");
        return fail_without_input(&err);
    }
    *own = *line;
    if (!indicator_spec_open(spec, path, line->dashed, &err))
        return fail_without_input(&err);
    if (*spec->batch &&
        !settings_set(&own->settings, &option_runs, spec->batch, ORIGIN_BATCH, "batch_size", path, &err))
        return fail_without_input(&err);
    return indicator_live(own, wanted, spec, stdout);
}

static int run_from_file(const struct command_line *line, const struct indicator_options *wanted)
{
    AUTO_NOTICES struct notices notices = { .count = 0 };
    struct indicator_spec spec = { .path = NULL };
    struct error err;
    int status;

    if (settings_flag(&line->settings, &option_check_only) || (line->operand_count && !line->dashed)) {
        error_set(&err, ERROR_USAGE, "--spec runs the script of its file, and cannot be used with %s",
                  line->operand_count ? "other files" : "--check");
        error_fix(&err, "carbon indicator --spec FILE, or --spec FILE -- ./script");
        return fail_without_input(&err);
    }
    status = run_specification(line, wanted, &spec);
    indicator_spec_close(&spec, &notices);
    for (size_t i = 0; i < notices.count; i++)
        terminal_tell_plain(&notices.item[i]);
    return status;
}

static int run_indicator(const struct command_line *line)
{
    const struct settings *settings = &line->settings;
    const bool looks = settings_flag(settings, &option_check_only) || settings_flag(settings, &option_schema);
    struct indicator_options wanted;
    struct error err;

    if (settings_flag(settings, &option_strict) && settings_flag(settings, &option_allow_nan)) {
        error_set(&err, ERROR_USAGE, "--strict refuses what --allow-nan passes on");
        option_omit(&option_allow_nan, &err);
        return fail_without_input(&err);
    }
    if (line->dashed && settings_flag(settings, &option_check_only)) {
        error_set(&err, ERROR_USAGE, "--check looks at files, and runs nothing");
        error_fix(&err, "carbon indicator --check FILE, or omit --check: the output of a script is always checked");
        return fail_without_input(&err);
    }
    read_options(settings, &wanted);
    if (settings_text(settings, &option_specification))
        return run_from_file(line, &wanted);
    if (line->dashed)
        return indicator_live(line, &wanted, NULL, stdout);
    if (line->operand_count == 0) {
        error_set(&err, ERROR_USAGE, "'carbon indicator' needs an argument");
        error_why(&err, "usage: carbon indicator %s", line->command->synopsis);
        return fail_without_input(&err);
    }
    if (looks)
        return indicator_check_files(line, &wanted, stdout);
    if (settings_text(settings, &option_compare))
        return indicator_compare_files(line, stdout);
    error_set(&err, ERROR_USAGE, "it is not said what is to be done with '%.100s'", line->operands[0]);
    error_fix(&err, "carbon indicator -- %.100s, to run it; --check %.100s, to check what it has printed",
              line->operands[0], line->operands[0]);
    return fail_without_input(&err);
}

const struct command cmd_indicator = {
    .name = "indicator",
    .purpose = "run a performance indicator, and print it with its energy",
    .synopsis = "[options] -- script [argument ...]\n"
                "--spec specification.json [options] [-- script [argument ...]]\n"
                "--check | --schema file ...\n"
                "--compare base.json [options] new.json",
    .options = OPTIONS(RUN_OPTIONS, PACE_OPTIONS, &option_ignore_failure, METER_OPTIONS, &option_allow_nan,
                       &option_strict, &option_max_output, &option_check_only, &option_schema, &option_specification,
                       &option_compare, &option_max_regression, &option_fail_over, &option_accept_modelled,
                       &option_require_verdict, &option_summary, &option_ci, CARBON_OPTIONS, UNIT_OPTIONS,
                       &option_label, KEEPING_OPTIONS, &option_output, &option_json, &option_flat, &option_csv_safe,
                       &option_amun, &option_merge, &option_score, DETAIL_OPTIONS),
    .common = COMMON("runs", "baseline", "compare", "max-regression", "flat", "zone", "output",
                     "verbose", "quiet"),
    .examples = EXAMPLES(
        "carbon indicator -- ./matmul.py", "carbon indicator --runs 10 --flat rows.csv --amun out -- ./matmul.py",
        "carbon indicator --spec specification.json --amun out", "carbon indicator --check output.json",
        "carbon indicator --runs 10 --compare base.json -- ./matmul.py",
        "carbon indicator --compare base.json new.json"),
    .schemas = SCHEMAS(&indicator_schema),
    .run = run_indicator,
    OPERANDS(0, -1, OPERAND_FILE),
    .runs_command = true,
    .about = "Run a script that prints one JSON object with name, component, @parameters and @result, check it, and "
             "print it again with its usage, energy and emissions; or compare its energy with an earlier result.",
};
