/* SPDX-License-Identifier: MIT
 * From the samples of a counter to joules: steps forward are added up, a step back is a wrap or a reset, and a step of
 * more than can be drawn is none. */
#include "series/increase.h"

#include "base/auto.h"

#include <math.h>
#include <stdlib.h>

/* Powers of neighbouring steps agree within this factor. */
#define AGREE 3.0

/* An interval is a gap if it is longer than this many usual ones. */
#define GAP 2.5

/* Maximum change of a counter before its first reading. */
#define BURST_S 1.0

/* Between samples whose times are not known. */
#define LONGEST_S (10 * 365.25 * 86400)

enum { INTERVALS_FOR_GAPS = 3 };

/* 2^32 units of 2^-14 J, of 2^-16 J, of 15.3 uJ (memory of servers), and of 2^-14 J in older kernels. */
static const double usual_ranges_j[] = { 262143.328850, 65532.610987, 65712.999613, 262143.999938 };
enum { USUAL_COUNT = sizeof usual_ranges_j / sizeof usual_ranges_j[0] };

/* The samples that count. */
struct increase_steps {
    const struct series_point *points;
    size_t count;
    const struct increase_rules *rules;
};

static double joules_at(const struct increase_steps *steps, size_t i)
{
    return steps->points[i].value * steps->rules->j_per_unit;
}

/* From i - 1 to i; NAN where it is not known. */
static double seconds_to(const struct increase_steps *steps, size_t i)
{
    const double seconds = steps->points[i].time_s - steps->points[i - 1].time_s;

    return steps->rules->untimed || !(seconds > 0) ? NAN : seconds;
}

/* How much of the time from i - 1 to i is asked for, 0 to 1. */
static double share_to(const struct increase_steps *steps, size_t i)
{
    const struct increase_rules *rules = steps->rules;
    const double begin_s = steps->points[i - 1].time_s, end_s = steps->points[i].time_s;
    const double from_s = fmax(begin_s, rules->from_s), to_s = fmin(end_s, rules->to_s);

    if (rules->untimed)
        return 1;
    return to_s > from_s ? (to_s - from_s) / (end_s - begin_s) : 0;
}

static bool is_possible(const struct increase_steps *steps, size_t i, double joules)
{
    const double seconds = seconds_to(steps, i), max_w = steps->rules->max_w;

    return !(max_w > 0) || joules <= max_w * ((isnan(seconds) ? LONGEST_S : seconds) + BURST_S);
}

/* The power of a step forward; NAN for one that leads back, cannot be, or is not there. */
static double power_to(const struct increase_steps *steps, size_t i)
{
    const double joules = i > 0 && i < steps->count ? joules_at(steps, i) - joules_at(steps, i - 1) : NAN;

    return joules >= 0 && is_possible(steps, i, joules) ? joules / seconds_to(steps, i) : NAN;
}

/* Ratio of a step's power to that of its neighbours; INFINITY if they disagree. */
static double distance(const struct increase_steps *steps, size_t i, double joules)
{
    const double before = power_to(steps, i - 1), after = power_to(steps, i + 1), power = joules / seconds_to(steps, i);
    const double max = fmax(before, after), min = fmin(before, after); /* of one that is NAN it is the other */

    if (!(joules >= 0) || !(max > 0) || !(power <= AGREE * max) || !(power * AGREE >= min))
        return INFINITY;
    return fabs(log((power > 0 ? power : max / AGREE) / ((max + min) / 2)));
}

/* What it counted over a wrap; NAN: it is none. A sum of zones wraps at the sum of their ranges. */
static double wrapped_joules(const struct increase_steps *steps, size_t i)
{
    const double given = steps->rules->range_j, before = joules_at(steps, i - 1), after = joules_at(steps, i);
    const double *ranges = given > 0 ? &given : usual_ranges_j;
    const size_t count = given > 0 ? 1 : USUAL_COUNT, zones = steps->rules->zones_max ? steps->rules->zones_max : 1;
    double nearest = INFINITY, joules = NAN;

    for (size_t r = 0; r < count * zones && steps->rules->raw; r++) {
        const double range = ranges[r % count] * (double)(r / count + 1), step = range - before + after;
        const double far = before <= range && after >= 0 ? distance(steps, i, step) : INFINITY;
        if (far < nearest) {
            nearest = far;
            joules = step;
        }
    }
    return joules;
}

/* The largest power of a step forward; NAN: there is none. */
static double max_power(const struct increase_steps *steps)
{
    double max = NAN;

    for (size_t i = 1; i < steps->count; i++)
        max = fmax(max, power_to(steps, i));
    return max;
}

/* The counter began at 0 since then: its value is energy, if that agrees with its other steps or, for an exporter's own
 * counter, if the power is possible at all. */
