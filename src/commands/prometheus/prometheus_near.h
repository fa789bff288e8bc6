/* SPDX-License-Identifier: MIT
 * Names that somebody who found nothing may have meant. Used by prometheus_energy.c and prometheus_resources.c. Begin
 * with prometheus_near(). */
#ifndef COMMANDS_PROMETHEUS_PROMETHEUS_NEAR_H
#define COMMANDS_PROMETHEUS_PROMETHEUS_NEAR_H

#include "base/error.h"
#include "series/metric_series.h"

/* Completes an error about a pod that has no series by similar names of those that have some, each with the labels of
 * these names. namespace and pod are what was asked for, or NULL. */
void prometheus_near(const struct series_set *pods, const char *namespace_label, const char *pod_label,
                     const char *namespace, const char *pod, struct error *err);

#endif
