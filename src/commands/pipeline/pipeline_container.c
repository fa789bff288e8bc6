/* SPDX-License-Identifier: MIT
 * What steps and services have in common: a container, lists of maps, whole numbers. */
#include "commands/pipeline/pipeline_parts.h"

#include "base/text.h"
#include "base/utf8.h"

#include <string.h>

static const char *const container_keys[] = { "image", "tag", "command", NULL };

/* What is in a command line of a container engine: no option, no blanks. */
static bool is_reference(const char *text)
{
    const size_t length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-/:@+");

    return length >= 1 && length <= PIPELINE_NAME_MAX && !text[length] && *text != '-';
}

static bool reference(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *node,
                      const char *what, const char **text)
{
    char shown[80];

    if (!pipeline_text(reading, yaml, node, what, text))
        return false;
    if (is_reference(*text))
        return true;
    utf8_printable(shown, sizeof shown, *text);
    return yaml_refuse(yaml, node, reading->err, "%s cannot be '%s'", what, shown);
}

bool pipeline_container_read(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *map,
                             const char **image, char ***command)
{
    const struct yaml_node *container = yaml_member(map, "container");
    const struct yaml_node *named = yaml_member(container, "image"), *tag = yaml_member(container, "tag");
    const struct yaml_node *words = yaml_member(container, "command");
    const char *name, *version;

    if (!container)
        return true;
    if (container->kind != YAML_MAP || !named) {
        yaml_refuse_key(yaml, container, reading->err, "this container has no image");
        return error_fix(reading->err, "write 'container: {image: NAME, tag: VERSION}'");
    }
    pipeline_check_keys(reading, yaml, container, container_keys);
    if (!reference(reading, yaml, named, "the image of a container", &name))
        return false;
    *image = name;
    if (tag && !(tag->kind == YAML_TEXT && tag->null)) {
        if (!reference(reading, yaml, tag, "the tag of an image", &version))
            return false;
        *image = arena_print(&reading->pipeline->store, "%s:%s", name, version);
        if (!*image)
            return pipeline_no_memory(reading);
    }
    return !words || (words->kind == YAML_TEXT && words->null) ||
           pipeline_argv(reading, yaml, words, "the command of a container", command);
}

bool pipeline_list_of_maps(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *map,
                           const char *key, const struct yaml_node **list)
{
    *list = yaml_member(map, key);
    if (!*list || ((*list)->kind == YAML_TEXT && (*list)->null)) {
        *list = NULL;
        return true;
    }
    if ((*list)->kind != YAML_LIST)
        return yaml_refuse(yaml, *list, reading->err, "'%s' is not a list", key);
    for (const struct yaml_node *item = (*list)->first; item; item = item->next)
        if (item->kind != YAML_MAP) {
            yaml_refuse(yaml, item, reading->err, "the content of '%s' is a map", key);
            return error_fix(reading->err, "write '- KEY: VALUE'");
        }
    return true;
}

bool pipeline_room_for_maps(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *map,
                            const char *key, size_t size, void **room, const struct yaml_node **first)
{
    const struct yaml_node *list;

    *room = NULL;
    *first = NULL;
    if (!pipeline_list_of_maps(reading, yaml, map, key, &list))
        return false;
    if (!list)
        return true;
    *first = list->first;
    *room = arena_get(&reading->pipeline->store, (list->count + 1) * size);
    return *room || pipeline_no_memory(reading);
}

int64_t pipeline_integer(const struct yaml_node *node)
{
    uint64_t value;

    return node && node->kind == YAML_TEXT && text_to_u64(node->text, &value) && value <= INT32_MAX ? (int64_t)value
                                                                                                    : -1;
}
