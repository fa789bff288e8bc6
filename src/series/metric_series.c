/* SPDX-License-Identifier: MIT
 * Sets of series: looked up by a hash while they are filled. */
#include "series/metric_series.h"

#include "base/array.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    const struct series_label *left = a, *right = b;

    return strcmp(left->name, right->name);
}

const char *series_label_of(const struct metric_series *series, const char *name)
{
    const struct series_label wanted = { name, NULL };
    const struct series_label *found =
        series->label_count ? bsearch(&wanted, series->labels, series->label_count, sizeof wanted, by_name) : NULL;

    return found ? found->value : NULL;
}

void series_set_close(struct series_set *set)
{
    free(set->items);
    arena_close(&set->arena);
    *set = (struct series_set){ .items = NULL };
}

void series_builder_open(struct series_builder *builder, struct series_set *set)
{
    *builder = (struct series_builder){ .set = set, .size = set->count };
}

void series_builder_close(struct series_builder *builder)
{
    free(builder->slots);
    *builder = (struct series_builder){ .set = NULL };
}

static uint64_t hash_of(const struct metric_series *series)
{
    uint64_t hash = text_hash(series->metric, strlen(series->metric));

    for (size_t i = 0; i < series->label_count; i++) {
        const struct series_label *label = &series->labels[i];
        hash = hash * UINT64_C(0x9e3779b97f4a7c15) + text_hash(label->name, strlen(label->name));
        hash = hash * UINT64_C(0x9e3779b97f4a7c15) + text_hash(label->value, strlen(label->value));
    }
    return hash ^ hash >> 29;
}

static int compare_series(const void *a, const void *b)
{
    const struct metric_series *left = a, *right = b;
    int order = strcmp(left->metric, right->metric);

    for (size_t i = 0; order == 0 && i < left->label_count && i < right->label_count; i++) {
        order = strcmp(left->labels[i].name, right->labels[i].name);
        if (order == 0)
            order = strcmp(left->labels[i].value, right->labels[i].value);
    }
    if (order != 0)
        return order;
    return left->label_count < right->label_count ? -1 : left->label_count > right->label_count;
}

static bool no_memory(struct error *err)
{
    return error_set(err, ERROR_SYSTEM, "no memory for the series");
}

/* The slot of a series that is there, or the free one where it belongs. */
static uint32_t *slot_of(const struct series_builder *builder, const struct metric_series *wanted)
{
    const size_t mask = builder->slot_count - 1;

    for (size_t i = (size_t)hash_of(wanted) & mask;; i = (i + 1) & mask) {
        uint32_t *slot = &builder->slots[i];
        if (*slot == 0 || compare_series(&builder->set->items[*slot - 1], wanted) == 0)
            return slot;
    }
}

/* At least half of the slots are free. */
static bool make_room(struct series_builder *builder, struct error *err)
{
    struct series_set *set = builder->set;

    if (set->count >= SERIES_MAX) {
        error_set(err, ERROR_BAD_DATA, "there are more than %d series", SERIES_MAX);
        return error_fix(err, "--pod or --namespace for fewer");
    }
    set->items = array_room(set->items, &builder->size, set->count + 1, sizeof *set->items);
    if (set->count == builder->size)
        return no_memory(err);
    if (2 * (set->count + 1) > builder->slot_count) {
        size_t count = builder->slot_count ? builder->slot_count : 128;
        while (count < 4 * (set->count + 1))
            count *= 2;
        free(builder->slots);
        builder->slots = calloc(count, sizeof *builder->slots);
        builder->slot_count = builder->slots ? count : 0;
        if (!builder->slots)
            return no_memory(err);
        for (size_t i = 0; i < set->count; i++)
            *slot_of(builder, &set->items[i]) = (uint32_t)i + 1;
    }
    return true;
}

