/* SPDX-License-Identifier: MIT
 * The files that one command line opens, from its table of options and its operands: given to one register before
 * anything runs, so that no command has to think of it. What a command names itself, below a folder, it asks about.
 * Used in main.c and 4 commands. Begin with command_files_check(). */
#ifndef APP_COMMAND_FILES_H
#define APP_COMMAND_FILES_H

#include "app/options/command.h"

/* ERROR_USAGE if an output would replace another one, an input, the ledger, or any database. config:
 * the place of the configuration file, or NULL. Again where settings have changed. */
bool command_files_check(const struct command_line *line, struct settings *settings, const char *config,
                         struct error *err) MUST_CHECK;

/* Likewise of the programs of one more command that is run, by its words or its command line. */
bool command_files_add_command(const struct settings *settings, const char *text, struct error *err) MUST_CHECK;

/* One more, whose name is not what the option says. */
bool command_files_add(const struct settings *settings, enum file_use use, const char *called, const char *path,
                       struct error *err) MUST_CHECK;

/* Of one more that will be written, below a folder that an option named. */
bool command_files_allow(const struct settings *settings, const char *called, const char *path,
                         struct error *err) MUST_CHECK;

#endif
