/* SPDX-License-Identifier: MIT
 * The maximum usage of pods, and their requests: a table, JSON ("carbon.resources/1") and CSV. Used throughout
 * commands/prometheus. Begin with resources_rounded_up(). */
#ifndef COMMANDS_PROMETHEUS_RESOURCES_H
#define COMMANDS_PROMETHEUS_RESOURCES_H

#include "base/notice.h"
#include "commands/prometheus/peaks.h"
#include "form/field.h"
#include "usage/sizing.h"

#include <stdint.h>
#include <stdio.h>

#define RESOURCES_SCHEMA "carbon.resources/1"
extern const struct schema resources_schema;

struct resources {
    uint64_t created_realtime_ns;
    const char *server; /* its URL */
    struct peaks_query query;
    struct peaks peaks;
    struct notices notices;
};

/* Rounded up to the next hundredth. */
double resources_rounded_up(double value);
double resources_gib(double bytes);

/* False: no memory; a stream that fails is the caller's. */
bool resources_table(const struct resources *resources, FILE *out, struct error *err) MUST_CHECK;
bool resources_json(const struct resources *resources, FILE *out, struct error *err) MUST_CHECK;
bool resources_csv(const struct resources *resources, FILE *out, struct error *err) MUST_CHECK;

/* The requests: CPUs from CPU time as a lower bound, see request_cpu_at_least. */
struct request resources_request(const struct peaks *peaks, const struct peak *peak);

#endif
