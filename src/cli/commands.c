/* SPDX-License-Identifier: MIT
 * The list of commands, in the order of the help. */
#include "cli/command.h"

#include <stddef.h>
#include <string.h>

extern const struct command cmd_measure, cmd_batch, cmd_estimate, cmd_sources, cmd_factors, cmd_plot, cmd_record,
    cmd_config, cmd_help;

const struct command *const commands[] = {
    &cmd_measure, &cmd_batch,  &cmd_estimate, &cmd_sources, &cmd_factors,
    &cmd_plot,    &cmd_record, &cmd_config,   &cmd_help,    NULL,
};

const struct command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}
