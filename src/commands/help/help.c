/* SPDX-License-Identifier: MIT
 * Help for people. */
#include "commands/help/help.h"

#include "app/terminal.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 80, HELP_COLUMN = 25, PURPOSE_COLUMN = 13 };

static void print_pointer(FILE *out)
{
    fputs("\nFor more details see carbon(1).\n", out);
}

void help_overview(FILE *out)
{
    fputs("Usage:\n carbon <command> [options]\n\n"
          "Measure the energy that work uses, and what it emits.\n\nCommands:\n",
          out);
    for (size_t i = 0; commands[i]; i++) {
        fprintf(out, " %-*s", PURPOSE_COLUMN - 1, commands[i]->name);
        terminal_wrap(out, commands[i]->purpose, PURPOSE_COLUMN, WIDTH);
    }
    fputs("\n -h, --help     display this help; 'carbon <command> --help' that of a command\n"
          " -V, --version  display version and what was built in\n\n"
          "To begin with:\n"
          " carbon sources                       what can be measured here, and what not\n"
          " carbon measure --zone FR -- ./job    run a job and see what it used\n",
          out);
    print_pointer(out);
}

/* "a purpose: one, two or three (also --alias, default one)" */
static void option_text(const struct option_spec *option, char *out, size_t size)
{
    char choices[OPTION_CHOICES_SIZE];
    size_t length = (size_t)snprintf(out, size, "%s", option->help);
    const char *before = " (";

    if (option->choices && length < size) {
        option_choices_text(option, choices, sizeof choices);
        length += (size_t)snprintf(out + length, size - length, ": %s", choices);
    }
    if (option->alias && length < size) {
        length += (size_t)snprintf(out + length, size - length, "%salso --%s", before, option->alias);
        before = "; ";
    }
    if (option->standard && length < size) {
        length += (size_t)snprintf(out + length, size - length, "%sdefault %s", before, option->standard);
        before = "; ";
    }
    if (before[0] == ';' && length < size)
        snprintf(out + length, size - length, ")");
}

static void print_option(const struct option_spec *option, FILE *out)
{
    char text[512];
    int column = option->letter ? fprintf(out, " -%c, --%s", option->letter, option->name)
                                : fprintf(out, "     --%s", option->name);

    if (option->argument)
        column += fprintf(out, " %s", option->argument);
    if (column >= HELP_COLUMN)
        column = fprintf(out, "\n") - 1;
    fprintf(out, "%*s", HELP_COLUMN - column, "");
    option_text(option, text, sizeof text);
    terminal_wrap(out, text, HELP_COLUMN, WIDTH);
}

static void print_usage(const struct command *command, FILE *out)
{
    const char *line = command->synopsis;

    fputs("Usage:\n", out);
    while (line) {
        const char *end = strchrnul(line, '\n');

        fprintf(out, " carbon %s%s%.*s\n", command->name, *line ? " " : "", (int)(end - line), line);
        line = *end ? end + 1 : NULL;
    }
}

/* " <s>  ms, s, min, h, d or a": of each kind of quantity that the command's options take. */
static void print_units(const struct command *command, FILE *out)
{
    bool told[QUANTITY_COUNT] = { [QUANTITY_NONE] = true };
    char units[QUANTITY_UNITS_SIZE];
    bool any = false;

    for (size_t i = 0; command->options[i]; i++) {
        const struct option_spec *option = command->options[i];

        if (option->hidden || told[option->quantity])
            continue;
        if (!any)
            fputs("\nUnits (a number alone is in that of the help):\n", out);
        any = told[option->quantity] = true;
        quantity_units_text(option->quantity, units, sizeof units);
        fprintf(out, " %-*s", PURPOSE_COLUMN - 1, option->argument);
        terminal_wrap(out, units, PURPOSE_COLUMN, WIDTH);
    }
}

void help_command(const struct command *command, FILE *out)
{
    const char *group = NULL;

    print_usage(command, out);
    fputc('\n', out);
    terminal_wrap(out, command->about, 0, WIDTH);
    fputc('\n', out);
    for (size_t i = 0; command->options[i]; i++) {
        const struct option_spec *option = command->options[i];

        if (option->hidden)
            continue;
        if (option->group && (!group || strcmp(group, option->group) != 0))
            fprintf(out, "%s%s:\n", group ? "\n" : "", option->group);
        else if (!option->group && group)
            fputc('\n', out);
        group = option->group;
        print_option(option, out);
    }
    print_units(command, out);
    if (command->examples && command->examples[0]) {
        fputs("\nExamples:\n", out);
        for (size_t i = 0; command->examples[i]; i++)
            fprintf(out, " %s\n", command->examples[i]);
    }
    print_pointer(out);
}

void help_list_options(FILE *out)
{
    for (size_t i = 0; commands[i]; i++)
        for (size_t j = 0; commands[i]->options[j]; j++) {
            const struct option_spec *option = commands[i]->options[j];

            fprintf(out, "%s\t--%s\n", commands[i]->name, option->name);
            if (option->alias)
                fprintf(out, "%s\t--%s\n", commands[i]->name, option->alias);
        }
}
