/* SPDX-License-Identifier: MIT
 * A chip of the hwmon class: its attributes of energy and power, and their names. Used by
 * hwmon_sensor.h. Begin with chip_list(). */
#ifndef ENERGY_HWMON_CHIP_H
#define ENERGY_HWMON_CHIP_H

#include "energy/sensor_rules.h"

/* How an attribute reports energy, best first: an average is blurred over its interval. */
enum chip_kind { KIND_ENERGY, KIND_POWER, KIND_AVERAGE, KIND_VOLTAGE };

struct found {
    enum chip_kind kind;
    unsigned number;
    char label[48];
    const struct sensor_rule *rule;
    int package; /* package of the label, or -1 */
};

/* two processors of 256 cores with an energy each */
enum { MAX_FOUND = 1024 };

struct chip {
    char name[48];
    char dir[96]; /* "sys/class/hwmon/hwmon2", or its device/ */
    struct found found[MAX_FOUND];
    size_t count;
};

/* Fills found from the files in dir, by kind and number. */
void chip_list(struct chip *chip, const struct root *root);

/* The file of an attribute, or with a suffix ("_label") one that belongs to it. */
void chip_path(const struct chip *chip, const struct found *found, const char *suffix, char path[192]);

bool chip_has_kind(const struct chip *chip, enum chip_kind kind, unsigned number);

/* The power attribute for an energy attribute: with the same label or, unless both have one, number. NULL: none. */
const struct found *chip_power_of_energy(const struct chip *chip, const struct found *energy);

#endif
