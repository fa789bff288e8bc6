/* SPDX-License-Identifier: MIT
 * A card's energy counter beside the card's own sensor of power: what speaks against the counter, and what the card has
 * used when the sensor is believed instead. Pure. */
#ifndef ENERGY_OWN_SENSOR_H
#define ENERGY_OWN_SENSOR_H

#include "energy/gauge.h"

enum counter_fault {
    COUNTER_SOUND,
    COUNTER_FROZEN,     /* it stands still while the sensor tells power */
    COUNTER_IMPOSSIBLE, /* it gained more than the card can draw */
    COUNTER_DIFFERENT,  /* second for second it gains less than a third of what the sensor tells, or more than three
                           times */
};

/* The caller begins with OWN_SENSOR_NONE. */
struct own_sensor {
    struct gauge gauge;
    bool begun;
    uint64_t counter_uj;       /* at the last reading */
    double gauge_uj;           /* what the sensor had told by then */
    uint64_t moved_ns;         /* since when the counter has stood there */
    double moved_gauge_uj;     /* what the sensor had told by then */
    uint64_t span_ns, span_uj; /* when the span that is looked at began, and the counter's value then */
    double least_w, most_w;    /* the sensor in that span */
    unsigned differing;        /* spans in a row */
};

#define OWN_SENSOR_NONE ((struct own_sensor){ .gauge = GAUGE_NONE })

/* One reading of both at one moment; most_w: what the card can draw at most. With a fault *told_uj is the card's energy
 * by the sensor, from where the counter could last be believed; else it is the counter's. */
enum counter_fault own_sensor_take(struct own_sensor *own, uint64_t now_ns, uint64_t counter_uj, double power_w,
                                   double most_w, uint64_t *told_uj) MUST_CHECK;

/* One of them did not answer: they are held against each other from the next reading on. */
void own_sensor_missed(struct own_sensor *own);

#endif
