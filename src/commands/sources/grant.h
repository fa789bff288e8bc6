/* SPDX-License-Identifier: MIT
 * `carbon sources --grant`: the commands that allow ordinary users to measure here. Used by cmd_sources.c. Begin with
 * grant_check(). */
#ifndef COMMANDS_SOURCES_GRANT_H
#define COMMANDS_SOURCES_GRANT_H

#include "app/options/options.h"
#include "commands/sources/sources_list.h"

#include <stdio.h>

extern const struct option_spec option_grant;

/* ERROR_USAGE if another form was requested, too. */
bool grant_check(const struct settings *settings, struct error *err) MUST_CHECK;

/* Shell commands with remarks, for people to read. Only the safest of them is active, so that pasting all of it opens
 * no more than that. */
void grant_print(const struct sources *sources, FILE *out);

#endif
