/* SPDX-License-Identifier: MIT
 * Whether a battery that reports discharging does so: its charge falls, or if it reports none, its power changes. An
 * emulated one always reports the same. Pure. Used by battery.c. Begin with battery_lives(). */
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

/* One reading of a battery that discharges. charge: its energy, in any unit (0: unknown); full_uj: the most that it can
 * hold. False: by now it should have changed. */
bool battery_lives(struct battery_life *life, uint64_t now_ns, double power_uw, double charge, double full_uj);

/* It did not discharge, or was not read: later readings start again. */
void battery_life_missed(struct battery_life *life);

#endif
