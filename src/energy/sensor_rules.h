/* SPDX-License-Identifier: MIT
 * What a sensor covers, by its chip and its label: no file says so. Used by hwmon_chip.h and iio.c. Begin with
 * sensor_rule_of(). */
#ifndef ENERGY_SENSOR_RULES_H
#define ENERGY_SENSOR_RULES_H

#include "energy/energy.h"

struct sensor_rule {
    const char *chip, *label; /* a trailing '*' matches anything; in the label '#' matches a number: the package */
    const char *unless;       /* where the chip has a sensor of this label the rule does not hold; NULL */
    enum component component;
    bool part;               /* see struct domain */
    const char *not_counted; /* why it must not be added up; NULL */
};

/* The rule for this sensor: there is one for each; *package from the label, or -1. has_label: whether the
 * chip has a sensor with that label. */
const struct sensor_rule *sensor_rule_of(const char *chip, const char *label,
                                         bool (*has_label)(const char *label, const void *context), const void *context,
                                         int *package);

/* The domain becomes what the rule says, with its name; inside: it is a rail all the same, for this reason, or NULL. */
void sensor_is(struct domain *domain, const struct sensor_rule *rule, const char *chip, const char *label,
               const char *inside);

#endif
