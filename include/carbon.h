/* SPDX-License-Identifier: MIT
 * libcarbon: measure the energy and carbon of a piece of a program.
 *
 *     carbon_meter *meter = carbon_open(NULL, &error);
 *     carbon_mark start = carbon_now(meter);
 *     work();
 *     carbon_energy used = carbon_since(meter, start);
 *     carbon_close(meter);
 *
 * Marks are values, so that measured pieces nest and overlap freely. The library prints nothing,
 * ends nothing, handles no signal and starts no thread. A meter is for one thread at a time. A piece
 * longer than half a minute must call carbon_now now and then (at least every 10 s keeps it safe on
 * any machine): energy counters wrap. */
#ifndef CARBON_H
#define CARBON_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carbon_meter carbon_meter;

typedef struct {
    const char *zone;     /* "FR", "US-CA"; NULL: the world's average */
    double pue;           /* facility energy / IT energy, >= 1; 0: 1.0 */
    int require_measured; /* not 0: fail where only a model could answer */
    const char *root;     /* directory under which /sys and /proc are read; NULL: "/" */
} carbon_options;

/* What failed, why, and how to mend it. */
typedef struct {
    char what[256], why[256], fix[320];
} carbon_error;

/* How a figure came about. */
typedef enum {
    CARBON_UNKNOWN = 0,  /* no figure: the doubles are NAN */
    CARBON_MEASURED = 1, /* by counters of this machine */
    CARBON_VIRTUAL = 2,  /* by counters that a hypervisor shows */
    CARBON_MODELLED = 4  /* from CPU time and published power data */
} carbon_quality;

/* A moment: when it was (CLOCK_MONOTONIC), and what the machine had used by then. */
typedef struct {
    uint64_t time_ns;
    uint64_t energy_uj; /* packages and memory, since carbon_open */
} carbon_mark;

typedef struct {
    double seconds;
    double joules;  /* gross: of the whole machine, idle included */
    double kwh;     /* joules / 3.6e6, without PUE */
    double kgco2eq; /* kwh × PUE × factor */
    carbon_quality quality;
} carbon_energy;

/* options may be NULL. NULL is returned, and error (may be NULL) filled, when nothing can be measured
 * here, or the zone is not known. */
carbon_meter *carbon_open(const carbon_options *options, carbon_error *error);

carbon_mark carbon_now(carbon_meter *meter);

/* What was used since that mark; takes a new reading. */
carbon_energy carbon_since(carbon_meter *meter, carbon_mark start);

/* kgCO2eq per kWh of the zone in use. */
double carbon_factor(const carbon_meter *meter);

void carbon_close(carbon_meter *meter); /* NULL is fine */

#ifdef __cplusplus
}
#endif

#endif
