/* SPDX-License-Identifier: MIT
 * Baselines and runs, in order, around one command or several. Used by app/container_job.h, app/session.h and
 * result/samples.h. Begin with workload_run(). */
#ifndef MEASUREMENT_WORKLOAD_H
#define MEASUREMENT_WORKLOAD_H

#include "measurement/workload_plan.h"

/* Does the work and fills the measurement (freed with measurement_close) and ends, one for each command. False:
 * carbon failed, or (except with FAILURE_DROPS) a command could not be run; the measurement until then is in the
 * measurement. */
bool workload_run(struct meter *meter, const struct counting *counting, const struct workload_options *options,
                  const struct workload_watch *watch, struct measurement *measurement, struct command_end *ends,
                  struct error *err) MUST_CHECK;

#endif
