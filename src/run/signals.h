/* SPDX-License-Identifier: MIT
 * Signals that came while a job runs. */
#ifndef RUN_SIGNALS_H
#define RUN_SIGNALS_H

#include "run/job.h"

/* Reads all that have come and passes on to the job (0: nobody) those that it must have.
 * True: one of the signals of `interrupted` was among them. */
bool signals_take(struct job_signals *signals, pid_t job);

#endif
