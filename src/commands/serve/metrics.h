/* SPDX-License-Identifier: MIT
 * The metrics of the exporter: their families, and their samples as of the last collection. Used by metrics_groups.c,
 * metrics_own.c and teller.c. Begin with metrics_write(). */
#ifndef COMMANDS_SERVE_METRICS_H
#define COMMANDS_SERVE_METRICS_H

#include "commands/serve/metric_text.h"
#include "groups/collector.h"

/* Everything, ended. False: no memory; metric_text_close in any case. */
bool metrics_write(const struct collector *collector, enum metric_format format, struct metric_text *metrics,
                   struct error *err) MUST_CHECK;

/* The groups, of each requested kind. */
void metrics_groups(const struct collector *collector, struct metric_text *metrics);

/* Metrics of carbon itself. */
void metrics_own(const struct collector *collector, struct metric_text *metrics);

/* The heads of all families, without samples, in the order in which they are written: for the manual and its test. */
bool metrics_list(struct metric_text *metrics, struct error *err) MUST_CHECK;
void metrics_list_groups(struct metric_text *metrics);
void metrics_list_own(struct metric_text *metrics);

#endif
