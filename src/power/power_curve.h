/* SPDX-License-Identifier: MIT
 * Power as a function of load. */
#ifndef POWER_POWER_CURVE_H
#define POWER_POWER_CURVE_H

enum { CURVE_POINTS = 11 };

/* at_w[i] is at a load of i × 10 %, NAN where the source has none: the straight line between its
 * neighbours holds. Where a is a number, W = a ln(b (load in % + c)) + d holds instead. */
struct power_curve {
    double at_w[CURVE_POINTS];
    double a, b, c, d; /* NAN: points alone */
};

/* load 0..1 (held there). A curve without any figure gives NAN. */
double curve_w(const struct power_curve *curve, double load);

/* A straight line from idle to full load. */
struct power_curve curve_straight(double idle_w, double full_w);

struct power_curve curve_scaled(struct power_curve curve, double factor);

/* How many of the points are known. */
int curve_points(const struct power_curve *curve);

#endif
