/* SPDX-License-Identifier: MIT
 * Values of options from the configuration file and the environment. Used by cmd_config.c and main.c. Begin with
 * config_path(). */
#ifndef COMMANDS_HELP_CONFIG_H
#define COMMANDS_HELP_CONFIG_H

#include "app/options/command.h"

enum { CONFIG_VARIABLE_SIZE = 80, CONFIG_PATH_SIZE = 4096 };

/* $XDG_CONFIG_HOME/carbon/config, else ~/.config/carbon/config. False: neither variable says where. */
bool config_path(char *path, size_t size);

/* Takes file and environment into settings that hold the command line already. Any mistake in the
 * file fails, whichever command it is for; a missing file is none, and of another
 * user's that may not be read a note is printed. */
bool config_apply(struct settings *settings, const struct command *command, struct error *err) MUST_CHECK;

/* "require-measured" -> "CARBON_REQUIRE_MEASURED". */
const char *config_variable(const char *name, char out[CONFIG_VARIABLE_SIZE]);

#endif
