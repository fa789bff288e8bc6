/* SPDX-License-Identifier: MIT
 * The counters of energy that a Prometheus has of nodes or pods, whichever exporter told them. Used by
 * prometheus_energy.c. Begin with energy_ask(). */
#ifndef COMMANDS_PROMETHEUS_ENERGY_QUERY_H
#define COMMANDS_PROMETHEUS_ENERGY_QUERY_H

#include "series/api.h"
#include "series/kind.h"

struct energy_query {
    bool pods;                   /* of pods (and of namespaces, which are their sums), not of nodes */
    const char *namespace, *pod; /* filter; NULL: no filter */
    enum exporter_kind kind;     /* EXPORTER_NONE: whichever is there */
    double from_s, to_s;
    bool now,
        from_fixed; /* it ends now, where nothing else was said; where it begins was said, and not how long it is */
};

/* Asks which exporters have such metrics, and for the samples of all of them, and of the time beside the window that
 * tells what crosses its edges; the best of them goes to *kind. Nothing found is no error: *kind is EXPORTER_NONE where
 * there are no such metrics at all. The set is sorted. */
bool energy_ask(const struct prometheus_server *server, const struct energy_query *query, struct series_set *set,
                enum exporter_kind *kind, struct notices *notices, struct error *err) MUST_CHECK;

/* The labels by which an exporter names pods. */
const char *energy_namespace_label(enum exporter_kind kind);
const char *energy_pod_label(enum exporter_kind kind);

/* A series, whose value does not matter, for each pod that this exporter told in that time. */
bool energy_pods(const struct prometheus_server *server, const struct energy_query *query, enum exporter_kind kind,
                 struct series_set *set, struct notices *notices, struct error *err) MUST_CHECK;

#endif
