/* SPDX-License-Identifier: MIT
 * What ipmitool and ipmi-dcmi (freeipmi) print of a BMC's power reading. Pure. Used by ipmi.c. Begin with
 * dcmi_text_power(). */
#ifndef ENERGY_DCMI_TEXT_H
#define ENERGY_DCMI_TEXT_H

#include <stdbool.h>
#include <stdint.h>

struct dcmi_power {
    uint64_t power_w;
    bool inactive;      /* the BMC says that it does not measure; some say so and measure all the same */
    uint64_t period_ns; /* period of its statistics; 0: unknown */
};

/* Returns 0 or an errno: ENODATA no power in the text; EBADMSG not a number of watts; ERANGE 0 W, more than any
 * machine draws, or the end of a scale. */
int dcmi_text_power(const char *text, struct dcmi_power *power);

#endif