static bool is_since_reset(const struct increase_steps *steps, size_t i, double max_w)
{
    const double after = joules_at(steps, i);

    if (!isnan(max_w))
        return after / seconds_to(steps, i) <= AGREE * max_w;
    return !steps->rules->raw && is_possible(steps, i, after);
}

/* NAN: it is not known. */
static double step_back(const struct increase_steps *steps, size_t i, double max_w, struct increase *increase)
{
    const double wrapped = wrapped_joules(steps, i), after = joules_at(steps, i), seconds = seconds_to(steps, i);

    if (isfinite(wrapped)) {
        increase->wraps++;
        return wrapped;
    }
    increase->resets++;
    if (!is_since_reset(steps, i, max_w)) {
        increase->doubtful_j += after;
        return NAN;
    }
    increase->doubtful_j += max_w * seconds > after ? max_w * seconds - after : 0;
    return after;
}

static double step_to(const struct increase_steps *steps, size_t i, double max_w, struct increase *increase)
{
    const double joules = joules_at(steps, i) - joules_at(steps, i - 1);

    if (joules < 0)
        return step_back(steps, i, max_w, increase);
    if (is_possible(steps, i, joules))
        return joules;
    increase->implausible++;
    increase->implausible_j += joules;
    return NAN;
}

/* For an interval with known joules: its share within the window, and its bounds. */
static void add_interval(const struct increase_steps *steps, size_t i, double joules, double asked_j,
                         struct increase *increase)
{
    const double share = share_to(steps, i), seconds = seconds_to(steps, i);

    if (isnan(joules))
        return;
    if (isnan(increase->joules)) {
        increase->joules = increase->low_j = increase->high_j = 0;
        increase->covered = 0;
    }
    increase->joules += asked_j;
    increase->low_j += share < 1 ? 0 : joules;
    increase->high_j += joules;
    increase->covered += share * seconds;
}

static void add_steps(const struct increase_steps *steps, struct increase *increase)
{
    const double max_w = max_power(steps);

    for (size_t i = 1; i < steps->count; i++) {
        const double share = share_to(steps, i);
        const double joules = share > 0 ? step_to(steps, i, max_w, increase) : NAN;
        add_interval(steps, i, joules, share * joules, increase);
    }
}

/* Watts at a moment of the interval that ends with i. */
static double watts_at(const struct increase_steps *steps, size_t i, double time_s)
{
    const struct series_point *before = &steps->points[i - 1], *after = &steps->points[i];
    const double share = (time_s - before->time_s) / (after->time_s - before->time_s);

    return joules_at(steps, i - 1) + share * (joules_at(steps, i) - joules_at(steps, i - 1));
}

static void add_trapezoids(const struct increase_steps *steps, struct increase *increase)
{
    for (size_t i = 1; i < steps->count && !steps->rules->untimed; i++) {
        const double begin_s = steps->points[i - 1].time_s, end_s = steps->points[i].time_s;
        const double from_s = fmax(begin_s, steps->rules->from_s), to_s = fmin(end_s, steps->rules->to_s);
        const double whole_j = (joules_at(steps, i - 1) + joules_at(steps, i)) / 2 * (end_s - begin_s);
        if (!(share_to(steps, i) > 0))
            continue;
        if (is_possible(steps, i, whole_j)) {
            add_interval(steps, i, whole_j,
                         (watts_at(steps, i, from_s) + watts_at(steps, i, to_s)) / 2 * (to_s - from_s), increase);
        } else {
            increase->implausible++;
            increase->implausible_j += whole_j;
        }
    }
}

static int by_length(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;

    return left < right ? -1 : left > right;
}

/* Counts gaps of two or more samples. */
static bool count_gaps(const struct increase_steps *steps, unsigned *gaps, struct error *err)
{
    const size_t count = steps->count - 1;
    AUTO_FREE double *sorted = NULL;

    if (steps->rules->untimed || count < INTERVALS_FOR_GAPS)
        return true;
    sorted = malloc(count * sizeof *sorted);
    if (!sorted)
        return error_set(err, ERROR_SYSTEM, "no memory for the samples");
    for (size_t i = 0; i < count; i++)
        sorted[i] = steps->points[i + 1].time_s - steps->points[i].time_s;
    qsort(sorted, count, sizeof *sorted, by_length);
    for (size_t i = 1; i <= count; i++)
        *gaps +=
            share_to(steps, i) > 0 && steps->points[i].time_s - steps->points[i - 1].time_s > GAP * sorted[count / 2];
    return true;
}

static bool is_within(const struct series_point *point, const struct increase_rules *rules)
{
    return !(point->time_s < rules->from_s) && !(point->time_s > rules->to_s);
}

