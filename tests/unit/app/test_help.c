/* SPDX-License-Identifier: MIT
 * Help and completion, made of the table of options. */
#include "app/options/command.h"
#include "commands/help/help.h"

#include "typed.h"
#include "unit.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static char *printed(void (*print)(const struct command *, FILE *), const struct command *command)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    print(command, out);
    fclose(out);
    return text;
}

/* As a word of its own: --load is not in --loads. */
static bool has_word(const char *text, const char *word)
{
    for (const char *at = text; (at = strstr(at, word)); at++)
        if (!isalpha((unsigned char)at[strlen(word)]) && at[strlen(word)] != '-')
            return true;
    return false;
}

static void help_whole(const struct command *command, FILE *out)
{
    help_command(command, true, out);
}

static void help_short(const struct command *command, FILE *out)
{
    help_command(command, false, out);
}

/* Those that most need with what they do, the others by name: 45 lines at most. */
START_TEST(help_is_short_where_there_are_many_options)
{
    for (size_t i = 0; commands[i]; i++) {
        char *text = printed(help_short, commands[i]), *rest = text;
        int lines = 0;

        for (size_t j = 0; commands[i]->options[j]; j++) {
            char name[80];
            snprintf(name, sizeof name, "--%s", commands[i]->options[j]->name);
            ck_assert_msg(has_word(text, name) == !commands[i]->options[j]->hidden, "%s: %s", commands[i]->name, name);
        }
        for (size_t j = 0; commands[i]->common && commands[i]->common[j]; j++)
            ck_assert_ptr_nonnull(option_named(commands[i]->options, commands[i]->common[j]));
        for (char *row; (row = strsep(&rest, "\n")); lines++)
            ck_assert_msg(strlen(row) <= 80, "%s: %s", commands[i]->name, row);
        if (commands[i]->common)
            ck_assert_msg(lines <= 46, "%s has %d lines of help", commands[i]->name, lines); /* the last is empty */
        free(text);
    }
}
END_TEST

START_TEST(help_has_every_option_in_80_columns)
{
    for (size_t i = 0; commands[i]; i++) {
        char *text = printed(help_whole, commands[i]), *rest = text;

        for (size_t j = 0; commands[i]->options[j]; j++) {
            char name[80];
            snprintf(name, sizeof name, "--%s", commands[i]->options[j]->name);
            ck_assert_msg(has_word(text, name) == !commands[i]->options[j]->hidden, "%s: %s", commands[i]->name, name);
        }
        for (char *row; (row = strsep(&rest, "\n"));)
            ck_assert_msg(strlen(row) <= 80, "%s: %s", commands[i]->name, row);
        free(text);
    }
}
END_TEST

static void expect_completion(const char *typed, const char *expected)
{
    char store[256], *words[WORDS], *rest = store, *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    int count = 0;

    snprintf(store, sizeof store, "%s", typed);
    for (char *word; (word = strsep(&rest, " "));)
        words[count++] = word;
    help_complete(words, count, out);
    fclose(out);
    ck_assert_str_eq(text, expected);
    free(text);
}

START_TEST(completion_knows_what_may_stand_where)
{
    char factors[256];

    expect_completion("mea", "measure\trun a command and report its energy and carbon\n");
    expect_completion("--ver", "--version\tdisplay version and built-in features\n");
    expect_completion("measure --scope ", "compute\nplatform\nmachine\n");
    expect_completion("measure --scope p", "platform\n");
    expect_completion("measure --scope=p", "--scope=platform\n");
    expect_completion("measure --scope = p", "platform\n");
    expect_completion("measure --quiet=", "--quiet=yes\n--quiet=no\n");
    expect_completion("measure --json ", "FILES\n");
    expect_completion("measure --json=x", "FILES\n");
    expect_completion("measure --baseline ", "");
    expect_completion("measure -b ", "");
    expect_completion("measure --baseline 5", "5ms\n5s\n5min\n5h\n5d\n5y\n");
    expect_completion("measure --baseline=2.5m", "--baseline=2.5ms\n--baseline=2.5min\n");
    expect_completion("measure --sco", "--scope\tdomains that make up the total\n");
    expect_completion("measure --scope=machine --sco", "");
    expect_completion("measure --roo", "");
    snprintf(factors, sizeof factors, "--factors\t%s\n", option_factors.help);
    expect_completion("measure --factors a --factors b --factors", factors);
    expect_completion("measure ", "COMMANDS\n");
    expect_completion("measure -- ", "COMMANDS\n");
    expect_completion("measure --quiet -b 3 -- gzip -", "FILES\n");
    expect_completion("measure gzip --sc", "FILES\n");
    expect_completion("record ", "FILES\n");
    expect_completion("record a ", "");
    expect_completion("help conf", "config\tshow each setting and where it comes from\n");
    expect_completion("help config ", "");
    expect_completion("nonsense --", "");
}
END_TEST

UNIT_SUITE("help", help_is_short_where_there_are_many_options, help_has_every_option_in_80_columns,
           completion_knows_what_may_stand_where)
