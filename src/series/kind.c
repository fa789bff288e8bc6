/* SPDX-License-Identifier: MIT
 * The families of metrics that tell energy, and the names of what they tell. */
#include "series/kind.h"

#include <string.h>

#define J 1.0
#define MJ 1e-3 /* millijoule */
#define UJ 1e-6 /* microjoule, and microwatt */

#define BY_LABEL KIND_PART_COUNT

#define OLD(LEVEL, who, part, PART)                                                                                    \
    {                                                                                                                  \
        KIND_KEPLER_OLD, LEVEL, "kepler_" who "_" part "joules_total", PART, KIND_ALL, J, 0, 0                         \
    }
#define OLD_PARTS(LEVEL, who)                                                                                          \
    OLD(LEVEL, who, "package_", KIND_PACKAGE), OLD(LEVEL, who, "core_", KIND_CORE),                                    \
        OLD(LEVEL, who, "uncore_", KIND_UNCORE), OLD(LEVEL, who, "dram_", KIND_DRAM),                                  \
        OLD(LEVEL, who, "other_", KIND_OTHER), OLD(LEVEL, who, "gpu_", KIND_GPU),                                      \
        OLD(LEVEL, who, "other_host_components_", KIND_OTHER), OLD(LEVEL, who, "", KIND_OWN_SUM)

#define FIRST(LEVEL, who, part, PART)                                                                                  \
    {                                                                                                                  \
        KIND_KEPLER_OLD, LEVEL, who "_total_energy_in_" part "_millijoule", PART, KIND_ALL, MJ, 0, 0                   \
    }
#define FIRST_PARTS(LEVEL, who)                                                                                        \
    FIRST(LEVEL, who, "pkg", KIND_PACKAGE), FIRST(LEVEL, who, "core", KIND_CORE),                                      \
        FIRST(LEVEL, who, "uncore", KIND_UNCORE), FIRST(LEVEL, who, "dram", KIND_DRAM),                                \
        FIRST(LEVEL, who, "other", KIND_OTHER), FIRST(LEVEL, who, "gpu", KIND_GPU)

#define NEW(LEVEL, who)                                                                                                \
    { KIND_KEPLER, LEVEL, "kepler_" who "_cpu_joules_total", BY_LABEL, KIND_ALL, J, 0, 0 },                            \
    {                                                                                                                  \
        KIND_KEPLER, LEVEL, "kepler_" who "_gpu_joules_total", KIND_GPU, KIND_ALL, J, 0, 0                             \
    }

#define NODE(part, PART)                                                                                               \
    {                                                                                                                  \
        KIND_NODE, KIND_OF_NODE, "node_rapl_" part "_joules_total", PART, KIND_ALL, J, 0, 1                            \
    }

#define SCAPH(LEVEL, name, PART, POWER)                                                                                \
    {                                                                                                                  \
        KIND_SCAPHANDRE, LEVEL, "scaph_" name, PART, KIND_ALL, UJ, POWER, 0                                            \
    }

#define CARBON(LEVEL, name)                                                                                            \
    {                                                                                                                  \
        KIND_CARBON, LEVEL, "carbon_" name "energy_joules_total", BY_LABEL, KIND_ALL, J, 0, 0                          \
    }

const struct kind_family kind_families[] = {
    OLD_PARTS(KIND_OF_NODE, "node"),
    OLD(KIND_OF_NODE, "node", "platform_", KIND_PLATFORM),
    OLD_PARTS(KIND_OF_CONTAINER, "container"),
    OLD_PARTS(KIND_OF_PROCESS, "process"),
    OLD_PARTS(KIND_OF_VM, "vm"),
    FIRST_PARTS(KIND_OF_NODE, "node"),
    FIRST_PARTS(KIND_OF_POD, "pod"),
    { KIND_KEPLER, KIND_OF_NODE, "kepler_node_cpu_joules_total", BY_LABEL, KIND_ALL, J, 0, 1 },
    { KIND_KEPLER, KIND_OF_NODE, "kepler_node_cpu_active_joules_total", BY_LABEL, KIND_DYNAMIC, J, 0, 0 },
    { KIND_KEPLER, KIND_OF_NODE, "kepler_node_cpu_idle_joules_total", BY_LABEL, KIND_IDLE, J, 0, 0 },
    { KIND_KEPLER, KIND_OF_NODE, "kepler_node_gpu_joules_total", KIND_GPU, KIND_ALL, J, 0, 0 },
    { KIND_KEPLER, KIND_OF_NODE, "kepler_node_gpu_active_joules_total", KIND_GPU, KIND_DYNAMIC, J, 0, 0 },
    { KIND_KEPLER, KIND_OF_NODE, "kepler_node_gpu_idle_joules_total", KIND_GPU, KIND_IDLE, J, 0, 0 },
    NEW(KIND_OF_POD, "pod"),
    NEW(KIND_OF_CONTAINER, "container"),
    NEW(KIND_OF_PROCESS, "process"),
    NEW(KIND_OF_VM, "vm"),
    NODE("package", KIND_PACKAGE),
    NODE("core", KIND_CORE),
    NODE("uncore", KIND_UNCORE),
    NODE("dram", KIND_DRAM),
    NODE("psys", KIND_PLATFORM),
    { KIND_NODE, KIND_OF_NODE, "node_rapl_joules_total", BY_LABEL, KIND_ALL, J, 0, 1 },
    { KIND_DCGM, KIND_OF_NODE, "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", KIND_GPU, KIND_ALL, MJ, 0, 0 },
    { KIND_DCGM, KIND_OF_NODE, "DCGM_FI_DEV_POWER_USAGE", KIND_GPU, KIND_ALL, 1.0 /* watts */, 1, 0 },
    SCAPH(KIND_OF_NODE, "host_energy_microjoules", KIND_OWN_SUM, 0),
    SCAPH(KIND_OF_NODE, "host_power_microwatts", KIND_OWN_SUM, 1),
    SCAPH(KIND_OF_NODE, "host_rapl_psys_microjoules", KIND_PLATFORM, 0),
    SCAPH(KIND_OF_NODE, "socket_energy_microjoules", KIND_PACKAGE, 0),
    SCAPH(KIND_OF_NODE, "socket_power_microwatts", KIND_PACKAGE, 1),
    SCAPH(KIND_OF_NODE, "domain_energy_microjoules", BY_LABEL, 0),
    SCAPH(KIND_OF_NODE, "domain_power_microwatts", BY_LABEL, 1),
    SCAPH(KIND_OF_PROCESS, "process_power_consumption_microwatts", KIND_OWN_SUM, 1),
    CARBON(KIND_OF_NODE, ""),
    CARBON(KIND_OF_CGROUP, "cgroup_"),
    CARBON(KIND_OF_CONTAINER, "container_"),
    CARBON(KIND_OF_POD, "pod_"),
    CARBON(KIND_OF_JOB, "slurm_job_"),
    { .metric = NULL },
};

