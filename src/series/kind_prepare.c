/* SPDX-License-Identifier: MIT
 * The series with energy, as if every exporter wrote counters with constant labels. */
#include "series/attribution.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define MJ_PER_J 1e3

static bool add_points(struct series_builder *builder, size_t index, const struct metric_series *series,
                       struct error *err)
{
    for (size_t i = 0; i < series->point_count; i++)
        if (!series_builder_add(builder, index, series->points[i].time_s, series->points[i].value, err))
            return false;
    return true;
}

/* Kepler says "running", later "terminated", of one counter. */
static bool add_series(struct series_builder *builder, const struct metric_series *series, enum exporter_kind kind,
                       struct error *err)
{
    struct series_label labels[SERIES_LABELS_MAX];
    size_t count = 0, index;

    for (size_t i = 0; i < series->label_count && count < SERIES_LABELS_MAX; i++)
        if (kind != EXPORTER_KEPLER || strcmp(series->labels[i].name, "state") != 0)
            labels[count++] = series->labels[i];
    return series_builder_get(builder, series->metric, labels, count, &index, err) &&
           add_points(builder, index, series, err);
}

/* Up to 0.3: kepler_pod_energy_stat{pod_name="p",pod_total_energy_in_pkg_millijoule="17"}. */
static const char *stat_of(const char *metric)
{
    static const struct {
        const char *metric, *who;
    } stats[] = {
        { "kepler_node_energy_stat", "node" },
        { "kepler_pod_energy_stat", "pod" },
        { "node_energy_stat", "node" },
        { "pod_energy_stat", "pod" },
    };

    for (size_t i = 0; i < sizeof stats / sizeof stats[0]; i++)
        if (strcmp(stats[i].metric, metric) == 0)
            return stats[i].who;
    return NULL;
}

/* The metric for such a label, and its value in mJ. */
static bool value_of_label(const struct series_label *label, const char *who, char *metric, size_t size,
                           double *millijoules)
{
    static const char mark[] = "total_energy_in_";
    const char *part = strstr(label->name, mark);
    const size_t length = part ? strcspn(part + sizeof mark - 1, "_") : 0;

    if (!part || !text_to_number(label->value, millijoules))
        return false;
    part += sizeof mark - 1;
    if (strcmp(part + length, "_joule") == 0)
        *millijoules *= MJ_PER_J;
    snprintf(metric, size, "%s_total_energy_in_%.*s_millijoule", who, (int)length, part);
    return kind_family_of(metric) != NULL;
}

static bool add_stat(struct series_builder *builder, const struct metric_series *series, const char *who,
                     bool *reported, struct error *err)
{
    static const char *const stored[] = { "node_name", "instance", "pod_name", "pod_namespace", "container_namespace" };
    char metric[128];
    double millijoules;
    size_t index;

    *reported = false;
    for (size_t i = 0; i < series->label_count; i++) {
        struct series_label labels[sizeof stored / sizeof stored[0]];
        size_t count = 0;
        if (!value_of_label(&series->labels[i], who, metric, sizeof metric, &millijoules))
            continue;
        *reported = true;
        for (size_t k = 0; k < sizeof stored / sizeof stored[0]; k++) {
            labels[count].name = stored[k];
            labels[count].value = series_label_of(series, stored[k]);
            count += labels[count].value != NULL;
        }
        if (!series_builder_get(builder, metric, labels, count, &index, err))
            return false;
        for (size_t p = 0; p < series->point_count; p++)
            if (!series_builder_add(builder, index, series->points[p].time_s, millijoules, err))
                return false;
    }
    return true;
}

static bool is_wanted(enum exporter_kind kind, const struct kind_window *window)
{
    return window->kind == EXPORTER_NONE || window->kind == kind;
}

static bool add_one(struct series_builder *builder, const struct metric_series *series,
                    const struct kind_window *window, size_t *stats, struct error *err)
{
    const struct kind_family *family = kind_family_of_series(series);
    const char *stat = stat_of(series->metric);
    bool reported = true;

    if (stat && is_wanted(EXPORTER_KEPLER_OLD, window) && !add_stat(builder, series, stat, &reported, err))
        return false;
    *stats += !reported;
    return !family || !is_wanted(family->kind, window) || add_series(builder, series, family->kind, err);
}

bool kind_prepare(const struct series_set *set, const struct kind_window *window, struct series_set *prepared,
                  size_t *stats, struct error *err)
{
    struct series_builder builder;
    bool done = true;

    *stats = 0;
    series_builder_open(&builder, prepared);
    for (size_t i = 0; i < set->count && done; i++)
        done = add_one(&builder, &set->items[i], window, stats, err);
    series_builder_close(&builder);
    if (done)
        series_set_sort(prepared);
    return done;
}
