/* SPDX-License-Identifier: MIT
 * A label of nodes, or of pods: from their own series, or from kube-state-metrics. Used by fleet.c and
 * fleet_handover.h. Begin with fleet_labels_open(). */
#ifndef COMMANDS_REPORT_FLEET_LABELS_H
#define COMMANDS_REPORT_FLEET_LABELS_H

#include "io/arena.h"
#include "series/api.h"

struct fleet_labels {
    struct series_set set;
    struct series_builder builder; /* finds pairs of names */
    const char **values;
    size_t room;
    struct arena arena;
    bool open;
};

/* Empties it, too. */
void fleet_labels_open(struct fleet_labels *labels);
void fleet_labels_close(struct fleet_labels *labels);

/* Of a pod of a namespace, or of a node (second ""). The last call counts. value NULL: none. */
bool fleet_labels_add(struct fleet_labels *labels, const char *first, const char *second, const char *value,
                      struct error *err) MUST_CHECK;
/* value NULL: unknown. */
bool fleet_labels_find(struct fleet_labels *labels, const char *first, const char *second, const char **value,
                       struct error *err) MUST_CHECK;

/* Adds the labels of kube_pod_labels between two times, if the server has it. */
bool fleet_labels_ask(struct fleet_labels *labels, const struct prometheus_server *server, const char *label,
                      int64_t from_s, int64_t to_s, struct notices *notices, struct error *err) MUST_CHECK;

#endif
