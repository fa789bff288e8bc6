/* SPDX-License-Identifier: MIT
 * The times in which each exporter told of each node, of its graphics cards, and of each pod. */
#include "series/kind_choice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What measures is better than what has a model, and what knows more is better than what knows the cards alone. */
const enum kind_exporter kind_preference[KIND_COUNT - 1] = {
    KIND_CARBON, KIND_KEPLER, KIND_KEPLER_OLD, KIND_NODE, KIND_SCAPHANDRE, KIND_DCGM,
};

enum { KEY_SIZE = 600 };

struct kind_span {
    const char *key;
    size_t place; /* of its exporter in kind_preference */
    double first_s, last_s;
};

static size_t place_of(enum kind_exporter kind)
{
    size_t place = 0;

    while (place < KIND_COUNT - 2 && kind_preference[place] != kind)
        place++;
    return place;
}

/* Without a name a node is where it is asked: "10.0.0.7:9102", of which the port is the exporter's. */
static int host_length(const struct series *series, const char *node)
{
    const char *instance = series_label_of(series, "instance");
    const char *colon = instance && strcmp(instance, node) == 0 ? strrchr(node, ':') : NULL;

    return (int)(colon ? (size_t)(colon - node) : strlen(node));
}

/* False: nothing else can tell the same. */
static bool key_of(const struct series *series, const struct told *told, char key[KEY_SIZE])
{
    const char *node = told->texts[TOLD_NODE];

    if (told->level == KIND_OF_NODE)
        snprintf(key, KEY_SIZE, "%s %.*s", told->part == KIND_GPU ? "gpus" : "node", host_length(series, node), node);
    else if (*told->texts[TOLD_POD])
        snprintf(key, KEY_SIZE, "pod %.250s %.250s", told->texts[TOLD_NAMESPACE], told->texts[TOLD_POD]);
    else
        return false;
    return true;
}

static int by_key(const void *a, const void *b)
{
    const struct kind_span *left = a, *right = b;
    const int order = strcmp(left->key, right->key);

    return order ? order : (left->place > right->place) - (left->place < right->place);
}

/* Those of one key and exporter become one. */
static void join(struct kind_choice *choice)
{
    size_t kept = 0;

    if (choice->count)
        qsort(choice->items, choice->count, sizeof *choice->items, by_key);
    for (size_t i = 0; i < choice->count; i++) {
        struct kind_span *last = kept ? &choice->items[kept - 1] : NULL;
        const struct kind_span *next = &choice->items[i];
        if (!last || by_key(last, next) != 0) {
            choice->items[kept++] = *next;
            continue;
        }
        last->first_s = fmin(last->first_s, next->first_s);
        last->last_s = fmax(last->last_s, next->last_s);
    }
    choice->count = kept;
}

bool kind_choice_open(struct kind_choice *choice, const struct series_set *set, const struct pod_names *names,
                      struct error *err)
{
    *choice = (struct kind_choice){ .items = malloc((set->count + 1) * sizeof *choice->items) };
    for (size_t i = 0; i < set->count && choice->items; i++) {
        const struct series *series = &set->items[i];
        const struct kind_family *family = kind_family_of_series(series);
        struct kind_span *span = &choice->items[choice->count];
        char key[KEY_SIZE];
        struct told told;
        if (!family || !series->point_count)
            continue;
        told_of(series, family, names, &told);
        told.part = told_part(series, family);
        if (!key_of(series, &told, key))
            continue;
        *span = (struct kind_span){ arena_copy(&choice->arena, key, strlen(key)), place_of(family->kind),
                                    series->points[0].time_s, series->points[series->point_count - 1].time_s };
        if (!span->key)
            return error_set(err, ERROR_SYSTEM, "no memory for the exporters");
        choice->count++;
    }
    if (!choice->items)
        return error_set(err, ERROR_SYSTEM, "no memory for the exporters");
    join(choice);
    return true;
}

void kind_choice_close(struct kind_choice *choice)
{
    free(choice->items);
    arena_close(&choice->arena);
    *choice = (struct kind_choice){ .items = NULL };
}

/* The time in which any better exporter told the same; empty: from later than to. */
static struct kind_span better_than(const struct kind_choice *choice, const struct kind_span *own)
{
    struct kind_span better = { own->key, 0, INFINITY, -INFINITY };

    for (; better.place < own->place; better.place++) {
        const struct kind_span *found = bsearch(&better, choice->items, choice->count, sizeof *choice->items, by_key);
        if (found) {
            better.first_s = fmin(better.first_s, found->first_s);
            better.last_s = fmax(better.last_s, found->last_s);
        }
    }
    return better;
}

bool kind_choice_time(const struct kind_choice *choice, const struct series *series, const struct kind_family *family,
                      const struct told *told, double *from_s, double *to_s)
{
    char key[KEY_SIZE];
    const struct kind_span own = { key, place_of(family->kind), 0, 0 };
    struct kind_span better;

    if (!key_of(series, told, key) || !series->point_count)
        return true;
    better = better_than(choice, &own);
    const double before_s = better.first_s - series->points[0].time_s;
    const double behind_s = series->points[series->point_count - 1].time_s - better.last_s;
    if (better.first_s > better.last_s)
        return true;
    if (before_s > 0 && before_s >= behind_s)
        *to_s = fmin(*to_s, better.first_s);
    else if (behind_s > 0)
        *from_s = fmax(*from_s, better.last_s);
    else
        return false;
    return !(*from_s >= *to_s);
}
