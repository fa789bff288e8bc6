/* SPDX-License-Identifier: MIT
 * The CPUs of a machine: lists of them, their packages and dies, and those in a container's own files. */
#include "base/machine_parts.h"

#include "base/auto.h"
#include "base/c_locale.h"
#include "base/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_SIZE = 4096 };

/* Walks one range of a list ("4", "0-3"); NULL: it is none. */
static const char *cpu_range(const char *text, long *low, long *high)
{
    char *end;

    if (!c_isdigit(*text))
        return NULL;
    *low = *high = strtol(text, &end, 10);
    if (*end == '-') {
        text = end + 1;
        if (!c_isdigit(*text))
            return NULL;
        *high = strtol(text, &end, 10);
    }
    return *low <= *high && *high < MACHINE_MAX_CPUS ? end : NULL;
}

bool machine_cpu_list(const char *list, void (*on_cpu)(int cpu, void *context), void *context)
{
    long low, high;

    for (const char *at = list;; at++) {
        at = cpu_range(at, &low, &high);
        if (!at || (*at != ',' && *at != '\0'))
            return false;
        if (*at == '\0')
            break;
    }
    for (const char *at = list; (at = cpu_range(at, &low, &high)); at++) {
        for (long cpu = low; cpu <= high; cpu++)
            on_cpu((int)cpu, context);
        if (*at == '\0')
            return true;
    }
    return false;
}

static void count_online(int cpu, void *context)
{
    struct machine *machine = context;

    if (cpu < machine->cpu_limit) /* the kernel's lists go up; each CPU is one */
        return;
    machine->cpus_online++;
    machine->cpu_limit = cpu + 1;
}

static int count_processors(const struct root *root)
{
    const int fd = root_open_file(root, "proc/stat", NULL);
    AUTO_FCLOSE FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
    char line[256];
    int count = 0;

    while (file && fgets(line, sizeof line, file) && strncmp(line, "cpu", 3) == 0)
        count += c_isdigit(line[3]) != 0;
    return count;
}

struct cpu_group {
    int16_t *of;
    int16_t id;
    int limit;
};

static void put_in_group(int cpu, void *context)
{
    const struct cpu_group *group = context;

    if (cpu < group->limit)
        group->of[cpu] = group->id;
}

/* Gives a CPU its package or die, and with the group's own list every CPU in it. False: unknown. */
static bool read_group(const struct root *root, int cpu, const char *id_file, const char *list_file, int limit,
                       int16_t *of)
{
    char path[96], list[LIST_SIZE];
    struct cpu_group group = { .of = of, .limit = limit };
    uint64_t id;

    snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/topology/%s", cpu, id_file);
    if (!root_read_u64(root, path, &id, NULL) || id > INT16_MAX)
        return false;
    group.id = (int16_t)id;
    snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/topology/%s", cpu, list_file);
    if (root_read_text(root, path, list, sizeof list, NULL))
        IGNORED(machine_cpu_list(list, put_in_group, &group), "a CPU without the list is a group of its own");
    of[cpu] = group.id;
    return true;
}

static bool is_first_of_package(const struct machine *machine, int cpu)
{
    int other = 0;

    while (other < cpu && machine->package_of[other] != machine->package_of[cpu])
        other++;
    return other == cpu;
}

struct topology {
    struct machine *machine;
    const struct root *root;
    int next;     /* CPUs before it have been looked at */
    bool no_dies; /* a kernel before 5.3 */
};

/* Package and die of one online CPU, unless a neighbour's list has reported them. */
static void read_topology(int cpu, void *context)
{
    struct topology *topology = context;
    struct machine *machine = topology->machine;
    const struct root *root = topology->root;
    const int limit = machine->cpu_limit;
    int16_t *package_of = machine->package_of;

    if (cpu < topology->next)
        return;
    topology->next = cpu + 1;
    if (package_of[cpu] < 0) {
        if (!read_group(root, cpu, "physical_package_id", "package_cpus_list", limit, package_of))
            return;
        machine->packages += is_first_of_package(machine, cpu);
    }
    if (machine->die_of[cpu] < 0 && !topology->no_dies)
        topology->no_dies = !read_group(root, cpu, "die_id", "die_cpus_list", limit, machine->die_of);
}

void machine_read_topology(struct machine *machine, const struct root *root)
{
    struct topology topology = { .machine = machine, .root = root };
    const int reported = machine->cpus_online; /* by cpuinfo, on s390 */
    char online[LIST_SIZE];

    machine->cpus_online = 0;
    if (root_read_text(root, "sys/devices/system/cpu/online", online, sizeof online, NULL) &&
        machine_cpu_list(online, count_online, machine) && machine_cpu_list(online, read_topology, &topology))
        return;
    machine->cpus_online = reported > 0 ? reported : count_processors(root);
}

static void count_one(int cpu, void *context)
{
    (void)cpu;
    ++*(int *)context;
}

static int count_list(const struct root *root, const char *path)
{
    char list[LIST_SIZE];
    int count = 0;

    return root_read_text(root, path, list, sizeof list, NULL) && machine_cpu_list(list, count_one, &count) ? count : 0;
}

/* A CPU's package lists all its CPUs that are online, whoever may see them. */
static int count_in_packages(const struct machine *machine, const struct root *root)
{
    char path[96];
    int sum = 0;

    for (int cpu = 0; cpu < machine->cpu_limit; cpu++) {
        int count;
        if (machine->package_of[cpu] < 0 || !is_first_of_package(machine, cpu))
            continue;
        snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/topology/package_cpus_list", cpu);
        count = count_list(root, path);
        if (!count) { /* its name before Linux 5.3 */
            snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/topology/core_siblings_list", cpu);
            count = count_list(root, path);
        }
        sum += count;
    }
    return sum;
}

static bool is_mounted_over(const struct root *root, const char *path)
{
    const int fd = root_open_file(root, "proc/self/mountinfo", NULL);
    AUTO_FCLOSE FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
    char line[1024], point[256];

    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "%*s %*s %*s %*s %255s", point) == 1 && strcmp(point, path) == 0)
            return true;
    return false;
}

static int greater(int a, int b)
{
    return a > b ? a : b;
}

/* lxcfs and sandboxes give a container its own files, with its CPUs and their time only: fewer CPUs than the packages
 * have, or a file with a mount over it. */
void machine_find_own_cpus(struct machine *machine, const struct root *root)
{
    const bool own_file = is_mounted_over(root, "/proc/stat");
    const int reported = count_processors(root);
    int all = greater(machine->cpus_online, count_in_packages(machine, root));

    if (own_file && all == reported)
        all = greater(all, count_list(root, "sys/devices/system/cpu/present"));
    if (!reported || (!own_file && reported >= all))
        return;
    machine->cpus_ours = reported;
    machine->cpus_online = greater(all, reported);
}
