/* SPDX-License-Identifier: MIT
 * The texts of help, all made from the tables of commands and options. Used in commands/help and main.c. Begin with
 * help_overview(). */
#ifndef COMMANDS_HELP_HELP_H
#define COMMANDS_HELP_HELP_H

#include "app/options/command.h"

#include <stdio.h>

/* Every command in one line, and the next steps. */
void help_overview(FILE *out);
/* One command's options: the most used ones and the names of the rest, if the command defines them; otherwise, or with
 * all, every option. */
void help_command(const struct command *command, bool all, FILE *out);
/* The option of this name, and the commands that have it; false: none has it. */
bool help_option(const char *name, FILE *out);
/* Every option of every command. */
void help_all(FILE *out);

/* "measure<TAB>--baseline", of every option of every command, including hidden ones and aliases. */
void help_list_options(FILE *out);

/* Completions of the last word, one "WORD<TAB>purpose" a line; the lines "FILES" and "COMMANDS" mean names that only
 * the shell can list. The words follow "carbon". */
void help_complete(char *const *words, int count, FILE *out);

/* JSON Schema of a kind of document, by its name ("pipeline"). ERROR_USAGE: unknown. */
bool help_schema(const char *name, FILE *out, struct error *err) MUST_CHECK;

/* Its fields in words; "all": those of every document. */
bool help_fields(const char *name, FILE *out, struct error *err) MUST_CHECK;

/* "a purpose: one, two or three (default one)"; with all, every choice and the alias. */
enum { HELP_OPTION_SIZE = 512 };
void help_option_text(const struct option_spec *option, bool all, char *out, size_t size);

/* The group that begins with this option of the command, "" for an unnamed one; NULL: none begins here. */
const char *help_group_begins(const struct command *command, size_t option, bool hidden);

/* Pages of the manual in mdoc, the parts that are made from the tables: a command's, from .Nd on; the list of commands;
 * the settings of the configuration file and the environment. */
void manual_of_command(const struct command *command, FILE *out);
void manual_of_commands(FILE *out);
void manual_of_settings(FILE *out);

#endif
