/* SPDX-License-Identifier: MIT
 * What makes a number doubtful: notices. Used in app, commands/calibrate, commands/probe and result. Begin with
 * baseline_busy_text(). */
#ifndef MEASUREMENT_NOISE_H
#define MEASUREMENT_NOISE_H

#include "measurement/measurement.h"

/* How many CPUs others kept busy in the baselines: "0.98 of 2 CPUs busy", and of the job's where these are fewer. One
 * of both is known. */
enum { BUSY_TEXT_SIZE = 128 };
void baseline_busy_text(const struct measurement *measurement, char text[BUSY_TEXT_SIZE]);

/* What is doubtful whatever the commands of a series are: its counters, its baselines, how its runs ended. */
void series_notices(const struct measurement *measurement, struct notices *notices);

void noise_notices(const struct measurement *measurement, const struct summary *summary, struct notices *notices);

#endif
