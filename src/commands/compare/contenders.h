/* SPDX-License-Identifier: MIT
 * Which commands are compared: those after "--", or one at several values of its parameters. */
#ifndef COMMANDS_COMPARE_CONTENDERS_H
#define COMMANDS_COMPARE_CONTENDERS_H

#include "app/options/command.h"

enum {
    CONTENDERS_COMMANDS = 26, /* A to Z */
    CONTENDERS_MOST = 100,    /* records, or values of a scan */
};

extern const struct option_spec option_name;

struct named_command {
    char *name;  /* as --name says, else "A" or "size=1, mode=fast" */
    char **argv; /* NULL-ended */
};

struct contenders {
    struct named_command *items;
    size_t count;
};

/* Given to contenders_close, after a failure too. */
bool contenders_of_line(struct contenders *contenders, const struct command_line *line, struct error *err) MUST_CHECK;
void contenders_close(struct contenders *contenders);

/* --name for so many contenders: neither more of them nor the same twice. */
bool contenders_check_names(const struct settings *settings, size_t count, struct error *err) MUST_CHECK;

#endif
