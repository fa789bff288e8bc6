/* SPDX-License-Identifier: MIT
 * What one series tells: whose energy, which part and mode of it. Between kind_labels.c, kind_prepare.c and
 * kind_rows.c. */
#ifndef SERIES_KIND_TOLD_H
#define SERIES_KIND_TOLD_H

#include "series/increase.h"
#include "series/kind.h"

enum told_text { TOLD_NODE, TOLD_NAMESPACE, TOLD_POD, TOLD_CONTAINER, TOLD_NAME, TOLD_ID, TOLD_TEXTS };

/* Where two tell the same, the lesser counts. */
enum told_rank { TOLD_COUNTER, TOLD_TWIN /* the same domain by another way */, TOLD_POWER };

struct told {
    enum kind_exporter kind;
    enum kind_level level;
    const char *texts[TOLD_TEXTS]; /* "" where it has none */
    enum kind_part part;
    enum kind_mode mode;
    enum told_rank rank;
    enum quality quality;
    const struct increase *increase;
};

/* Pods by their ids, which is all that the containers of the rewritten Kepler tell of theirs. */
struct pod_names {
    const struct series **items;
    size_t count;
};
bool pod_names_open(struct pod_names *names, const struct series_set *set, struct error *err) MUST_CHECK;
void pod_names_close(struct pod_names *names);

/* All but part, mode and increase. */
void told_of(const struct series *series, const struct kind_family *family, const struct pod_names *names,
             struct told *told);

/* The same as a part of what is larger; false: it is no part of such a one. */
bool told_within(const struct told *told, enum kind_level level, const struct series *series, struct told *larger);

/* Of a family whose label tells it. KIND_PART_COUNT: it is none of ours. */
enum kind_part told_part(const struct series *series, const struct kind_family *family);

/* The most that can be drawn of what the series tells (energy/bounds.h), in watts. The rewritten Kepler makes one
 * counter of the zones of all sockets, with the path "aggregated-package". */
enum { TOLD_SOCKETS_MOST = 8 };
double told_most_w(const struct series *series, enum kind_level level, enum kind_part part);

/* The series that tell energy, with labels that tell no two of them apart taken away, and with those values that the
 * first releases of Kepler wrote into labels as series. *stats: of such series those that tell no energy. */
bool kind_prepare(const struct series_set *set, const struct kind_window *window, struct series_set *prepared,
                  size_t *stats, struct error *err) MUST_CHECK;

#endif
