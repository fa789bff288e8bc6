/* SPDX-License-Identifier: MIT
 * `carbon sources --grant`: what would let ordinary users measure here. Used by cmd_sources.c. Begin with
 * grant_check(). */
#ifndef COMMANDS_SOURCES_GRANT_H
#define COMMANDS_SOURCES_GRANT_H

#include "app/options/options.h"
#include "commands/sources/sources_list.h"

#include <stdio.h>

extern const struct option_spec option_grant;

/* ERROR_USAGE where another form was asked for as well. */
bool grant_check(const struct settings *settings, struct error *err) MUST_CHECK;

/* Shell commands with remarks, for people to read. Of all that is written only the safest way is active, so that a
 * whole paste opens no more than that. */
void grant_print(const struct sources *sources, FILE *out);

#endif
