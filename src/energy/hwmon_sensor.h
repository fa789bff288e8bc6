/* SPDX-License-Identifier: MIT
 * One sensor of a chip in the hwmon class: its coverage and its open files. Used by hwmon.c. Begin with
 * hwmon_sensor_open(). */
#ifndef ENERGY_HWMON_SENSOR_H
#define ENERGY_HWMON_SENSOR_H

#include "energy/gauge.h"
#include "energy/hwmon_chip.h"
#include "energy/own_sensor.h"

struct hwmon_sensor {
    struct domain domain; /* first: sorted as a domain */
    int counter_fd;       /* of an energy counter, µJ; -1: it is a gauge, or cannot be read */
    struct gauge gauge;   /* of a counter: the sensor of the same power, if there is one */
    struct own_sensor own;
};

#define HWMON_SENSOR_NONE ((struct hwmon_sensor){ .counter_fd = -1, .gauge = GAUGE_NONE })

/* Why such a sensor does not count. */
#define HWMON_SECOND_DIE "the second die of a card; the first one reports the power of both"

/* What a scan carries around. */
struct hwmon_scan {
    struct notices *notices;
    const struct root *root;
    const struct machine *machine;
};

/* Never fails: an unreadable sensor has a problem in its domain. */
struct hwmon_sensor hwmon_sensor_open(const struct hwmon_scan *scan, const struct chip *chip,
                                      const struct found *found);

#endif
