/* SPDX-License-Identifier: MIT
 * Lists of nodes, taken apart name by name. */
#include "commands/slurm/node_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 256, MOST_NODES = 100000 };

static bool each_of_range(const char *prefix, const char *range, const char *suffix, on_node_function *each,
                          void *context)
{
    unsigned long first, last;
    char name[NAME_SIZE];
    char *end;
    int width;

    first = last = strtoul(range, &end, 10);
    width = (int)(end - range);
    if (width == 0 || width > 9)
        return false;
    if (*end == '-')
        last = strtoul(end + 1, &end, 10);
    if (*end || last < first || last - first > MOST_NODES)
        return false;
    for (unsigned long i = first; i <= last; i++)
        if (snprintf(name, sizeof name, "%s%0*lu%s", prefix, width, i, suffix) >= NAME_SIZE || !each(context, name))
            return false;
    return true;
}

/* "n[001-004,7]": one pair of brackets at most. */
static bool each_of_item(char *item, on_node_function *each, void *context)
{
    char *open = strchr(item, '['), *close = open ? strchr(open, ']') : NULL, *rest;

    if (!open)
        return !strchr(item, ']') && each(context, item);
    if (!close || strchr(close, '['))
        return false;
    *open = *close = '\0';
    rest = open + 1;
    for (char *range = strtok_r(rest, ",", &rest); range; range = strtok_r(NULL, ",", &rest))
        if (!each_of_range(item, range, close + 1, each, context))
            return false;
    return true;
}

bool node_list_each(const char *list, on_node_function *each, void *context)
{
    char *copy = strdup(list), *start = copy;
    bool good = copy != NULL, inside = false;

    for (char *c = copy; good; c++) {
        const char is = *c;

        inside = is == '[' || (inside && is != ']');
        if (is && (is != ',' || inside))
            continue;
        *c = '\0';
        good = each_of_item(start, each, context);
        start = c + 1;
        if (!is)
            break;
    }
    free(copy);
    return good;
}

static bool differs(void *context, const char *name)
{
    return strcmp(context, name) != 0;
}

/* False, too, where b cannot be understood. */
static bool not_in(void *context, const char *name)
{
    return node_list_each(context, differs, (void *)name);
}

bool node_lists_meet(const char *a, const char *b)
{
    return strcmp(a, b) == 0 || !*a || !*b || !node_list_each(a, not_in, (void *)b);
}
