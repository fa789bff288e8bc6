/* SPDX-License-Identifier: MIT
 * sys/devices/system/cpu/cpuN/cache/indexM: the highest level that holds data, counted once for each set of CPUs. */
#include "base/cpu_cache.h"

#include "base/machine.h"

#include <stdio.h>
#include <string.h>

enum { MAX_INDEXES = 16, LIST_SIZE = 4096 };

/* "32768K" */
static uint64_t size_of(const char *text)
{
    unsigned long long size;
    char unit = '\0';

    if (sscanf(text, "%llu%c", &size, &unit) < 1)
        return 0;
    switch (unit) {
    case 'K': return (uint64_t)size << 10;
    case 'M': return (uint64_t)size << 20;
    case 'G': return (uint64_t)size << 30;
    case '\0': return size;
    default: return 0;
    }
}

static bool read_field(const struct root *root, int cpu, int index, const char *field, char *text, size_t size)
{
    char path[96];

    snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/cache/index%d/%s", cpu, index, field);
    return root_read_text(root, path, text, size, NULL);
}

/* The index of the highest level of this CPU, or -1. */
static int highest(const struct root *root, int cpu)
{
    char text[32];
    int level, best_level = 0, best = -1;

    for (int index = 0; index < MAX_INDEXES && read_field(root, cpu, index, "level", text, sizeof text); index++)
        if (sscanf(text, "%d", &level) == 1 && level > best_level &&
            read_field(root, cpu, index, "type", text, sizeof text) && strcmp(text, "Instruction") != 0) {
            best_level = level;
            best = index;
        }
    return best;
}

struct cpu_cache_scan {
    const struct root *root;
    struct cache cache;
    bool seen[MACHINE_MAX_CPUS]; /* its cache has been counted */
};

static void note_seen(int cpu, void *context)
{
    struct cpu_cache_scan *scan = context;

    if (cpu >= 0 && cpu < MACHINE_MAX_CPUS)
        scan->seen[cpu] = true;
}

/* The others that share a cache are not asked: a server has hundreds of CPUs and a dozen of caches. Without a list each
 * has its own. */
static void add_cpu(int cpu, void *context)
{
    struct cpu_cache_scan *scan = context;
    char text[LIST_SIZE];
    uint64_t bytes;
    int index;

    if (cpu < 0 || cpu >= MACHINE_MAX_CPUS || scan->seen[cpu])
        return;
    index = highest(scan->root, cpu);
    bytes = index >= 0 && read_field(scan->root, cpu, index, "size", text, sizeof text) ? size_of(text) : 0;
    if (bytes == 0)
        return;
    scan->cache.count++;
    if (bytes > scan->cache.bytes)
        scan->cache.bytes = bytes;
    if (read_field(scan->root, cpu, index, "shared_cpu_list", text, sizeof text))
        IGNORED(machine_cpu_list(text, note_seen, scan), "without the list the cache is one CPU's");
}

struct cache cache_read(const struct root *root)
{
    struct cpu_cache_scan scan = { .root = root };
    char online[4096];

    if (!root_read_text(root, "sys/devices/system/cpu/online", online, sizeof online, NULL) ||
        !machine_cpu_list(online, add_cpu, &scan))
        return (struct cache){ .bytes = 0 };
    return scan.cache;
}
