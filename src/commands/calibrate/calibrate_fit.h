/* SPDX-License-Identifier: MIT
 * From the runs of the loads to the steps of a machine profile. Pure. Used by calibrate_measure.c. Begin with
 * calibrate_fit(). */
#ifndef COMMANDS_CALIBRATE_CALIBRATE_FIT_H
#define COMMANDS_CALIBRATE_CALIBRATE_FIT_H

#include "commands/calibrate/calibrate_plan.h"
#include "measurement/part_watts.h"

/* Fills steps: idle of the baselines, and for each load that ran idle + the mean net of its runs. False: no memory. */
bool calibrate_fit(const struct measurement *measurement, const struct breakdown_meter *split,
                   const struct calibrate_plan *plan, struct machine_profile *profile, struct error *err) MUST_CHECK;

#endif
