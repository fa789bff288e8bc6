/* SPDX-License-Identifier: MIT
 * Sets of CPUs. */
#include "run/cpus.h"

#include <stdio.h>
#include <string.h>

struct filling {
    struct cpus *cpus;
    bool beyond;
};

static void add_cpu(int cpu, void *context)
{
    struct filling *filling = context;

    if (cpu >= 0 && cpu < MACHINE_MAX_CPUS)
        CPU_SET_S((size_t)cpu, CPUS_SIZE, &filling->cpus->set);
    else
        filling->beyond = true;
}

bool cpus_of_list(const char *list, struct cpus *cpus, struct error *err)
{
    struct filling filling = { .cpus = cpus };

    memset(cpus, 0, sizeof *cpus);
    if (machine_cpu_list(list, add_cpu, &filling) && !filling.beyond && CPU_COUNT_S(CPUS_SIZE, &cpus->set) > 0)
        return true;
    return error_set(err, ERROR_USAGE, "a list of CPUs looks like '0-3,8', not '%s'", list);
}

void cpus_list(const struct cpus *cpus, char *list, size_t size)
{
    size_t length = 0;

    list[0] = '\0';
    for (size_t first = 0; first < MACHINE_MAX_CPUS; first++) {
        size_t last = first;
        if (!CPU_ISSET_S(first, CPUS_SIZE, &cpus->set))
            continue;
        while (last + 1 < MACHINE_MAX_CPUS && CPU_ISSET_S(last + 1, CPUS_SIZE, &cpus->set))
            last++;
        length += (size_t)snprintf(list + length, size - length, last > first ? "%s%zu-%zu" : "%s%zu",
                                   length ? "," : "", first, last);
        if (length >= size)
            return;
        first = last;
    }
}

bool cpus_inherited(struct cpus *cpus, struct error *err)
{
    memset(cpus, 0, sizeof *cpus);
    if (sched_getaffinity(0, CPUS_SIZE, &cpus->set) != 0)
        return error_errno(err, "cannot read this process's CPU affinity");
    return true;
}

static bool cpus_online(const struct root *root, struct cpus *online, struct error *err)
{
    char list[4096];

    return root_read_text(root, "sys/devices/system/cpu/online", list, sizeof list, err) &&
           cpus_of_list(list, online, err);
}

bool cpus_keep_off(const struct cpus *job, const struct root *root)
{
    struct cpus others;

    if (!root->live || !cpus_online(root, &others, NULL))
        return false;
    for (size_t i = 0; i < sizeof others.words / sizeof others.words[0]; i++)
        others.words[i] &= ~job->words[i];
    return CPU_COUNT_S(CPUS_SIZE, &others.set) > 0 && sched_setaffinity(0, CPUS_SIZE, &others.set) == 0;
}

bool cpus_are_online(const struct cpus *cpus, const struct root *root, struct error *err)
{
    struct cpus online;
    char list[256];

    if (!root->live || !cpus_online(root, &online, NULL))
        return true;
    for (size_t i = 0; i < MACHINE_MAX_CPUS; i++)
        if (CPU_ISSET_S(i, CPUS_SIZE, &cpus->set) && !CPU_ISSET_S(i, CPUS_SIZE, &online.set)) {
            cpus_list(&online, list, sizeof list);
            error_set(err, ERROR_USAGE, "CPU %zu is not online", i);
            return error_fix(err, "the CPUs of this machine are %s", list);
        }
    return true;
}
