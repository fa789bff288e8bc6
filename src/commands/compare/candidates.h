/* SPDX-License-Identifier: MIT
 * Which commands are compared: those after "--", one at several values of its parameters, or those of a benchmark
 * tool's result. Used throughout commands/compare. Begin with candidates_of_line(). */
#ifndef COMMANDS_COMPARE_CANDIDATES_H
#define COMMANDS_COMPARE_CANDIDATES_H

#include "app/options/command.h"

enum {
    CANDIDATES_COMMANDS = 26, /* A to Z */
    CANDIDATES_MAX = 100,     /* records, or values of a scan */
};

extern const struct option_spec option_name, option_results;

struct named_command {
    char *name;  /* from --name, else "A" or "size=1, mode=fast" */
    char **argv; /* NULL-ended */
};

struct candidates {
    struct named_command *items;
    size_t count;
};

/* Given to candidates_close, after a failure too. */
bool candidates_of_line(struct candidates *candidates, const struct command_line *line, struct error *err) MUST_CHECK;
void candidates_close(struct candidates *candidates);

/* --name for this many commands: no excess names, no name twice. */
bool candidates_check_names(const struct settings *settings, size_t count, struct error *err) MUST_CHECK;

#endif
