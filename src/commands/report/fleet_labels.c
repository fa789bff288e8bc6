/* SPDX-License-Identifier: MIT
 * Labels of nodes and pods by their names. */
#include "commands/report/fleet_labels.h"

#include "base/c_locale.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_LENGTH_MAX = 200 };

void fleet_labels_close(struct fleet_labels *labels)
{
    if (labels->open)
        series_builder_close(&labels->builder);
    series_set_close(&labels->set);
    free(labels->values);
    arena_close(&labels->arena);
    *labels = (struct fleet_labels){ .values = NULL };
}

void fleet_labels_open(struct fleet_labels *labels)
{
    fleet_labels_close(labels);
    series_builder_open(&labels->builder, &labels->set);
    labels->open = true;
}

static bool place_of(struct fleet_labels *labels, const char *first, const char *second, size_t *index,
                     struct error *err)
{
    struct series_label names[] = { { "first", first }, { "second", second } };

    if (!series_builder_get(&labels->builder, "", names, 2, index, err))
        return false;
    if (*index >= labels->room) {
        const size_t room = 2 * *index + 64;
        const char **values = realloc(labels->values, room * sizeof *values);
        if (!values)
            return error_errno(err, "no memory for the labels of pods");
        memset(values + labels->room, 0, (room - labels->room) * sizeof *values);
        labels->values = values;
        labels->room = room;
    }
    return true;
}

bool fleet_labels_add(struct fleet_labels *labels, const char *first, const char *second, const char *value,
                      struct error *err)
{
    size_t index;

    if (!value || !*value)
        return true;
    if (!place_of(labels, first, second, &index, err))
        return false;
    if (labels->values[index] && strcmp(labels->values[index], value) == 0)
        return true;
    labels->values[index] = arena_copy(&labels->arena, value, strlen(value));
    return labels->values[index] || error_errno(err, "no memory for the labels of pods");
}

bool fleet_labels_find(struct fleet_labels *labels, const char *first, const char *second, const char **value,
                       struct error *err)
{
    size_t index;

    if (!place_of(labels, first, second, &index, err))
        return false;
    *value = labels->values[index];
    return true;
}

/* "app.kubernetes.io/name" is label_app_kubernetes_io_name there. */
static void name_there(const char *label, char name[NAME_LENGTH_MAX])
{
    snprintf(name, NAME_LENGTH_MAX, "label_%.150s", label);
    for (char *c = name; *c; c++)
        if (!c_isalnum(*c))
            *c = '_';
}

bool fleet_labels_ask(struct fleet_labels *labels, const struct prometheus_server *server, const char *label,
                      int64_t from_s, int64_t to_s, struct notices *notices, struct error *err)
{
    struct series_set set = { .count = 0 };
    char name[NAME_LENGTH_MAX], query[2 * NAME_LENGTH_MAX + 100];
    bool good;

    name_there(label, name);
    snprintf(query, sizeof query, "last_over_time(kube_pod_labels{%s!=\"\"}[%" PRId64 "s])", name, to_s - from_s);
    good = prometheus_query(server, query, (double)to_s, &set, notices, err);
    for (size_t i = 0; i < set.count && good; i++) {
        const struct metric_series *series = &set.items[i];
        /* its own namespace is "namespace" where the scrape keeps labels, and exported_namespace where it does not */
        const char *namespace = series_label_of(series, "exported_namespace"),
                   *pod = series_label_of(series, "exported_pod");
        if (!namespace)
        namespace = series_label_of(series, "namespace");
        if (!pod)
            pod = series_label_of(series, "pod");
        if (namespace && pod)
            good = fleet_labels_add(labels, namespace, pod, series_label_of(series, name), err);
    }
    series_set_close(&set);
    return good;
}
