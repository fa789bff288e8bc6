/* SPDX-License-Identifier: MIT
 * A measurement against its budget, and for CI services. */
#include "commands/measure/measure_gate.h"

#include "app/ci_options.h"
#include "app/gate_status.h"
#include "app/options/gate_options.h"

bool measure_gate_open(struct budget *budget, struct ci_files *ci, const struct settings *settings, bool once,
                       struct error *err)
{
    const char *text = settings_text(settings, &option_budget);
    const bool stop = settings_flag(settings, &option_stop);

    if (stop && !text) {
        error_set(err, ERROR_USAGE, "--stop needs --budget");
        return error_fix(err, "--budget 500J --stop");
    }
    if (stop && !once) {
        error_set(err, ERROR_USAGE, "--stop ends a command that is run once");
        return option_omit(&option_stop, err);
    }
    if (text && !budget_read(budget, text, err))
        return false;
    budget->stop = stop;
    return ci_options_open(ci, settings, err);
}

bool measure_gate_exceeded(const struct budget *so_far)
{
    return so_far->verdict == GATE_FAILED && so_far->figure != FIGURE_GROSS_J;
}

int measure_gate_status(const struct budget *budget, int status)
{
    return budget->given && (status == 0 || budget->stopped) ? gate_status(budget->verdict) : status;
}

void measure_gate_print(const struct budget *budget, FILE *out)
{
    struct text text;

    if (!budget->given)
        return;
    text_open(&text, SIZE_MAX);
    budget_line(budget, &text);
    fprintf(out, "  budget %s\n", text_ok(&text) ? text.data : gate_verdict_name(budget->verdict));
    text_close(&text);
}

int measure_gate_write(struct ci_files *ci, const struct report *report, int status)
{
    const char *program = report->command[0] ? report->command[0] : "target";
    struct ci_row row;
    struct text text;

    if (!ci_is_wanted(ci))
        return status;
    ci_row_of(report, report->label ? report->label : program, &row);
    text_open(&text, SIZE_MAX);
    budget_line(&report->budget, &text);
    if (report->budget.given)
        ci_row_judge(&row, report->budget.verdict, text_ok(&text) ? text.data : "");
    text_close(&text);
    return ci_options_write(ci, "carbon measure", &row, 1, status);
}
