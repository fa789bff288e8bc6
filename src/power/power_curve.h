/* SPDX-License-Identifier: MIT
 * Power as a function of load. Used in commands/serve, energy, meter and power. Begin with curve_w(). */
#ifndef POWER_POWER_CURVE_H
#define POWER_POWER_CURVE_H

#include <stddef.h>

enum { CURVE_POINTS = 11, CURVE_MAX_KNOTS = 14 };

struct curve_knot {
    double load, w;
};

/* at_w[i] is at a load of i × 10 %, NAN where the source has none: the straight line between its
 * neighbours holds. Where a is a number, W = a ln(b (load in % + c)) + d holds instead; where there are knots, the
 * straight line between them, from a load of 0 to one of 1. */
struct power_curve {
    double at_w[CURVE_POINTS];
    double a, b, c, d; /* NAN: points alone */
    struct curve_knot knots[CURVE_MAX_KNOTS];
    size_t knot_count;
};

/* load 0..1 (held there). A curve without any figure gives NAN. */
double curve_w(const struct power_curve *curve, double load);

/* A straight line from idle to full load. */
struct power_curve curve_straight(double idle_w, double full_w);

struct power_curve curve_scaled(struct power_curve curve, double factor);

/* How many of the points are known. */
int curve_points(const struct power_curve *curve);

#endif
