/* SPDX-License-Identifier: MIT
 * The families of energy metrics, and their labels. */
#include "series/kind.h"

#include <string.h>

#define J 1.0
#define MJ 1e-3 /* millijoule */
#define UJ 1e-6 /* microjoule, and microwatt */

#define BY_LABEL DOMAIN_COUNT

#define OLD(LEVEL, who, part, PART)                                                                                    \
    {                                                                                                                  \
        EXPORTER_KEPLER_OLD, LEVEL, "kepler_" who "_" part "joules_total", PART, MODE_ALL, J, 0, 0                     \
    }
#define OLD_PARTS(LEVEL, who)                                                                                          \
    OLD(LEVEL, who, "package_", DOMAIN_PACKAGE), OLD(LEVEL, who, "core_", DOMAIN_CORE),                                \
        OLD(LEVEL, who, "uncore_", DOMAIN_UNCORE), OLD(LEVEL, who, "dram_", DOMAIN_DRAM),                              \
        OLD(LEVEL, who, "other_", DOMAIN_OTHER), OLD(LEVEL, who, "gpu_", DOMAIN_GPU),                                  \
        OLD(LEVEL, who, "other_host_components_", DOMAIN_OTHER), OLD(LEVEL, who, "", DOMAIN_OWN_SUM)

#define FIRST(LEVEL, who, part, PART)                                                                                  \
    {                                                                                                                  \
        EXPORTER_KEPLER_OLD, LEVEL, who "_total_energy_in_" part "_millijoule", PART, MODE_ALL, MJ, 0, 0               \
    }
#define FIRST_PARTS(LEVEL, who)                                                                                        \
    FIRST(LEVEL, who, "pkg", DOMAIN_PACKAGE), FIRST(LEVEL, who, "core", DOMAIN_CORE),                                  \
        FIRST(LEVEL, who, "uncore", DOMAIN_UNCORE), FIRST(LEVEL, who, "dram", DOMAIN_DRAM),                            \
        FIRST(LEVEL, who, "other", DOMAIN_OTHER), FIRST(LEVEL, who, "gpu", DOMAIN_GPU)

#define NEW(LEVEL, who)                                                                                                \
    { EXPORTER_KEPLER, LEVEL, "kepler_" who "_cpu_joules_total", BY_LABEL, MODE_ALL, J, 0, 0 },                        \
    {                                                                                                                  \
        EXPORTER_KEPLER, LEVEL, "kepler_" who "_gpu_joules_total", DOMAIN_GPU, MODE_ALL, J, 0, 0                       \
    }

#define NODE(part, PART)                                                                                               \
    {                                                                                                                  \
        EXPORTER_NODE, LEVEL_NODE, "node_rapl_" part "_joules_total", PART, MODE_ALL, J, 0, 1                          \
    }

#define SCAPH(LEVEL, name, PART, POWER)                                                                                \
    {                                                                                                                  \
        EXPORTER_SCAPHANDRE, LEVEL, "scaph_" name, PART, MODE_ALL, UJ, POWER, 0                                        \
    }

#define CARBON(LEVEL, name)                                                                                            \
    {                                                                                                                  \
        EXPORTER_CARBON, LEVEL, "carbon_" name "energy_joules_total", BY_LABEL, MODE_ALL, J, 0, 0                      \
    }

