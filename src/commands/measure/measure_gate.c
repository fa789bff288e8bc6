/* SPDX-License-Identifier: MIT
 * A measurement against its budget, and for CI services. */
#include "commands/measure/measure_gate.h"

#include "app/ci_options.h"
#include "app/gate_status.h"
#include "app/options/gate_options.h"

bool measure_gate_open(struct measure_gate *gate, const struct settings *settings, bool once, struct error *err)
{
    const char *text = settings_text(settings, &option_budget);

    gate->budgeted = text != NULL;
    gate->stops = settings_flag(settings, &option_stop);
    if (gate->stops && !text) {
        error_set(err, ERROR_USAGE, "--stop needs --budget");
        return error_fix(err, "--budget 500J --stop");
    }
    if (gate->stops && !once) {
        error_set(err, ERROR_USAGE, "--stop ends a command that is run once");
        return error_fix(err, "leave it out: the exit status says whether the budget was exceeded");
    }
    return (!text || budget_read(&gate->budget, text, err)) && ci_options_open(&gate->ci, settings, err);
}

void measure_gate_watch(struct measure_gate *gate, const struct report *so_far)
{
    budget_judge(&gate->budget, so_far);
    gate->budget.is_stopped = gate->budget.verdict == GATE_FAILED && gate->budget.figure != FIGURE_GROSS_J;
}

int measure_gate_judge(struct measure_gate *gate, const struct report *report, int status)
{
    if (!gate->budgeted)
        return status;
    budget_judge(&gate->budget, report);
    return status == 0 || gate->budget.is_stopped ? gate_status(gate->budget.verdict) : status;
}

void measure_gate_print(const struct measure_gate *gate, FILE *out)
{
    struct text text;

    if (!gate->budgeted)
        return;
    text_open(&text, SIZE_MAX);
    budget_line(&gate->budget, &text);
    fprintf(out, "  budget %s\n", text_ok(&text) ? text.data : gate_verdict_name(gate->budget.verdict));
    text_close(&text);
}

int measure_gate_write(struct measure_gate *gate, const struct report *report, int status)
{
    const char *program = report->command[0] ? report->command[0] : "target";
    struct ci_row row;
    struct text text;

    if (!ci_is_wanted(&gate->ci))
        return status;
    ci_row_of(report, report->label ? report->label : program, &row);
    text_open(&text, SIZE_MAX);
    budget_line(&gate->budget, &text);
    if (gate->budgeted)
        ci_row_judge(&row, gate->budget.verdict, text_ok(&text) ? text.data : "");
    text_close(&text);
    return ci_options_write(&gate->ci, "carbon measure", &row, 1, status);
}
