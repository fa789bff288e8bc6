/* SPDX-License-Identifier: MIT
 * Bars made of records. */
#ifndef COMMANDS_PLOT_PLOT_RECORDS_H
#define COMMANDS_PLOT_PLOT_RECORDS_H

#include "commands/plot/plot.h"

/* A bar for each record: its net energy, where all of them know it, else gross. What makes them unlike is noticed. */
bool plot_records(struct plot *plot, struct error *err) MUST_CHECK;

#endif
