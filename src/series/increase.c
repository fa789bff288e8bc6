/* SPDX-License-Identifier: MIT
 * From the samples of a counter to joules: steps forward are added up, a step back is a wrap or a reset. */
#include "series/increase.h"

#include "base/auto.h"

#include <math.h>
#include <stdlib.h>

/* Powers of neighbouring steps agree within this factor. */
#define AGREE 3.0

/* An interval is a gap when it is longer than so many usual ones. */
#define GAP 2.5

enum { INTERVALS_FOR_GAPS = 3 };

/* 2^32 units of 2^-14 J, of 2^-16 J, of 15.3 uJ (memory of servers), and of 2^-14 J as older kernels tell it. */
static const double usual_ranges_j[] = { 262143.328850, 65532.610987, 65712.999613, 262143.999938 };
enum { USUAL_COUNT = sizeof usual_ranges_j / sizeof usual_ranges_j[0] };

/* The samples that count. */
struct steps {
    const struct series_point *points;
    size_t count;
    const struct increase_rules *rules;
};

static double joules_at(const struct steps *steps, size_t i)
{
    return steps->points[i].value * steps->rules->j_per_unit;
}

/* From i - 1 to i; NAN where it is not known. */
static double seconds_to(const struct steps *steps, size_t i)
{
    const double seconds = steps->points[i].time_s - steps->points[i - 1].time_s;

    return steps->rules->untimed || !(seconds > 0) ? NAN : seconds;
}

/* The power of a step forward; NAN for one that leads back or is not there. */
static double power_to(const struct steps *steps, size_t i)
{
    const double joules = i > 0 && i < steps->count ? joules_at(steps, i) - joules_at(steps, i - 1) : NAN;

    return joules >= 0 ? joules / seconds_to(steps, i) : NAN;
}

/* How far a step is from what its neighbours draw, as a factor; INFINITY where they do not agree. */
static double distance(const struct steps *steps, size_t i, double joules)
{
    const double before = power_to(steps, i - 1), after = power_to(steps, i + 1), power = joules / seconds_to(steps, i);
    const double most = fmax(before, after), least = fmin(before, after); /* of one that is NAN it is the other */

    if (!(joules >= 0) || !(most > 0) || !(power <= AGREE * most) || !(power * AGREE >= least))
        return INFINITY;
    return fabs(log((power > 0 ? power : most / AGREE) / ((most + least) / 2)));
}

/* What it counted over a wrap; NAN: it is none. A sum of zones wraps at the sum of their ranges. */
static double wrapped_joules(const struct steps *steps, size_t i)
{
    const double given = steps->rules->range_j, before = joules_at(steps, i - 1), after = joules_at(steps, i);
    const double *ranges = given > 0 ? &given : usual_ranges_j;
    const size_t count = given > 0 ? 1 : USUAL_COUNT, zones = steps->rules->zones_most ? steps->rules->zones_most : 1;
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
static double most_power(const struct steps *steps)
{
    double most = NAN;

    for (size_t i = 1; i < steps->count; i++)
        most = fmax(most, power_to(steps, i));
    return most;
}

static void step_back(const struct steps *steps, size_t i, double most_w, struct increase *increase)
{
    const double wrapped = wrapped_joules(steps, i), after = joules_at(steps, i), seconds = seconds_to(steps, i);

    if (isfinite(wrapped)) {
        increase->wraps++;
        increase->joules += wrapped;
        return;
    }
    increase->resets++;
    if (after >= 0 && after / seconds <= AGREE * most_w) {
        increase->joules += after;
        increase->doubtful_j += fmax(most_w * seconds - after, 0);
    } else {
        increase->doubtful_j += fmax(after, 0);
    }
}

static void add_steps(const struct steps *steps, struct increase *increase)
{
    const double most_w = most_power(steps);

    increase->joules = 0;
    for (size_t i = 1; i < steps->count; i++) {
        const double joules = joules_at(steps, i) - joules_at(steps, i - 1);
        if (joules >= 0)
            increase->joules += joules;
        else
            step_back(steps, i, most_w, increase);
    }
}

static void add_trapezoids(const struct steps *steps, struct increase *increase)
{
    increase->joules = steps->rules->untimed ? NAN : 0;
    for (size_t i = 1; i < steps->count; i++)
        increase->joules += (joules_at(steps, i - 1) + joules_at(steps, i)) / 2 *
                            (steps->points[i].time_s - steps->points[i - 1].time_s);
}

static int by_length(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;

    return left < right ? -1 : left > right;
}

/* Of two samples or more. */
static bool count_gaps(const struct steps *steps, unsigned *gaps, struct error *err)
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
    for (size_t i = count; i-- > 0 && sorted[i] > GAP * sorted[count / 2];)
        ++*gaps;
    return true;
}

/* Those within the window that are numbers; NaN is also what Prometheus says where a target was gone. */
static struct series_point *numbers_of(const struct series *series, const struct increase_rules *rules, size_t *count)
{
    struct series_point *points = malloc((series->point_count + 1) * sizeof *points);

    *count = 0;
    for (size_t i = 0; i < series->point_count && points; i++) {
        const struct series_point *point = &series->points[i];
        if (isfinite(point->value) && !(point->time_s < rules->from_s) && !(point->time_s > rules->to_s))
            points[(*count)++] = *point;
    }
    return points;
}

static double irate_of(const struct steps *steps)
{
    const size_t last = steps->count - 1;
    const double after = joules_at(steps, last), before = joules_at(steps, last - 1);

    return (after < before ? after : after - before) / seconds_to(steps, last);
}

typedef void add_function(const struct steps *steps, struct increase *increase);

static bool of_series(const struct series *series, const struct increase_rules *rules, add_function *add,
                      struct increase *increase, struct error *err)
{
    AUTO_FREE struct series_point *points = NULL;
    struct steps steps = { .rules = rules };

    *increase = (struct increase){ NAN, NAN, NAN, NAN, NAN, NAN, 0, 0, 0, 0, 0 };
    points = numbers_of(series, rules, &steps.count);
    if (!points)
        return error_set(err, ERROR_SYSTEM, "no memory for the samples");
    steps.points = points;
    increase->points = steps.count;
    if (steps.count == 0)
        return true;
    increase->last_j = joules_at(&steps, steps.count - 1);
    if (!rules->untimed) {
        increase->first_s = points[0].time_s;
        increase->last_s = points[steps.count - 1].time_s;
        if (rules->to_s > rules->from_s)
            increase->covered = (increase->last_s - increase->first_s) / (rules->to_s - rules->from_s);
    }
    if (steps.count < 2)
        return true;
    add(&steps, increase);
    increase->irate_w = irate_of(&steps);
    return count_gaps(&steps, &increase->gaps, err);
}

bool increase_of(const struct series *series, const struct increase_rules *rules, struct increase *increase,
                 struct error *err)
{
    return of_series(series, rules, add_steps, increase, err);
}

bool increase_of_power(const struct series *series, const struct increase_rules *rules, struct increase *increase,
                       struct error *err)
{
    const bool done = of_series(series, rules, add_trapezoids, increase, err);

    increase->irate_w = increase->points ? increase->last_j : NAN; /* a gauge says its rate itself */
    increase->last_j = NAN;
    return done;
}
