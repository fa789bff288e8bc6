/* SPDX-License-Identifier: MIT
 * What Prometheus is asked for, of a fleet. Used by fleet.c and fleet.h. Begin with fleet_query_text(). */
#ifndef COMMANDS_REPORT_FLEET_QUERY_H
#define COMMANDS_REPORT_FLEET_QUERY_H

#include "base/text.h"
#include "series/api.h"
#include "series/kind.h"

enum fleet_groups {
    FLEET_NODES,      /* the nodes alone; the group of a node is its own label, where one was named */
    FLEET_NAMESPACES, /* and the pods on them by namespace */
    FLEET_POD_LABELS, /* and the pods on them by a label of theirs */
};

struct fleet_query {
    const struct prometheus_server *server;
    enum fleet_groups groups;
    const char *label;           /* of nodes, or of pods; NULL: none */
    const char *matchers;        /* further ones of the series, 'cluster="a"'; NULL: none */
    enum exporter_kind exporter; /* EXPORTER_NONE: the first that there is counters of */
    int64_t step_s;
};

/* The series of one exporter, or of all (EXPORTER_NONE). What a package has in it is not asked for. */
void fleet_query_text(const struct fleet_query *query, enum exporter_kind kind, struct text *text);

#endif
