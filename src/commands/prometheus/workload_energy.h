/* SPDX-License-Identifier: MIT
 * The energy of nodes, pods, containers and so on from the metrics of energy exporters, its emissions, and their forms.
 * Used throughout commands/prometheus. Begin with workloads_wants(). */
#ifndef COMMANDS_PROMETHEUS_WORKLOAD_ENERGY_H
#define COMMANDS_PROMETHEUS_WORKLOAD_ENERGY_H

#include "emissions/factor.h"
#include "emissions/supplementary.h"
#include "form/field.h"
#include "series/kind.h"

#include <stdint.h>
#include <stdio.h>

#define WORKLOADS_SCHEMA "carbon.prometheus/1"

enum { WORKLOADS_SOURCES = 2 };

struct workload_report {
    uint64_t created_realtime_ns;
    const char *command;                    /* "scrape", "energy" */
    const char *sources[WORKLOADS_SOURCES]; /* addresses and files */
    size_t source_count;
    struct kind_window window;
    double duration_s; /* length of the window; NAN: unknown */
    const struct workload_rows *rows;

    /* filter of the output; NULL: no filter */
    const char *namespace, *pod;
    bool all_pods; /* the table shows all pods */
    bool irate;    /* the table has the slope of the last two samples, too */

    double pue;
    enum quality pue_quality;
    struct factor factor;
    struct supplementary supplementary;
    const char *fuel; /* fuel of the factor, or NULL */

    struct notices notices;
};

/* Whether this row passes the filter. */
bool workloads_wants(const struct workload_report *workloads, const struct workload_row *row);
size_t workloads_count(const struct workload_report *workloads); /* rows that pass the filter */

/* "shop/web-7d9", "shop/web-7d9/nginx", "nginx (4242)" */
void workloads_name(const struct workload_row *row, char *name, size_t size);

struct footprint workloads_footprint(const struct workload_report *workloads, const struct workload_row *row);
double workloads_pounds(const struct workload_report *workloads,
                        const struct workload_row *row); /* of CO2; NAN: no fuel was given */

extern const struct schema workloads_schema;

bool workloads_text(const struct workload_report *workloads, FILE *out, bool colour, struct error *err) MUST_CHECK;
bool workloads_json(const struct workload_report *workloads, FILE *out, struct error *err) MUST_CHECK;

/* One line per figure: subject, component, mode. */
bool workloads_csv(const struct workload_report *workloads, FILE *out, struct error *err) MUST_CHECK;

#endif
