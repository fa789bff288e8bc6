/* SPDX-License-Identifier: MIT
 * A fleet's time in pieces, what counters cover, the value that goes from piece to piece, and a day's entries. */
#include "unit.h"

#include "base/clock.h"
#include "commands/report/chunks.h"
#include "commands/report/fleet_carry.h"
#include "commands/report/fleet_cover.h"
#include "commands/report/fleet_day.h"
#include "commands/report/fleet_labels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DAY = 24 * 3600 };

static int64_t at(const char *text)
{
    uint64_t realtime_s;

    ck_assert(clock_of_iso_text(text, &realtime_s));
    return (int64_t)realtime_s;
}

/* Every value of the days between is asked for once, in order, and each day ends with one. */
static size_t values_of(int64_t from_s, int64_t to_s, int64_t step_s, size_t max)
{
    struct chunks chunks = { .step_s = step_s };
    struct chunk chunk;
    int64_t last_s = from_s - step_s;
    size_t values = 0;

    for (int64_t day_s = from_s; day_s < to_s; day_s += DAY) {
        const int64_t end_s = day_s + DAY < to_s ? day_s + DAY : to_s;
        while (chunks_next(&chunks, from_s, end_s, max, &chunk)) {
            ck_assert_uint_le(chunk.points, max);
            ck_assert_uint_ge(chunk.points, 1);
            ck_assert_int_gt(chunk.from_s, last_s);
            ck_assert(chunk.from_s == last_s + step_s || chunk.from_s == end_s);
            ck_assert_int_eq(chunk.to_s, chunk.from_s + (int64_t)(chunk.points - 1) * step_s);
            last_s = chunk.to_s;
            values += chunk.points;
        }
        ck_assert_int_eq(last_s, end_s);
    }
    return values;
}

START_TEST(years)
{
    ck_assert_uint_eq(values_of(at("2025-01-01"), at("2026-01-01"), 60, 10000), 365 * 1440 + 1);
    ck_assert_uint_eq(values_of(at("2024-01-01"), at("2025-01-01"), 60, 10000), 366 * 1440 + 1);
    ck_assert_uint_eq(values_of(at("2024-01-01"), at("2025-01-01"), 60, 7), 366 * 1440 + 1);
    ck_assert_uint_eq(values_of(at("2024-02-28"), at("2024-03-01"), 3600, 1), 2 * 24 + 1);
}
END_TEST

START_TEST(steps_that_do_not_divide)
{
    /* 7 h: three whole steps a day, and one to its end */
    ck_assert_uint_eq(values_of(at("2025-01-01"), at("2025-01-04"), 7 * 3600, 100), 1 + 3 * 4);
    /* a step longer than a day is a day */
    ck_assert_uint_eq(values_of(at("2025-01-01"), at("2025-01-04"), 2 * DAY, 100), 1 + 3);
    /* a day that is cut short */
    ck_assert_uint_eq(values_of(at("2025-01-01"), at("2025-01-02T00:00:30Z"), 60, 100), 1 + 1440 + 1);
}
END_TEST

static struct series_point points[8];

static double covered(const double *times, size_t count, const struct chunk *chunk, unsigned *gaps)
{
    const struct metric_series series = { .points = points, .point_count = count };
    struct arena arena = { NULL };
    struct fleet_cover cover;
    double time_s;

    for (size_t i = 0; i < count; i++)
        points[i] = (struct series_point){ times[i], times[i] < 0 ? NAN : 1 };
    ck_assert(fleet_cover_open(&cover, chunk, &arena));
    fleet_cover_add(&cover, chunk, 10, &series);
    time_s = fleet_cover_time(&cover, chunk, 10);
    *gaps = fleet_cover_gaps(&cover, chunk);
    arena_close(&arena);
    return time_s;
}

#define COVERED(gaps, ...)                                                                                             \
    covered((const double[]){ __VA_ARGS__ }, sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double), &chunk, gaps)