/* Those that are numbers, of one time one; NaN is also what Prometheus says where a target was gone, and no counter of
 * energy is below 0. */
static struct series_point *numbers_of(const struct metric_series *series, const struct increase_rules *rules,
                                       struct increase *increase, size_t *count)
{
    struct series_point *points = malloc((series->point_count + 1) * sizeof *points);
    size_t stored = 0;

    for (size_t i = 0, next; i < series->point_count && points; i = next) {
        const struct series_point *point = &series->points[i];
        bool same = true;
        for (next = i + 1; next < series->point_count && series->points[next].time_s == point->time_s; next++)
            same = same && series->points[next].value == point->value;
        increase->reported += is_within(point, rules);
        increase->twice += !same;
        if (!same || !isfinite(point->value) || point->value < 0)
            continue;
        increase->points += is_within(point, rules);
        points[stored++] = *point;
    }
    *count = stored;
    return points;
}

/* The last sample up to the end of the time asked for. */
static size_t last_of(const struct increase_steps *steps)
{
    size_t last = steps->count - 1;

    while (last > 0 && steps->points[last].time_s > steps->rules->to_s)
        last--;
    return last;
}

static double irate_of(const struct increase_steps *steps, size_t last)
{
    const double after = joules_at(steps, last), before = joules_at(steps, last - 1);

    return (after < before ? after : after - before) / seconds_to(steps, last);
}

typedef void add_function(const struct increase_steps *steps, struct increase *increase);

static void find_times(const struct increase_steps *steps, struct increase *increase)
{
    const struct increase_rules *rules = steps->rules;
    const double length_s = rules->to_s - rules->from_s;

    increase->first_s = fmax(steps->points[0].time_s, rules->from_s);
    increase->last_s = fmin(steps->points[steps->count - 1].time_s, rules->to_s);
    increase->covered = length_s > 0 ? fmin((isnan(increase->joules) ? 0 : increase->covered) / length_s, 1) : NAN;
}

static bool of_series(const struct metric_series *series, const struct increase_rules *rules, add_function *add,
                      struct increase *increase, struct error *err)
{
    AUTO_FREE struct series_point *points = NULL;
    struct increase_steps steps = { .rules = rules };
    size_t last;

    *increase = (struct increase){ .joules = NAN,
                                   .low_j = NAN,
                                   .high_j = NAN,
                                   .first_s = NAN,
                                   .last_s = NAN,
                                   .covered = NAN,
                                   .irate_w = NAN,
                                   .last_j = NAN };
    points = numbers_of(series, rules, increase, &steps.count);
    if (!points)
        return error_set(err, ERROR_SYSTEM, "no memory for the samples");
    steps.points = points;
    if (steps.count == 0)
        return true;
    for (size_t i = 1; i < steps.count; i++)
        increase->reported += share_to(&steps, i) > 0;
    last = last_of(&steps);
    increase->last_j = joules_at(&steps, last);
    increase->single = steps.count == 1 && series->point_count == 1;
    if (steps.count > 1)
        add(&steps, increase);
    if (!rules->untimed)
        find_times(&steps, increase);
    if (last > 0)
        increase->irate_w = irate_of(&steps, last);
    return steps.count < 2 || count_gaps(&steps, &increase->gaps, err);
}

bool increase_of(const struct metric_series *series, const struct increase_rules *rules, struct increase *increase,
                 struct error *err)
{
    return of_series(series, rules, add_steps, increase, err);
}

bool increase_of_power(const struct metric_series *series, const struct increase_rules *rules,
                       struct increase *increase, struct error *err)
{
    const bool done = of_series(series, rules, add_trapezoids, increase, err);

    increase->irate_w = increase->points ? increase->last_j : NAN; /* a gauge says its rate itself */
    increase->last_j = NAN;
    return done;
}

static void add_known(double *sum, double more)
{
    *sum = isnan(*sum) ? more : isnan(more) ? *sum : *sum + more;
}

void increase_add(struct increase *increase, double length_s, const struct increase *more, double more_length_s)
{
    add_known(&increase->joules, more->joules);
    add_known(&increase->low_j, more->low_j);
    add_known(&increase->high_j, more->high_j);
    increase->first_s = fmin(increase->first_s, more->first_s);
    increase->last_s = fmax(increase->last_s, more->last_s);
    increase->covered = (increase->covered * length_s + more->covered * more_length_s) / (length_s + more_length_s);
    increase->irate_w = more->irate_w;
    increase->last_j = more->last_j;
    increase->doubtful_j += more->doubtful_j;
    increase->implausible_j += more->implausible_j;
    increase->points += more->points;
    increase->reported += more->reported;
    increase->resets += more->resets;
    increase->wraps += more->wraps;
    increase->gaps += more->gaps;
    increase->implausible += more->implausible;
}
