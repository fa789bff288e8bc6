/* SPDX-License-Identifier: MIT
 * Single values of a pipeline's description: texts, names, lists of texts; unknown keys. */
#include "base/c_locale.h"
#include "base/near.h"
#include "commands/pipeline/pipeline_parts.h"

#include "base/text.h"
#include "base/utf8.h"

#include <string.h>

bool pipeline_no_memory(struct pipeline_reading *reading)
{
    return error_set(reading->err, ERROR_SYSTEM, "no memory for the pipeline '%.100s'", reading->pipeline->yaml.path);
}

static bool is_one_of(const char *key, const char *const *known)
{
    for (; *known; known++)
        if (c_strcasecmp(*known, key) == 0)
            return true;
    return false;
}

void pipeline_check_keys(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *map,
                         const char *const *known)
{
    struct pipeline *pipeline = reading->pipeline;

    for (const struct yaml_node *member = map->first; member; member = member->next) {
        if (is_one_of(member->key, known))
            continue;
        if (pipeline->warning_count == PIPELINE_MAX_WARNINGS) {
            pipeline->warnings_left_out++;
            continue;
        }
        pipeline->warnings[pipeline->warning_count++] = (struct pipeline_warning){
            .key = member->key,
            .near = near_of(member->key, known),
            .path = yaml->path,
            .line = member->key_line,
            .column = member->key_column,
        };
    }
}

bool pipeline_text(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *node,
                   const char *what, const char **text)
{
    if (node->kind != YAML_TEXT) {
        yaml_refuse(yaml, node, reading->err, "%s is a %s", what, node->kind == YAML_LIST ? "list" : "map");
        return error_fix(reading->err, "write one text");
    }
    if (node->null) {
        yaml_refuse(yaml, node, reading->err, "%s is empty", what);
        return error_fix(reading->err, "write it, or take the key away; '' is an empty text, 'null' and '~' are none");
    }
    *text = node->text;
    return true;
}

static bool is_name(const char *text)
{
    const size_t length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");

    return length >= 1 && length <= PIPELINE_NAME_MAX && !text[length];
}

bool pipeline_name(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *node,
                   const char *what, const char **name)
{
    char shown[80];

    if (!pipeline_text(reading, yaml, node, what, name))
        return false;
    if (is_name(*name))
        return true;
    utf8_printable(shown, sizeof shown, *name);
    yaml_refuse(yaml, node, reading->err, "%s cannot be '%s'", what, shown);
    return error_fix(reading->err, "write 1 to %d letters (a to z), digits, '-' and '_'", PIPELINE_NAME_MAX);
}

bool pipeline_argv(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *node,
                   const char *what, char ***argv)
{
    const char *text;
    size_t count = 0;

    *argv = NULL;
    if (node->kind != YAML_LIST) {
        yaml_refuse(yaml, node, reading->err, "%s is not a list", what);
        return error_fix(reading->err, "write a list, e.g. [\"sh\", \"-c\", \"...\"]");
    }
    if (node->count == 0)
        return true;
    *argv = arena_get(&reading->pipeline->store, (node->count + 1) * sizeof **argv);
    if (!*argv)
        return pipeline_no_memory(reading);
    for (const struct yaml_node *item = node->first; item; item = item->next) {
        if (!pipeline_text(reading, yaml, item, "an argument", &text))
            return false;
        (*argv)[count] = arena_copy(&reading->pipeline->store, text, strlen(text));
        if (!(*argv)[count++])
            return pipeline_no_memory(reading);
    }
    if (**argv[0])
        return true;
    return yaml_refuse(yaml, node->first, reading->err, "%s begins with an empty text", what);
}
