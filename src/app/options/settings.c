/* SPDX-License-Identifier: MIT
 * The values of options: checked where they enter, the strongest origin wins. */
#include "app/options/options.h"

#include "app/options/machines_made.h"
#include "base/c_locale.h"
#include "base/clock.h"
#include "base/text.h"
#include "outside/outside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *option_origin_name(enum option_origin origin)
{
    switch (origin) {
    case ORIGIN_STANDARD: return "standard";
    case ORIGIN_FILE: return "file";
    case ORIGIN_ENVIRONMENT: return "environment";
    case ORIGIN_BATCH: return "batch";
    case ORIGIN_LINE: return "line";
    }
    return "unknown";
}

const struct option_spec *option_named(const struct option_spec *const *options, const char *name)
{
    for (size_t i = 0; options[i]; i++)
        if (strcmp(options[i]->name, name) == 0 || (options[i]->alias && strcmp(options[i]->alias, name) == 0))
            return options[i];
    return NULL;
}

void option_choices_text(const struct option_spec *option, char *out, size_t size)
{
    size_t length = 0;

    out[0] = '\0';
    for (size_t i = 0; option->choices[i] && length < size; i++) {
        const char *joint = i == 0 ? "" : option->choices[i + 1] ? ", " : " or ";
        length += (size_t)snprintf(out + length, size - length, "%s%s", joint, option->choices[i]);
    }
}

/* "a number of seconds", "a whole number from 1 to 1000", "a time". */
static void number_wanted(const struct option_spec *option, bool with_range, char *out, size_t size)
{
    const char *bare = quantity_bare(option->quantity);
    const char *noun = option->kind == OPTION_COUNT ? "a whole number" : "a number";
    const char * or = option->keyword ? " or " : "", *word = option->keyword ? option->keyword : "";
    char unit[64];

    snprintf(unit, sizeof unit, "%s%s", bare && *bare ? " of " : "",
             bare               ? bare
             : option->quantity ? " with its unit"
                                : "");
    if (!with_range)
        snprintf(out, size, "%s%s%s%s", noun, unit, or, word);
    else if (isinf(option->max))
        c_snprintf(out, size, "%s%s of %g or more%s%s", noun, unit, option->min, or, word);
    else
        c_snprintf(out, size, "%s%s from %.10g to %.10g%s%s", noun, unit, option->min, option->max, or, word);
}

/* Reads a number in the unit of a bare number. */
static bool number_of(const struct option_spec *option, const char *text, int tens, double *value)
{
    uint64_t whole;

    if (option->quantity && !quantity_scaled(option->quantity, text, tens, value))
        return false;
    if (option->quantity && option->kind == OPTION_COUNT)
        return quantity_whole(value);
    if (option->quantity)
        return true;
    if (option->kind != OPTION_COUNT)
        return text_to_number(text, value);
    *value = text_to_u64(text, &whole) ? (double)whole : NAN;
    return !isnan(*value);
}

/* Which units there are, and whether the value is of another kind. */
static bool explain_units(const struct option_spec *option, const char *text, struct error *err)
{
    const char *other = quantity_named_by(text), *own = quantity_name(option->quantity);
    const char *bare = quantity_bare(option->quantity);
    char units[QUANTITY_UNITS_SIZE], kind[128] = "";

    quantity_units_text(option->quantity, units, sizeof units);
    if (other && strcmp(other, own) != 0)
        snprintf(kind, sizeof kind, "'%.40s' is a quantity of another kind: %.30s; ", text, other);
    if (bare && !*bare)
        return error_why(err, "%sa share is written as 50%% or as 0.5", kind);
    if (bare)
        return error_why(err, "%sunits are %s; a number alone is of %s", kind, units, bare);
    return error_why(err, "%sunits are %s", kind, units);
}

/* "--pue <ratio>: power usage effectiveness (PUE)" */
static bool explain(const struct option_spec *option, struct error *err)
{
    return error_why(err, "--%s%s%s: %s", option->name, option->argument ? " " : "",
                     option->argument ? option->argument : "", option->help);
}

static bool check_number(const struct option_spec *option, const char *called, const char *text, struct error *err)
{
    char wanted[128];
    double value = NAN;
    bool number;

    if (option->keyword && strcmp(option->keyword, text) == 0)
        return true;
    number = number_of(option, text, 0, &value);
    if (number && (option->max <= option->min || (value >= option->min && value <= option->max)))
        return true;
    number_wanted(option, number, wanted, sizeof wanted);
    error_set(err, ERROR_USAGE, "%s needs %s, not '%s'", called, wanted, text);
    return option->quantity ? explain_units(option, text, err) : explain(option, err);
}

bool option_check_time(const char *text, struct error *err)
{
    uint64_t realtime_s;

    if (clock_of_iso_text(text, &realtime_s))
        return true;
    error_set(err, ERROR_USAGE, "not a time");
    return error_fix(err, "2026-11-28 or 2026-11-28T13:00Z");
}

static bool check_choice(const struct option_spec *option, const char *called, const char *text, struct error *err)
{
    char choices[OPTION_CHOICES_SIZE];

    for (size_t i = 0; option->choices[i]; i++)
        if (strcmp(option->choices[i], text) == 0)
            return true;
    option_choices_text(option, choices, sizeof choices);
    error_set(err, ERROR_USAGE, "%s needs %s, not '%s'", called, choices, text);
    return explain(option, err);
}