START_TEST(cover_of_one)
{
    const struct chunk chunk = { .from_s = 1000, .to_s = 1050, .points = 6 };
    unsigned gaps;

    ck_assert_double_eq(COVERED(&gaps, 1000, 1010, 1020, 1030, 1040, 1050), 50);
    ck_assert_uint_eq(gaps, 0);
    /* with the value before */
    ck_assert_double_eq(COVERED(&gaps, 990, 1000, 1010, 1020, 1030, 1040, 1050), 60);
    ck_assert_uint_eq(gaps, 0);
    /* one that is missing is no gap: the counter goes on */
    ck_assert_double_eq(COVERED(&gaps, 990, 1000, 1020, 1030, 1040, 1050), 60);
    ck_assert_double_eq(COVERED(&gaps, 980, 1000, 1010), 30);
    ck_assert_uint_eq(gaps, 0);
    /* two are */
    ck_assert_double_eq(COVERED(&gaps, 990, 1000, 1030, 1040, 1050), 30);
    ck_assert_uint_eq(gaps, 1);
    /* of days, in the piece in which they end; even in its last value */
    ck_assert_double_eq(COVERED(&gaps, 100, 1050), 0);
    ck_assert_uint_eq(gaps, 1);
    ck_assert_double_eq(COVERED(&gaps, 1050, 1060), 0); /* later than the piece: of the next one */
    ck_assert_double_eq(COVERED(&gaps, 1030, 1040), 10);
    ck_assert_uint_eq(gaps, 0);
}
END_TEST

START_TEST(cover_of_two)
{
    const struct chunk chunk = { .from_s = 1000, .to_s = 1050, .points = 6 };
    struct series_point first[] = { { 1000, 1 }, { 1010, 2 }, { 1020, 3 } };
    struct series_point second[] = { { 1000, 1 }, { 1030, 2 }, { 1040, 3 }, { 1050, 4 } };
    struct series_point third[] = { { 1020, 1 }, { 1030, 2 } };
    const struct metric_series series[] = { { .points = first, .point_count = 3 },
                                            { .points = second, .point_count = 4 },
                                            { .points = third, .point_count = 2 } };
    struct arena arena = { NULL };
    struct fleet_cover cover;

    ck_assert(fleet_cover_open(&cover, &chunk, &arena));
    fleet_cover_add(&cover, &chunk, 10, &series[0]);
    fleet_cover_add(&cover, &chunk, 10, &series[1]);
    ck_assert_double_eq(fleet_cover_time(&cover, &chunk, 10), 40);
    ck_assert_uint_eq(fleet_cover_gaps(&cover, &chunk), 1);
    fleet_cover_add(&cover, &chunk, 10, &series[2]);
    ck_assert_double_eq(fleet_cover_time(&cover, &chunk, 10), 50);
    ck_assert_uint_eq(fleet_cover_gaps(&cover, &chunk), 0);
    arena_close(&arena);
}
END_TEST

/* One series of each name in the words, with one value, or two, at time_s and 10 s later. */
static void join(struct fleet_carry *last, const char *metric, const char *state, double time_s, size_t count,
                 double expected_before)
{
    struct series_label labels[] = { { "node_name", "n1" }, { "state", state } };
    struct series_set set = { .count = 0 };
    struct series_builder builder;
    struct error err;
    size_t index;

    series_builder_open(&builder, &set);
    ck_assert(series_builder_get(&builder, metric, labels, 2, &index, &err));
    for (size_t i = 0; i < count; i++)
        ck_assert(series_builder_add(&builder, index, time_s + 10.0 * (double)i, 1000 + time_s + (double)i, &err));
    series_builder_close(&builder);
    ck_assert(fleet_carry_join(last, &set, time_s - 100, &err));
    ck_assert_uint_eq(set.items[0].point_count, count + !isnan(expected_before));
    if (!isnan(expected_before))
        ck_assert_double_eq(set.items[0].points[0].time_s, expected_before);
    ck_assert_double_eq(set.items[0].points[set.items[0].point_count - 1].time_s, time_s + 10.0 * (double)(count - 1));
    series_set_close(&set);
}

START_TEST(values_before)
{
    static const char pod[] = "kepler_pod_cpu_joules_total", node[] = "kepler_node_cpu_joules_total";
    struct fleet_carry last = { .set = { .count = 0 } };

    join(&last, node, "", 0, 2, NAN);
    join(&last, pod, "running", 0, 1, NAN);
    join(&last, pod, "running", 10, 2, 0);
    /* of one counter, whatever state it is in */
    join(&last, pod, "terminated", 30, 1, 20);
    /* pods that were away for long are others; nodes are not */
    join(&last, node, "", 1000, 1, 10);
    join(&last, pod, "running", 1010, 1, NAN);
    fleet_carry_close(&last);
}
END_TEST

static size_t settled(const double *values, size_t count)
{
    struct metric_series series = { .points = points, .point_count = count };
    struct series_set set = { .items = &series, .count = 1 };

    for (size_t i = 0; i < count; i++)
        points[i] = (struct series_point){ 10.0 * (double)i, values[i] };
    fleet_carry_settle(&set);
    return series.point_count;
}

