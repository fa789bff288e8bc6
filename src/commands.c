/* SPDX-License-Identifier: MIT
 * The list of commands, in the order of the help. */
#include "app/options/command.h"

#include "base/near.h"

#include <stddef.h>
#include <string.h>

/* clang-format off: one a line */
extern const struct command cmd_measure, cmd_compare, cmd_batch, cmd_probe, cmd_calibrate, cmd_pipeline, cmd_model,
    cmd_plot, cmd_estimate, cmd_equivalents, cmd_verify, cmd_restate, cmd_history, cmd_ledger, cmd_sources, cmd_factors,
    cmd_when, cmd_record, cmd_config, cmd_help;
extern const struct command cmd_import, cmd_recover, cmd_report, cmd_prometheus, cmd_merge, cmd_slurm, cmd_serve,
    cmd_indicator, cmd_join, cmd_profile, cmd_report_bug, cmd_top;
/* clang-format on */

const struct command *const commands[] = {
    &cmd_measure, &cmd_compare,     &cmd_profile,    &cmd_top,     &cmd_batch, &cmd_probe,   &cmd_pipeline,
    &cmd_model,   &cmd_indicator,   &cmd_estimate,   &cmd_factors, &cmd_when,  &cmd_join,    &cmd_restate,
    &cmd_verify,  &cmd_equivalents, &cmd_history,    &cmd_report,  &cmd_plot,  &cmd_import,  &cmd_recover,
    &cmd_ledger,  &cmd_serve,       &cmd_prometheus, &cmd_slurm,   &cmd_merge, &cmd_sources, &cmd_calibrate,
    &cmd_record,  &cmd_report_bug,  &cmd_config,     &cmd_help,    NULL,
};

static const struct {
    const struct command *first;
    const char *heading;
} headings[] = {
    { &cmd_measure, "Measure" },     { &cmd_estimate, "Calculate" },   { &cmd_history, "Records and reports" },
    { &cmd_serve, "Many machines" }, { &cmd_sources, "This machine" },
};

const char *command_heading(const struct command *command)
{
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        if (headings[i].first == command)
            return headings[i].heading;
    return NULL;
}

const struct command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0 || (commands[i]->alias && strcmp(commands[i]->alias, name) == 0))
            return commands[i];
    return NULL;
}

bool command_unknown(const struct typed_line *typed, const char *name, struct error *err)
{
    struct near_name near = { .typed = name };

    for (size_t i = 0; commands[i]; i++)
        near_try(&near, commands[i]->name);
    error_set(err, ERROR_USAGE, "unknown command '%s'", name);
    if (!near.name) {
        error_why(err, "'carbon help' lists the commands");
        return error_fix(err, "carbon help");
    }
    error_why(err, "the nearest command is '%s'", near.name);
    error_fix(err, "carbon help %s", near.name);
    return typed_line_replaced(typed, name, near.name, err);
}
