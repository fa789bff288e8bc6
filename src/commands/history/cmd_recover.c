/* SPDX-License-Identifier: MIT
 * carbon recover: the record of an interrupted measurement. */
#include "app/options/command.h"

#include "app/ledger_options.h"
#include "app/options/naming_options.h"
#include "app/session.h"
#include "app/style.h"
#include "app/terminal.h"
#include "base/auto.h"
#include "base/c_locale.h"
#include "commands/history/record_from_samples.h"
#include "form/output.h"
#include "run/privileges.h"

#include <stdlib.h>
#include <string.h>

/* A record begins with a brace, whatever its file is called. */
static bool is_record(const char *path)
{
    AUTO_FCLOSE FILE *in = fopen(path, "re");
    int c = EOF;

    while (in && (c = fgetc(in)) != EOF && c_isspace(c))
        continue;
    return c == '{';
}

/* All that was measured until it was last brought up to date. */
static bool recover_record(const char *path, struct loaded_record *recovered, struct error *err)
{
    struct report *report = &recovered->report;

    if (!record_load(path, recovered, err)) {
        if (err->kind == ERROR_BAD_DATA)
            error_fix(err, "a time series (--samples) can be recovered, too");
        return false;
    }
    if (report->complete) {
        error_set(err, ERROR_USAGE, "'%.200s' is a complete record", path);
        return error_fix(err, "carbon import puts it into a ledger");
    }
    notice_add(&report->all_notices, NOTICE_UNFINISHED, "data after its last update is missing", "",
               "recovered from a record of a measurement that was cut short");
    return true;
}

static bool recover_series(const char *path, const struct settings *settings, struct loaded_record *recovered,
                           struct error *err)
{
    struct report *report = &recovered->report;
    struct machine *machine = calloc(1, sizeof *machine);
    struct root root = { .fd = -1 };
    enum scope scope;
    bool good;

    if (!machine)
        return error_errno(err, "cannot recover");
    good = root_open(&root, "/", err);
    if (good)
        machine_read(machine, &root);
    root_close(&root);
    good = good && scope_of(settings_text(settings, &option_scope), &scope) &&
           record_from_samples(path, machine, scope, recovered, err) && naming_options_read(settings, report, err) &&
           session_find_factor(settings, report, err);
    free(machine);
    if (good)
        report_finish(report);
    return good;
}

static bool recover(struct loaded_record *recovered, const struct command_line *line, struct error *err)
{
    const struct table_style style = style_of(&line->settings, stdout);
    const char *path = line->operands[0], *json = settings_text(&line->settings, &option_json);
    const struct report *report = &recovered->report;
    struct output out;

    if (!ledger_options_check(&line->settings, err) ||
        !(is_record(path) ? recover_record(path, recovered, err)
                          : recover_series(path, &line->settings, recovered, err)))
        return false;
    if (json && !(output_open(&out, json, err) && output_end(&out, json_format.write(report, out.file, err), err)))
        return false;
    return (json && strcmp(json, "-") == 0) || report_write_text(report, &style, stdout, err);
}

static int run_recover(const struct command_line *line)
{
    struct loaded_record *recovered = calloc(1, sizeof *recovered);
    struct environment environment = { .variables = NULL };
    int status = STATUS_CARBON_FAILED;
    struct error err;

    if (!recovered) {
        error_errno(&err, "cannot recover");
        return terminal_fail(&err, status);
    }
    if (privileges_drop(&environment, &err) && recover(recovered, line, &err)) {
        const struct report *const report = &recovered->report;
        status = terminal_finish_stdout(ledger_options_keep(&line->settings, &environment, &report, 1, EXIT_SUCCESS));
    } else {
        terminal_fail(&err, status);
    }
    loaded_record_close(recovered);
    free(recovered);
    environment_close(&environment);
    return status;
}

const struct command cmd_recover = {
    .name = "recover",
    .purpose = "recover the record of an interrupted measurement",
    .synopsis = "[options] file",
    .options =
        OPTIONS(&option_scope, SITE_OPTIONS, WATER_OPTIONS, &option_year, MARKET_OPTIONS, BASIS_OPTIONS, &option_duty,
                &option_output, &option_json, &option_label, KEEPING_OPTIONS, &option_verbose, COLOR_OPTIONS),
    .common = COMMON("zone", "pue", "year", "output", "label", "project", "verbose"),
    .examples = EXAMPLES("carbon recover run.json.partial",
                         "carbon recover --zone FR --json recovered.json samples.csv.partial"),
    .run = run_recover,
    .prints_page = true,
    OPERANDS(1, 1, OPERAND_FILE),
    .about = "Make a record, marked as incomplete, from a partial record or a time series of an interrupted 'carbon "
             "measure', and save it in the ledger.",
};
