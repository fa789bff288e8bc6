/* SPDX-License-Identifier: MIT
 * The slices of a record's runs from its time series, as `carbon measure --samples` wrote it: read once, in constant
 * memory, however long it is. Used by cmd_restate.c. Begin with sample_slices(). */
#ifndef COMMANDS_RESTATE_SAMPLE_SLICES_H
#define COMMANDS_RESTATE_SAMPLE_SLICES_H

#include "result/stored/record_load.h"

struct sample_cut {
    uint64_t samples;    /* samples read */
    double interpolated; /* part of the counted energy that lies between two samples with an edge of a slice between
                          * them, where it is taken to come evenly */
};

/* Cuts each run that has ended, but for warm-ups, at multiples of step_ns in UTC. Fails where the series is malformed,
 * or is not that of this record: its energies must come to what the record's runs have, to the microjoule. */
bool sample_slices(const char *path, struct loaded_record *loaded, uint64_t step_ns, struct sample_cut *cut,
                   struct error *err) MUST_CHECK;

#endif
