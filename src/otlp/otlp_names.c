/* SPDX-License-Identifier: MIT
 * The tables. hw.*: OpenTelemetry semantic conventions 1.37, docs/hardware; process.*, container.*, k8s.*: its registry
 * of attributes. Units are UCUM. */
#include "otlp/otlp_names.h"

#include <string.h>

#define GRAMS "g{CO2eq}"
#define G_PER_KG 1000

/* The six metrics of one kind of group. */
#define GROUP(prefix, name)                                                                                            \
    { prefix "_energy_joules_total", OTLP_ANY, name ".energy", "J", OTLP_SUM, 1 },                                     \
        { prefix "_power_watts", OTLP_ANY, name ".power", "W", OTLP_GAUGE, 1 },                                        \
        { prefix "_emissions_kilograms_total", OTLP_ANY, name ".emissions", GRAMS, OTLP_SUM, G_PER_KG },               \
        { prefix "_cpu_seconds_total", OTLP_ANY, name ".cpu.time", "s", OTLP_SUM, 1 },                                 \
        { prefix "_own_energy_joules_total", OTLP_ANY, name ".own.energy", "J", OTLP_SUM, 1 },                         \
    {                                                                                                                  \
        prefix "_own_emissions_kilograms_total", OTLP_ANY, name ".own.emissions", GRAMS, OTLP_SUM, G_PER_KG            \
    }

static const struct otlp_metric metrics[] = {
    { "carbon_energy_joules_total", OTLP_PART, "hw.energy", "J", OTLP_SUM, 1 },
    { "carbon_energy_joules_total", OTLP_HOST, "hw.host.energy", "J", OTLP_SUM, 1 },
    { "carbon_energy_joules_total", OTLP_OTHER, "carbon.domain.energy", "J", OTLP_SUM, 1 },
    { "carbon_power_watts", OTLP_PART, "hw.power", "W", OTLP_GAUGE, 1 },
    { "carbon_power_watts", OTLP_HOST, "hw.host.power", "W", OTLP_GAUGE, 1 },
    { "carbon_power_watts", OTLP_OTHER, "carbon.domain.power", "W", OTLP_GAUGE, 1 },
    { "carbon_emissions_kilograms_total", OTLP_ANY, "carbon.emissions", GRAMS, OTLP_SUM, G_PER_KG },
    { "carbon_factor_info", OTLP_ANY, "carbon.factor.info", "1", OTLP_GAUGE, 1 },
    { "carbon_factor_kilograms_per_kilowatthour", OTLP_ANY, "carbon.factor", GRAMS "/kW.h", OTLP_GAUGE, G_PER_KG },
    { "carbon_pue_info", OTLP_ANY, "carbon.pue.info", "1", OTLP_GAUGE, 1 },
    { "carbon_pue_ratio", OTLP_ANY, "carbon.pue", "1", OTLP_GAUGE, 1 },
    { "carbon_read_errors_total", OTLP_ANY, "carbon.read_errors", "{error}", OTLP_SUM, 1 },
    { "carbon_energy_gaps_total", OTLP_ANY, "carbon.energy.gaps", "{gap}", OTLP_SUM, 1 },
    { "carbon_unknown_seconds_total", OTLP_ANY, "carbon.energy.unknown_time", "s", OTLP_SUM, 1 },
    GROUP("carbon_cgroup", "carbon.cgroup"),
    GROUP("carbon_container", "carbon.container"),
    GROUP("carbon_pod", "carbon.pod"),
    GROUP("carbon_slurm_job", "carbon.slurm.job"),
    GROUP("carbon_user", "carbon.user"),
    GROUP("carbon_process", "carbon.process"),
    { "carbon_idle_power_watts", OTLP_ANY, "carbon.idle.power", "W", OTLP_GAUGE, 1 },
    { "carbon_groups_left_out", OTLP_ANY, "carbon.groups.left_out", "{group}", OTLP_GAUGE, 1 },
    { "carbon_group_folders_not_entered", OTLP_ANY, "carbon.groups.not_entered", "{folder}", OTLP_GAUGE, 1 },
    { "carbon_notice_info", OTLP_ANY, "carbon.notice", "1", OTLP_GAUGE, 1 },
    { "carbon_collections_total", OTLP_ANY, "carbon.collections", "{collection}", OTLP_SUM, 1 },
    { "carbon_collection_duration_seconds", OTLP_ANY, "carbon.collection.duration", "s", OTLP_GAUGE, 1 },
    { "carbon_scrapes_total", OTLP_ANY, "carbon.scrapes", "{request}", OTLP_SUM, 1 },
    { "process_cpu_seconds_total", OTLP_ANY, "process.cpu.time", "s", OTLP_SUM, 1 },
    { "process_resident_memory_bytes", OTLP_ANY, "process.memory.usage", "By", OTLP_LEVEL, 1 },
    /* of one measurement: `carbon measure` */
    { "run_energy_joules", OTLP_ANY, "carbon.run.energy", "J", OTLP_GAUGE, 1 },
    { "run_power_watts", OTLP_ANY, "carbon.run.power", "W", OTLP_GAUGE, 1 },
    { "run_emissions_kilograms", OTLP_ANY, "carbon.run.emissions", GRAMS, OTLP_GAUGE, G_PER_KG },
    { "run_duration_seconds", OTLP_ANY, "carbon.run.duration", "s", OTLP_GAUGE, 1 },
    { "run_cpu_seconds", OTLP_ANY, "carbon.run.cpu.time", "s", OTLP_GAUGE, 1 },
    { "run_count", OTLP_ANY, "carbon.run.count", "{run}", OTLP_GAUGE, 1 },
    { "run_exit_status", OTLP_ANY, "carbon.run.exit_status", "1", OTLP_GAUGE, 1 },
};

static const struct {
    const char *label, *attribute;
} attributes[] = {
    { "domain", "hw.name" },
    { "container_id", "container.id" },
    { "container_name", "container.name" },
    { "engine", "container.runtime" },
    { "pod_uid", "k8s.pod.uid" },
    { "pod_name", "k8s.pod.name" },
    { "namespace", "k8s.namespace.name" },
    { "user", "user.id" },
    { "process", "process.executable.name" },
    { "cgroup", "process.linux.cgroup" },
    { "job_id", "carbon.slurm.job.id" },
};

const struct otlp_metric *otlp_metrics_all(size_t *count)
{
    *count = sizeof metrics / sizeof metrics[0];
    return metrics;
}

const struct otlp_metric *otlp_metrics_of(const char *from, size_t *count)
{
    const size_t all = sizeof metrics / sizeof metrics[0];
    size_t first = 0, end;

    while (first < all && strcmp(metrics[first].from, from) != 0)
        first++;
    for (end = first; end < all && strcmp(metrics[end].from, from) == 0;)
        end++;
    *count = end - first;
    return metrics + first;
}

const char *otlp_attribute_of(const char *label)
{
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++)
        if (strcmp(attributes[i].label, label) == 0)
            return attributes[i].attribute;
    return NULL;
}

const char *otlp_hardware_of(const char *component)
{
    static const char *const kinds[][2] = { { "package", "cpu" }, { "memory", "memory" }, { "gpu", "gpu" } };

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i][0], component) == 0)
            return kinds[i][1];
    return NULL;
}

const char *otlp_place_name(enum otlp_place place)
{
    static const char *const names[OTLP_PLACES] = { "", "part", "host", "other" };

    return names[place];
}

const char *otlp_kind_name(enum otlp_kind kind)
{
    static const char *const names[] = { "sum", "level", "gauge" };

    return names[kind];
}