/* Sorts them and leaves out the empty ones. */
static bool settle_labels(struct series_label *labels, size_t *count, struct error *err)
{
    size_t stored = 0;

    for (size_t i = 0; i < *count; i++)
        if (*labels[i].value)
            labels[stored++] = labels[i];
    *count = stored;
    if (stored)
        qsort(labels, stored, sizeof *labels, by_name);
    for (size_t i = 1; i < stored; i++)
        if (strcmp(labels[i - 1].name, labels[i].name) == 0)
            return error_set(err, ERROR_BAD_DATA, "label '%.100s' is there twice", labels[i].name);
    return true;
}

static bool copy_series(struct arena *arena, const struct metric_series *from, struct metric_series *to)
{
    *to = (struct metric_series){ .metric = arena_copy(arena, from->metric, strlen(from->metric)) };
    to->labels = arena_get(arena, (from->label_count + 1) * sizeof *to->labels);
    if (!to->metric || !to->labels)
        return false;
    for (; to->label_count < from->label_count; to->label_count++) {
        const struct series_label *label = &from->labels[to->label_count];
        struct series_label *copy = &to->labels[to->label_count];
        copy->name = arena_copy(arena, label->name, strlen(label->name));
        copy->value = arena_copy(arena, label->value, strlen(label->value));
        if (!copy->name || !copy->value)
            return false;
    }
    return true;
}

bool series_builder_get(struct series_builder *builder, const char *metric, struct series_label *labels, size_t count,
                        size_t *index, struct error *err)
{
    struct series_set *set = builder->set;
    struct metric_series wanted = { .metric = metric, .labels = labels };
    uint32_t *slot;

    if (!settle_labels(labels, &count, err) || !make_room(builder, err))
        return false;
    wanted.label_count = count;
    slot = slot_of(builder, &wanted);
    if (*slot == 0) {
        if (!copy_series(&set->arena, &wanted, &set->items[set->count]))
            return no_memory(err);
        *slot = (uint32_t)++set->count;
    }
    *index = *slot - 1;
    return true;
}

/* There is room up to the next power of two; smaller arrays remain in the arena. */
bool series_builder_add(struct series_builder *builder, size_t index, double time_s, double value, struct error *err)
{
    struct series_set *set = builder->set;
    struct metric_series *series = &set->items[index];
    const size_t count = series->point_count;

    if ((count & (count - 1)) == 0) {
        struct series_point *points = arena_get(&set->arena, (count ? 2 * count : 1) * sizeof *points);
        if (!points)
            return no_memory(err);
        if (count)
            memcpy(points, series->points, count * sizeof *points);
        series->points = points;
    }
    series->points[series->point_count++] = (struct series_point){ time_s, value };
    return true;
}

static int by_time(const void *a, const void *b)
{
    const struct series_point *left = a, *right = b;

    return left->time_s != right->time_s ? ARRAY_ORDER(left->time_s, right->time_s)
                                         : ARRAY_ORDER(left->value, right->value);
}

static void sort_points(struct metric_series *series)
{
    for (size_t i = 1; i < series->point_count; i++)
        if (by_time(&series->points[i - 1], &series->points[i]) > 0) {
            qsort(series->points, series->point_count, sizeof *series->points, by_time);
            return;
        }
}

void series_set_sort(struct series_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        sort_points(&set->items[i]);
    if (set->count)
        qsort(set->items, set->count, sizeof *set->items, compare_series);
}

/* An interval longer than this is a gap. */
#define GAP 2.5

double series_set_end(const struct series_set *set, double to_s)
{
    double end_s = to_s;

    for (size_t i = 0; i < set->count; i++) {
        const struct metric_series *series = &set->items[i];
        const size_t count = series->point_count;
        const double last_s = count > 1 ? series->points[count - 1].time_s : NAN;
        if (isfinite(last_s) && isfinite(series->points[count - 1].value) &&
            to_s - last_s <= GAP * (last_s - series->points[count - 2].time_s))
            end_s = fmin(end_s, last_s);
    }
    return end_s;
}