const struct kind_family kind_families[] = {
    OLD_PARTS(LEVEL_NODE, "node"),
    OLD(LEVEL_NODE, "node", "platform_", DOMAIN_PLATFORM),
    OLD_PARTS(LEVEL_CONTAINER, "container"),
    OLD_PARTS(LEVEL_PROCESS, "process"),
    OLD_PARTS(LEVEL_VM, "vm"),
    FIRST_PARTS(LEVEL_NODE, "node"),
    FIRST_PARTS(LEVEL_POD, "pod"),
    { EXPORTER_KEPLER, LEVEL_NODE, "kepler_node_cpu_joules_total", BY_LABEL, MODE_ALL, J, 0, 1 },
    { EXPORTER_KEPLER, LEVEL_NODE, "kepler_node_cpu_active_joules_total", BY_LABEL, MODE_DYNAMIC, J, 0, 0 },
    { EXPORTER_KEPLER, LEVEL_NODE, "kepler_node_cpu_idle_joules_total", BY_LABEL, MODE_IDLE, J, 0, 0 },
    { EXPORTER_KEPLER, LEVEL_NODE, "kepler_node_gpu_joules_total", DOMAIN_GPU, MODE_ALL, J, 0, 0 },
    { EXPORTER_KEPLER, LEVEL_NODE, "kepler_node_gpu_active_joules_total", DOMAIN_GPU, MODE_DYNAMIC, J, 0, 0 },
    { EXPORTER_KEPLER, LEVEL_NODE, "kepler_node_gpu_idle_joules_total", DOMAIN_GPU, MODE_IDLE, J, 0, 0 },
    NEW(LEVEL_POD, "pod"),
    NEW(LEVEL_CONTAINER, "container"),
    NEW(LEVEL_PROCESS, "process"),
    NEW(LEVEL_VM, "vm"),
    NODE("package", DOMAIN_PACKAGE),
    NODE("core", DOMAIN_CORE),
    NODE("uncore", DOMAIN_UNCORE),
    NODE("dram", DOMAIN_DRAM),
    NODE("psys", DOMAIN_PLATFORM),
    { EXPORTER_NODE, LEVEL_NODE, "node_rapl_joules_total", BY_LABEL, MODE_ALL, J, 0, 1 },
    { EXPORTER_DCGM, LEVEL_NODE, "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", DOMAIN_GPU, MODE_ALL, MJ, 0, 0 },
    { EXPORTER_DCGM, LEVEL_NODE, "DCGM_FI_DEV_POWER_USAGE", DOMAIN_GPU, MODE_ALL, 1.0 /* watts */, 1, 0 },
    SCAPH(LEVEL_NODE, "host_energy_microjoules", DOMAIN_OWN_SUM, 0),
    SCAPH(LEVEL_NODE, "host_power_microwatts", DOMAIN_OWN_SUM, 1),
    SCAPH(LEVEL_NODE, "host_rapl_psys_microjoules", DOMAIN_PLATFORM, 0),
    SCAPH(LEVEL_NODE, "socket_energy_microjoules", DOMAIN_PACKAGE, 0),
    SCAPH(LEVEL_NODE, "socket_power_microwatts", DOMAIN_PACKAGE, 1),
    SCAPH(LEVEL_NODE, "domain_energy_microjoules", BY_LABEL, 0),
    SCAPH(LEVEL_NODE, "domain_power_microwatts", BY_LABEL, 1),
    SCAPH(LEVEL_PROCESS, "process_power_consumption_microwatts", DOMAIN_OWN_SUM, 1),
    CARBON(LEVEL_NODE, ""),
    CARBON(LEVEL_CGROUP, "cgroup_"),
    CARBON(LEVEL_CONTAINER, "container_"),
    CARBON(LEVEL_POD, "pod_"),
    CARBON(LEVEL_JOB, "slurm_job_"),
    { .metric = NULL },
};

static const struct {
    const char *name, *title;
} kinds[EXPORTER_COUNT] = {
    { "unknown", "no known exporter" },
    { "kepler-old", "Kepler before 0.10" },
    { "kepler", "Kepler" },
    { "node_exporter", "node_exporter" },
    { "scaphandre", "Scaphandre" },
    { "carbon", "carbon" },
    { "dcgm", "DCGM" },
};

const char *exporter_kind_name(enum exporter_kind kind)
{
    return kinds[kind].name;
}

const char *exporter_title(enum exporter_kind kind)
{
    return kinds[kind].title;
}

enum exporter_kind exporter_of_name(const char *name)
{
    for (enum exporter_kind kind = EXPORTER_NONE + 1; kind < EXPORTER_COUNT; kind++)
        if (strcmp(kinds[kind].name, name) == 0)
            return kind;
    return strcmp(name, "old") == 0 ? EXPORTER_KEPLER_OLD : strcmp(name, "new") == 0 ? EXPORTER_KEPLER : EXPORTER_NONE;
}

const char *workload_level_name(enum workload_level level)
{
    static const char *const names[LEVEL_COUNT] = {
        "node", "namespace", "pod", "container", "process", "vm", "cgroup", "job",
    };

    return names[level];
}

const char *rapl_domain_name(enum rapl_domain part)
{
    static const char *const names[DOMAIN_COUNT] = {
        "sum", "pkg", "core", "uncore", "dram", "other", "gpu", "platform", "exporter_sum",
    };

    return names[part];
}

const char *energy_mode_name(enum energy_mode mode)
{
    static const char *const names[MODE_COUNT] = { "all", "dynamic", "idle" };

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
static bool is_rewritten(const struct metric_series *series)
{
    static const char *const labels[] = { "node_name", "gpu_uuid", "state", "runtime" };

    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++)
        if (series_label_of(series, labels[i]))
            return !series_label_of(series, "mode");
    return false;
}

const struct kind_family *kind_family_of_series(const struct metric_series *series)
{
    const struct kind_family *first = kind_family_of(series->metric);

    if (!first || first->kind != EXPORTER_KEPLER_OLD || first->part != DOMAIN_GPU || !is_rewritten(series))
        return first;
    for (const struct kind_family *family = first + 1; family->metric; family++)
        if (strcmp(family->metric, series->metric) == 0)
            return family;
    return first;
}

unsigned exporters_found(const struct series_set *set)
{
    unsigned found = 0;

    for (size_t i = 0; i < set->count; i++) {
        const struct kind_family *family = kind_family_of_series(&set->items[i]);
        if (family)
            found |= 1u << family->kind;
        else if (strstr(set->items[i].metric, "_energy_stat"))
            found |= 1u << EXPORTER_KEPLER_OLD;
    }
    return found;
}