START_TEST(values_told_again)
{
    /* scraped every 30 s, asked every 10 s: 3 at 0, 5 at 30 s, 1 at 60 s */
    ck_assert_uint_eq(settled((const double[]){ 3, 3, 3, 5, 5, 5, 1, 1 }, 8), 3);
    ck_assert_double_eq(points[1].time_s, 30);
    ck_assert_double_eq(points[2].time_s, 60);
    ck_assert_double_eq(points[2].value, 1);
    /* nothing used is known, too */
    ck_assert_uint_eq(settled((const double[]){ 3, 3, 3 }, 3), 2);
    ck_assert_double_eq(points[1].time_s, 20);
    ck_assert_uint_eq(settled((const double[]){ 3 }, 1), 1);
    ck_assert_uint_eq(settled(NULL, 0), 0);
}
END_TEST

/* What came to its last value long before it was last told keeps both times. */
START_TEST(values_that_stay)
{
    struct series_set set = { .count = 0 };
    struct fleet_carry last = { .set = { .count = 0 } };
    struct series_builder builder;
    struct error err;
    size_t index;

    for (int piece = 0; piece < 3; piece++) {
        series_builder_open(&builder, &set);
        ck_assert(series_builder_get(&builder, "node_rapl_package_joules_total", NULL, 0, &index, &err));
        for (int i = 0; i < 3; i++)
            ck_assert(series_builder_add(&builder, index, 30 * piece + 10 * i, piece == 0 && i == 0 ? 1 : 7, &err));
        series_builder_close(&builder);
        ck_assert(fleet_carry_join(&last, &set, 0, &err));
        ck_assert_uint_eq(set.items[0].point_count, piece == 0 ? 3 : 5);
        ck_assert_double_eq(set.items[0].points[0].time_s, piece == 0 ? 0 : 10);
        ck_assert_double_eq(set.items[0].points[1].time_s, piece == 0 ? 10 : 30 * piece - 10);
        series_set_close(&set);
    }
    fleet_carry_close(&last);
}
END_TEST

START_TEST(entries)
{
    struct fleet_day day = { .count = 0 };
    char node[32], group[32];
    struct error err;

    ck_assert(!fleet_day_find(&day, true, "n0", NULL));
    for (int i = 0; i < 3000; i++) {
        struct fleet_entry *entry;
        snprintf(node, sizeof node, "n%d", i % 100);
        snprintf(group, sizeof group, "g%d", i / 100);
        entry = fleet_day_get(&day, false, node, group, &err);
        ck_assert(entry);
        entry->joules += i;
    }
    ck_assert(fleet_day_get(&day, true, "n7", NULL, &err));
    ck_assert(fleet_day_get(&day, false, "n7", NULL, &err));
    ck_assert_uint_eq(day.count, 3002);
    ck_assert_double_eq(fleet_day_find(&day, false, "n7", "g29")->joules, 2907);
    ck_assert(fleet_day_find(&day, true, "n7", NULL)->is_node);
    ck_assert(!fleet_day_find(&day, true, "n8", NULL));
    ck_assert(fleet_day_get(&day, false, "n7", "g29", &err) == fleet_day_find(&day, false, "n7", "g29"));
    fleet_day_close(&day);
    ck_assert_uint_eq(day.count, 0);
}
END_TEST

START_TEST(labels_of)
{
    struct fleet_labels labels = { .values = NULL };
    char pod[32], team[32];
    const char *value;
    struct error err;

    fleet_labels_open(&labels);
    for (int i = 0; i < 500; i++) {
        snprintf(pod, sizeof pod, "p%d", i);
        snprintf(team, sizeof team, "t%d", i % 7);
        ck_assert(fleet_labels_add(&labels, "web", pod, team, &err));
    }
    ck_assert(fleet_labels_add(&labels, "web", "p3", NULL, &err));
    ck_assert(fleet_labels_add(&labels, "web", "p4", "other", &err));
    ck_assert(fleet_labels_find(&labels, "web", "p3", &value, &err));
    ck_assert_str_eq(value, "t3");
    ck_assert(fleet_labels_find(&labels, "web", "p4", &value, &err));
    ck_assert_str_eq(value, "other");
    ck_assert(fleet_labels_find(&labels, "batch", "p3", &value, &err));
    ck_assert_ptr_null(value);
    fleet_labels_open(&labels);
    ck_assert(fleet_labels_find(&labels, "web", "p3", &value, &err));
    ck_assert_ptr_null(value);
    fleet_labels_close(&labels);
}
END_TEST

UNIT_SUITE("fleet", years, steps_that_do_not_divide, cover_of_one, cover_of_two, values_before, values_told_again,
           values_that_stay, entries, labels_of)
