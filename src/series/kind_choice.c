/* SPDX-License-Identifier: MIT
 * The times in which each exporter reported each node, its graphics cards, and each pod. */
#include "series/kind_choice.h"

#include "base/counted_time.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A measurement is better than a model, and an exporter of the machine is better than one of the cards only. */
const enum exporter_kind exporter_preference[EXPORTER_COUNT - 1] = {
    EXPORTER_CARBON, EXPORTER_KEPLER, EXPORTER_KEPLER_OLD, EXPORTER_NODE, EXPORTER_SCAPHANDRE, EXPORTER_DCGM,
};

enum { KEY_SIZE = 600 };

struct kind_span {
    const char *key;
    size_t place; /* of its exporter in exporter_preference */
    double first_s, last_s;
};

static size_t place_of(enum exporter_kind kind)
{
    size_t place = 0;

    while (place < EXPORTER_COUNT - 2 && exporter_preference[place] != kind)
        place++;
    return place;
}

/* Without a name a node is where it is asked: "10.0.0.7:9102", of which the port is the exporter's. */
static int host_length(const struct metric_series *series, const char *node)
{
    const char *instance = series_label_of(series, "instance");
    const char *colon = instance && strcmp(instance, node) == 0 ? strrchr(node, ':') : NULL;

    return (int)(colon ? (size_t)(colon - node) : strlen(node));
}

/* False: no other series has the same energy. */
static bool key_of(const struct metric_series *series, const struct attribution *attribution, char key[KEY_SIZE])
{
    const char *node = attribution->texts[ATTRIBUTION_NODE];

    if (attribution->level == LEVEL_NODE)
        snprintf(key, KEY_SIZE, "%s %.*s", attribution->part == DOMAIN_GPU ? "gpus" : "node", host_length(series, node),
                 node);
    else if (*attribution->texts[ATTRIBUTION_POD])
        snprintf(key, KEY_SIZE, "pod %.250s %.250s", attribution->texts[ATTRIBUTION_NAMESPACE],
                 attribution->texts[ATTRIBUTION_POD]);
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
    size_t stored = 0;

    if (choice->count)
        qsort(choice->items, choice->count, sizeof *choice->items, by_key);
    for (size_t i = 0; i < choice->count; i++) {
        struct kind_span *last = stored ? &choice->items[stored - 1] : NULL;
        const struct kind_span *next = &choice->items[i];
        if (!last || by_key(last, next) != 0) {
            choice->items[stored++] = *next;
            continue;
        }
        last->first_s = fmin(last->first_s, next->first_s);
        last->last_s = fmax(last->last_s, next->last_s);
    }
    choice->count = stored;
}

bool kind_choice_open(struct kind_choice *choice, const struct series_set *set, const struct pod_names *names,
                      struct error *err)
{
    *choice = (struct kind_choice){ .items = malloc((set->count + 1) * sizeof *choice->items) };
    for (size_t i = 0; i < set->count && choice->items; i++) {
        const struct metric_series *series = &set->items[i];
        const struct kind_family *family = kind_family_of_series(series);
        struct kind_span *span = &choice->items[choice->count];
        char key[KEY_SIZE];
        struct attribution attribution;
        if (!family || !series->point_count)
            continue;
        attribute_series(series, family, names, &attribution);
        attribution.part = attribution_domain(series, family);
        if (!key_of(series, &attribution, key))
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

/* Parts of a time, in order; without bound at its ends where that has none (NAN). */
struct kind_part_time {
    double from_s, to_s;
};
struct kind_parts {
    struct kind_part_time items[EXPORTER_COUNT];
    size_t count;
};

/* A single value is a moment, which no other exporter has either. No values are before 1970. */
static struct time_span span_of(double first_s, double last_s)
{
    const struct time_span span = { (uint64_t)(fmax(first_s, 0) * NS_PER_S), (uint64_t)(fmax(last_s, 0) * NS_PER_S) };

    return (struct time_span){ span.start_ns, span.end_ns > span.start_ns ? span.end_ns : span.start_ns + 1 };
}

/* The times of exporters that are better than this one. */
static bool take_better(const struct kind_choice *choice, const struct kind_span *own, struct counted_time *time)
{
    bool good = true;

    for (struct kind_span better = { own->key, 0, 0, 0 }; better.place < own->place && good; better.place++) {
        const struct kind_span *found = bsearch(&better, choice->items, choice->count, sizeof *choice->items, by_key);
        const struct time_span span = found ? span_of(found->first_s, found->last_s) : (struct time_span){ 0, 0 };
        double share;
        good = !found || counted_time_take(time, &span, 1, &share);
    }
    return good;
}

/* The time before its first sample and after its last counts, too: it may have samples outside the window. */
static void add_part(struct kind_parts *parts, struct time_span all, struct time_span rest,
                     const struct increase_rules *rules)
{
    const struct kind_part_time part = {
        .from_s = rest.start_ns > all.start_ns ? fmax(rules->from_s, (double)rest.start_ns / NS_PER_S) : rules->from_s,
        .to_s = rest.end_ns < all.end_ns ? fmin(rules->to_s, (double)rest.end_ns / NS_PER_S) : rules->to_s,
    };

    if (!(part.from_s >= part.to_s))
        parts->items[parts->count++] = part;
}

static bool find_parts(const struct kind_choice *choice, const struct metric_series *series,
                       const struct attribution *attribution, const struct increase_rules *rules,
                       struct kind_parts *parts)
{
    char key[KEY_SIZE];
    const struct kind_span own = { key, place_of(attribution->kind), 0, 0 };
    struct counted_time time = { .spans = NULL };
    struct time_span all, rest[EXPORTER_COUNT];
    bool good;

    *parts = (struct kind_parts){ .count = 0 };
    if (!key_of(series, attribution, key) || !series->point_count) {
        parts->items[parts->count++] = (struct kind_part_time){ rules->from_s, rules->to_s };
        return true;
    }
    all = span_of(series->points[0].time_s, series->points[series->point_count - 1].time_s);
    good = take_better(choice, &own, &time);
    if (good) {
        const size_t count = counted_time_rest(&time, all, rest);
        for (size_t i = 0; i < count; i++)
            add_part(parts, all, rest[i], rules);
    }
    counted_time_close(&time);
    return good;
}

bool kind_choice_increase(const struct kind_choice *choice, const struct metric_series *series,
                          const struct attribution *attribution, const struct increase_rules *rules,
                          struct increase *increase, bool *any, struct error *err)
{
    const struct kind_family *family = kind_family_of_series(series);
    struct kind_parts parts;
    double length_s = 0;

    if (!find_parts(choice, series, attribution, rules, &parts))
        return error_set(err, ERROR_SYSTEM, "no memory for the exporters");
    *any = parts.count > 0;
    for (size_t i = 0; i < parts.count; i++) {
        struct increase_rules of_part = *rules;
        struct increase part;
        of_part.from_s = parts.items[i].from_s;
        of_part.to_s = parts.items[i].to_s;
        if (!(family->power ? increase_of_power : increase_of)(series, &of_part, &part, err))
            return false;
        if (i == 0)
            *increase = part;
        else
            increase_add(increase, length_s, &part, of_part.to_s - of_part.from_s);
        length_s += of_part.to_s - of_part.from_s;
    }
    return true;
}
