/* SPDX-License-Identifier: MIT
 * Two counters that tell the same joules.
 *
 * In a window a and b tell the energies A and B; D = A - B, E = min(A, B).
 *
 * What is one counter differs by the moments of reading alone. Each end of a window is off by the time between the two
 * readings and by one refresh, at twice the highest mean power P that either had in any window, and by both units:
 *
 *     |D| <= S = 2 x (2 P x (span of a sample + refresh) + unit of a + unit of b)
 *
 * One window beyond that, and they are two.
 *
 * Within it, it is asked how likely two counters come so near each other. Two meters under the same load differ by
 * their calibration alone, by some per cent: that they agree within d joules of E by chance has the probability d /
 * (0.02 E) at most, and d is at least the sum of both units, u. E is without the first 3 W, which memory at rest may
 * draw to the last digit in both. The chance that they are two is the smaller of
 *
 *     the product, over the windows in which |D| <= u, of u / (0.02 E)    (one register, read twice within a refresh)
 *     d / (0.02 sum of E), d the largest |D| and the largest |sum of D|   (which of one counter stays where it is)
 *
 * times |D| / (0.02 E) of what both stood at when they were first read, where they have counted since the machine was
 * started and stood within S of each other. Below 1 in 10,000, after 10 J, they are one.
 *
 * A sensor of power tells few digits, and two may rest at the same: of those a window says that they agree within half
 * a per cent, once for each power that no window before had within a per cent. */
#include "meter/mirrors.h"

#include "base/units.h"

#include <math.h>

#define APART 0.02   /* two meters under one load */
#define CHANCE 1e-4  /* of two that agree so well: they are one */
#define MIN_J 10.0   /* below, nothing is said */
#define REST_W 3.0   /* may be drawn without a change */
#define DIGITS 0.005 /* rounding of a power sensor */
#define SAME_POWER 0.01
#define USUAL_REFRESH_S 0.001 /* of a counter that does not say; none is faster */

struct mirrors_pair {
    const struct meter *meter;
    const struct window_list *steps;
    size_t a, b;
    double unit_j;    /* resolution of both together */
    double refresh_s; /* refresh of the slower */
    double top_w;     /* the highest mean power of either in a window */
    bool sensors;     /* power sensors, not counters */
};

static const struct meter_domain *state_of(const struct mirrors_pair *pair, size_t domain)
{
    return &pair->meter->domains[domain];
}

static bool both_know(const struct mirrors_pair *pair, const struct window *step)
{
    return step_knows(step, pair->a) && step_knows(step, pair->b);
}

static struct mirrors_pair pair_of(const struct meter *meter, const struct window_list *steps, size_t a, size_t b)
{
    const struct domain *x = meter->domains[a].domain, *y = meter->domains[b].domain;
    struct mirrors_pair pair = { .meter = meter, .steps = steps, .a = a, .b = b };

    pair.unit_j = j_from_uj(x->resolution_uj) + j_from_uj(y->resolution_uj);
    pair.refresh_s = fmax(s_from_ns(x->update_ns > y->update_ns ? x->update_ns : y->update_ns), USUAL_REFRESH_S);
    pair.sensors = x->poll_ns || y->poll_ns;
    for (size_t i = 0; i < steps->count; i++) {
        const struct window *step = steps->at(steps->of, i);
        if (both_know(&pair, step))
            pair.top_w = fmax(pair.top_w, fmax(window_w(step, a), window_w(step, b)));
    }
    return pair;
}

static double skew_j(const struct mirrors_pair *pair, double span_s)
{
    return 2 * (2 * pair->top_w * (span_s + pair->refresh_s) + pair->unit_j);
}

/* How likely two agree so nearly. */
static double chance_of(double apart_j, double energy_j)
{
    return energy_j > 0 ? fmin(1, apart_j / (APART * energy_j)) : 1;
}

/* The values of both when the meter was opened. */
static double chance_of_start(const struct mirrors_pair *pair, double span_s)
{
    double start_j[2];

    for (int which = 0; which < 2; which++) {
        const struct meter_domain *state = state_of(pair, which ? pair->b : pair->a);
        if (state->domain->access == ACCESS_PERF || state->domain->poll_ns || state->wraps || state->resets ||
            state->lost || state->last_raw_uj < state->total_uj)
            return 1;
        start_j[which] = j_from_uj(state->last_raw_uj - state->total_uj);
    }
    if (fabs(start_j[0] - start_j[1]) > skew_j(pair, span_s))
        return 1;
    return chance_of(fmax(fabs(start_j[0] - start_j[1]), pair->unit_j), fmin(start_j[0], start_j[1]));
}

/* No window before had this power. */
static bool is_new_power(const struct mirrors_pair *pair, size_t step)
{
    const double power_w = window_w(pair->steps->at(pair->steps->of, step), pair->a);

    for (size_t i = 0; i < step; i++) {
        const struct window *before = pair->steps->at(pair->steps->of, i);
        if (both_know(pair, before) && fabs(window_w(before, pair->a) / power_w - 1) < SAME_POWER)
            return false;
    }
    return power_w > 0;
}

bool mirrors_each_other(const struct meter *meter, const struct window_list *steps, size_t a, size_t b)
{
    const struct mirrors_pair pair = pair_of(meter, steps, a, b);
    double exact = 1, start, all_j = 0, energy_j = 0, sum_j = 0, apart_j = pair.unit_j, span_s = 0;

    for (size_t i = 0; i < steps->count; i++) {
        const struct window *step = steps->at(steps->of, i);
        double a_j, b_j, off_j, min_j;
        if (!both_know(&pair, step))
            continue;
        a_j = j_from_uj(step->energy_uj[a]);
        b_j = j_from_uj(step->energy_uj[b]);
        off_j = fabs(a_j - b_j);
        span_s = fmax(span_s, s_from_ns(step->span_ns));
        if (off_j > skew_j(&pair, s_from_ns(step->span_ns)))
            return false;
        all_j += fmin(a_j, b_j);
        min_j = fmin(a_j, b_j) - REST_W * s_from_ns(step->duration_ns);
        sum_j += a_j - b_j;
        apart_j = fmax(apart_j, fmax(off_j, fabs(sum_j)));
        energy_j += fmax(0, min_j);
        if (pair.sensors && off_j <= DIGITS * fmin(a_j, b_j) && is_new_power(&pair, i))
            exact *= DIGITS / APART;
        else if (!pair.sensors && off_j <= pair.unit_j)
            exact *= chance_of(pair.unit_j, min_j);
    }
    start = chance_of_start(&pair, span_s);
    if (!pair.sensors)
        exact = fmin(exact, chance_of(apart_j, energy_j));
    return all_j > MIN_J && exact * start < CHANCE;
}
