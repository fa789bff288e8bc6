/* SPDX-License-Identifier: MIT
 * From the labels of a series to whom it tells of. */
#include "energy/bounds.h"
#include "series/kind_told.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES = 8 };

/* The labels that may tell it, the best first. A label that Prometheus has, too, it calls exported_... when it scrapes.
 */
static const char *const node_labels[NAMES] = {
    "node_name", "kubernetes_node_name", "exported_instance", "node", "hostname", "Hostname", "instance",
};
static const char *const no_labels[NAMES] = { NULL };

static const char *const namespace_labels[KIND_COUNT][NAMES] = {
    [KIND_KEPLER_OLD] = { "container_namespace", "pod_namespace" },
    [KIND_KEPLER] = { "pod_namespace" },
    [KIND_SCAPHANDRE] = { "kubernetes_pod_namespace" },
    [KIND_CARBON] = { "exported_namespace", "pod_namespace", "namespace" },
};
static const char *const pod_labels[KIND_COUNT][NAMES] = {
    [KIND_KEPLER_OLD] = { "pod_name" },
    [KIND_KEPLER] = { "pod_name" },
    [KIND_SCAPHANDRE] = { "kubernetes_pod_name" },
    [KIND_CARBON] = { "pod_name" },
};
static const char *const container_labels[KIND_COUNT][NAMES] = {
    [KIND_KEPLER_OLD] = { "container_name" },
    [KIND_KEPLER] = { "container_name" },
    [KIND_SCAPHANDRE] = { "kubernetes_container_name", "container_names" },
    [KIND_CARBON] = { "container_name" },
};
static const char *const name_labels[KIND_LEVEL_COUNT][NAMES] = {
    [KIND_OF_PROCESS] = { "comm", "exe", "command", "cmdline" },
    [KIND_OF_VM] = { "vm_name", "vmname", "vm_id" },
    [KIND_OF_CGROUP] = { "cgroup" },
    [KIND_OF_JOB] = { "job_id" },
};
static const char *const id_labels[KIND_LEVEL_COUNT][NAMES] = {
    [KIND_OF_CONTAINER] = { "container_id" },
    [KIND_OF_PROCESS] = { "pid" },
    [KIND_OF_VM] = { "vm_id" },
    [KIND_OF_JOB] = { "job_id" },
};

static const char *first_of(const struct series *series, const char *const *labels)
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
    const struct series *const *left = a, *const *right = b;

    return strcmp(series_label_of(*left, "pod_id"), series_label_of(*right, "pod_id"));
}

bool pod_names_open(struct pod_names *names, const struct series_set *set, struct error *err)
{
    *names = (struct pod_names){ .items = malloc((set->count + 1) * sizeof(struct series *)) };
    if (!names->items)
        return error_set(err, ERROR_SYSTEM, "no memory for the names of pods");
    for (size_t i = 0; i < set->count; i++) {
        const struct series *series = &set->items[i];
        if (strncmp(series->metric, "kepler_pod_", 11) == 0 && series_label_of(series, "pod_id"))
            names->items[names->count++] = series;
    }
    qsort(names->items, names->count, sizeof(struct series *), by_pod_id);
    return true;
}

void pod_names_close(struct pod_names *names)
{
    free(names->items);
    *names = (struct pod_names){ .items = NULL };
}

static const struct series *pod_of(const struct pod_names *names, const struct series *series)
{
    const struct series *const *found = NULL;

    if (names->count && series_label_of(series, "pod_id"))
        found = bsearch(&series, names->items, names->count, sizeof(struct series *), by_pod_id);
    return found ? *found : series;
}

/* Of a whole machine it is measured, unless the exporter had a model tell it; of what runs there it is a share. */
static enum quality quality_of_series(const struct series *series, const struct kind_family *family)
{
    const char *source = series_label_of(series, "source"), *said = series_label_of(series, "quality");

    if (family->kind == KIND_CARBON && said && quality_of(said) != QUALITY_UNKNOWN)
        return quality_of(said);
    if (source && (strstr(source, "estimator") || strstr(source, "model")))
        return QUALITY_MODELLED;
    return family->level == KIND_OF_NODE ? QUALITY_MEASURED : QUALITY_ATTRIBUTED;
}

void told_of(const struct series *series, const struct kind_family *family, const struct pod_names *names,
             struct told *told)
{
    const struct series *pod = family->kind == KIND_KEPLER ? pod_of(names, series) : series;
    const char *path = series_label_of(series, "path");

