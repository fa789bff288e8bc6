/* SPDX-License-Identifier: MIT
 * carbon config: every value that can be set, and where it came from. */
#include "app/options/command.h"
#include "app/options/machines_made.h"

#include "app/terminal.h"
#include "base/auto.h"
#include "base/c_locale.h"
#include "base/text.h"
#include "commands/help/config.h"
#include "form/shown.h"
#include "grid/live.h"
#include "outside/outside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What has been printed, so that an option of many commands stands there once. */
struct printed {
    struct row {
        const char *name;
        char value[256], where[256];
    } * rows;
    size_t count;
    bool meters, machines; /* sections of the file */
};

static void join_texts(const struct setting *setting, char *out, size_t size)
{
    struct text joined;

    text_open(&joined, SIZE_MAX);
    for (size_t i = 0; i < setting->count; i++)
        text_add(&joined, "%s%s", i ? " " : "", setting->texts[i]);
    if (!setting->count)
        text_add(&joined, "%s", setting->option->kind == OPTION_FLAG ? "no" : "-");
    text_copy_redacted(out, size, joined.data ? joined.data : "");
    text_close(&joined);
}

/* The first row of this name, which is of all commands that have no row of their own; NULL: none. */
static const struct row *find_row(const struct printed *printed, const char *name)
{
    for (size_t i = 0; i < printed->count; i++)
        if (strcmp(printed->rows[i].name, name) == 0)
            return &printed->rows[i];
    return NULL;
}

static void print_setting(const struct command *command, const struct setting *setting, struct printed *printed)
{
    struct row row = { .name = setting->option->name };
    const struct row *first;
    char name[80];

    join_texts(setting, row.value, sizeof row.value);
    snprintf(row.where, sizeof row.where, "%s", setting->where);
    first = find_row(printed, row.name);
    if (first && strcmp(first->value, row.value) == 0 && strcmp(first->where, row.where) == 0)
        return;
    printed->rows[printed->count++] = row;
    snprintf(name, sizeof name, first ? "%s (%s)" : "%s", row.name, command->name);
    shown_print(stdout, " %-22s %-16s %s", name, row.value, option_origin_name(setting->origin));
    if (row.where[0])
        shown_print(stdout, "  %s", row.where);
    putchar('\n');
}

/* The meters that the file names are of all commands. */
static void print_meters(const struct named_meters *meters)
{
    char path[4096], name[80];

    for (size_t i = 0; meters && config_path(path, sizeof path) && i < meters->count; i++) {
        const struct outside_meter *meter = (const struct outside_meter *)meters->items[i];

        snprintf(name, sizeof name, "meter %s", meter->named.name);
        shown_print(stdout, " %-22s %-16s %s  %s:%d\n", name, meter->named.how, option_origin_name(ORIGIN_FILE), path,
                    meter->line);
    }
}

/* So are the machines whose making is reported. */
static void print_machines(const struct machines_made *machines)
{
    char path[4096], name[80], made[64];

    for (size_t i = 0; machines && config_path(path, sizeof path) && i < machines->count; i++) {
        const struct machine_made *item = &machines->items[i];

        snprintf(name, sizeof name, "machine%s%s", item->name[0] ? " " : "", item->name);
        c_snprintf(made, sizeof made, "%g kg, %g years", item->kgco2eq, item->lifetime_years);
        shown_print(stdout, " %-22s %-16s %s  %s:%d\n", name, made, option_origin_name(ORIGIN_FILE), path, item->line);
    }
}

static bool print_command(const struct command *command, struct printed *printed, struct error *err)
{
    struct settings settings;
    bool read;

    settings_open(&settings, command->options);
    read = config_apply(&settings, command, err);
    for (size_t i = 0; read && i < settings.count; i++)
        if (!settings.items[i].option->cli_only)
            print_setting(command, &settings.items[i], printed);
    if (read && !printed->meters)
        print_meters(settings.meters);
    if (read && !printed->machines)
        print_machines(settings.machines);
    printed->meters = true;
    printed->machines |= settings.machines != NULL;
    settings_close(&settings);
    return read;
}

static bool print_path(void)
{
    char path[4096];

    if (!config_path(path, sizeof path))
        return printf("config file: none; neither XDG_CONFIG_HOME nor HOME is set\n\n");
    return printf("config file: %s%s\n\n", path, access(path, F_OK) == 0 ? "" : " (not there)");
}

static bool is_variable_of(const char *entry, const char *name)
{
    char variable[CONFIG_VARIABLE_SIZE];
    const size_t length = strlen(config_variable(name, variable));

    return strncmp(entry, variable, length) == 0 && entry[length] == '=';
}

static bool is_known_variable(const char *entry)
{
    /* the second is what a command finds that carbon runs; the others hold keys (grid/live_key.c) */
    if (is_variable_of(entry, "data") || is_variable_of(entry, "mark-fd") || live_has_variable(entry))
        return true;
    for (size_t i = 0; commands[i]; i++)
        for (size_t j = 0; commands[i]->options[j]; j++) {
            const struct option_spec *option = commands[i]->options[j];
            if (!option->cli_only &&
                (is_variable_of(entry, option->name) || (option->alias && is_variable_of(entry, option->alias))))
                return true;
        }
    return false;
}

/* Other programs have CARBON_* variables too, so that these are no mistake; but one may be. */
static void print_unknown_variables(void)
{
    bool first = true;

    for (char **entry = environ; *entry; entry++) {
        if (strncmp(*entry, "CARBON_", 7) != 0 || is_known_variable(*entry))
            continue;
        fputs(first ? "\nnot known to carbon:\n" : "", stdout);
        shown_print(stdout, " %.*s\n", (int)strcspn(*entry, "="), *entry);
        first = false;
    }
}

/* A row each is the most. */
static size_t options_of_all(void)
{
    size_t count = 0;

    for (size_t i = 0; commands[i]; i++)
        for (size_t j = 0; commands[i]->options[j]; j++)
            count++;
    return count;
}

static int run_config(const struct command_line *line)
{
    const struct command *only = line->operand_count ? command_find(line->operands[0]) : NULL;
    AUTO_FREE struct row *rows = calloc(options_of_all(), sizeof *rows);
    struct printed printed = { .rows = rows };
    struct error err;

    if (!rows) {
        error_errno(&err, "no memory for the settings");
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    if (line->operand_count && !only) {
        command_unknown(&line->typed, line->operands[0], &err);
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    print_path();
    for (size_t i = 0; commands[i]; i++)
        if ((!only || only == commands[i]) && !print_command(commands[i], &printed, &err))
            return terminal_fail(&err, STATUS_CARBON_FAILED);
    print_unknown_variables();
    return 0;
}

const struct command cmd_config = {
    .name = "config",
    .purpose = "show each setting and where it comes from",
    .synopsis = "[command]",
    .options = OPTIONS(HELP_OPTIONS),
    .examples = EXAMPLES("carbon config", "CARBON_ZONE=FR carbon config measure"),
    .run = run_config,
    .prints_page = true,
    OPERANDS(0, 1, OPERAND_COMMAND),
    .about = "Show what can be set in the configuration file or by CARBON_* variables, with the present value of each "
             "and where it comes from: of all commands, or of one.",
};
