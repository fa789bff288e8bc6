/* SPDX-License-Identifier: MIT
 * Help for people. */
#include "commands/help/help.h"

#include "app/terminal.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 80, HELP_COLUMN = 25, PURPOSE_COLUMN = 13, CHOICES_SHOWN = 4 };

static int width_of(FILE *out)
{
    const int width = terminal_width(out);

    return width > 0 && width < WIDTH ? width : WIDTH;
}

static void print_pointer(FILE *out)
{
    fputs("\nFor more details see carbon(1).\n", out);
}

static void print_page(const struct command *command, FILE *out)
{
    fprintf(out, "\nFor more details see carbon-%s(1).\n", command->name);
}

void help_overview(FILE *out)
{
    fputs("Usage:\n carbon <command> [options]\n\n"
          "Measure the energy of a job and calculate its emissions.\n",
          out);
    for (size_t i = 0; commands[i]; i++) {
        const char *heading = command_heading(commands[i]);

        if (heading)
            fprintf(out, "\n%s:\n", heading);
        fprintf(out, " %-*s", PURPOSE_COLUMN - 1, commands[i]->name);
        terminal_wrap(out, commands[i]->purpose, PURPOSE_COLUMN, width_of(out));
    }
    fputs("\n -h, --help     ", out);
    terminal_wrap(out, "display this help; 'carbon <command> --help' that of a command", 16, width_of(out));
    fputs(" -V, --version  display version and built-in features\n\n"
          "To begin with:\n carbon sources                     energy sources here\n"
          " carbon measure --zone FR -- ./job  energy and emissions\n",
          out);
    print_pointer(out);
}

static bool has_few_choices(const struct option_spec *option)
{
    size_t count = 0;

    while (option->choices[count])
        count++;
    return count <= CHOICES_SHOWN;
}

/* "a purpose: one, two or three (also --alias, default one)" */
void help_option_text(const struct option_spec *option, bool all, char *out, size_t size)
{
    char choices[OPTION_CHOICES_SIZE];
    size_t length = (size_t)snprintf(out, size, "%s", option->help);
    const char *before = " (";

    if (option->choices && (all || has_few_choices(option)) && length < size) {
        option_choices_text(option, choices, sizeof choices);
        length += (size_t)snprintf(out + length, size - length, ": %s", choices);
    }
    if (option->alias && all && length < size) {
        length += (size_t)snprintf(out + length, size - length, "%salso --%s", before, option->alias);
        before = "; ";
    }
    if (option->default_text && length < size) {
        length += (size_t)snprintf(out + length, size - length, "%sdefault %s", before, option->default_text);
        before = "; ";
    }
    if (before[0] == ';' && length < size)
        snprintf(out + length, size - length, ")");
}

static void print_option(const struct option_spec *option, bool choices, FILE *out)
{
    char text[HELP_OPTION_SIZE];
    int column = option->short_name ? fprintf(out, " -%c, --%s", option->short_name, option->name)
                                    : fprintf(out, "     --%s", option->name);

    if (option->argument)
        column += fprintf(out, " %s", option->argument);
    if (column >= HELP_COLUMN)
        column = fprintf(out, "\n") - 1;
    fprintf(out, "%*s", HELP_COLUMN - column, "");
    help_option_text(option, choices, text, sizeof text);
    terminal_wrap(out, text, HELP_COLUMN, width_of(out));
}

static void print_usage(const struct command *command, FILE *out)
{
    const char *line = command->synopsis;

    fputs("Usage:\n", out);
    while (line) {
        const char *end = strchrnul(line, '\n');

        const int column = fprintf(out, " carbon %s%s", command->name, *line ? " " : "");
        char usage[256];

        snprintf(usage, sizeof usage, "%.*s", (int)(end - line), line);
        terminal_wrap(out, usage, column, width_of(out) + 1); /* the last column may be used */
        line = *end ? end + 1 : NULL;
    }
}

