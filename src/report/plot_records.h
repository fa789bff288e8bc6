/* SPDX-License-Identifier: MIT
 * Bars made of records. */
#ifndef REPORT_PLOT_RECORDS_H
#define REPORT_PLOT_RECORDS_H

#include "report/plot.h"

/* A bar for each record: its net energy, where all of them know it, else gross. What makes them unlike is noticed. */
bool plot_records(struct plot *plot, struct error *err) MUST_CHECK;

#endif
