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
    cmd_indicator, cmd_profile, cmd_report_bug;
/* clang-format on */

const struct command *const commands[] = {
    &cmd_measure, &cmd_compare,   &cmd_profile, &cmd_batch,    &cmd_probe,       &cmd_calibrate, &cmd_pipeline,
    &cmd_model,   &cmd_indicator, &cmd_plot,    &cmd_estimate, &cmd_equivalents, &cmd_verify,    &cmd_restate,
    &cmd_history, &cmd_report,    &cmd_merge,   &cmd_slurm,    &cmd_import,      &cmd_recover,   &cmd_ledger,
    &cmd_sources, &cmd_factors,   &cmd_when,    &cmd_serve,    &cmd_prometheus,  &cmd_record,    &cmd_report_bug,
    &cmd_config,  &cmd_help,      NULL,
};

const struct command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0 || (commands[i]->alias && strcmp(commands[i]->alias, name) == 0))
            return commands[i];
    return NULL;
}

bool command_unknown(const char *name, struct error *err)
{
    struct near_name near = { .typed = name };

    for (size_t i = 0; commands[i]; i++)
        near_try(&near, commands[i]->name);
    error_set(err, ERROR_USAGE, "unknown command '%s'", name);
    return near.name ? error_fix(err, "did you mean 'carbon %s'?", near.name) : false;
}
