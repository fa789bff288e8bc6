/* SPDX-License-Identifier: MIT
 * The last value of each counter. */
#include "commands/report/fleet_carry.h"

#include "base/auto.h"
#include "series/kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The series of this metric with these labels in the set; Kepler says "running", later "terminated", of one counter. */
static bool get(struct series_builder *builder, const struct metric_series *series, size_t *index, struct error *err)
{
    struct series_label labels[SERIES_LABELS_MAX];
    const bool kepler = strncmp(series->metric, "kepler_", strlen("kepler_")) == 0;
    size_t count = 0;

    for (size_t i = 0; i < series->label_count && count < SERIES_LABELS_MAX; i++)
        if (!kepler || strcmp(series->labels[i].name, "state") != 0)
            labels[count++] = series->labels[i];
    return series_builder_get(builder, series->metric, labels, count, index, err);
}

/* The last number, and the one at which the counter came to it; 0: there is none. */
static size_t last_numbers(const struct metric_series *series, struct series_point numbers[2])
{
    size_t count = 0;

    for (size_t i = series->point_count; i-- > 0;) {
        const struct series_point *point = &series->points[i];
        if (!isfinite(point->value))
            continue;
        if (count && point->value != numbers[0].value)
            break;
        numbers[count ? 0 : 1] = *point;
        numbers[0] = *point;
        count++;
    }
    return count;
}

static bool put_before(struct series_set *set, struct metric_series *series, const struct metric_series *known,
                       struct error *err)
{
    const size_t count = known->points[0].time_s < known->points[1].time_s ? 2 : 1;
    struct series_point *points = arena_get(&set->arena, (count + series->point_count) * sizeof *points);

    if (!points)
        return error_errno(err, "no memory for the values of counters");
    memcpy(points, known->points, count * sizeof *points);
    memcpy(points + count, series->points, series->point_count * sizeof *points);
    series->points = points;
    series->point_count += count;
    return true;
}

/* Into the next set; of two that Kepler calls by two states, the later. */
static bool put(struct series_builder *next, const struct metric_series *series, struct error *err)
{
    struct series_point numbers[2];
    struct metric_series *item;
    size_t index;

    if (!last_numbers(series, numbers))
        return true;
    if (!get(next, series, &index, err))
        return false;
    item = &next->set->items[index];
    if (!item->point_count)
        return series_builder_add(next, index, numbers[0].time_s, numbers[0].value, err) &&
               series_builder_add(next, index, numbers[1].time_s, numbers[1].value, err);
    if (item->points[1].time_s < numbers[1].time_s)
        memcpy(item->points, numbers, sizeof numbers);
    return true;
}

static bool is_stored(const struct metric_series *series, double keep_s)
{
    const struct kind_family *family = kind_family_of(series->metric);

    return series->point_count && (series->points[1].time_s >= keep_s || (family && family->level == LEVEL_NODE));
}

/* What was known before the first value of this piece. */
static bool join_one(struct series_builder *known, struct series_builder *next, struct series_set *set,
                     struct metric_series *series, struct error *err)
{
    const struct metric_series *before;
    size_t index;

    if (!series->point_count)
        return true;
    if (!get(known, series, &index, err))
        return false;
    before = &known->set->items[index];
    if (before->point_count && before->points[1].time_s < series->points[0].time_s &&
        !put_before(set, series, before, err))
        return false;
    return put(next, series, err);
}

bool fleet_carry_join(struct fleet_carry *last, struct series_set *set, double keep_s, struct error *err)
{
    struct series_set next_set = { .count = 0 };
    struct series_builder known, next;
    const size_t before = last->set.count;
    bool good = true;

    series_builder_open(&next, &next_set);
    series_builder_open(&known, &last->set);
    for (size_t i = 0; i < set->count && good; i++)
        good = join_one(&known, &next, set, &set->items[i], err);
    for (size_t i = 0; i < before && good; i++)
        if (is_stored(&last->set.items[i], keep_s))
            good = put(&next, &last->set.items[i], err);
    series_builder_close(&known);
    series_builder_close(&next);
    series_set_close(&last->set);
    last->set = next_set;
    return good;
}

void fleet_carry_close(struct fleet_carry *last)
{
    series_set_close(&last->set);
}

void fleet_carry_settle(struct series_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        struct metric_series *series = &set->items[i];
        size_t stored = 0;
        for (size_t k = 0; k < series->point_count; k++) {
            const struct series_point *point = &series->points[k];
            /* the last one stays where it is the only step */
            if (stored == 0 || point->value != series->points[stored - 1].value ||
                (stored == 1 && k + 1 == series->point_count))
                series->points[stored++] = *point;
        }
        series->point_count = stored;
    }
}
