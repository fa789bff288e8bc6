/* SPDX-License-Identifier: MIT
 * Reading a curve between its points. */
#include "power/power_curve.h"

#include <math.h>

static double log_w(const struct power_curve *curve, double percent)
{
    return curve->a * log(curve->b * (percent + curve->c)) + curve->d;
}

static double between_knots_w(const struct power_curve *curve, double load)
{
    const struct curve_knot *low = curve->knots, *last = &curve->knots[curve->knot_count - 1];

    while (low < last && low[1].load <= load)
        low++;
    return low == last ? last->w : low->w + (low[1].w - low->w) * (load - low->load) / (low[1].load - low->load);
}

double curve_w(const struct power_curve *curve, double load)
{
    const double at = fmin(fmax(load, 0), 1) * (CURVE_POINTS - 1);
    int below = (int)at, above = (int)ceil(at);

    if (curve->knot_count)
        return between_knots_w(curve, at / (CURVE_POINTS - 1));
    if (!isnan(curve->a))
        return log_w(curve, at * 10);
    while (below > 0 && isnan(curve->at_w[below]))
        below--;
    while (above < CURVE_POINTS - 1 && isnan(curve->at_w[above]))
        above++;
    const double low_w = curve->at_w[below], high_w = curve->at_w[above];
    if (isnan(low_w) || isnan(high_w) || below == above)
        return isnan(low_w) ? high_w : low_w;
    return low_w + (high_w - low_w) * (at - below) / (above - below);
}

struct power_curve curve_straight(double idle_w, double full_w)
{
    struct power_curve line = { .a = NAN };

    for (int i = 0; i < CURVE_POINTS; i++)
        line.at_w[i] = idle_w + (full_w - idle_w) * i / (CURVE_POINTS - 1);
    return line;
}

struct power_curve curve_scaled(struct power_curve curve, double factor)
{
    for (int i = 0; i < CURVE_POINTS; i++)
        curve.at_w[i] *= factor;
    for (size_t i = 0; i < curve.knot_count; i++)
        curve.knots[i].w *= factor;
    curve.a *= factor;
    curve.d *= factor;
    return curve;
}

int curve_points(const struct power_curve *curve)
{
    int count = 0;

    for (int i = 0; i < CURVE_POINTS; i++)
        count += !isnan(curve->at_w[i]);
    return count;
}
