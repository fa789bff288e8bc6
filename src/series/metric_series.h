/* SPDX-License-Identifier: MIT
 * The data of Prometheus and its exporters: samples of metrics, distinguished by their labels. Used in
 * commands/prometheus, commands/report and series. Begin with series_label_of(). */
#ifndef SERIES_METRIC_SERIES_H
#define SERIES_METRIC_SERIES_H

#include "base/error.h"
#include "base/units.h"
#include "io/arena.h"

#include <stddef.h>
#include <stdint.h>

struct series_label {
    const char *name, *value;
};

struct series_point {
    double time_s; /* since 1970, UTC */
    double value;  /* may be NAN or infinite, as reported */
};

/* One metric with one set of labels; its points in the order of their times. */
struct metric_series {
    const char *metric;          /* "kepler_node_package_joules_total"; "" where a query has taken it away */
    struct series_label *labels; /* sorted by name, without __name__, none with an empty value */
    size_t label_count;
    struct series_point *points;
    size_t point_count;
};

struct series_set {
    struct metric_series *items; /* freed with free() */
    size_t count;
    struct arena arena; /* of all that the items point to */
};

/* Whether it is a time, before 1970 or after, that nanoseconds of 64 bits can count: until 2554. */
static inline bool series_time_is(double time_s)
{
    const double end_s = (double)(UINT64_MAX / NS_PER_S_INT);

    return time_s > -end_s && time_s < end_s;
}

enum { SERIES_LABELS_MAX = 128, SERIES_MAX = 1 << 20 };

/* The value of a label, or NULL. */
const char *series_label_of(const struct metric_series *series, const char *name);

void series_set_close(struct series_set *set); /* harmless twice, and on a zeroed one */

/* A set while it is filled, from a zeroed one; one that was filled before is added to. */
struct series_builder {
    struct series_set *set;
    size_t size;     /* capacity of items */
    uint32_t *slots; /* a hash table of index + 1; 0: free */
    size_t slot_count;
};

void series_builder_open(struct series_builder *builder, struct series_set *set);
void series_builder_close(struct series_builder *builder); /* the set stays */

/* The series of this metric with these labels, made where there is none yet; it is copied whole. Labels may come in any
 * order and are sorted in place; those with an empty value are none, as Prometheus has it. A name that is there twice
 * is ERROR_BAD_DATA. The index stays good, and pointers to items only until the next call. */
bool series_builder_get(struct series_builder *builder, const char *metric, struct series_label *labels, size_t count,
                        size_t *index, struct error *err) MUST_CHECK;

/* Adds a point behind the others of this series, which must have been made by a builder; time_s is a number. */
bool series_builder_add(struct series_builder *builder, size_t index, double time_s, double value,
                        struct error *err) MUST_CHECK;

/* The earliest of the last samples of those series that still report at to_s: the last one is at most twice and
 * a half what lies between it and the one before. to_s where there is none. The set is sorted. */
double series_set_end(const struct series_set *set, double to_s);

/* Points by time, of one time by value; series by metric and labels. No builder may be open. */
void series_set_sort(struct series_set *set);

#endif