static bool check_plain(const struct option_spec *option, const char *called, const char *text, struct error *err)
{
    switch (option->kind) {
    case OPTION_NUMBER:
    case OPTION_COUNT: return check_number(option, called, text, err);
    case OPTION_CHOICE: return check_choice(option, called, text, err);
    case OPTION_FLAG:
        if (strcmp(text, "yes") == 0 || strcmp(text, "no") == 0)
            return true;
        error_set(err, ERROR_USAGE, "%s needs yes or no, not '%s'", called, text);
        return explain(option, err);
    case OPTION_TEXT:
    case OPTION_FILE:
        if (*text)
            return true;
        error_set(err, ERROR_USAGE, "%s needs a value, not ''", called);
        return explain(option, err);
    }
    return false;
}

bool option_check(const struct option_spec *option, const char *called, const char *text, struct error *err)
{
    struct error reason = { .kind = ERROR_NONE };

    if (!check_plain(option, called, text, err))
        return false;
    if (!option->check || option->check(text, &reason))
        return true;
    error_set(err, ERROR_USAGE, "%s cannot be '%s'", called, text);
    error_why(err, "%s", reason.what);
    return error_fix(err, "%s", reason.fix);
}

void settings_open(struct settings *settings, const struct option_spec *const *options)
{
    settings->count = 0;
    settings->store = NULL;
    settings->meters = NULL;
    settings->machines = NULL;
    settings->files = NULL;
    for (size_t i = 0; options[i] && settings->count < SETTINGS_MAX; i++) {
        struct setting *setting = &settings->items[settings->count++];
        setting->option = options[i];
        setting->origin = ORIGIN_STANDARD;
        setting->texts[0] = options[i]->default_text;
        setting->texts[1] = NULL;
        setting->count = options[i]->default_text ? 1 : 0;
        setting->where[0] = '\0';
    }
}

void settings_close(struct settings *settings)
{
    free(settings->store);
    outside_close(settings->meters);
    machines_made_close(settings->machines);
    file_register_close(settings->files);
    settings->store = NULL;
    settings->meters = NULL;
    settings->machines = NULL;
    settings->files = NULL;
    settings->count = 0;
}

/* A command may have an option of its own where others share one: another standard, other words in the help. */
static size_t index_of(const struct settings *settings, const struct option_spec *option)
{
    size_t i = 0;

    while (i < settings->count && settings->items[i].option != option &&
           strcmp(settings->items[i].option->name, option->name) != 0)
        i++;
    return i;
}

/* What is given a second time with another value would take the place of the first in silence. */
static bool refuse_second(const struct setting *setting, const char *called, const char *text, struct error *err)
{
    error_set(err, ERROR_USAGE, "%s was given twice, as '%.60s' and as '%.60s'", called, setting->texts[0], text);
    error_why(err, "it has one value");
    return option_omit(setting->option, err);
}

bool settings_set(struct settings *settings, const struct option_spec *option, const char *text,
                  enum option_origin origin, const char *called, const char *where, struct error *err)
{
    const size_t index = index_of(settings, option);
    struct setting *setting = index < settings->count ? &settings->items[index] : NULL;

    if (!option_check(option, called, text, err))
        return false;
    if (!setting || origin < setting->origin)
        return true;
    if (!option->repeated && origin == ORIGIN_LINE && setting->origin == ORIGIN_LINE &&
        strcmp(setting->texts[0], text) != 0)
        return refuse_second(setting, called, text, err);
    if (!option->repeated || origin != ORIGIN_LINE || setting->origin != ORIGIN_LINE)
        setting->count = 0;
    if (setting->count == SETTINGS_REPEATS)
        return error_set(err, ERROR_USAGE, "%s was given more than %d times", called, SETTINGS_REPEATS);
    setting->texts[setting->count++] = text;
    setting->texts[setting->count] = NULL;
    setting->origin = origin;
    text_copy(setting->where, sizeof setting->where, where);
    return true;
}

const struct setting *settings_find(const struct settings *settings, const struct option_spec *option)
{
    const size_t index = index_of(settings, option);

    return index < settings->count ? &settings->items[index] : NULL;
}

const char *const *settings_texts(const struct settings *settings, const struct option_spec *option)
{
    static const char *const none[] = { NULL };
    const struct setting *setting = settings_find(settings, option);

    return setting ? setting->texts : none;
}

const char *settings_text(const struct settings *settings, const struct option_spec *option)
{
    return settings_texts(settings, option)[0];
}

bool settings_flag(const struct settings *settings, const struct option_spec *option)
{
    const char *text = settings_text(settings, option);

    return text && strcmp(text, "yes") == 0;
}

double settings_scaled(const struct settings *settings, const struct option_spec *option, int tens)
{
    const char *text = settings_text(settings, option);
    double value;

    return text && !(option->keyword && strcmp(option->keyword, text) == 0) && number_of(option, text, tens, &value)
               ? value
               : NAN;
}

double settings_number(const struct settings *settings, const struct option_spec *option)
{
    return settings_scaled(settings, option, 0);
}

enum option_origin settings_origin(const struct settings *settings, const struct option_spec *option)
{
    const struct setting *setting = settings_find(settings, option);

    return setting ? setting->origin : ORIGIN_STANDARD;
}

bool settings_check_readable(const struct settings *settings, const struct option_spec *const *files, struct error *err)
{
    for (; *files; files++) {
        const char *path = settings_text(settings, *files);
        if (path && access(path, R_OK) != 0)
            return error_errno(err, "cannot read '%.180s' (--%s)", path, (*files)->name);
    }
    return true;
}
