/* SPDX-License-Identifier: MIT
 * Six families for each kind of group: energy, power, emissions, CPU time, own energy and its emissions. */
#include "base/units.h"
#include "commands/serve/metrics.h"

#include <math.h>

enum group_figure { GROUP_ENERGY, GROUP_POWER, GROUP_EMISSIONS, GROUP_CPU, GROUP_OWN, GROUP_OWN_EMISSIONS, FIGURES };

#define RULE                                                                                                           \
    " Attributed by CPU time: energy of the counted domains (without graphics cards) x CPU time of the group / (CPUs " \
    "online x interval). The rest is idle and system, and attributed to no group."
#define ENERGY_HELP(whose) "Energy of " whose "." RULE
#define POWER_HELP(whose) "Mean power of " whose " over the last resolution interval." RULE
#define EMISSIONS_HELP(whose) "Emissions of " whose " in kilograms of CO2 equivalent: its energy x PUE x factor." RULE
#define CPU_HELP(whose) "CPU time of " whose " since carbon saw it first."
#define OWN_RULE                                                                                                       \
    " Its energy above idle, by CPU time, and of graphics cards by the time of their processors: cpu-time of the "     \
    "model's power above its idle power, share of the meter's power above the lowest power that carbon has seen."
#define OWN_HELP(whose) "Own energy of " whose "." OWN_RULE
#define OWN_EMISSIONS_HELP(whose)                                                                                      \
    "Own emissions of " whose " in kilograms of CO2 equivalent: own energy x PUE x factor."
#define FAMILIES(prefix, whose)                                                                                        \
    {                                                                                                                  \
        { prefix "_energy_joules_total", METRIC_COUNTER, "joules", ENERGY_HELP(whose) },                               \
            { prefix "_power_watts", METRIC_GAUGE, "watts", POWER_HELP(whose) },                                       \
            { prefix "_emissions_kilograms_total", METRIC_COUNTER, "kilograms", EMISSIONS_HELP(whose) },               \
            { prefix "_cpu_seconds_total", METRIC_COUNTER, "seconds", CPU_HELP(whose) },                               \
            { prefix "_own_energy_joules_total", METRIC_COUNTER, "joules", OWN_HELP(whose) },                          \
            { prefix "_own_emissions_kilograms_total", METRIC_COUNTER, "kilograms", OWN_EMISSIONS_HELP(whose) },       \
    }

static const struct metric_family families[GROUP_KINDS][FIGURES] = {
    [GROUP_CGROUP] = FAMILIES("carbon_cgroup", "a control group, without groups below it"),
    [GROUP_CONTAINER] = FAMILIES("carbon_container", "a container"),
    [GROUP_POD] = FAMILIES("carbon_pod", "a pod"),
    [GROUP_SLURM] = FAMILIES("carbon_slurm_job", "a job of Slurm on this node"),
    [GROUP_USER] = FAMILIES("carbon_user", "the processes of a user"),
    [GROUP_PROCESS] = FAMILIES("carbon_process", "a program of a user: its processes together, the rest as 'others'"),
};
static const struct metric_family left_out = { "carbon_groups_left_out", METRIC_GAUGE, "",
                                               "Groups that exist and are not exported, beyond --most-groups; of "
                                               "cgroups also those in folders that are not entered." };
static const struct metric_family unentered = { "carbon_group_folders_not_entered", METRIC_GAUGE, "",
                                                "Folders of control groups that are not entered: more than 20000 of "
                                                "root's or of users', or more than 24 deep. What is in them counts "
                                                "with the group above." };

static const struct metric_family idle = { "carbon_idle_power_watts", METRIC_GAUGE, "watts",
                                           "Idle power, which is in no own energy: of a model its own, of a meter the "
                                           "lowest that carbon has seen." };

enum { GROUP_LABELS = 7 };
_Static_assert((int)GROUP_LABELS <= (int)METRIC_LABELS_MAX, "of a group");

static size_t label_user(const struct group *group, struct metric_label labels[GROUP_LABELS], size_t count)
{
    labels[count] = (struct metric_label){ "user", group->name.user };
    return count + (group->name.user[0] != '\0');
}

/* Those that say which group it is; how many. */
static size_t label_group(const struct group *group, struct metric_label labels[GROUP_LABELS])
{
    switch (group->name.kind) {
    case GROUP_CONTAINER:
        labels[0] = (struct metric_label){ "container_id", group->name.id };
        labels[1] = (struct metric_label){ "container_name", group->title };
        labels[2] = (struct metric_label){ "engine", group->name.engine };
        return label_user(group, labels, 3);
    case GROUP_POD:
        labels[0] = (struct metric_label){ "pod_uid", group->name.id };
        labels[1] = (struct metric_label){ "pod_name", group->title };
        labels[2] = (struct metric_label){ "namespace", group->space };
        return label_user(group, labels, 3);
    case GROUP_SLURM:
        labels[0] = (struct metric_label){ "job_id", group->name.id };
        return label_user(group, labels, 1);
    case GROUP_PROCESS:
        labels[0] = (struct metric_label){ "process", group->name.user[0] ? group->name.id : "others" };
        labels[1] = (struct metric_label){ "user", group->name.user };
        return 2;
    case GROUP_USER: labels[0] = (struct metric_label){ "user", group->name.id }; return 1;
    default: labels[0] = (struct metric_label){ "cgroup", group_name_id(&group->name) }; return 1;
    }
}

