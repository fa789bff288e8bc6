/* SPDX-License-Identifier: MIT
 * --otlp of carbon measure: the result goes to a collector of OpenTelemetry, after it was written. Used by
 * cmd_measure.c. Begin with measure_push(). */
#ifndef COMMANDS_MEASURE_MEASURE_PUSH_H
#define COMMANDS_MEASURE_MEASURE_PUSH_H

#include "app/options/options.h"
#include "base/sysroot.h"
#include "otlp/otlp_push.h"
#include "result/report.h"

/* The metrics of a finished report, for otlp_document; freed by the caller. NULL: no memory. */
char *measure_push_metrics(const struct report *report, struct error *err) MUST_CHECK;

/* Does nothing where no collector is named. A failed push is a notice, and changes nothing else. */
void measure_push(const struct otlp_collector *collector, const struct report *report, const struct root *root,
                  const struct settings *settings);

#endif
