/* SPDX-License-Identifier: MIT
 * A result from the time series alone, of a measurement that was killed before it could write any other. Used by
 * cmd_recover.c. Begin with record_from_samples(). */
#ifndef COMMANDS_HISTORY_RECORD_FROM_SAMPLES_H
#define COMMANDS_HISTORY_RECORD_FROM_SAMPLES_H

#include "result/stored/record_load.h"

/* What the series says: baselines and runs with their energies by domain, times, and an id that the same series gives
 * again. What it does not say is taken as it is here: the machine, the scope's choice among the names of its columns; a
 * notice tells each. The line that carbon was writing when it was killed is left out. Not asked about emissions: that
 * is the caller's, and report_finish after it. Given to loaded_record_close in the end, after a failure too. */
bool record_from_samples(const char *path, const struct machine *machine, enum scope scope,
                         struct loaded_record *recovered, struct error *err) MUST_CHECK;

#endif
