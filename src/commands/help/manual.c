/* SPDX-License-Identifier: MIT
 * The manual's pages as far as they come from the tables: build-aux/manual-pages.py adds what is written by hand. */
#include "commands/help/help.h"

#include "base/c_locale.h"
#include "commands/help/config.h"

#include <string.h>

/* A text for mdoc: a backslash is escaped, and no line begins with a control character. */
static void put_text(FILE *out, const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", out);
    for (; *text; text++) {
        if (*text == '\\')
            fputs("\\e", out);
        else
            fputc(*text, out);
    }
    fputc('\n', out);
}

/* A help line as a sentence. */
static void put_sentence(FILE *out, const char *text)
{
    char sentence[600];
    size_t length = (size_t)snprintf(sentence, sizeof sentence - 1, "%s", text);

    sentence[0] = c_toupper(sentence[0]);
    if (length && length < sizeof sentence - 1 && sentence[length - 1] != '.')
        memcpy(sentence + length, ".", 2);
    put_text(out, sentence);
}

/* "<name=command>" → " Ar name=command" */
static void put_argument(FILE *out, const struct option_spec *option)
{
    fputs(" Ar", out);
    for (const char *at = option->argument; at && *at; at++)
        if (*at == '<')
            fputc(' ', out);
        else if (*at != '>' && *at != ' ')
            fputc(*at, out);
}

static void put_option(FILE *out, const struct option_spec *option)
{
    char text[HELP_OPTION_SIZE];
    const char *argument = option->argument;

    fputs(".It ", out);
    if (option->short_name)
        fprintf(out, "Fl %c , ", option->short_name);
    fprintf(out, "Fl -%s", option->name);
    if (argument)
        put_argument(out, option);
    if (option->alias) {
        fprintf(out, " , Fl -%s", option->alias);
        if (argument)
            put_argument(out, option);
    }
    fputc('\n', out);
    help_option_text(option, true, text, sizeof text);
    put_sentence(out, text);
}

static void put_options(FILE *out, const struct command *command)
{
    const struct option_spec *const *options = command->options;

    for (size_t i = 0; options[i]; i++) {
        const char *group = help_group_begins(command, i, true);

        if (!group)
            continue;
        fprintf(out, ".Ss %s\n.Bl -tag -width Ds\n", *group ? group : "General");
        for (size_t j = i; options[j]; j++)
            if (strcmp(options[j]->group ? options[j]->group : "", group) == 0)
                put_option(out, options[j]);
        fputs(".El\n", out);
    }
}

static void put_synopsis(FILE *out, const struct command *command)
{
    const char *line = command->synopsis ? command->synopsis : "";

    for (bool first = true; first || *line; first = false) {
        const int length = (int)strcspn(line, "\n");

        fprintf(out, ".Nm carbon %s\n", command->name);
        if (length)
            fprintf(out, "%.*s\n", length, line);
        line += length + (line[length] ? 1 : 0);
    }
}

static void put_examples(FILE *out, const struct command *command)
{
    if (!command->examples || !command->examples[0])
        return;
    fputs(".Sh EXAMPLES\n", out);
    for (size_t i = 0; command->examples[i]; i++) {
        fputs(".Dl $ ", out);
        put_text(out, command->examples[i]);
    }
}

void manual_of_command(const struct command *command, FILE *out)
{
    fprintf(out, ".Nd %s\n.Sh SYNOPSIS\n", command->purpose);
    put_synopsis(out, command);
    fputs(".Sh DESCRIPTION\n", out);
    put_text(out, command->about);
    fputs(".Sh OPTIONS\n", out);
    put_options(out, command);
    put_examples(out, command);
}

void manual_of_commands(FILE *out)
{
    bool open = false;

    for (size_t i = 0; commands[i]; i++) {
        const char *heading = command_heading(commands[i]);

        if (heading)
            fprintf(out, "%s.Ss %s\n.Bl -tag -width Ds -compact\n", open ? ".El\n" : "", heading);
        open = true;
        fprintf(out, ".It Xr carbon-%s 1\n", commands[i]->name);
        put_text(out, commands[i]->purpose);
    }
    fputs(open ? ".El\n" : "", out);
}

/* Whether an earlier command, or an earlier option of this one, has a setting of this name. */
static bool is_repeated(size_t command, const struct option_spec *option)
{
    for (size_t i = 0; i < command; i++) {
        const struct option_spec *other = option_named(commands[i]->options, option->name);

        if (other && !other->cli_only)
            return true;
    }
    return false;
}

static void put_setting(FILE *out, const struct option_spec *option)
{
    char variable[CONFIG_VARIABLE_SIZE], text[HELP_OPTION_SIZE];
    const char *before = "Of";

    fprintf(out, ".It Ic %s , Ev %s\n", option->name, config_variable(option->name, variable));
    help_option_text(option, true, text, sizeof text);
    put_sentence(out, text);
    for (size_t i = 0; commands[i]; i++) {
        const struct option_spec *other = option_named(commands[i]->options, option->name);

        if (!other || other->cli_only)
            continue;
        fprintf(out, "%s %s", before, commands[i]->name);
        before = ",";
    }
    fputs(".\n", out);
}

void manual_of_settings(FILE *out)
{
    fputs(".Bl -tag -width Ds\n", out);
    for (size_t i = 0; commands[i]; i++)
        for (size_t j = 0; commands[i]->options[j]; j++)
            if (!commands[i]->options[j]->cli_only && !is_repeated(i, commands[i]->options[j]))
                put_setting(out, commands[i]->options[j]);
    fputs(".El\n", out);
}
