/* SPDX-License-Identifier: MIT
 * Similar names for a request that found nothing. Used by prometheus_energy.c and prometheus_resources.c. Begin with
 * prometheus_near(). */
#ifndef COMMANDS_PROMETHEUS_PROMETHEUS_NEAR_H
#define COMMANDS_PROMETHEUS_PROMETHEUS_NEAR_H

#include "base/error.h"
#include "series/metric_series.h"

/* Adds similar names to an error about a pod without series; each has the labels of these names. namespace and pod are
 * as requested, or NULL. */
void prometheus_near(const struct series_set *pods, const char *namespace_label, const char *pod_label,
                     const char *namespace, const char *pod, struct error *err);

#endif
