/* SPDX-License-Identifier: MIT
 * An energy counter and a sensor of the same power, of one card, chip or node: faults of the counter, and
 * what was used when the sensor is believed instead. Pure but for *domain. Used throughout energy. Begin with
 * own_sensor_of(). */
#ifndef ENERGY_OWN_SENSOR_H
#define ENERGY_OWN_SENSOR_H

#include "energy/gauge.h"

enum counter_fault {
    COUNTER_SOUND,
    COUNTER_FROZEN,     /* it is stuck while the sensor reports power */
    COUNTER_IMPOSSIBLE, /* it gained more than can be drawn */
    COUNTER_DIFFERENT,  /* it gains less than a third of the sensor's energy in each span, or more than three times */
};

struct own_sensor {
    struct gauge gauge;
    uint64_t refresh_ns; /* refresh of the slower of the two */
    double slack_j;      /* allowed lag of the counter behind its sensor */
    bool left;           /* the counter is not used any more: the gauge's sum is reported */
    bool begun;
    uint64_t counter_uj;       /* at the last reading */
    double gauge_uj;           /* the sensor's energy by then */
    uint64_t moved_ns;         /* time of the counter's last change */
    double moved_gauge_uj;     /* the sensor's energy by then */
    uint64_t span_ns, span_uj; /* when the span that is looked at began, and the counter's value then */
    double min_w, max_w;       /* the sensor in that span */
    unsigned differing;        /* spans in a row */
};

/* Of the domain's counter, whose resolution is known. */
struct own_sensor own_sensor_of(struct domain *domain, uint64_t refresh_ns);

/* One reading of both at one moment; max_w: maximum power. With a fault *reported_uj is the energy by the
 * sensor, from where the counter could last be believed; else it is the counter's. */
enum counter_fault own_sensor_take(struct own_sensor *own, uint64_t now_ns, uint64_t counter_uj, double power_w,
                                   double max_w, uint64_t *reported_uj) MUST_CHECK;

/* *reading is the counter's (unused with own->left), number (an errno) and power_uw the sensor's; *reading is the
 * domain's reading afterwards. With the first fault the domain becomes one of power x time, with a warning. */
void own_sensor_hold(struct own_sensor *own, struct domain *domain, uint64_t now_ns, int number, double power_uw,
                     struct reading *reading);

#endif
