/* SPDX-License-Identifier: MIT
 * The content of one series: whose energy, which part and mode of it. Between kind_labels.c, kind_prepare.c and
 * workload_rows.c. Used in commands/report and series. Begin with pod_names_open(). */
#ifndef SERIES_ATTRIBUTION_H
#define SERIES_ATTRIBUTION_H

#include "series/increase.h"
#include "series/kind.h"

enum attribution_text {
    ATTRIBUTION_NODE,
    ATTRIBUTION_NAMESPACE,
    ATTRIBUTION_POD,
    ATTRIBUTION_CONTAINER,
    ATTRIBUTION_NAME,
    ATTRIBUTION_ID,
    ATTRIBUTION_TEXTS
};

/* If two report the same, the lesser counts. */
enum attribution_rank { ATTRIBUTION_COUNTER, ATTRIBUTION_TWIN /* the same domain by another way */, ATTRIBUTION_POWER };

struct attribution {
    enum exporter_kind kind;
    enum workload_level level;
    const char *texts[ATTRIBUTION_TEXTS]; /* "" where it has none */
    enum rapl_domain part;
    enum energy_mode mode;
    enum attribution_rank rank;
    enum quality quality;
    const struct increase *increase;
};

/* Pods by their ids, the only data about pods in the rewritten Kepler's containers. */
struct pod_names {
    const struct metric_series **items;
    size_t count;
};
bool pod_names_open(struct pod_names *names, const struct series_set *set, struct error *err) MUST_CHECK;
void pod_names_close(struct pod_names *names);

/* All but part, mode and increase. */
void attribute_series(const struct metric_series *series, const struct kind_family *family,
                      const struct pod_names *names, struct attribution *attribution);

/* The same as a part of a larger one; false: not such a part. */
bool attribution_within(const struct attribution *attribution, enum workload_level level,
                        const struct metric_series *series, struct attribution *larger);

/* Of a family whose label names it. DOMAIN_COUNT: none of ours. */
enum rapl_domain attribution_domain(const struct metric_series *series, const struct kind_family *family);

/* The maximum power of the part in the series (energy/power_bounds.h), in watts. The rewritten Kepler makes one
 * counter of the zones of all sockets, with the path "aggregated-package". */
enum { ATTRIBUTION_SOCKETS_MAX = 8 };
double attribution_max_w(const struct metric_series *series, enum workload_level level, enum rapl_domain part);

/* The series of energy, without labels that do not distinguish them, and with the values that the
 * first releases of Kepler wrote into labels as series. *stats: number of such series without energy. */
bool kind_prepare(const struct series_set *set, const struct kind_window *window, struct series_set *prepared,
                  size_t *stats, struct error *err) MUST_CHECK;

#endif
