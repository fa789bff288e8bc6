/* SPDX-License-Identifier: MIT
 * The maximum CPU and memory of pods and their containers, from cAdvisor's metrics in a Prometheus. Used by
 * resources.h. Begin with peaks_ask(). */
#ifndef COMMANDS_PROMETHEUS_PEAKS_H
#define COMMANDS_PROMETHEUS_PEAKS_H

#include "series/api.h"

struct peak {
    const char *namespace, *pod;
    const char *container;          /* "": the whole pod, all containers at the same time */
    double cpu_cores, memory_bytes; /* NAN: unknown */
};

struct peaks_query {
    const char *namespace, *pod; /* NULL: any */
    double from_s, to_s;
};

struct peaks {
    struct peak *items; /* by namespace and pod; the pod itself, then its containers by name */
    size_t count;
    double rate_s; /* averaging time of the CPU rate */
    double step_s; /* distance of the samples of which the peaks are the maximum */
    struct arena arena;
};

/* Finding none is not an error. */
bool peaks_ask(const struct prometheus_server *server, const struct peaks_query *query, struct peaks *peaks,
               struct notices *notices, struct error *err) MUST_CHECK;
void peaks_close(struct peaks *peaks); /* harmless twice, and on a zeroed one */

/* The pods of any namespace: series with the labels namespace and pod. */
bool peaks_pods(const struct prometheus_server *server, const struct peaks_query *query, struct series_set *set,
                struct notices *notices, struct error *err) MUST_CHECK;

#endif
