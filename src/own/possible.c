/* SPDX-License-Identifier: MIT
 * Two unknowns: the idle power p and w, the least that a busy CPU draws. Of each step p + w busy <= power <= p + apart
 * w busy. For one w the possible p are a range; that, and what it leaves for the job, are convex in w. */
#include "own/possible.h"

#include <math.h>

#define GOLDEN 0.6180339887498949

/* So many leave nothing of w. */
enum { HALVINGS = 50, SECTIONS = 70 };

struct possible {
    const struct possible_step *steps;
    size_t count;
    const struct possible_run *run;
    double apart;
};

typedef double function_of_w(const struct possible *possible, double w);

static double most_idle_w(const struct possible *possible, double w)
{
    double most_w = INFINITY;

    for (size_t i = 0; i < possible->count; i++) {
        const struct possible_step *step = &possible->steps[i];
        most_w = fmin(most_w, step->power_w + step->off_w - w * fmax(0, step->busy - step->off_busy));
    }
    return most_w;
}

static double least_idle_w(const struct possible *possible, double w)
{
    double least_w = 0;

    for (size_t i = 0; i < possible->count; i++) {
        const struct possible_step *step = &possible->steps[i];
        least_w = fmax(least_w, step->power_w - step->off_w - possible->apart * w * (step->busy + step->off_busy));
    }
    return least_w;
}

/* Not below 0: some idle power goes with it. */
static double room_w(const struct possible *possible, double w)
{
    return most_idle_w(possible, w) - least_idle_w(possible, w);
}

static double most_j(const struct possible *possible, double w)
{
    const struct possible_run *run = possible->run;
    const double left_j = run->gross_j - least_idle_w(possible, w) * run->duration_s - w * run->others_s;

    return fmin(possible->apart * w * run->job_s, left_j);
}

/* The lower it is the more. */
static double less_j(const struct possible *possible, double w)
{
    const struct possible_run *run = possible->run;
    const double others_j = possible->apart * w * run->others_s;

    return -fmax(w * run->job_s, run->gross_j - most_idle_w(possible, w) * run->duration_s - others_j);
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
    const struct possible possible = { steps, count, run, apart };
    const double all_w = run->gross_j / (run->job_s + run->others_s);
    double inside_w, from_w, to_w;

    if (!(run->gross_j >= 0) || !isfinite(all_w))
        return (struct possible_range){ NAN, NAN };
    inside_w = highest_at(&possible, room_w, 0, all_w);
    if (room_w(&possible, inside_w) < 0)
        return (struct possible_range){ NAN, NAN };
    from_w = edge_of(&possible, inside_w, 0);
    to_w = edge_of(&possible, inside_w, all_w);
    return (struct possible_range){
        -less_j(&possible, highest_at(&possible, less_j, from_w, to_w)),
        most_j(&possible, highest_at(&possible, most_j, from_w, to_w)),
    };
}
