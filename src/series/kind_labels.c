/* SPDX-License-Identifier: MIT
 * From the labels of a series to its subject. */
#include "energy/power_bounds.h"
#include "series/attribution.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES = 8 };

/* Labels that may name the subject, the best first. Prometheus renames its own labels to exported_... when it scrapes.
 */
static const char *const node_labels[NAMES] = {
    "node_name", "kubernetes_node_name", "exported_instance", "node", "hostname", "Hostname", "instance",
};
static const char *const no_labels[NAMES] = { NULL };

static const char *const namespace_labels[EXPORTER_COUNT][NAMES] = {
    [EXPORTER_KEPLER_OLD] = { "container_namespace", "pod_namespace" },
    [EXPORTER_KEPLER] = { "pod_namespace" },
    [EXPORTER_SCAPHANDRE] = { "kubernetes_pod_namespace" },
    [EXPORTER_CARBON] = { "exported_namespace", "pod_namespace", "namespace" },
};
static const char *const pod_labels[EXPORTER_COUNT][NAMES] = {
    [EXPORTER_KEPLER_OLD] = { "pod_name" },
    [EXPORTER_KEPLER] = { "pod_name" },
    [EXPORTER_SCAPHANDRE] = { "kubernetes_pod_name" },
    [EXPORTER_CARBON] = { "pod_name" },
};
static const char *const container_labels[EXPORTER_COUNT][NAMES] = {
    [EXPORTER_KEPLER_OLD] = { "container_name" },
    [EXPORTER_KEPLER] = { "container_name" },
    [EXPORTER_SCAPHANDRE] = { "kubernetes_container_name", "container_names" },
    [EXPORTER_CARBON] = { "container_name" },
};
static const char *const name_labels[LEVEL_COUNT][NAMES] = {
    [LEVEL_PROCESS] = { "comm", "exe", "command", "cmdline" },
    [LEVEL_VM] = { "vm_name", "vmname", "vm_id" },
    [LEVEL_CGROUP] = { "cgroup" },
    [LEVEL_JOB] = { "job_id" },
};
static const char *const id_labels[LEVEL_COUNT][NAMES] = {
    [LEVEL_CONTAINER] = { "container_id" },
    [LEVEL_PROCESS] = { "pid" },
    [LEVEL_VM] = { "vm_id" },
    [LEVEL_JOB] = { "job_id" },
};

static const char *first_of(const struct metric_series *series, const char *const *labels)
{
    for (size_t i = 0; i < NAMES && labels[i]; i++) {
        const char *value = series_label_of(series, labels[i]);
        if (value)
            return value;
    }
    return "";
}

static int by_pod_id(const void *a, const void *b)
{
    const struct metric_series *const *left = a, *const *right = b;

    return strcmp(series_label_of(*left, "pod_id"), series_label_of(*right, "pod_id"));
}

bool pod_names_open(struct pod_names *names, const struct series_set *set, struct error *err)
{
    *names = (struct pod_names){ .items = malloc((set->count + 1) * sizeof(struct metric_series *)) };
    if (!names->items)
        return error_set(err, ERROR_SYSTEM, "no memory for the names of pods");
    for (size_t i = 0; i < set->count; i++) {
        const struct metric_series *series = &set->items[i];
        if (strncmp(series->metric, "kepler_pod_", 11) == 0 && series_label_of(series, "pod_id"))
            names->items[names->count++] = series;
    }
    qsort(names->items, names->count, sizeof(struct metric_series *), by_pod_id);
    return true;
}

void pod_names_close(struct pod_names *names)
{
    free(names->items);
    *names = (struct pod_names){ .items = NULL };
}

static const struct metric_series *pod_of(const struct pod_names *names, const struct metric_series *series)
{
    const struct metric_series *const *found = NULL;

    if (names->count && series_label_of(series, "pod_id"))
        found = bsearch(&series, names->items, names->count, sizeof(struct metric_series *), by_pod_id);
    return found ? *found : series;
}

/* Energy of a whole machine is measured, unless the exporter models it; that of a process is a share. */
static enum quality quality_of_series(const struct metric_series *series, const struct kind_family *family)
{
    const char *source = series_label_of(series, "source"), *said = series_label_of(series, "quality");

    if (family->kind == EXPORTER_CARBON && said && quality_of(said) != QUALITY_UNKNOWN)
        return quality_of(said);
    if (source && (strstr(source, "estimator") || strstr(source, "model")))
        return QUALITY_MODELLED;
    return family->level == LEVEL_NODE ? QUALITY_MEASURED : QUALITY_ATTRIBUTED;
}

