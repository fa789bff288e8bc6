/* SPDX-License-Identifier: MIT
 * What a shell may complete, from the same tables as the help. */
#include "commands/help/help.h"

#include "base/debug.h"
#include "emissions/zones.h"

#include <stdio.h>
#include <string.h>

static void offer(FILE *out, const char *typed, const char *dashes, const char *word, const char *purpose)
{
    char candidate[80];

    snprintf(candidate, sizeof candidate, "%s%s", dashes, word);
    if (strncmp(candidate, typed, strlen(typed)) == 0)
        fprintf(out, "%s\t%s\n", candidate, purpose);
}

static void offer_commands(FILE *out, const char *typed)
{
    for (size_t i = 0; commands[i]; i++)
        offer(out, typed, "", commands[i]->name, commands[i]->purpose);
}

static void offer_zones(FILE *out, const char *before, const char *typed)
{
    struct zones zones;

    /* a shell that completes has nowhere to show an error */
    if (!zones_read(&zones, NULL))
        return;
    for (const struct zone *zone = zones.first; zone; zone = zone->next)
        if (strncmp(zone->code, typed, strlen(typed)) == 0)
            fprintf(out, "%s%s\t%s\n", before, zone->code, zone->name);
    zones_close(&zones);
}

/* Behind a number, its units: "5" → "5ms", "5s" ... */
static void offer_units(FILE *out, enum quantity quantity, const char *before, const char *typed)
{
    const size_t digits = strspn(typed, "0123456789.");
    char unit[QUANTITY_UNIT_SIZE];

    for (size_t i = 0; digits && quantity_unit(quantity, i, unit); i++)
        if (strncmp(unit, typed + digits, strlen(typed + digits)) == 0)
            fprintf(out, "%s%.*s%s\n", before, (int)digits, typed, unit);
}

/* Offers areas after the last comma. */
static void offer_areas(FILE *out, const char *before, const char *typed)
{
    const char *comma = strrchr(typed, ',');
    const char *last = comma ? comma + 1 : typed;

    for (size_t i = 0; i <= DEBUG_AREAS; i++) {
        const char *area = i < DEBUG_AREAS ? debug_area_names[i] : "all";

        if (strncmp(area, last, strlen(last)) == 0)
            fprintf(out, "%s%.*s%s\n", before, (int)(last - typed), typed, area);
    }
}

/* before: the text before the value in the same word ("--scope="). */
static void offer_values(FILE *out, const struct option_spec *option, const char *before, const char *typed)
{
    static const char *const answers[] = { "yes", "no", NULL };
    const char *const *choices = option->kind == OPTION_FLAG ? answers : option->choices;

    if (strcmp(option->name, option_zone.name) == 0)
        offer_zones(out, before, typed);
    if (option == &option_debug)
        offer_areas(out, before, typed);
    if (option->kind == OPTION_FILE)
        fputs("FILES\n", out);
    offer_units(out, option->quantity, before, typed);
    for (size_t i = 0; choices && choices[i]; i++)
        if (strncmp(choices[i], typed, strlen(typed)) == 0)
            fprintf(out, "%s%s\n", before, choices[i]);
}

/* The option that this word gives, with its value in *value or NULL. */
static const struct option_spec *option_in(const struct command *command, const char *word, const char **value)
{
    const char *equals = strchr(word, '=');
    char name[64];

    *value = NULL;
    if (word[0] != '-' || !word[1])
        return NULL;
    if (word[1] == '-') {
        *value = equals ? equals + 1 : NULL;
        snprintf(name, sizeof name, "%.*s", (int)(equals ? (size_t)(equals - word) : strlen(word)) - 2, word + 2);
        return option_named(command->options, name);
    }
    /* the last of several letters may take the next word */
    for (size_t i = 0; command->options[i]; i++)
        if (command->options[i]->short_name == word[strlen(word) - 1])
            return command->options[i];
    return NULL;
}

/* What has been typed before the last word. */
struct half_typed {
    const struct command *command;
    const struct option_spec *given[SETTINGS_MAX];
    size_t given_count;
    const struct option_spec *waiting; /* the last word is its value */
    bool second;                       /* or the second word of it */
    int operands;
    bool only_operands; /* "--", or a job has begun */
};

static void read_word(struct half_typed *line, const char *word)
{
    const struct option_spec *option;
    const char *value;

    if (line->only_operands || line->waiting) {
        /* bash takes --name=value for three words */
        if (line->waiting && strcmp(word, "=") == 0)
            return;
        line->operands += line->waiting ? 0 : 1;
        line->second = line->waiting && !line->second && line->waiting->two_words && !strchr(word, '=');
        if (!line->second)
            line->waiting = NULL;
        return;
    }
    if (strcmp(word, "--") == 0) {
        line->only_operands = true;
        return;
    }
    option = option_in(line->command, word, &value);
    if (option && line->given_count < SETTINGS_MAX)
        line->given[line->given_count++] = option;
    line->second = option && value && option->two_words && !strchr(value, '=');
    if (option && option->kind != OPTION_FLAG && (!value || line->second))
        line->waiting = option;
    if (word[0] != '-' && strcmp(word, "=") != 0) {
        line->operands++;
        line->only_operands = line->command->runs_command && line->command->operands != OPERAND_FILE;
    }
}

static bool was_given(const struct half_typed *line, const struct option_spec *option)
{
    for (size_t i = 0; i < line->given_count; i++)
        if (line->given[i] == option)
            return !option->repeated;
    return false;
}

static void offer_options(FILE *out, const struct half_typed *line, const char *typed)
{
    const struct command *command = line->command;

    for (size_t i = 0; command->options[i]; i++) {
        const struct option_spec *option = command->options[i];

        if (!option->hidden && !was_given(line, option))
            offer(out, typed, "--", option->name, option->help);
    }
}

static void offer_operand(FILE *out, const struct half_typed *line, const char *typed)
{
    const struct command *command = line->command;

    if (command->max_operands >= 0 && line->operands >= command->max_operands)
        return;
    if (command->operands == OPERAND_FILE_AND_COMMAND && line->operands == 1)
        offer_commands(out, typed);
    else if (command->operands == OPERAND_FILE_AND_COMMAND)
        fputs("FILES\n", out);
    else if (command->runs_command && (line->only_operands || command->operands != OPERAND_FILE))
        fputs(line->operands ? "FILES\n" : "COMMANDS\n", out);
    else if (command->operands == OPERAND_COMMAND && line->operands == 0)
        offer_commands(out, typed);
    else if (command->operands == OPERAND_FILE)
        fputs("FILES\n", out);
}

void help_complete(char *const *words, int count, FILE *out)
{
    const char *last = count ? words[count - 1] : "", *value;
    struct half_typed line = { .command = count > 1 ? command_find(words[0]) : NULL };
    const struct option_spec *option;

    if (count <= 1) {
        if (*last == '-') {
            offer(out, last, "--", option_help.name, option_help.help);
            offer(out, last, "--", option_version.name, option_version.help);
        }
        offer_commands(out, last);
        return;
    }
    if (!line.command)
        return;
    for (int i = 1; i < count - 1; i++)
        read_word(&line, words[i]);
    if (line.waiting) {
        offer_values(out, line.waiting, "", strcmp(last, "=") == 0 ? "" : last);
    } else if (!line.only_operands && (option = option_in(line.command, last, &value)) && value) {
        char before[80];
        snprintf(before, sizeof before, "%.*s", (int)(value - last), last);
        offer_values(out, option, before, value);
    } else if (!line.only_operands && *last == '-') {
        offer_options(out, &line, last);
    } else {
        offer_operand(out, &line, last);
    }
}
