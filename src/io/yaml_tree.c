/* SPDX-License-Identifier: MIT
 * Nodes of YAML that have been read: members by their key, keys that are there twice, and places in messages. */
#include "io/yaml_read.h"

#include "base/c_locale.h"
#include "io/yaml_source.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Where upper and lower case differ, as in the names of a program's variables. */
static bool has_case(const struct yaml_node *map)
{
    return map->key && (c_strcasecmp(map->key, "variables") == 0 || c_strcasecmp(map->key, "env") == 0);
}

static int compare_places(const struct yaml_node *a, const struct yaml_node *b)
{
    return (a->key_begin > b->key_begin) - (a->key_begin < b->key_begin);
}

static int compare_keys(const void *a, const void *b)
{
    const struct yaml_node *first = *(const struct yaml_node *const *)a, *second = *(const struct yaml_node *const *)b;
    const int order = strcmp(first->key, second->key);

    return order ? order : compare_places(first, second);
}

static int compare_words(const void *a, const void *b)
{
    const struct yaml_node *first = *(const struct yaml_node *const *)a, *second = *(const struct yaml_node *const *)b;
    const int order = c_strcasecmp(first->key, second->key);

    return order ? order : compare_places(first, second);
}

bool yaml_keys_differ(const struct yaml *yaml, const struct yaml_node *map, struct error *err)
{
    const bool reported = has_case(map);
    const struct yaml_node **members, *twice = NULL, *before = NULL;
    size_t count = 0;

    if (map->count < 2)
        return true;
    members = calloc(map->count, sizeof *members);
    if (!members)
        return error_set(err, ERROR_SYSTEM, "no memory for '%.150s'", yaml->path);
    for (const struct yaml_node *member = map->first; member; member = member->next)
        members[count++] = member;
    qsort(members, count, sizeof *members, reported ? compare_keys : compare_words);
    for (size_t i = 1; i < count; i++)
        if ((reported ? strcmp : c_strcasecmp)(members[i - 1]->key, members[i]->key) == 0 &&
            (!twice || members[i]->key_begin < twice->key_begin)) {
            before = members[i - 1];
            twice = members[i];
        }
    free(members);
    if (!twice)
        return true;
    yaml_refuse_key(yaml, twice, err, "the key '%.60s' is there twice", twice->key);
    return error_why(err, "it is in line %zu too%s", before->key_line,
                     strcmp(before->key, twice->key) == 0 ? "" : "; keys are the same in capitals and small letters");
}

const struct yaml_node *yaml_member(const struct yaml_node *map, const char *key)
{
    if (!map || map->kind != YAML_MAP)
        return NULL;
    for (const struct yaml_node *member = map->first; member; member = member->next)
        if (c_strcasecmp(member->key, key) == 0)
            return member;
    return NULL;
}

bool yaml_refuse(const struct yaml *yaml, const struct yaml_node *at, struct error *err, const char *what, ...)
{
    char said[256];
    va_list arguments;

    va_start(arguments, what);
    c_vsnprintf(said, sizeof said, what, arguments);
    va_end(arguments);
    return yaml_refuse_at(yaml->path, at->line, at->column, err, "%s", said);
}

bool yaml_refuse_key(const struct yaml *yaml, const struct yaml_node *at, struct error *err, const char *what, ...)
{
    char said[256];
    va_list arguments;

    va_start(arguments, what);
    c_vsnprintf(said, sizeof said, what, arguments);
    va_end(arguments);
    return yaml_refuse_at(yaml->path, at->key_line ? at->key_line : at->line,
                          at->key_line ? at->key_column : at->column, err, "%s", said);
}
