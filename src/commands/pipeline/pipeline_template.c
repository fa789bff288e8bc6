/* SPDX-License-Identifier: MIT
 * The parameters of a file, and "${{ NAME }}" in its texts. */
#include "base/c_locale.h"
#include "base/near.h"
#include "commands/pipeline/pipeline_parts.h"

#include "base/text.h"
#include "base/utf8.h"
#include "io/yaml_source.h"

#include <stdio.h>
#include <string.h>

/* What is beyond sense, and would take time and memory without end. */
enum { MAX_PARAMETERS = 1000, MAX_PLACEHOLDERS = 100000, MAX_EXPANDED = 16 << 20 };

struct pipeline_template_value {
    const char *name, *value; /* value: NULL, none is known */
    bool declared, used;
};

struct expansion {
    struct pipeline_reading *reading;
    const struct yaml *yaml;
    const struct pipeline_arguments *arguments;
    const struct yaml_node *parameters; /* NULL: there are none */
    struct pipeline_template_value values[MAX_PARAMETERS];
    size_t value_count, placeholder_count, expanded_bytes, missing_count;
};

static struct pipeline_template_value *value_named(struct expansion *expansion, const char *name, size_t length)
{
    for (size_t i = 0; i < expansion->value_count; i++)
        if (c_strncasecmp(expansion->values[i].name, name, length) == 0 && !expansion->values[i].name[length])
            return &expansion->values[i];
    return NULL;
}

static struct pipeline_template_value *value_add(struct expansion *expansion, const char *name, const char *value)
{
    struct pipeline_template_value *added;

    if (expansion->value_count == MAX_PARAMETERS) {
        error_set(expansion->reading->err, ERROR_USAGE, "'%.100s' has more than %d parameters", expansion->yaml->path,
                  MAX_PARAMETERS);
        return NULL;
    }
    added = &expansion->values[expansion->value_count++];
    *added = (struct pipeline_template_value){ .name = name, .value = value };
    return added;
}

static bool take_defaults(struct expansion *expansion)
{
    struct pipeline_reading *reading = expansion->reading;

    if (!expansion->parameters || (expansion->parameters->kind == YAML_TEXT && expansion->parameters->null))
        return true;
    if (expansion->parameters->kind != YAML_MAP) {
        yaml_refuse(expansion->yaml, expansion->parameters, reading->err, "'parameters' is not a map");
        return error_fix(reading->err, "write NAME: VALUE for each");
    }
    for (const struct yaml_node *node = expansion->parameters->first; node; node = node->next) {
        struct pipeline_template_value *value;
        if (node->kind != YAML_TEXT)
            return yaml_refuse(expansion->yaml, node, reading->err, "the parameter '%.60s' is not text", node->key);
        if (strstr(node->text, "${{"))
            return yaml_refuse(expansion->yaml, node, reading->err, "the default of '%.60s' holds a placeholder",
                               node->key);
        value = value_add(expansion, node->key, node->null ? NULL : node->text);
        if (!value)
            return false;
        value->declared = true;
    }
    return true;
}

/* at: the text from the placeholder on. */
static bool refuse_text(struct expansion *expansion, const struct yaml_node *node, const char *at)
{
    char shown[32];

    utf8_printable(shown, sizeof shown, at);
    yaml_refuse(expansion->yaml, node, expansion->reading->err, "'%s' is not a placeholder", shown);
    return error_fix(expansion->reading->err, "write ${{ NAME }}, of letters, digits, '-' and '_'");
}

/* The value that a placeholder stands for; one without is noted, and ends the reading later. */
static struct pipeline_template_value *look_up(struct expansion *expansion, const char *name, size_t length)
{
    struct pipeline_template_value *value = value_named(expansion, name, length);
    char *copy;

    if (!value) {
        copy = arena_copy(&expansion->reading->pipeline->store, name, length);
        if (!copy) {
            pipeline_no_memory(expansion->reading);
            return NULL;
        }
        value = value_add(expansion, copy, NULL);
        if (!value)
            return NULL;
    }
    if (!value->used && !value->value)
        expansion->missing_count++;
    value->used = true;
    return value;
}

static bool too_much(struct expansion *expansion)
{
    return error_set(expansion->reading->err, ERROR_USAGE,
                     "'%.100s' has more placeholders, or longer values, than can be", expansion->yaml->path);
}

/* The text of a node with values in it, into `out`. */
static bool append_expanded(struct expansion *expansion, const struct yaml_node *node, struct text *out)
{
    const char *at = node->text, *name;
    size_t length;

    for (const char *next; (next = strstr(at, "${{")); at = next) {
        const size_t taken = yaml_placeholder(next, &name, &length);
        struct pipeline_template_value *value;

        if (!taken)
            return refuse_text(expansion, node, next);
        if (++expansion->placeholder_count > MAX_PLACEHOLDERS)
            return too_much(expansion);
        value = look_up(expansion, name, length);
        if (!value)
            return false;
        text_add(out, "%.*s%s", (int)(next - at), at, value->value ? value->value : "");
        next += taken;
    }
    text_add(out, "%s", at);
    if (!text_ok(out) || (expansion->expanded_bytes += out->length) > MAX_EXPANDED)
        return too_much(expansion);
    return true;
}

