/* SPDX-License-Identifier: MIT
 * The exporter that counts if several report one node or pod at one time: each joule once, and node by node, while
 * a cluster changes from one exporter to another. Used by commands/report/fleet_choice.c and workload_rows.c. Begin
 * with kind_choice_open(). */
#ifndef SERIES_KIND_CHOICE_H
#define SERIES_KIND_CHOICE_H

#include "series/attribution.h"
#include "series/increase.h"

struct kind_span;

struct kind_choice {
    struct kind_span *items; /* by their subject, then by the preference of their exporter */
    size_t count;
    struct arena arena;
};

bool kind_choice_open(struct kind_choice *choice, const struct series_set *set, const struct pod_names *names,
                      struct error *err) MUST_CHECK;
void kind_choice_close(struct kind_choice *choice); /* harmless twice, and on a zeroed one */

/* Its energy in the time of the rules without a better exporter's report of the same; any: such a time exists. */
bool kind_choice_increase(const struct kind_choice *choice, const struct metric_series *series,
                          const struct attribution *attribution, const struct increase_rules *rules,
                          struct increase *increase, bool *any, struct error *err) MUST_CHECK;

#endif
