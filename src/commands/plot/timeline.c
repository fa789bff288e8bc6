/* SPDX-License-Identifier: MIT
 * What of a time series is drawn, and its powers. */
#include "commands/plot/timeline.h"

#include "base/clock.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

/* Clocks may have been set a little meanwhile. */
#define LENIENCE_S 2.0

static bool is_another(const char *path, const struct stored_record *stored, struct error *err)
{
    error_set(err, ERROR_USAGE, "'%.100s' is not the record of '%.100s'", stored->path, path);
    return error_fix(err, "give the record and the time series of one 'carbon measure'");
}

/* The series must have begun while the record was made. */
static bool same_time(const struct sample_series *series, const char *path, const struct stored_record *stored,
                      struct error *err)
{
    char begun[CLOCK_TEXT_SIZE];
    uint64_t from_ns, to_ns;

    if (!series->realtime_ns || !clock_of_text(stored->started_at, &from_ns))
        return true;
    if (!clock_of_text(stored->ended_at, &to_ns) || to_ns < from_ns)
        to_ns = UINT64_MAX;
    if ((double)series->realtime_ns >= (double)from_ns - LENIENCE_S * NS_PER_S &&
        (double)series->realtime_ns <= (double)to_ns + LENIENCE_S * NS_PER_S)
        return true;
    is_another(path, stored, err);
    return error_why(err, "it is of %s to %s, and the first sample of %s", stored->started_at,
                     *stored->ended_at ? stored->ended_at : "now", clock_text(series->realtime_ns, begun));
}

static bool column_named(const struct sample_series *series, const char *name, size_t *column)
{
    for (*column = 0; *column < series->domain_count; ++*column)
        if (strcmp(series->names[*column], name) == 0)
            return true;
    return false;
}

static void print_domain(struct timeline *timeline, size_t domain, struct notices *notices)
{
    if (timeline->series->moved[domain])
        timeline->shown[timeline->shown_count++] = domain;
    else
        notice_add(notices, NOTICE_NOT_MOVING, "its energy did not grow", "", "%s is left out",
                   timeline->series->names[domain]);
}

static bool show_counted(struct timeline *timeline, const char *path, struct notices *notices, struct error *err)
{
    const struct stored_record *stored = timeline->stored;
    size_t column;

    for (size_t i = 0; i < stored->domain_count; i++) {
        const struct stored_domain *domain = &stored->domains[i];

        if (!domain->counted || !domain->column[0])
            continue;
        if (!column_named(timeline->series, domain->column, &column)) {
            is_another(path, stored, err);
            return error_why(err, "its counted domain %s has no column there", domain->column);
        }
        if (timeline->shown_count < CSV_MAX_COLUMNS)
            print_domain(timeline, column, notices);
    }
    return true;
}

/* The record's times are since it was begun, those of the series since the meter was opened. */
static double offset_s(const struct sample_series *series, const struct stored_record *stored)
{
    uint64_t begun_ns;

    if (!stored || !series->realtime_ns || !clock_of_text(stored->started_at, &begun_ns))
        return NAN;
    return series->time_s[0] - (double)(int64_t)(series->realtime_ns - begun_ns) / NS_PER_S;
}

static void find_max(struct timeline *timeline)
{
    const struct sample_series *series = timeline->series;

    timeline->min_s = series->time_s[0];
    timeline->max_s = series->time_s[series->point_count - 1];
    for (size_t i = 0; i + 1 < series->point_count; i++) {
        for (size_t j = 0; j < timeline->shown_count; j++)
            timeline->max_w = fmax(timeline->max_w, timeline_w(timeline, timeline->shown[j], i));
        if (timeline->stored)
            timeline->max_w = fmax(timeline->max_w, timeline_w(timeline, TIMELINE_TOTAL, i));
    }
}

bool timeline_of(const struct sample_series *series, const char *path, const struct stored_record *stored,
                 struct timeline *timeline, struct notices *notices, struct error *err)
{
    *timeline = (struct timeline){ .series = series, .stored = stored };
    if (stored && (!same_time(series, path, stored, err) || !show_counted(timeline, path, notices, err)))
        return false;
    for (size_t i = 0; !stored && i < series->domain_count; i++)
        print_domain(timeline, i, notices);
    if (!stored)
        notice_add(notices, NOTICE_UNKNOWN, "the time series does not say which domains add up",
                   "add the record (--json) to it", "no total");
    if (timeline->shown_count == 0) {
        error_set(err, ERROR_BAD_DATA, "'%s' has nothing to draw", path);
        return error_why(err, "the energy of no %sdomain has grown", stored ? "counted " : "");
    }
    find_max(timeline);
    timeline->offset_s = offset_s(series, stored);
    return true;
}

double timeline_w(const struct timeline *timeline, size_t domain, size_t point)
{
    double sum_w = 0;

    if (!sample_is_drawn(timeline->series, point))
        return NAN;
    if (domain != TIMELINE_TOTAL)
        return sample_power_w(timeline->series, domain, point);
    for (size_t i = 0; i < timeline->shown_count; i++)
        sum_w += sample_power_w(timeline->series, timeline->shown[i], point);
    return sum_w;
}

double timeline_mean_w(const struct timeline *timeline, size_t domain, double from_s, double to_s)
{
    const double *time_s = timeline->series->time_s;
    double energy_j = 0, known_s = 0;

    for (size_t i = 0; i + 1 < timeline->series->point_count && time_s[i] < to_s; i++) {
        const double shared_s = fmin(to_s, time_s[i + 1]) - fmax(from_s, time_s[i]);
        const double w = shared_s > 0 ? timeline_w(timeline, domain, i) : NAN;

        if (!isnan(w)) {
            energy_j += w * shared_s;
            known_s += shared_s;
        }
    }
    return known_s > 0 ? energy_j / known_s : NAN;
}

const struct sample_window *timeline_run(const struct timeline *timeline, bool warmup, size_t number)
{
    const struct sample_series *series = timeline->series;

    for (size_t i = 0; i < series->window_count; i++)
        if (series->windows[i].phase == (warmup ? SAMPLE_WARMUP : SAMPLE_RUN) && series->windows[i].number == number)
            return &series->windows[i];
    return NULL;
}
