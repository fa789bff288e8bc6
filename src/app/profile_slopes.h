/* SPDX-License-Identifier: MIT
 * The machine profile for metered domains: watts that each busy CPU adds to them, if others are busy
 * and the meter alone does not show whose the energy is. Used by session.h. Begin with profile_slopes_give(). */
#ifndef APP_PROFILE_SLOPES_H
#define APP_PROFILE_SLOPES_H

#include "measurement/measurement.h"
#include "power/machine_profile.h"

/* The curves that domains point to; they outlive the meter. */
struct profile_slopes {
    struct profile_power powers[PROFILE_PARTS];
};

/* Of all counted domains of a part each has an even part of it. */
void profile_slopes_give(struct profile_slopes *slopes, const struct machine_profile *profile,
                         const struct machine *machine, struct meter *meter, const struct counting *counting);

#endif
