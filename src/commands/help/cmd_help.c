/* SPDX-License-Identifier: MIT
 * carbon help: the commands, one command's options, and what a shell may complete. */
#include "app/options/command.h"

#include "app/terminal.h"
#include "commands/help/help.h"

#include <stdio.h>
#include <string.h>

static const struct option_spec option_complete =
    OPTION(FLAG, NULL, "complete", .hidden = true, .cli_only = true,
           .help = "print what may stand where the last of these words is; for the shells' completions");
static const struct option_spec option_list_options =
    OPTION(FLAG, NULL, "list-options", .hidden = true, .cli_only = true, .help = "print every option of every command");

static const struct option_spec option_schema =
    OPTION(TEXT, NULL, "schema", .argument = "<name>", .cli_only = true,
           .help = "print the JSON Schema of a command's output, such as batch");

static const struct option_spec option_all =
    OPTION(FLAG, NULL, "all", .cli_only = true, .help = "every option, of one command or of all");

static const struct option_spec option_fields =
    OPTION(TEXT, NULL, "fields", .argument = "<name>", .cli_only = true,
           .help = "print the fields of a command's output with their meanings, such as estimate; all: of all");

static const struct option_spec option_man =
    OPTION(TEXT, NULL, "man", .argument = "<page>", .hidden = true, .cli_only = true,
           .help = "print what the manual has of the tables: of a command, 'commands' or 'settings'");

static int fail_unknown(const struct command_line *line, const char *name)
{
    struct error err;

    command_unknown(&line->typed, name, &err);
    return terminal_fail(&err, STATUS_CARBON_FAILED);
}

/* "zone" is the name of an option: which commands have it. */
static int show_option(const struct command_line *line)
{
    const char *name = line->operands[0] + (strncmp(line->operands[0], "--", 2) == 0 ? 2 : 0);

    return help_option(name, stdout) ? 0 : fail_unknown(line, line->operands[0]);
}

static int print_manual(const struct command_line *line, const char *page)
{
    const struct command *command = command_find(page);

    if (strcmp(page, "commands") == 0)
        manual_of_commands(stdout);
    else if (strcmp(page, "settings") == 0)
        manual_of_settings(stdout);
    else if (command)
        manual_of_command(command, stdout);
    else
        return fail_unknown(line, page);
    return terminal_finish_stdout(0);
}

static int run_help(const struct command_line *line)
{
    const char *schema = settings_text(&line->settings, &option_schema);
    const char *fields = settings_text(&line->settings, &option_fields);
    const struct command *command;
    struct error err;

    if (settings_flag(&line->settings, &option_complete)) {
        help_complete(line->operands, line->operand_count, stdout);
    } else if (settings_flag(&line->settings, &option_list_options)) {
        help_list_options(stdout);
    } else if (settings_text(&line->settings, &option_man)) {
        return print_manual(line, settings_text(&line->settings, &option_man));
    } else if (schema) {
        return help_schema(schema, stdout, &err) ? terminal_finish_stdout(0)
                                                 : terminal_fail(&err, STATUS_CARBON_FAILED);
    } else if (fields) {
        return help_fields(fields, stdout, &err) ? terminal_finish_stdout(0)
                                                 : terminal_fail(&err, STATUS_CARBON_FAILED);
    } else if (line->operand_count == 0) {
        if (settings_flag(&line->settings, &option_all))
            help_all(stdout);
        else
            help_overview(stdout);
    } else if (line->operand_count > 1) {
        error_set(&err, ERROR_USAGE, "'carbon help' does not take '%s'", line->operands[1]);
        error_why(&err, "it shows one command at a time");
        typed_line_rewritten(&line->typed, line->operands[1], false, "", &err);
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    } else {
        command = command_find(line->operands[0]);
        if (!command)
            return show_option(line);
        help_command(command, settings_flag(&line->settings, &option_all), stdout);
    }
    return 0;
}

const struct command cmd_help = {
    .name = "help",
    .purpose = "display the commands, or the options of one",
    .synopsis = "[--all] [command]",
    .options = OPTIONS(&option_all, &option_schema, &option_fields, &option_complete, &option_list_options, &option_man,
                       HELP_OPTIONS),
    .examples = EXAMPLES("carbon help measure"),
    .run = run_help,
    .max_operands = -1, /* the words of --complete */
    .operands = OPERAND_COMMAND,
    .about = "Display the commands, or the options of one.",
};
