/* SPDX-License-Identifier: MIT
 * sys/devices/system/cpu/cpuN/topology: a core is counted with the first of its threads. */
#include "base/cores.h"

#include "base/machine.h"

#include <stdio.h>

enum { LIST_SIZE = 4096 };

struct cores_scan {
    const struct root *root;
    int cores;
    bool unknown;
};

/* Its name before Linux 5.3 is the second one. */
static bool read_threads(const struct root *root, int cpu, char list[LIST_SIZE])
{
    static const char *const names[] = { "core_cpus_list", "thread_siblings_list" };
    char path[96];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/topology/%s", cpu, names[i]);
        if (root_read_text(root, path, list, LIST_SIZE, NULL))
            return true;
    }
    return false;
}

static void note_first(int cpu, void *context)
{
    int *first = context;

    if (*first < 0)
        *first = cpu;
}

static void add_cpu(int cpu, void *context)
{
    struct cores_scan *scan = context;
    char list[LIST_SIZE];
    int first = -1;

    if (scan->unknown)
        return;
    scan->unknown = !read_threads(scan->root, cpu, list) || !machine_cpu_list(list, note_first, &first);
    scan->cores += first == cpu;
}

int cores_online(const struct root *root)
{
    struct cores_scan scan = { .root = root };
    char online[LIST_SIZE];

    if (!root_read_text(root, "sys/devices/system/cpu/online", online, sizeof online, NULL) ||
        !machine_cpu_list(online, add_cpu, &scan) || scan.unknown)
        return 0;
    return scan.cores;
}
