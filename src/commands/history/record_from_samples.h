/* SPDX-License-Identifier: MIT
 * A result from the time series of a measurement that was killed before it wrote any other file. Used by cmd_recover.c.
 * Begin with record_from_samples(). */
#ifndef COMMANDS_HISTORY_RECORD_FROM_SAMPLES_H
#define COMMANDS_HISTORY_RECORD_FROM_SAMPLES_H

#include "result/stored/record_load.h"

/* The content of the series: baselines and runs with their energies by domain, times, and an ID that is the same for
 * the same series. Facts that it lacks are taken from this machine: the machine, and the scope of the domains in its
 * columns; a notice names each. An incomplete last line is ignored. Emissions are the caller's task, then
 * report_finish. Call loaded_record_close in any case. */
bool record_from_samples(const char *path, const struct machine *machine, enum scope scope,
                         struct loaded_record *recovered, struct error *err) MUST_CHECK;

#endif
