/* SPDX-License-Identifier: MIT
 * Existing outputs of performance indicators and reports of Amun: checked, or printed as a table. */
#include "commands/indicator/indicator.h"

#include "app/terminal.h"
#include "base/auto.h"
#include "base/utf8.h"
#include "commands/indicator/scan_read.h"
#include "io/json_read.h"
#include "run/privileges.h"

#include <signal.h>
#include <string.h>

struct checked {
    struct indicator_run run;
    bool amun;
};

static bool read_file(const char *path, struct indicator_run *run, struct error *err)
{
    run->text = json_read_text(path, err);
    run->length = run->text ? strlen(run->text) : 0;
    return run->text != NULL;
}

static void check_text(struct checked *checked, const struct indicator_options *options)
{
    struct indicator_run *run = &checked->run;
    struct contract_options contract = { .strict = options->strict, .keeps_nan = options->keeps_nan, .added = true };

    if (!scan_read(run->text, run->length, &run->scan, &run->fault))
        return;
    checked->amun = contract_is_amun(&run->scan);
    if (checked->amun && !contract_check_amun(&run->scan, &contract.object, &run->fault))
        return;
    IGNORED(contract_check(&run->scan, &contract, &run->indicator, &run->notices, &run->fault),
            "the fault is in the result");
}

static int print_check(const char *path, const struct checked *checked, FILE *out)
{
    const struct indicator_run *run = &checked->run;
    const struct indicator *indicator = &run->indicator;
    AUTO_FREE char *name = NULL, *component = NULL;
    char shown[2][80];

    if (run->fault.kind != FAULT_NONE) {
        struct error err = run->fault.error;
        error_set(&err, ERROR_BAD_DATA, "'%.120s': %.120s", path, run->fault.error.what);
        error_why(&err, "%s", run->fault.error.why);
        return terminal_fail(&err, STATUS_BAD_OUTPUT);
    }
    for (size_t i = 0; i < run->notices.count; i++)
        terminal_tell_plain(&run->notices.item[i]);
    name = scan_text(&run->scan, indicator->name);
    component = scan_text(&run->scan, indicator->component ? indicator->component : indicator->framework);
    utf8_printable(shown[0], sizeof shown[0], name ? name : "");
    utf8_printable(shown[1], sizeof shown[1], component ? component : "");
    fprintf(out, "%s: %s of %s (%s), %u parameters, %u results\n", path,
            checked->amun ? "a report of Amun" : "an output", shown[0], shown[1],
            scan_span(&run->scan, indicator->parameters)->count, scan_span(&run->scan, indicator->result)->count);
    return 0;
}

static int tell_table(const struct checked *checked, const struct indicator_options *options, FILE *out)
{
    struct indicator_run run = checked->run;
    const struct indicator_report report = {
        .options = *options,
        .script = "",
        .sha256 = "",
        .runs = &run,
        .run_count = 1,
    };
    struct error err;

    return indicator_table(&report, out, &err) ? 0 : terminal_fail(&err, STATUS_BAD_OUTPUT);
}

static int check_file(const char *path, const struct settings *settings, const struct indicator_options *options,
                      FILE *out)
{
    struct checked checked = { .amun = false };
    struct error err;
    int status;

    if (!read_file(path, &checked.run, &err))
        return terminal_fail(&err, err.kind == ERROR_BAD_DATA ? STATUS_BAD_OUTPUT : STATUS_CARBON_FAILED);
    check_text(&checked, options);
    if (settings_flag(settings, &option_schema) && checked.run.fault.kind == FAULT_NONE)
        status = tell_table(&checked, options, out);
    else
        status = print_check(path, &checked, out);
    indicator_run_close(&checked.run);
    return status;
}

int indicator_check_files(const struct command_line *line, const struct indicator_options *options, FILE *out)
{
    struct environment environment = { .variables = NULL };
    struct error err;
    int status = 0;

    signal(SIGPIPE, SIG_IGN);
    if (!privileges_drop(&environment, &err))
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    for (int i = 0; i < line->operand_count; i++) {
        const int here = check_file(line->operands[i], &line->settings, options, out);
        status = here > status ? here : status;
    }
    environment_close(&environment);
    return terminal_finish_stdout(status);
}