static const struct {
    const char *name, *title;
} kinds[KIND_COUNT] = {
    { "unknown", "no known exporter" },
    { "kepler-old", "Kepler before 0.10" },
    { "kepler", "Kepler" },
    { "node_exporter", "node_exporter" },
    { "scaphandre", "Scaphandre" },
    { "carbon", "carbon" },
    { "dcgm", "DCGM" },
};

const char *kind_name(enum kind_exporter kind)
{
    return kinds[kind].name;
}

const char *kind_title(enum kind_exporter kind)
{
    return kinds[kind].title;
}

enum kind_exporter kind_of_name(const char *name)
{
    for (enum kind_exporter kind = KIND_NONE + 1; kind < KIND_COUNT; kind++)
        if (strcmp(kinds[kind].name, name) == 0)
            return kind;
    return strcmp(name, "old") == 0 ? KIND_KEPLER_OLD : strcmp(name, "new") == 0 ? KIND_KEPLER : KIND_NONE;
}

const char *kind_level_name(enum kind_level level)
{
    static const char *const names[KIND_LEVEL_COUNT] = {
        "node", "namespace", "pod", "container", "process", "vm", "cgroup", "job",
    };

    return names[level];
}

const char *kind_part_name(enum kind_part part)
{
    static const char *const names[KIND_PART_COUNT] = {
        "sum", "pkg", "core", "uncore", "dram", "other", "gpu", "platform", "exporter_sum",
    };

    return names[part];
}

const char *kind_mode_name(enum kind_mode mode)
{
    static const char *const names[KIND_MODE_COUNT] = { "all", "dynamic", "idle" };

    return names[mode];
}

/* node_exporter names a metric after the zone: one of a die is node_rapl_package_0_die_joules_total. */
static bool is_die_of_package(const char *metric)
{
    static const char begin[] = "node_rapl_package_", end[] = "_joules_total";
    const size_t length = strlen(metric);

    return length > sizeof begin + sizeof end && strncmp(metric, begin, sizeof begin - 1) == 0 &&
           strcmp(metric + length - (sizeof end - 1), end) == 0;
}

const struct kind_family *kind_family_of(const char *metric)
{
    const char *wanted = is_die_of_package(metric) ? "node_rapl_package_joules_total" : metric;

    for (const struct kind_family *family = kind_families; family->metric; family++)
        if (strcmp(family->metric, wanted) == 0)
            return family;
    return NULL;
}

/* Both Keplers have some names: the newer has none of the modes, and labels of its own. */
static bool is_rewritten(const struct series *series)
{
    static const char *const labels[] = { "node_name", "gpu_uuid", "state", "runtime" };

    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++)
        if (series_label_of(series, labels[i]))
            return !series_label_of(series, "mode");
    return false;
}

const struct kind_family *kind_family_of_series(const struct series *series)
{
    const struct kind_family *first = kind_family_of(series->metric);

    if (!first || first->kind != KIND_KEPLER_OLD || first->part != KIND_GPU || !is_rewritten(series))
        return first;
    for (const struct kind_family *family = first + 1; family->metric; family++)
        if (strcmp(family->metric, series->metric) == 0)
            return family;
    return first;
}

unsigned kind_found(const struct series_set *set)
{
    unsigned found = 0;

    for (size_t i = 0; i < set->count; i++) {
        const struct kind_family *family = kind_family_of_series(&set->items[i]);
        if (family)
            found |= 1u << family->kind;
        else if (strstr(set->items[i].metric, "_energy_stat"))
            found |= 1u << KIND_KEPLER_OLD;
    }
    return found;
}