static void write_own(const struct groups *groups, const struct group *group, enum group_figure figure,
                      struct metric_text *metrics)
{
    struct metric_label labels[GROUP_LABELS];
    const size_t count = label_group(group, labels);
    bool any = false;

    labels[count] = (struct metric_label){ "quality", quality_name(QUALITY_ATTRIBUTED) };
    for (size_t i = 0; i < COMPONENT_COUNT; i++) {
        any |= group->has_own[i];
        if (!group->has_own[i] || figure == GROUP_OWN_EMISSIONS)
            continue;
        labels[count + 1] = (struct metric_label){ "component", component_name((enum component)i) };
        labels[count + 2] = (struct metric_label){ "method", own_method_name(groups->own_method[i]) };
        metric_sample(metrics, labels, count + 3, group->own_j[i]);
    }
    if (figure == GROUP_OWN_EMISSIONS)
        metric_sample(metrics, labels, count + 1, any ? group->own_kgco2eq : NAN);
}

static void write_idle(const struct groups *groups, struct metric_text *metrics)
{
    metric_begin(metrics, &idle);
    for (size_t i = 0; i < COMPONENT_COUNT; i++) {
        const struct metric_label labels[] = {
            { "component", component_name((enum component)i) },
            { "method", groups->own_method[i] == OWN_CPU_TIME ? "model" : "lowest" },
        };
        metric_sample(metrics, labels, 2, groups->idle_w[i]);
    }
}

static void write_group(const struct groups *groups, const struct group *group, enum group_figure figure,
                        struct metric_text *metrics)
{
    struct metric_label labels[GROUP_LABELS];
    const size_t count = label_group(group, labels);
    bool any = false;

    if (figure >= GROUP_OWN) {
        write_own(groups, group, figure, metrics);
        return;
    }
    if (figure == GROUP_CPU) {
        metric_sample(metrics, labels, count, s_from_ns(group->cpu_ns));
        return;
    }
    labels[count] = (struct metric_label){ "quality", quality_name(QUALITY_ATTRIBUTED) };
    for (size_t i = 0; i < COMPONENT_COUNT; i++) {
        any |= group->has[i];
        if (!group->has[i] || figure == GROUP_EMISSIONS)
            continue;
        labels[count + 1] = (struct metric_label){ "component", component_name((enum component)i) };
        metric_sample(metrics, labels, count + 2, figure == GROUP_ENERGY ? group->energy_j[i] : group->power_w[i]);
    }
    if (figure == GROUP_EMISSIONS)
        metric_sample(metrics, labels, count + 1, any ? group->kgco2eq : NAN);
}

/* A group's totals begin with it, or where the state has them from a process before, with those of the machine. */
static uint64_t since_of(const struct collector *collector, const struct group *group)
{
    const uint64_t begun_ns = collector->begun_s * NS_PER_S_INT, started_ns = collector->started_s * NS_PER_S_INT;

    return group->begun_ns <= collector->started_ns ? begun_ns : started_ns + group->begun_ns - collector->started_ns;
}

void metrics_groups(const struct collector *collector, struct metric_text *metrics)
{
    const struct groups *groups = &collector->groups;
    const bool withheld = collector->withheld;
    bool any = false;

    for (size_t kind = 0; kind < GROUP_KINDS; kind++)
        for (size_t figure = 0; groups->wanted[kind] && figure < FIGURES; figure++) {
            any = true;
            metric_begin(metrics, &families[kind][figure]);
            for (size_t i = 0; i < groups->count && (!withheld || figure == GROUP_POWER); i++)
                if (groups->items[i].name.kind == (enum group_kind)kind && groups->items[i].named &&
                    !groups->items[i].hidden) {
                    metric_since(metrics, since_of(collector, &groups->items[i]));
                    write_group(groups, &groups->items[i], (enum group_figure)figure, metrics);
                }
        }
    if (!any)
        return;
    write_idle(groups, metrics);
    metric_begin(metrics, &left_out);
    for (size_t kind = 0; kind < GROUP_KINDS; kind++) {
        const struct metric_label by = { "by", group_kind_name((enum group_kind)kind) };
        if (groups->wanted[kind])
            metric_sample(metrics, &by, 1, (double)groups->left_out[kind]);
    }
    metric_begin(metrics, &unentered);
    metric_sample(metrics, NULL, 0, (double)groups->unentered);
}

void metrics_list_groups(struct metric_text *metrics)
{
    for (size_t kind = 0; kind < GROUP_KINDS; kind++)
        for (size_t figure = 0; figure < FIGURES; figure++)
            metric_begin(metrics, &families[kind][figure]);
    metric_begin(metrics, &idle);
    metric_begin(metrics, &left_out);
    metric_begin(metrics, &unentered);
}
