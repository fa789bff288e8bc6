/* SPDX-License-Identifier: MIT
 * The slices of a record's runs from its time series, as `carbon measure --samples` wrote it: read once, in constant
 * memory, however long it is. Used by cmd_restate.c. Begin with sample_slices(). */
#ifndef COMMANDS_RESTATE_SAMPLE_SLICES_H
#define COMMANDS_RESTATE_SAMPLE_SLICES_H

#include "result/stored/record_load.h"

struct sample_cut {
    uint64_t samples;    /* samples read */
    double interpolated; /* share of the counted energy between two samples around an edge of a slice, where constant
                          * power is assumed */
};

/* Cuts each completed run, except warm-ups, at multiples of step_ns in UTC. Fails if the series is malformed, or
 * belongs to another record: its energies must equal those of the record's runs, to the microjoule. */
bool sample_slices(const char *path, struct loaded_record *loaded, uint64_t step_ns, struct sample_cut *cut,
                   struct error *err) MUST_CHECK;

#endif