/* " <s>  ms, s, min, h, d or a": of each kind of quantity that the command's options take. */
static void print_units(const struct command *command, FILE *out)
{
    bool reported[QUANTITY_COUNT] = { [QUANTITY_NONE] = true };
    char units[QUANTITY_UNITS_SIZE];
    bool any = false;

    for (size_t i = 0; command->options[i]; i++) {
        const struct option_spec *option = command->options[i];

        if (option->hidden || reported[option->quantity])
            continue;
        if (!any)
            fputs("\nUnits (a number alone is in that of the help):\n", out);
        any = reported[option->quantity] = true;
        quantity_units_text(option->quantity, units, sizeof units);
        fprintf(out, " %-*s", PURPOSE_COLUMN - 1, option->argument);
        terminal_wrap(out, units, PURPOSE_COLUMN, width_of(out));
    }
}

const char *help_group_begins(const struct command *command, size_t option, bool hidden)
{
    const struct option_spec *const *options = command->options;
    const char *group = options[option]->group ? options[option]->group : "";

    if (options[option]->hidden && !hidden)
        return NULL;
    for (size_t i = 0; i < option; i++)
        if ((hidden || !options[i]->hidden) && strcmp(options[i]->group ? options[i]->group : "", group) == 0)
            return NULL;
    return group;
}

/* All that the help shows, group by group. */
static void print_groups(const struct command *command, FILE *out)
{
    const struct option_spec *const *options = command->options;

    for (size_t i = 0; options[i]; i++) {
        const char *group = help_group_begins(command, i, false);

        if (!group)
            continue;
        fprintf(out, *group ? "\n%s:\n" : "\n", group);
        for (size_t j = i; options[j]; j++)
            if (!options[j]->hidden && strcmp(options[j]->group ? options[j]->group : "", group) == 0)
                print_option(options[j], true, out);
    }
}

static bool is_common(const struct command *command, const struct option_spec *option)
{
    for (size_t i = 0; command->common[i]; i++)
        if (strcmp(command->common[i], option->name) == 0)
            return true;
    return false;
}

/* "Also: --wue --slice ...": the names of those that fewer need. */
static void print_rest(const struct command *command, FILE *out)
{
    struct text text;

    text_open(&text, 4096);
    for (size_t i = 0; command->options[i]; i++)
        if (!command->options[i]->hidden && !is_common(command, command->options[i]))
            text_add(&text, "%s--%s", text.length ? " " : "", command->options[i]->name);
    if (text_ok(&text) && text.length) {
        fputs("\nAlso:\n  ", out);
        terminal_wrap(out, text.data, 2, width_of(out));
        fprintf(out, "  (carbon help --all %s)\n", command->name);
    }
    text_close(&text);
}

static void print_common(const struct command *command, FILE *out)
{
    fputs("\nMost used:\n", out);
    for (size_t i = 0; command->common[i]; i++)
        print_option(option_named(command->options, command->common[i]), false, out);
    print_rest(command, out);
}

void help_command(const struct command *command, bool all, FILE *out)
{
    print_usage(command, out);
    fputc('\n', out);
    terminal_wrap(out, command->about, 0, width_of(out));
    if (all || !command->common) {
        print_groups(command, out);
        print_units(command, out);
    } else {
        print_common(command, out);
    }
    if (command->examples && command->examples[0]) {
        fputs("\nExamples:\n", out);
        for (size_t i = 0; command->examples[i]; i++)
            fprintf(out, " %s\n", command->examples[i]);
    }
    print_page(command, out);
}

/* The first text of each option is shown; a command's different text is in its own help. */
bool help_option(const char *name, FILE *out)
{
    const struct option_spec *shown = NULL;
    struct text having;

    text_open(&having, 4096);
    for (size_t i = 0; commands[i]; i++) {
        const struct option_spec *option = option_named(commands[i]->options, name);

        if (!option || option->hidden)
            continue;
        if (!shown)
            print_option(option, true, out);
        shown = option;
        text_add(&having, "%scarbon %s", having.length ? ", " : "", commands[i]->name);
    }
    if (shown) {
        fputs("\nIn: ", out);
        terminal_wrap(out, having.data, 4, width_of(out));
    }
    text_close(&having);
    return shown;
}

void help_all(FILE *out)
{
    for (size_t i = 0; commands[i]; i++) {
        fprintf(out, "%s%s\n", i ? "\n" : "", commands[i]->name);
        for (size_t j = 0; commands[i]->options[j]; j++)
            if (!commands[i]->options[j]->hidden)
                print_option(commands[i]->options[j], true, out);
    }
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
