/* SPDX-License-Identifier: MIT
 * Lists of nodes, taken apart name by name. */
#include "run/node_list.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 256, MAX_NODES = 100000 };

/* More nodes than any cluster has are no list of nodes. */
struct nodes_listed {
    on_node_function *each;
    void *context;
    size_t count;
};

static bool report_name(struct nodes_listed *reported, const char *name)
{
    return *name && ++reported->count <= MAX_NODES && reported->each(reported->context, name);
}

static bool each_of_range(const char *prefix, const char *range, const char *suffix, struct nodes_listed *reported)
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
    if (*end || last < first || last - first > MAX_NODES)
        return false;
    for (unsigned long i = first; i <= last; i++)
        if (snprintf(name, sizeof name, "%s%0*lu%s", prefix, width, i, suffix) >= NAME_SIZE ||
            !report_name(reported, name))
            return false;
    return true;
}

/* "n[001-004,7]": one pair of brackets at most. */
static bool each_of_item(char *item, struct nodes_listed *reported)
{
    char *open = strchr(item, '['), *close = open ? strchr(open, ']') : NULL, *rest;
    const size_t before = reported->count;

    if (!open)
        return !strchr(item, ']') && report_name(reported, item);
    if (!close || strchr(close, '['))
        return false;
    *open = *close = '\0';
    rest = open + 1;
    for (char *range = strtok_r(rest, ",", &rest); range; range = strtok_r(NULL, ",", &rest))
        if (!each_of_range(item, range, close + 1, reported))
            return false;
    return reported->count > before;
}

bool node_list_each(const char *list, on_node_function *each, void *context)
{
    struct nodes_listed reported = { .each = each, .context = context };
    char *copy = strdup(list), *start = copy;
    bool good = copy != NULL, inside = false;

    for (char *c = copy; good; c++) {
        const char is = *c;

        inside = is == '[' || (inside && is != ']');
        if (is && (is != ',' || inside))
            continue;
        *c = '\0';
        good = each_of_item(start, &reported);
        start = c + 1;
        if (!is)
            break;
    }
    free(copy);
    return good;
}

/* Names in one piece of memory, NUL between. */
struct names {
    struct text text;
    const char **sorted;
    size_t count;
};

static bool add_name(void *context, const char *name)
{
    struct names *names = context;

    text_add_bytes(&names->text, name, strlen(name) + 1);
    names->count++;
    return text_ok(&names->text);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool not_in(void *context, const char *name)
{
    const struct names *names = context;

    return !bsearch(&name, names->sorted, names->count, sizeof *names->sorted, compare_names);
}

static bool sort_names(struct names *names)
{
    const char *at = names->text.data;

    names->sorted = names->count ? calloc(names->count, sizeof *names->sorted) : NULL;
    for (size_t i = 0; names->sorted && i < names->count; i++, at += strlen(at) + 1)
        names->sorted[i] = at;
    if (names->sorted)
        qsort(names->sorted, names->count, sizeof *names->sorted, compare_names);
    return names->sorted;
}

bool node_lists_meet(const char *a, const char *b)
{
    struct names names = { .count = 0 };
    bool meet;

    if (strcmp(a, b) == 0 || !*a || !*b)
        return true;
    text_open(&names.text, (size_t)MAX_NODES * NAME_SIZE);
    meet = !node_list_each(b, add_name, &names) || !sort_names(&names) || !node_list_each(a, not_in, &names);
    text_close(&names.text);
    free(names.sorted);
    return meet;
}
