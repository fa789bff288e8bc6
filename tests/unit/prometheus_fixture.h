/* SPDX-License-Identifier: MIT
 * Sets of series made of a few words, and found again. */
#ifndef TESTS_PROMETHEUS_FIXTURE_H
#define TESTS_PROMETHEUS_FIXTURE_H

#include "unit.h"

#include "series/exposition.h"
#include "series/kind.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Adds a text told at this time. */
static inline void add_text(struct series_set *set, double time_s, const char *text, size_t length)
{
    struct exposition exposition = { .name = "t.prom", .time_s = time_s };
    struct error err = { .kind = ERROR_NONE };
    struct series_builder builder;

    series_builder_open(&builder, set);
    ck_assert_msg(exposition_read(text, length, &exposition, &builder, &err), "%s: %s", err.what, err.why);
    series_builder_close(&builder);
    series_set_sort(set);
}

/* A file of the shared cases, until the next one is read. */
static inline __attribute__((unused)) char *case_text(const char *name, size_t *length)
{
    static char text[1 << 20];
    char path[512];
    FILE *file;

    snprintf(path, sizeof path, "%s/cases/kepler/%s", unit_shared(), name);
    file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s", path);
    *length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    ck_assert_uint_lt(*length, sizeof text - 1);
    text[*length] = '\0';
    return text;
}

/* The same of such a file. */
static inline void add_case(struct series_set *set, double time_s, const char *name)
{
    size_t length;
    const char *text = case_text(name, &length);

    add_text(set, time_s, text, length);
}

/* The first of this metric with this label. */
static inline const struct metric_series *find(const struct series_set *set, const char *metric, const char *name,
                                               const char *value)
{
    for (size_t i = 0; i < set->count; i++) {
        const char *has = name ? series_label_of(&set->items[i], name) : NULL;
        if (strcmp(set->items[i].metric, metric) == 0 && (!name || (has && strcmp(has, value) == 0)))
            return &set->items[i];
    }
    ck_abort_msg("there is no %s", metric);
    return NULL;
}

/* The first row of this level whose namespace, pod, container or name is this. */
static inline const struct workload_row *row_of(const struct workload_rows *rows, enum workload_level level,
                                                const char *who)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct workload_row *row = &rows->items[i];
        const char *texts[LEVEL_COUNT] = { row->node, row->namespace, row->pod,  row->container,
                                           row->name, row->name,      row->name, row->name };
        if (row->level == level && strcmp(texts[level], who) == 0)
            return row;
    }
    ck_abort_msg("there is no row of %s '%s'", workload_level_name(level), who);
    return NULL;
}

#endif