    *told = (struct told){ .kind = family->kind, .level = family->level };
    told->texts[TOLD_NODE] = first_of(series, node_labels);
    told->texts[TOLD_NAMESPACE] = first_of(pod, namespace_labels[family->kind]);
    told->texts[TOLD_POD] = first_of(pod, pod_labels[family->kind]);
    told->texts[TOLD_CONTAINER] = first_of(series, container_labels[family->kind]);
    told->texts[TOLD_NAME] = first_of(series, name_labels[family->level]);
    told->texts[TOLD_ID] = first_of(series, id_labels[family->level]);
    told->rank = family->power ? TOLD_POWER : path && strstr(path, "intel-rapl-mmio") ? TOLD_TWIN : TOLD_COUNTER;
    told->quality = quality_of_series(series, family);
}

bool told_within(const struct told *told, enum kind_level level, const struct series *series, struct told *larger)
{
    const bool scaphandre = told->kind == KIND_SCAPHANDRE;
    const enum kind_level of = told->level;
    const char *const *texts = told->texts;

    *larger = *told;
    larger->level = level;
    larger->texts[TOLD_NAME] = larger->texts[TOLD_ID] = "";
    if (level == KIND_OF_CONTAINER) {
        larger->texts[TOLD_ID] = first_of(series, id_labels[KIND_OF_CONTAINER]);
        return scaphandre && of == KIND_OF_PROCESS && *larger->texts[TOLD_ID];
    }
    larger->texts[TOLD_CONTAINER] = "";
    if (level == KIND_OF_VM) {
        larger->texts[TOLD_NAME] = first_of(series, name_labels[KIND_OF_VM]);
        return scaphandre && of == KIND_OF_PROCESS && *larger->texts[TOLD_NAME];
    }
    if (level == KIND_OF_POD)
        return *texts[TOLD_POD] &&
               ((scaphandre && of == KIND_OF_PROCESS) || (told->kind == KIND_KEPLER_OLD && of == KIND_OF_CONTAINER));
    larger->texts[TOLD_POD] = larger->texts[TOLD_NODE] = "";
    return level == KIND_OF_NAMESPACE && *texts[TOLD_NAMESPACE] &&
           (of == KIND_OF_POD || (scaphandre && of == KIND_OF_PROCESS) ||
            (told->kind == KIND_KEPLER_OLD && of == KIND_OF_CONTAINER));
}

static bool is_one_of_several(const struct series *series)
{
    static const char *const labels[NAMES] = { "package", "index", "socket_id", "domain", "gpu", "UUID", "gpu_uuid" };
    const char *path = series_label_of(series, "path");

    return *first_of(series, labels) || (path && strncmp(path, "aggregated", 10) != 0);
}

/* Without a name of its own it may be that of all sockets, or cards, together. */
double told_most_w(const struct series *series, enum kind_level level, enum kind_part part)
{
    const bool one = level == KIND_OF_NODE && is_one_of_several(series);

    switch (part) {
    case KIND_PACKAGE:
    case KIND_CORE:
    case KIND_UNCORE: return bounds_class_w(COMPONENT_PACKAGE) * (one ? 1 : TOLD_SOCKETS_MOST);
    case KIND_DRAM: return bounds_class_w(COMPONENT_MEMORY) * (one ? 1 : TOLD_SOCKETS_MOST);
    case KIND_GPU: return one ? bounds_class_w(COMPONENT_GPU) : BOUNDS_MACHINE_W;
    case KIND_PLATFORM: return bounds_class_w(COMPONENT_PLATFORM);
    default: return BOUNDS_MACHINE_W;
    }
}

/* "package-0" is a package, "dram" memory. */
enum kind_part told_part(const struct series *series, const struct kind_family *family)
{
    static const char *const labels[NAMES] = { "zone", "rapl_zone", "domain_name", "component" };
    static const struct {
        const char *name;
        enum kind_part part;
    } parts[] = {
        { "package", KIND_PACKAGE }, { "cores", KIND_CORE },        { "core", KIND_CORE },
        { "uncore", KIND_UNCORE },   { "dram", KIND_DRAM },         { "memory", KIND_DRAM },
        { "gpu", KIND_GPU },         { "platform", KIND_PLATFORM }, { "psys", KIND_PLATFORM },
    };
    const char *name = first_of(series, family->part == KIND_PART_COUNT ? labels : no_labels);

    if (family->part != KIND_PART_COUNT)
        return family->part;
    if (!*name && family->kind == KIND_CARBON)
        return KIND_OWN_SUM;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const size_t length = strlen(parts[i].name);
        if (strncmp(name, parts[i].name, length) == 0 && (!name[length] || name[length] == '-'))
            return parts[i].part;
    }
    return KIND_PART_COUNT;
}
