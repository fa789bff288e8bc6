/* SPDX-License-Identifier: MIT
 * Whether a battery that says that it discharges does: its charge falls, or where it tells none, its power changes. One
 * that was made up tells the same for ever. Pure. Used by battery.c. Begin with battery_lives(). */
#ifndef ENERGY_BATTERY_LIFE_H
#define ENERGY_BATTERY_LIFE_H

#include <stdbool.h>
#include <stdint.h>

/* Zeroed at first. */
struct battery_life {
    bool begun;
    double power_uw, charge;
    uint64_t last_ns;
    uint64_t since_ns; /* when the charge (or of one without, the power) was seen to change last */
    double drawn_uj;   /* energy by power since then */
};

/* One reading of a battery that discharges. charge: what it holds, in any unit (0: not told); full_uj: what it can
 * hold. False: by now it should have changed. */
bool battery_lives(struct battery_life *life, uint64_t now_ns, double power_uw, double charge, double full_uj);

/* It did not discharge, or was not read: what comes then is looked at anew. */
void battery_life_missed(struct battery_life *life);

#endif
