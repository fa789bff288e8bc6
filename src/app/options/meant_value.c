/* SPDX-License-Identifier: MIT
 * Wrong words, and the right ones. */
#include "app/options/meant_value.h"

#include "base/c_locale.h"
#include "base/near.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Names that people know for values of options. */
static const struct {
    const char *option, *known, *value;
} other_values[] = {
    { "source", "rapl", "auto" },
    { "source", "intel-rapl", "auto" },
    { "source", "msr", "perf" },
    { "source", "gpu", "nvml" },
    { "source", "nvidia", "nvml" },
    { "source", "nvidia-smi", "nvml" },
    { "source", "bmc", "ipmi" },
    { "source", "dcmi", "ipmi" },
    { "source", "tdp", "model" },
    { "source", "estimate", "model" },
    { "scope", "cpu", "compute" },
    { "scope", "system", "machine" },
    { "scope", "all", "machine" },
    { "scope", "total", "machine" },
    { "live", "carbonintensity", "neso" },
    { "live", "carbon-intensity", "neso" },
    { "live", "national-grid", "neso" },
    { "live", "uk", "neso" },
    { "live", "rte", "odre" },
    { "live", "eco2mix", "odre" },
    { "live", "smard", "energy-charts" },
    { "live", "fraunhofer", "energy-charts" },
    { "live", "energinet", "energidata" },
    { "live", "energidataservice", "energidata" },
    { "live", "electricitymap", "electricity-maps" },
    { "live", "co2signal", "electricity-maps" },
    { "basis", "lca", "lifecycle" },
    { "basis", "scope2", "direct" },
    { "basis", "combustion", "direct" },
};

/* Names of options of other programs. %s is the value typed; without one, or without %s, the words are as they are. */
static const struct {
    const char *known, *option, *words, *without;
} other_options[] = {
    { "kwh", "energy", "--energy %skWh", "--energy 1kWh" },
    { "wh", "energy", "--energy %sWh", "--energy 1Wh" },
    { "joules", "energy", "--energy %sJ", "--energy 1J" },
    { "watts", "power", "--power %s", "--power 100" },
    { "watt", "power", "--power %s", "--power 100" },
    { "tdp", "power", "--power %s", "--power 100" },
    { "port", "listen", "--listen 127.0.0.1:%s", "--listen 127.0.0.1:28283" },
    { "pdf", "html", "--html %s.html", "--html report.html" },
    { "gpu", "gpus", "--gpus all", "--gpus all" },
    { "duration", "for", "--for %s", "--for 60s" },
    { "time", "for", "--for %s", "--for 60s" },
    { "seconds", "for", "--for %s", "--for 60" },
    { "repeat", "runs", "--runs %s", "--runs 5" },
    { "iterations", "runs", "--runs %s", "--runs 5" },
    { "docker", "container", "--container %s", NULL },
    { "region", "zone", "--zone %s", "--zone FR" },
    { "location", "zone", "--zone %s", "--zone FR" },
    { "silent", "quiet", "--quiet", "--quiet" },
};

static bool is_value(const struct option_spec *option, const char *text)
{
    return *text && option_check(option, option->name, text, NULL);
}

static bool take_if_valid(const struct option_spec *option, char value[MEANT_SIZE], const char *text)
{
    if (!text || strlen(text) >= MEANT_SIZE || !is_value(option, text))
        return false;
    text_copy(value, MEANT_SIZE, text);
    return true;
}

static bool meant_choice(const struct option_spec *option, const char *text, char value[MEANT_SIZE])
{
    for (size_t i = 0; i < sizeof other_values / sizeof other_values[0]; i++)
        if (strcmp(option->name, other_values[i].option) == 0 && c_strcasecmp(text, other_values[i].known) == 0 &&
            take_if_valid(option, value, other_values[i].value))
            return true;
    return take_if_valid(option, value, near_of(text, option->choices)) ||
           take_if_valid(option, value, option->default_text) || take_if_valid(option, value, option->choices[0]);
}

/* "1,2" and "5x" and "20%" of a factor that begins at 1. */
static bool other_spelling(const struct option_spec *option, const char *text, char value[MEANT_SIZE])
{
    static const char *const units[] = { "%", "kWh", "h" };
    char other[MEANT_SIZE];
    double number;
    char *end;

    if (strlen(text) > MEANT_SIZE / 2)
        return false;
    text_copy(other, sizeof other, text);
    if (strchr(other, ','))
        *strchr(other, ',') = '.';
    if (take_if_valid(option, value, other))
        return true;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        snprintf(other, sizeof other, "%s%s", text, units[i]);
        if (quantity_is_bare(text) && option->quantity && take_if_valid(option, value, other))
            return true;
    }
    number = c_strtod(text, &end);
    if (end == text || !isfinite(number))
        return false;
    c_snprintf(other, sizeof other, "%.10g", strcmp(end, "%") == 0 && option->min == 1 ? 1 + number / 100 : number);
    if (take_if_valid(option, value, other))
        return true;
    c_snprintf(other, sizeof other, "%.0f", option->min > 1900 && number < 100 ? 2000 + number : number);
    return take_if_valid(option, value, other);
}

static bool meant_number(const struct option_spec *option, const char *text, char value[MEANT_SIZE])
{
    char limit[MEANT_SIZE];
    char *end;
    const double number = c_strtod(text, &end);

    if (other_spelling(option, text, value))
        return true;
    if (option->sample) { /* "$$" is none before a shell has read it */
        text_copy(value, MEANT_SIZE, option->sample);
        return true;
    }
    c_snprintf(limit, sizeof limit, "%.10g", number < option->min ? option->min : option->max);
    return (end != text && take_if_valid(option, value, limit)) || take_if_valid(option, value, option->default_text) ||
           take_if_valid(option, value, option->keyword) || take_if_valid(option, value, "1") ||
           (option->quantity && other_spelling(option, "1", value));
}

static bool is_no(const char *text)
{
    return strcmp(text, "0") == 0 || c_strcasecmp(text, "false") == 0 || c_strcasecmp(text, "off") == 0;
}

bool meant_value(const struct option_spec *option, const char *text, char value[MEANT_SIZE])
{
    char file[MEANT_SIZE];

    switch (option->kind) {
    case OPTION_FLAG: return take_if_valid(option, value, text && is_no(text) ? "no" : "yes");
    case OPTION_CHOICE: return meant_choice(option, text ? text : option->sample ? option->sample : "", value);
    case OPTION_NUMBER:
    case OPTION_COUNT: return meant_number(option, text ? text : "", value);
    case OPTION_FILE:
        snprintf(file, sizeof file, "result.%s", option->name);
        return take_if_valid(option, value, option->file == FILE_WRITTEN && !option->sample ? file : option->sample);
    case OPTION_TEXT:
        return take_if_valid(option, value, option->sample) || take_if_valid(option, value, option->default_text);
    }
    return false;
}

bool meant_option(const struct option_spec *const *options, const char *name, const char *value, char words[MEANT_SIZE])
{
    for (size_t i = 0; i < sizeof other_options / sizeof other_options[0]; i++) {
        const char *known = value ? other_options[i].words : other_options[i].without, *place;

        if (strcmp(name, other_options[i].known) != 0 || !known || !option_named(options, other_options[i].option))
            continue;
        place = strstr(known, "%s");
        if (place && (!value || strpbrk(value, " '\"$`\\!*?;&|<>()")))
            return false;
        snprintf(words, MEANT_SIZE, "%.*s%s%s", place ? (int)(place - known) : MEANT_SIZE - 1, known,
                 place ? value : "", place ? place + 2 : "");
        return true;
    }
    return false;
}
