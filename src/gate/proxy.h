/* SPDX-License-Identifier: MIT
 * What may decide in place of energy: instructions or CPU time of the job alone, which hardly scatter. Used in gate and
 * commands/compare. Begin with proxy_series(). */
#ifndef GATE_PROXY_H
#define GATE_PROXY_H

#include "measurement/measurement.h"

enum gate_proxy { PROXY_NONE, PROXY_INSTRUCTIONS, PROXY_CPU_TIME };

const char *proxy_name(enum gate_proxy proxy); /* "instructions", "cpu-time"; NULL: none */
enum gate_proxy proxy_of(const char *name);    /* NULL: none */

/* The counted runs that have ended, with the proxy's amounts (instructions, seconds) as own; NAN where a run does not
 * know it. Freed with series_free. False: no memory. */
bool proxy_series(const struct measurement *measurement, enum gate_proxy proxy, struct run_series *series) MUST_CHECK;

#endif
