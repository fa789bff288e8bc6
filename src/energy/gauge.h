/* SPDX-License-Identifier: MIT
 * A power sensor as an increasing energy: power × time. Used throughout energy. Begin with gauge_read().
 */
#ifndef ENERGY_GAUGE_H
#define ENERGY_GAUGE_H

#include "energy/power_bounds.h"

/* Reading interval of a sensor of the present power whose update interval is unknown. */
#define GAUGE_POLL_NS UINT64_C(100000000)

/* A domain that only a sensor reports so far. */
struct domain sensor_domain(enum quality quality);

/* Its update interval, but at least once and at most ten times a second; a domain in no total,
 * once a second. */
uint64_t gauge_poll_ns(const struct domain *domain);

/* The descriptors are the caller's to close. */
struct gauge {
    int fd;             /* a power; with current_fd a voltage; -1: none */
    int current_fd;     /* power is their product; -1: fd has the power itself */
    int status_fd;      /* runtime_status of a device that must not be woken to be read; -1: none */
    double uw_per_unit; /* of the power, or of the product */
    bool magnitude;     /* the sign is the direction and is ignored */

    /* the caller leaves these zeroed */
    bool running, moved, asleep;
    uint64_t last_ns;
    double last_uw, energy_uj;
};

#define GAUGE_NONE ((struct gauge){ .fd = -1, .current_fd = -1, .status_fd = -1, .uw_per_unit = 1 })

/* The power now; 0 of a device that sleeps, which is not read. Returns 0 or an errno: EBADMSG not a number,
 * ERANGE negative or more than can be true. */
int gauge_power_uw(struct gauge *gauge, double *power_uw) MUST_CHECK;

/* The energy up to now: the mean of this power and the last, for the time between. Pure. */
void gauge_add(struct gauge *gauge, uint64_t now_ns, double power_uw, struct reading *reading);

/* gauge_add, or (number is an errno) a failed reading: the energy until the next good one is unknown
 * (reading->restarted). Pure. */
void gauge_take(struct gauge *gauge, uint64_t now_ns, int number, double power_uw, struct reading *reading);

/* gauge_power_uw, and gauge_take. */
void gauge_read(struct gauge *gauge, uint64_t now_ns, struct reading *reading);

void gauge_close(struct gauge *gauge);

#endif
