/* SPDX-License-Identifier: MIT
 * How busy the machine was, and the energy that a curve of load gives for it. Pure arithmetic. Used by model.c. Begin
 * with load_energy_at(). */
#ifndef ENERGY_LOAD_ENERGY_H
#define ENERGY_LOAD_ENERGY_H

#include "base/cpu_ticks.h"
#include "power/power_curve.h"

#include <stdint.h>

/* Time shorter than this is settled later: its few ticks say too little of the load. */
#define LOAD_SETTLE_NS UINT64_C(100000000)

/* The energy so far of one domain; zeroes but for `curve`, `factor`, `since_ns` and `since`. */
struct load_energy {
    const struct power_curve *curve;
    double factor;     /* factor of the curve */
    uint64_t since_ns; /* what is not settled yet starts here */
    struct ticks since;
    double settled_uj;
    double load;          /* load of the last settled time */
    uint64_t reported_uj; /* never reported below this */
};

/* The energy up to now. Any two readings differ by ∫ curve(load) dt of the time between: time is
 * settled in pieces of at least LOAD_SETTLE_NS, each at its own mean load; the piece that is still
 * open is reported provisionally, and none of it is lost. Returns 0, or ENODATA if the time goes on
 * and the ticks do not (a recorded tree, a sandbox that makes /proc/stat up). */
int load_energy_at(struct load_energy *energy, uint64_t now_ns, struct ticks now, uint64_t *energy_uj);

#endif
