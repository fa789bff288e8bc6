/* SPDX-License-Identifier: MIT
 * What nodes, pods, containers and so on used, as exporters of energy tell it, and what that emits; and its forms. */
#ifndef COMMANDS_PROMETHEUS_PODS_H
#define COMMANDS_PROMETHEUS_PODS_H

#include "emissions/beside.h"
#include "emissions/factor.h"
#include "form/field.h"
#include "series/kind.h"

#include <stdint.h>
#include <stdio.h>

#define PODS_SCHEMA "carbon.prometheus/1"

enum { PODS_SOURCES = 2 };

struct pods {
    uint64_t created_realtime_ns;
    const char *command;               /* "scrape", "energy" */
    const char *sources[PODS_SOURCES]; /* addresses and files */
    size_t source_count;
    struct kind_window window;
    double duration_s; /* length of the window; NAN: unknown */
    const struct kind_rows *rows;

    /* filter of the output; NULL: no filter */
    const char *namespace, *pod;
    bool all_pods; /* the table leaves none out */
    bool irate;    /* the table has the slope of the last two samples, too */

    double pue;
    enum quality pue_quality;
    struct factor factor;
    struct beside beside;
    const char *fuel; /* fuel of the factor, or NULL */

    struct notices notices;
};

/* Whether this row passes the filter. */
bool pods_wants(const struct pods *pods, const struct kind_row *row);
size_t pods_count(const struct pods *pods); /* rows that pass the filter */

/* "shop/web-7d9", "shop/web-7d9/nginx", "nginx (4242)" */
void pods_name(const struct kind_row *row, char *name, size_t size);

struct footprint pods_footprint(const struct pods *pods, const struct kind_row *row);
double pods_pounds(const struct pods *pods, const struct kind_row *row); /* of CO2; NAN: no fuel was named */

extern const struct schema pods_schema;

bool pods_text(const struct pods *pods, FILE *out, bool colour, struct error *err) MUST_CHECK;
bool pods_json(const struct pods *pods, FILE *out, struct error *err) MUST_CHECK;

/* A line for each figure: of whom, component, mode. */
bool pods_csv(const struct pods *pods, FILE *out, struct error *err) MUST_CHECK;

#endif
