/* SPDX-License-Identifier: MIT
 * A result against an earlier one. */
#include "commands/indicator/indicator.h"

#include "app/gate_status.h"
#include "app/options/gate_options.h"
#include "app/terminal.h"
#include "base/text.h"
#include "io/json_read.h"
#include "result/record_fields.h"
#include "run/privileges.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool indicator_read_stored(const char *path, struct stored_record *stored, struct error *err)
{
    struct cJSON *document = json_read(path, err);
    bool good = false;

    *stored = (struct stored_record){ .command = NULL };
    if (document)
        good = strcmp(json_schema(document), INDICATOR_SCHEMA) == 0
                   ? stored_record_parse(json_member(document, RECORD_KEY), path, stored, err)
                   : stored_record_parse(document, path, stored, err);
    if (document && !good && err->kind == ERROR_BAD_DATA)
        error_fix(err, "use a file written by 'carbon indicator --json FILE' or 'carbon measure --json FILE'");
    json_close(document);
    return good;
}

void indicator_gate_open(struct gate *gate, const struct settings *settings, const char *now_name)
{
    *gate = (struct gate){
        .base_name = settings_text(settings, &option_compare),
        .now_name = now_name,
        .takes_modelled = settings_flag(settings, &option_accept_modelled),
    };
    gate->margin_percent = settings_number(settings, &option_fail_over);
    if (isnan(gate->margin_percent))
        gate->margin_percent = settings_number(settings, &option_max_regression);
}

int indicator_gate_status(const struct gate *gate, const struct settings *settings, int status)
{
    if (status != 0)
        return status;
    if (settings_text(settings, &option_fail_over))
        return gate_status(gate->verdict);
    return gate->verdict == GATE_FAILED ||
                   (gate->verdict == GATE_UNDECIDED && settings_flag(settings, &option_require_verdict))
               ? STATUS_WORSE
               : status;
}

bool indicator_summary_open(FILE **summary, const struct settings *settings, struct error *err)
{
    const char *path = settings_text(settings, &option_summary);

    *summary = NULL;
    if (!path)
        return true;
    if (!settings_text(settings, &option_compare)) {
        error_set(err, ERROR_USAGE, "--summary needs --compare: nothing is compared");
        return error_fix(err, "give the earlier result: --compare BASE.json");
    }
    if (strcmp(path, "markdown") == 0)
        path = getenv("GITHUB_STEP_SUMMARY");
    *summary = path && *path ? fopen(path, "ae") : fdopen(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0), "a");
    return *summary || error_errno(err, "cannot write '%s'", path && *path ? path : "standard error");
}

int indicator_summary_write(FILE *summary, const struct gate *gate, int status)
{
    struct error err;
    bool failed;

    if (!summary)
        return status;
    if (gate)
        gate_markdown(gate, summary);
    failed = ferror(summary) != 0;
    if (fclose(summary) == 0 && !failed)
        return status;
    error_errno(&err, "cannot write the summary");
    return terminal_fail(&err, STATUS_CARBON_FAILED);
}

static int compare(const struct settings *settings, const struct stored_record *base, const struct stored_record *now,
                   FILE *summary, FILE *out)
{
    struct gate gate;
    struct error err;

    indicator_gate_open(&gate, settings, now->path);
    if (!stored_record_comparable(base, now, &err)) {
        indicator_summary_write(summary, NULL, 0);
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    gate_judge(&gate, base, now);
    gate_text(&gate, out);
    return terminal_finish_stdout(indicator_summary_write(summary, &gate, indicator_gate_status(&gate, settings, 0)));
}

/* Options for measuring or for output have no effect here. */
static bool check_options(const struct settings *settings, struct error *err)
{
    static const struct option_spec *const useful[] = { &option_compare,         &option_max_regression,
                                                        &option_fail_over,       &option_accept_modelled,
                                                        &option_require_verdict, &option_summary,
                                                        &option_color,           &option_quiet };

    for (size_t i = 0; i < settings->count; i++) {
        bool allowed = settings->items[i].origin != ORIGIN_LINE;

        for (size_t j = 0; j < sizeof useful / sizeof useful[0]; j++)
            allowed |= settings->items[i].option == useful[j];
        if (allowed)
            continue;
        error_set(err, ERROR_USAGE, "--%s cannot be used to compare results", settings->items[i].option->name);
        return error_fix(err, "leave it out, or name a script: carbon indicator --compare BASE.json -- ./script");
    }
    return true;
}

int indicator_compare_files(const struct command_line *line, FILE *out)
{
    struct environment environment = { .variables = NULL };
    struct stored_record base = { .command = NULL }, now = { .command = NULL };
    FILE *summary = NULL;
    struct error err;
    int status;

    signal(SIGPIPE, SIG_IGN);
    if (line->operand_count != 1) {
        error_set(&err, ERROR_USAGE, "there is one result to compare with '%.100s', not %d",
                  settings_text(&line->settings, &option_compare), line->operand_count);
        error_fix(&err, "carbon indicator --compare BASE.json NEW.json");
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    if (check_options(&line->settings, &err) && privileges_drop(&environment, &err) &&
        indicator_read_stored(settings_text(&line->settings, &option_compare), &base, &err) &&
        indicator_read_stored(line->operands[0], &now, &err) && indicator_summary_open(&summary, &line->settings, &err))
        status = compare(&line->settings, &base, &now, summary, out);
    else
        status = terminal_fail(&err, STATUS_CARBON_FAILED);
    stored_record_close(&base);
    stored_record_close(&now);
    environment_close(&environment);
    return status;
}