void attribute_series(const struct metric_series *series, const struct kind_family *family,
                      const struct pod_names *names, struct attribution *attribution)
{
    const struct metric_series *pod = family->kind == EXPORTER_KEPLER ? pod_of(names, series) : series;
    const char *path = series_label_of(series, "path");

    *attribution = (struct attribution){ .kind = family->kind, .level = family->level };
    attribution->texts[ATTRIBUTION_NODE] = first_of(series, node_labels);
    attribution->texts[ATTRIBUTION_NAMESPACE] = first_of(pod, namespace_labels[family->kind]);
    attribution->texts[ATTRIBUTION_POD] = first_of(pod, pod_labels[family->kind]);
    attribution->texts[ATTRIBUTION_CONTAINER] = first_of(series, container_labels[family->kind]);
    attribution->texts[ATTRIBUTION_NAME] = first_of(series, name_labels[family->level]);
    attribution->texts[ATTRIBUTION_ID] = first_of(series, id_labels[family->level]);
    attribution->rank = family->power                             ? ATTRIBUTION_POWER
                        : path && strstr(path, "intel-rapl-mmio") ? ATTRIBUTION_TWIN
                                                                  : ATTRIBUTION_COUNTER;
    attribution->quality = quality_of_series(series, family);
}

bool attribution_within(const struct attribution *attribution, enum workload_level level,
                        const struct metric_series *series, struct attribution *larger)
{
    const bool scaphandre = attribution->kind == EXPORTER_SCAPHANDRE;
    const enum workload_level of = attribution->level;
    const char *const *texts = attribution->texts;

    *larger = *attribution;
    larger->level = level;
    larger->texts[ATTRIBUTION_NAME] = larger->texts[ATTRIBUTION_ID] = "";
    if (level == LEVEL_CONTAINER) {
        larger->texts[ATTRIBUTION_ID] = first_of(series, id_labels[LEVEL_CONTAINER]);
        return scaphandre && of == LEVEL_PROCESS && *larger->texts[ATTRIBUTION_ID];
    }
    larger->texts[ATTRIBUTION_CONTAINER] = "";
    if (level == LEVEL_VM) {
        larger->texts[ATTRIBUTION_NAME] = first_of(series, name_labels[LEVEL_VM]);
        return scaphandre && of == LEVEL_PROCESS && *larger->texts[ATTRIBUTION_NAME];
    }
    if (level == LEVEL_POD)
        return *texts[ATTRIBUTION_POD] && ((scaphandre && of == LEVEL_PROCESS) ||
                                           (attribution->kind == EXPORTER_KEPLER_OLD && of == LEVEL_CONTAINER));
    larger->texts[ATTRIBUTION_POD] = larger->texts[ATTRIBUTION_NODE] = "";
    return level == LEVEL_NAMESPACE && *texts[ATTRIBUTION_NAMESPACE] &&
           (of == LEVEL_POD || (scaphandre && of == LEVEL_PROCESS) ||
            (attribution->kind == EXPORTER_KEPLER_OLD && of == LEVEL_CONTAINER));
}

static bool is_one_of_several(const struct metric_series *series)
{
    static const char *const labels[NAMES] = { "package", "index", "socket_id", "domain", "gpu", "UUID", "gpu_uuid" };
    const char *path = series_label_of(series, "path");

    return *first_of(series, labels) || (path && strncmp(path, "aggregated", 10) != 0);
}

/* Without a name of its own it may be that of all sockets, or cards, together. */
double attribution_max_w(const struct metric_series *series, enum workload_level level, enum rapl_domain part)
{
    const bool one = level == LEVEL_NODE && is_one_of_several(series);

    switch (part) {
    case DOMAIN_PACKAGE:
    case DOMAIN_CORE:
    case DOMAIN_UNCORE: return bounds_class_w(COMPONENT_PACKAGE) * (one ? 1 : ATTRIBUTION_SOCKETS_MAX);
    case DOMAIN_DRAM: return bounds_class_w(COMPONENT_MEMORY) * (one ? 1 : ATTRIBUTION_SOCKETS_MAX);
    case DOMAIN_GPU: return one ? bounds_class_w(COMPONENT_GPU) : BOUNDS_MACHINE_W;
    case DOMAIN_PLATFORM: return bounds_class_w(COMPONENT_PLATFORM);
    default: return BOUNDS_MACHINE_W;
    }
}

/* "package-0" is a package, "dram" memory. */
enum rapl_domain attribution_domain(const struct metric_series *series, const struct kind_family *family)
{
    static const char *const labels[NAMES] = { "zone", "rapl_zone", "domain_name", "component" };
    static const struct {
        const char *name;
        enum rapl_domain part;
    } parts[] = {
        { "package", DOMAIN_PACKAGE }, { "cores", DOMAIN_CORE },        { "core", DOMAIN_CORE },
        { "uncore", DOMAIN_UNCORE },   { "dram", DOMAIN_DRAM },         { "memory", DOMAIN_DRAM },
        { "gpu", DOMAIN_GPU },         { "platform", DOMAIN_PLATFORM }, { "psys", DOMAIN_PLATFORM },
    };
    const char *name = first_of(series, family->part == DOMAIN_COUNT ? labels : no_labels);

    if (family->part != DOMAIN_COUNT)
        return family->part;
    if (!*name && family->kind == EXPORTER_CARBON)
        return DOMAIN_OWN_SUM;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const size_t length = strlen(parts[i].name);
        if (strncmp(name, parts[i].name, length) == 0 && (!name[length] || name[length] == '-'))
            return parts[i].part;
    }
    return DOMAIN_COUNT;
}
