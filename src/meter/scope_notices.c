/* SPDX-License-Identifier: MIT
 * What a total should have and has not, or has and perhaps should not. */
#include "meter/scope.h"

#include "meter/scope_parts.h"

#include <stdio.h>
#include <string.h>

/* A model counts instead of unreadable counters. */
static bool is_modelled(const struct meter *meter, const struct counting *counting, enum component component)
{
    for (size_t i = 0; i < meter->domain_count; i++) {
        const struct domain *domain = meter->domains[i].domain;
        if (counting->is_counted[i] && domain->quality == QUALITY_MODELLED && domain->component == component)
            return true;
    }
    return false;
}

/* Something is counted, and something else should be. */
static void notice_unread(const struct meter *meter, struct counting *counting, struct notices *notices)
{
    const struct domain *first = NULL;
    char names[128] = "";

    for (size_t i = 0; i < meter->domain_count; i++) {
        const size_t length = strlen(names);
        if (!counting->eligible[i] || counting->is_counted[i] ||
            is_modelled(meter, counting, meter->domains[i].domain->component))
            continue;
        first = first ? first : meter->domains[i].domain;
        snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "", meter->domains[i].domain->name);
    }
    if (!first)
        return;
    counting->incomplete = true;
    notice_add(notices, NOTICE_LEFT_OUT, first->problem.why, first->problem.fix, INCOMPLETE "%s cannot be read", names);
}

/* Or it is reported already that its counter is left out. */
static bool package_is_there(const struct meter *meter, const bool *eligible, int package)
{
    for (size_t i = 0; i < meter->domain_count; i++) {
        const struct domain *domain = meter->domains[i].domain;
        if ((eligible[i] || meter->domains[i].left_out) && domain->component == COMPONENT_PACKAGE &&
            (domain->package < 0 || domain->package == package))
            return true;
    }
    return false;
}

static void notice_missing_packages(const struct meter *meter, struct counting *counting, struct notices *notices)
{
    for (int cpu = 0; cpu < meter->machine->cpu_limit; cpu++) {
        const int package = meter->machine->package_of[cpu];
        if (package < 0 || package_is_there(meter, counting->eligible, package))
            continue;
        counting->incomplete = true;
        notice_add(notices, NOTICE_LEFT_OUT, "it has no energy counter that could be counted",
                   "'carbon sources' lists what there is", INCOMPLETE "package-%d is not in it", package);
    }
}

static bool topology_has(const struct machine *machine, int package)
{
    bool any = false;

    for (int cpu = 0; cpu < machine->cpu_limit; cpu++) {
        if (machine->package_of[cpu] == package)
            return true;
        any |= machine->package_of[cpu] >= 0;
    }
    return !any;
}

/* Linux names RAPL's packages after those of its CPUs; the socket of a board has the board's numbering. */
static void notice_unlisted_packages(const struct meter *meter, const struct counting *counting,
                                     struct notices *notices)
{
    size_t count = 0;
    char names[128] = "";

    for (size_t i = 0; i < meter->domain_count; i++) {
        const struct domain *domain = meter->domains[i].domain;
        const size_t length = strlen(names);
        if (!counting->is_counted[i] || domain->component != COMPONENT_PACKAGE || domain->package < 0 ||
            domain->access == ACCESS_SENSOR || domain->access == ACCESS_MODEL ||
            topology_has(meter->machine, domain->package))
            continue;
        snprintf(names + length, sizeof names - length, "%s%s", count++ ? ", " : "", domain->name);
    }
    if (count)
        notice_add(notices, NOTICE_INCONSISTENT,
                   "no CPU that is online has a package of that number (/sys/devices/system/cpu/*/topology)",
                   "compare the total with another meter", "%s %s counted, and may not be of this machine", names,
                   count > 1 ? "are" : "is");
}

/* RAPL's package excludes memory; the scope of a socket sensor is its maker's choice. */
static void notice_no_memory(const struct meter *meter, bool has_memory, const struct counting *counting,
                             struct notices *notices)
{
    bool leaves_out = false;

    for (size_t i = 0; i < meter->domain_count; i++) {
        const struct domain *domain = meter->domains[i].domain;
        leaves_out |= counting->is_counted[i] && domain->component == COMPONENT_PACKAGE && !domain->poll_ns;
    }
    if (leaves_out && !has_memory)
        notice_add(notices, NOTICE_NO_MEMORY, "this machine has no DRAM counter, and the package counter excludes it",
                   "", "memory (DRAM) energy is not included");
}

void scope_notices(const struct meter *meter, bool packages, bool has_memory, struct counting *counting,
                   struct notices *notices)
{
    notice_unread(meter, counting, notices);
    if (!packages)
        return;
    notice_missing_packages(meter, counting, notices);
    notice_unlisted_packages(meter, counting, notices);
    notice_no_memory(meter, has_memory, counting, notices);
}
