/* SPDX-License-Identifier: MIT
 * The energy counters of nodes or pods in a Prometheus, from any exporter. Used by prometheus_energy.c. Begin with
 * energy_ask(). */
#ifndef COMMANDS_PROMETHEUS_ENERGY_QUERY_H
#define COMMANDS_PROMETHEUS_ENERGY_QUERY_H

#include "series/api.h"
#include "series/kind.h"

struct energy_query {
    bool pods;                   /* of pods (and of namespaces, which are their sums), not of nodes */
    const char *namespace, *pod; /* filter; NULL: no filter */
    enum exporter_kind kind;     /* EXPORTER_NONE: any */
    double from_s, to_s;
    bool now, from_fixed; /* to: now, because no end was given; from: a start was given, not a duration */
};

/* Finds the exporters with such metrics, and fetches the samples of all of them, with the time around the window for
 * steps across its edges; *kind gets the best of them, or EXPORTER_NONE without any, which is not an error. The set is
 * sorted. */
bool energy_ask(const struct prometheus_server *server, const struct energy_query *query, struct series_set *set,
                enum exporter_kind *kind, struct notices *notices, struct error *err) MUST_CHECK;

/* The labels by which an exporter names pods. */
const char *energy_namespace_label(enum exporter_kind kind);
const char *energy_pod_label(enum exporter_kind kind);

/* One series for each pod that this exporter reported in that time; the value is irrelevant. */
bool energy_pods(const struct prometheus_server *server, const struct energy_query *query, enum exporter_kind kind,
                 struct series_set *set, struct notices *notices, struct error *err) MUST_CHECK;

#endif
