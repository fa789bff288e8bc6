/* SPDX-License-Identifier: MIT
 * Two unknowns: the idle power p and w, the minimum power of a busy CPU. For each step p + w busy <= power <= p +
 * `apart` w busy. For one w the possible p are a range; that, and the remainder for the job, are convex in w. */
#include "own/possible.h"

#include "base/auto.h"

#include <math.h>

#define GOLDEN 0.6180339887498949

/* Iterations until nothing of w is left. */
enum { HALVINGS = 50, SECTIONS = 70 };

/* At w the power of one step leaves this remainder: at_w - per_w w. */
struct possible_line {
    double at_w, per_w;
};

struct possible_lines {
    struct possible_line *items;
    size_t count;
};

struct possible {
    struct possible_lines max,
        min; /* of idle power; the least with the sign turned, so that each is the lowest of its lines */
    const struct possible_run *run;
    double apart;
};

typedef double function_of_w(const struct possible *possible, double w);

static int compare_lines(const void *a, const void *b)
{
    const struct possible_line *one = a, *other = b;

    if (one->at_w != other->at_w)
        return one->at_w < other->at_w ? -1 : 1;
    return (one->per_w < other->per_w) - (one->per_w > other->per_w);
}

/* Without those that another one is below for every w: few of many are left. */
static void keep_lowest(struct possible_lines *lines)
{
    size_t stored = 0;

    qsort(lines->items, lines->count, sizeof *lines->items, compare_lines);
    for (size_t i = 0; i < lines->count; i++)
        if (stored == 0 || lines->items[i].per_w > lines->items[stored - 1].per_w)
            lines->items[stored++] = lines->items[i];
    lines->count = stored;
}

static double lowest_w(const struct possible_lines *lines, double w)
{
    double low_w = INFINITY;

    for (size_t i = 0; i < lines->count; i++)
        low_w = fmin(low_w, lines->items[i].at_w - lines->items[i].per_w * w);
    return low_w;
}

static double max_idle_w(const struct possible *possible, double w)
{
    return lowest_w(&possible->max, w);
}

static double min_idle_w(const struct possible *possible, double w)
{
    return -lowest_w(&possible->min, w);
}

/* Idle power is not below 0. */
static void take_lines(struct possible *possible, const struct possible_step *steps, size_t count)
{
    possible->min.items[possible->min.count++] = (struct possible_line){ 0, 0 };
    for (size_t i = 0; i < count; i++) {
        const struct possible_step *step = &steps[i];
        possible->max.items[possible->max.count++] =
            (struct possible_line){ step->power_w + step->off_w, fmax(0, step->busy - step->off_busy) };
        possible->min.items[possible->min.count++] =
            (struct possible_line){ step->off_w - step->power_w, -possible->apart * (step->busy + step->off_busy) };
    }
    keep_lowest(&possible->max);
    keep_lowest(&possible->min);
}

/* Not below 0: some idle power goes with it. */
static double room_w(const struct possible *possible, double w)
{
    return max_idle_w(possible, w) - min_idle_w(possible, w);
}

static double max_j(const struct possible *possible, double w)
{
    const struct possible_run *run = possible->run;
    const double left_j = run->gross_j - min_idle_w(possible, w) * run->duration_s - w * run->others_s;

    return fmin(possible->apart * w * run->job_s, left_j);
}

/* The lower it is the more. */
static double less_j(const struct possible *possible, double w)
{
    const struct possible_run *run = possible->run;
    const double others_j = possible->apart * w * run->others_s;

    return -fmax(w * run->job_s, run->gross_j - max_idle_w(possible, w) * run->duration_s - others_j);
}

/* Where a concave function is highest: by golden sections. */
static double highest_at(const struct possible *possible, function_of_w *of, double from_w, double to_w)
{
    double low_w = to_w - GOLDEN * (to_w - from_w), high_w = from_w + GOLDEN * (to_w - from_w);
    double low = of(possible, low_w), high = of(possible, high_w);

    for (int i = 0; i < SECTIONS; i++)
        if (low < high) {
            from_w = low_w, low_w = high_w, low = high;
            high_w = from_w + GOLDEN * (to_w - from_w);
            high = of(possible, high_w);
        } else {
            to_w = high_w, high_w = low_w, high = low;
            low_w = to_w - GOLDEN * (to_w - from_w);
            low = of(possible, low_w);
        }
    return (from_w + to_w) / 2;
}

/* How far from where there is room towards where there is none. */
static double edge_of(const struct possible *possible, double inside_w, double outside_w)
{
    if (room_w(possible, outside_w) >= 0)
        return outside_w;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle_w = (inside_w + outside_w) / 2;
        if (room_w(possible, middle_w) >= 0)
            inside_w = middle_w;
        else
            outside_w = middle_w;
    }
    return inside_w;
}

struct possible_range possible_of(const struct possible_step *steps, size_t count, const struct possible_run *run,
                                  double apart)
{
    AUTO_FREE struct possible_line *room = calloc(2 * count + 1, sizeof *room);
    struct possible possible = { { room, 0 }, { room ? room + count : NULL, 0 }, run, apart };
    const double all_w = run->gross_j / (run->job_s + run->others_s);
    double inside_w, from_w, to_w;

    if (!room || !(run->gross_j >= 0) || !isfinite(all_w))
        return (struct possible_range){ NAN, NAN };
    take_lines(&possible, steps, count);
    inside_w = highest_at(&possible, room_w, 0, all_w);
    if (room_w(&possible, inside_w) < 0)
        return (struct possible_range){ NAN, NAN };
    from_w = edge_of(&possible, inside_w, 0);
    to_w = edge_of(&possible, inside_w, all_w);
    return (struct possible_range){
        -less_j(&possible, highest_at(&possible, less_j, from_w, to_w)),
        max_j(&possible, highest_at(&possible, max_j, from_w, to_w)),
    };
}
