/* SPDX-License-Identifier: MIT
 * The queries to Prometheus for a fleet. Used by fleet.c and fleet.h. Begin with fleet_query_text(). */
#ifndef COMMANDS_REPORT_FLEET_QUERY_H
#define COMMANDS_REPORT_FLEET_QUERY_H

#include "base/text.h"
#include "series/api.h"
#include "series/kind.h"

enum fleet_groups {
    FLEET_NODES,      /* nodes only; the group of a node is its own label, if one was given */
    FLEET_NAMESPACES, /* and the pods on them, by namespace */
    FLEET_POD_LABELS, /* and the pods on them, by one of their labels */
};

struct fleet_query {
    const struct prometheus_server *server;
    enum fleet_groups groups;
    const char *label;           /* of nodes, or of pods; NULL: none */
    const char *matchers;        /* further label matchers, 'cluster="a"'; NULL: none */
    enum exporter_kind exporter; /* EXPORTER_NONE: the first with counters */
    int64_t step_s;
};

/* The series of one exporter, or of all (EXPORTER_NONE). Domains inside a package are not requested. */
void fleet_query_text(const struct fleet_query *query, enum exporter_kind kind, struct text *text);

#endif
