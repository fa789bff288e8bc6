/* SPDX-License-Identifier: MIT
 * Parameters of a command and the values they take in turn. */
#include "commands/compare/parameter_scan.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

const struct option_spec option_parameter = OPTION(
    TEXT, "Comparing", "parameter", .argument = "<name> <v1,v2,...>", .repeated = true, .cli_only = true,
    .two_words = true, .help = "compare one command at these values, which stand where it has {name}; may be repeated");

static bool is_name(const char *text, size_t length)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";

    return length && strspn(text, letters) > 0 &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789-.") >= length;
}

static bool no_memory(struct error *err)
{
    return error_errno(err, "no memory for the parameters");
}

static bool fail_values(const struct parameter *parameter, const char *value, const char *why, struct error *err)
{
    error_set(err, ERROR_USAGE, "--parameter %.60s has no good values", parameter->name);
    error_why(err, "'%.80s' %s", value, why);
    return error_fix(err, "--parameter %.60s v1,v2,v3", parameter->name);
}

static bool take_values(struct parameter *parameter, const char *values, struct error *err)
{
    size_t max = 2;
    char *rest;

    for (const char *c = values; *c; c++)
        max += *c == ',';
    parameter->store = rest = strdup(values);
    parameter->values = calloc(max, sizeof *parameter->values);
    if (!rest || !parameter->values)
        return no_memory(err);
    for (char *value; (value = strsep(&rest, ","));) {
        if (!*value)
            return fail_values(parameter, values, "holds an empty one", err);
        for (size_t i = 0; i < parameter->count; i++)
            if (strcmp(parameter->values[i], value) == 0)
                return fail_values(parameter, value, "is given twice", err);
        parameter->values[parameter->count++] = value;
    }
    return true;
}

static bool take_parameter(struct parameter_scan *parameters, const char *name, size_t length, const char *values,
                           struct error *err)
{
    struct parameter *parameter = &parameters->items[parameters->count];

    if (!is_name(name, length)) {
        error_set(err, ERROR_USAGE, "'%.*s' cannot be the name of a parameter", (int)length, name);
        error_why(err, "it begins with a letter and has letters, digits, '_', '-' and '.'");
        return error_fix(err, "--parameter size 1,2,4");
    }
    if (parameters->count == PARAMETER_SCAN_MAX) {
        error_set(err, ERROR_USAGE, "there are more than %d parameters", PARAMETER_SCAN_MAX);
        return error_fix(err, "--parameter at most %d times", PARAMETER_SCAN_MAX);
    }
    for (size_t i = 0; i < parameters->count; i++)
        if (strncmp(parameters->items[i].name, name, length) == 0 && !parameters->items[i].name[length]) {
            error_set(err, ERROR_USAGE, "parameter '%.*s' is given twice", (int)length, name);
            return error_fix(err, "give all its values in one --parameter");
        }
    parameters->count++;
    parameter->name = strndup(name, length);
    return parameter->name ? take_values(parameter, values, err) : no_memory(err);
}

bool parameter_scan_read(struct parameter_scan *parameters, const char *const *texts, struct error *err)
{
    *parameters = (struct parameter_scan){ .count = 0 };
    for (size_t i = 0; texts[i]; i++) {
        const char *name = texts[i], *equals = strchr(name, '=');
        const char *values = equals ? equals + 1 : texts[++i]; /* the command line has seen to the second word */

        if (!take_parameter(parameters, name, equals ? (size_t)(equals - name) : strlen(name), values, err))
            return false;
    }
    return true;
}

void parameter_scan_close(struct parameter_scan *parameters)
{
    for (size_t i = 0; i < parameters->count; i++) {
        free(parameters->items[i].name);
        free(parameters->items[i].values);
        free(parameters->items[i].store);
    }
    parameters->count = 0;
}

/* The parameter whose braces begin here; NULL: none. */
static const struct parameter *parameter_at(const struct parameter_scan *parameters, const char *text)
{
    const char *end = *text == '{' ? strchr(text, '}') : NULL;

    for (size_t i = 0; end && i < parameters->count; i++) {
        const size_t length = strlen(parameters->items[i].name);
        if ((size_t)(end - text) == length + 1 && strncmp(text + 1, parameters->items[i].name, length) == 0)
            return &parameters->items[i];
    }
    return NULL;
}

static bool fallback_to_machine(const struct parameter_scan *parameters, const struct parameter *parameter,
                                const char *word)
{
    for (; *word; word++)
        if (parameter_at(parameters, word) == parameter)
            return true;
    return false;
}

bool parameter_scan_check(const struct parameter_scan *parameters, char *const *words, struct error *err)
{
    for (size_t i = 0; i < parameters->count; i++) {
        bool found = false;

        for (size_t j = 0; words[j]; j++)
            found |= fallback_to_machine(parameters, &parameters->items[i], words[j]);
        if (!found) {
            error_set(err, ERROR_USAGE, "parameter '%.80s' stands nowhere in the command", parameters->items[i].name);
            return error_fix(err, "put {%.80s} into the command, where its values go", parameters->items[i].name);
        }
    }
    return true;
}

/* Stays below the size of memory: each text of values is a word of the command line. */
size_t parameter_scan_product(const struct parameter_scan *parameters, size_t max)
{
    size_t product = 1;

    for (size_t i = 0; i < parameters->count && product <= max; i++)
        product *= parameters->items[i].count;
    return product;
}

static const char *value_of(const struct parameter_scan *parameters, size_t combination,
                            const struct parameter *parameter)
{
    for (size_t i = parameters->count; i-- > 0;) {
        const struct parameter *item = &parameters->items[i];
        if (item == parameter)
            return item->values[combination % item->count];
        combination /= item->count;
    }
    return "";
}

/* Its data, or NULL. */
static char *text_taken(struct text *text)
{
    if (text_ok(text))
        return text->data;
    text_close(text);
    return NULL;
}

char *parameter_scan_name(const struct parameter_scan *parameters, size_t i)
{
    struct text name;

    text_open(&name, SIZE_MAX);
    for (size_t j = 0; j < parameters->count; j++)
        text_add(&name, "%s%s=%s", j ? ", " : "", parameters->items[j].name,
                 value_of(parameters, i, &parameters->items[j]));
    return text_taken(&name);
}

static char *fill_word(const struct parameter_scan *parameters, size_t i, const char *word)
{
    struct text filled;

    text_open(&filled, SIZE_MAX);
    text_add(&filled, "%s", "");
    while (*word) {
        const struct parameter *parameter = parameter_at(parameters, word);

        if (parameter)
            text_add(&filled, "%s", value_of(parameters, i, parameter));
        else
            text_add(&filled, "%c", *word);
        word += parameter ? strlen(parameter->name) + 2 : 1;
    }
    return text_taken(&filled);
}

char **parameter_scan_fill(const struct parameter_scan *parameters, size_t i, char *const *words)
{
    size_t count = 0;
    char **filled;

    while (words[count])
        count++;
    filled = calloc(count + 1, sizeof *filled);
    for (size_t j = 0; filled && j < count; j++) {
        filled[j] = fill_word(parameters, i, words[j]);
        if (filled[j])
            continue;
        while (j-- > 0)
            free(filled[j]);
        free(filled);
        return NULL;
    }
    return filled;
}
