/* SPDX-License-Identifier: MIT
 * Command lines as they are typed, parsed and checked; or refused. */
#ifndef TESTS_TYPED_H
#define TESTS_TYPED_H

#include "app/options/command.h"

#include "unit.h"

#include <stdio.h>
#include <string.h>

/* What helps where a time is not a number. */
#define SECONDS_UNITS "units are ms, s, min, h, d or y; a number alone is of seconds"

enum { WORDS = 64 };

static const struct option_spec option_time = {
    .name = "time",
    .short_name = 't',
    .kind = OPTION_NUMBER,
    .argument = "<s>",
    .quantity = QUANTITY_SECONDS,
    .group = "A",
    .default_text = "5",
    .min = 0,
    .max = 60,
    .help = "seconds",
};

static struct command_line line;
static struct error err;
static char *argv[WORDS];

/* A line of words without quotes; NULL-ended as main has it. */
static inline bool parse(const struct command *command, const char *typed)
{
    static char store[4096];
    char *rest = store;
    int count = 0;

    snprintf(store, sizeof store, "%s %s", command->name, typed);
    for (char *word; (word = strsep(&rest, " "));)
        if (*word)
            argv[count++] = word;
    argv[count] = NULL;
    err = (struct error){ .kind = ERROR_NONE };
    return command_line_parse(command, count, argv, &line, &err) && command_line_check_operands(&line, &err);
}

static inline void expect_failure(const struct command *command, const char *typed, const char *what, const char *fix)
{
    ck_assert_msg(!parse(command, typed), "'%s' was taken", typed);
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    ck_assert_str_eq(err.what, what);
    ck_assert_str_eq(err.fix, fix);
}

#endif