static bool expand_text(struct expansion *expansion, struct yaml_node *node)
{
    struct text filled;
    bool good;

    if (!strstr(node->text, "${{"))
        return true;
    text_open(&filled, MAX_EXPANDED + 1);
    good = append_expanded(expansion, node, &filled);
    if (good) {
        node->text = arena_copy(&expansion->reading->pipeline->store, filled.data, filled.length);
        good = node->text || pipeline_no_memory(expansion->reading);
    }
    text_close(&filled);
    return good;
}

/* At most YAML_MAX_DEPTH in one another. */
static bool expand_node(struct expansion *expansion, struct yaml_node *node)
{
    if (node->key && strstr(node->key, "${{"))
        return yaml_refuse_key(expansion->yaml, node, expansion->reading->err, "no key can hold a placeholder");
    if (node->kind == YAML_TEXT)
        return expand_text(expansion, node);
    for (struct yaml_node *child = node->first; child; child = child->next)
        if (child != expansion->parameters && !expand_node(expansion, child))
            return false;
    return true;
}

/* Before the texts are looked at: what is given to a parameter, or to a name that may come up yet. */
static bool take_arguments(struct expansion *expansion)
{
    for (size_t i = 0; i < expansion->arguments->count; i++) {
        const struct pipeline_argument *argument = &expansion->arguments->items[i];
        struct pipeline_template_value *value = value_named(expansion, argument->name, strlen(argument->name));

        if (!value && !(value = value_add(expansion, argument->name, NULL)))
            return false;
        value->value = argument->value;
    }
    return true;
}

static bool refuse_argument(struct expansion *expansion, const struct pipeline_argument *argument)
{
    const struct pipeline_arguments *arguments = expansion->arguments;
    struct near_name near = { .typed = argument->name };
    struct error *err = expansion->reading->err;

    for (size_t i = 0; i < expansion->value_count; i++)
        if (expansion->values[i].declared || (!arguments->importer && expansion->values[i].used))
            near_try(&near, expansion->values[i].name);
    if (argument->node)
        yaml_refuse_key(arguments->importer, argument->node, err, "'%.60s' has no parameter '%.60s'",
                        expansion->yaml->path, argument->name);
    else
        error_set(err, ERROR_USAGE, "'%.100s' has no parameter '%.60s'", expansion->yaml->path, argument->name);
    return near_fix(near.name, err);
}

static bool check_arguments(struct expansion *expansion)
{
    const struct pipeline_arguments *arguments = expansion->arguments;

    for (size_t i = 0; i < arguments->count; i++) {
        const struct pipeline_argument *argument = &arguments->items[i];
        const struct pipeline_template_value *value = value_named(expansion, argument->name, strlen(argument->name));
        if (!value || !(value->declared || (value->used && !arguments->importer)))
            return refuse_argument(expansion, argument);
    }
    return true;
}

/* "A, B, C", or as many as a message holds and how many more there are. */
static void list_missing(const struct pipeline *pipeline, const char *before, const char *after, char *out, size_t size)
{
    size_t length = 0;

    out[0] = '\0';
    for (size_t i = 0; i < pipeline->missing_count; i++) {
        const char *joint = i ? *before ? " " : ", " : "";
        const size_t wanted = strlen(joint) + strlen(before) + strlen(pipeline->missing[i]) + strlen(after);
        if (length + wanted + strlen(" and 1000 more") >= size && i + 1 < pipeline->missing_count) {
            snprintf(out + length, size - length, " and %zu more", pipeline->missing_count - i);
            return;
        }
        length += (size_t)snprintf(out + length, size - length, "%s%s%s%s", joint, before, pipeline->missing[i], after);
        if (length >= size)
            return;
    }
}

static bool refuse_missing(struct expansion *expansion)
{
    struct pipeline *pipeline = expansion->reading->pipeline;
    const struct pipeline_arguments *arguments = expansion->arguments;
    struct error *err = expansion->reading->err;
    char names[sizeof err->why], options[sizeof err->fix];

    pipeline->missing = arena_get(&pipeline->store, expansion->missing_count * sizeof *pipeline->missing);
    if (!pipeline->missing)
        return pipeline_no_memory(expansion->reading);
    for (size_t i = 0; i < expansion->value_count; i++)
        if (expansion->values[i].used && !expansion->values[i].value)
            pipeline->missing[pipeline->missing_count++] = expansion->values[i].name;
    error_set(err, ERROR_USAGE, "'%.120s': %zu parameter%s without a value", expansion->yaml->path,
              pipeline->missing_count, pipeline->missing_count == 1 ? " is" : "s are");
    list_missing(pipeline, "", "", names, sizeof names);
    error_why(err, "%s", names);
    if (arguments->importer)
        return error_fix(err, "give them as 'args' of the import in line %zu of '%.100s'", arguments->import->key_line,
                         arguments->importer->path);
    list_missing(pipeline, "--set ", "=VALUE", options, sizeof options);
    return error_fix(err, "%s", options);
}

bool pipeline_expand(struct pipeline_reading *reading, struct yaml *yaml, const struct pipeline_arguments *arguments)
{
    struct expansion *expansion = arena_get(&reading->pipeline->store, sizeof *expansion);

    if (!expansion)
        return pipeline_no_memory(reading);
    expansion->reading = reading;
    expansion->yaml = yaml;
    expansion->arguments = arguments;
    expansion->parameters = yaml_member(yaml->root, "parameters");
    return take_defaults(expansion) && take_arguments(expansion) && expand_node(expansion, yaml->root) &&
           check_arguments(expansion) && (expansion->missing_count == 0 || refuse_missing(expansion));
}
