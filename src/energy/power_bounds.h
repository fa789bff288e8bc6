/* SPDX-License-Identifier: MIT
 * How much power each domain can draw at most, and how that is known: the one place. docs/METHOD.md has the table.
 * Pure. Used in commands/history, commands/slurm, energy, meter and series. Begin with bounds_can_be_power(). */
#ifndef ENERGY_POWER_BOUNDS_H
#define ENERGY_POWER_BOUNDS_H

#include "energy/energy.h"

/* No machine draws more, and so nothing within one does; sensors say so in error (0xffff W). */
#define BOUNDS_MACHINE_W 60000.0

/* No machine that runs jobs draws less. */
#define BOUNDS_MACHINE_MIN_W 1.0

/* Whether the power of a sensor is plausible: not below 0, no more than any machine draws, not the end of a scale of 16
 * bits with a sign (0x7fff W; 0xffff W is beyond any machine). */
bool bounds_can_be_power(double power_w);

/* The most that any domain of this class draws. */
double bounds_class_w(enum component component);

/* The maximum power of the domain, in watts; that of its class if no better one is known (a domain that no meter has
 * opened), and so never 0. */
double bounds_max_w(const struct domain *domain);

/* Fills max_w and max_from from its limit_w, from the processor's TDP (0: not known) or from its class. all: the
 * domain is all of its component in this machine, of several packages or cards. Nothing of a model, which computes its
 * power. */
void bounds_set(struct domain *domain, int packages, bool all, double tdp_w);

/* Whether bounds_set would look at the TDP. */
bool bounds_want_tdp(const struct domain *domain);

#endif
