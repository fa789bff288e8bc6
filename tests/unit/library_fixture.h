/* SPDX-License-Identifier: MIT
 * A machine of one package and its memory whose counters move only when a test moves them, and a carbon_meter over it.
 */
#ifndef TESTS_LIBRARY_FIXTURE_H
#define TESTS_LIBRARY_FIXTURE_H

#include <carbon.h>

#include "tree.h"

#include <math.h>
#include <stdint.h>
#include <time.h>

#define PACKAGE "sys/class/powercap/intel-rapl:0"
#define MEMORY "sys/class/powercap/intel-rapl:0:0"

static struct tree tree;
static carbon_meter *meter;
static carbon_error failure;

static inline void put_number(const char *folder, const char *file, uint64_t value)
{
    char name[128], text[32];

    snprintf(name, sizeof name, "%s/%s", folder, file);
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    tree_put(&tree, name, text);
}

static inline void set_uj(const char *folder, uint64_t uj)
{
    put_number(folder, "energy_uj", uj);
}

static inline void add_domain(const char *folder, const char *name, uint64_t range_uj, uint64_t uj)
{
    char path[128];

    snprintf(path, sizeof path, "%s/name", folder);
    tree_put(&tree, path, name);
    put_number(folder, "max_energy_range_uj", range_uj);
    set_uj(folder, uj);
}

static inline void add_cpu(void)
{
    tree_put(&tree, "proc/cpuinfo",
             "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 94\nflags\t\t: fpu");
}

/* range_uj of the package; its counter stands at 5 J, the memory's at 1 J. */
static inline void tree_of_counters(uint64_t range_uj)
{
    tree_open(&tree);
    add_cpu();
    add_domain(PACKAGE, "package-0", range_uj, 5000000);
    add_domain(MEMORY, "dram", 262143328850, 1000000);
}

static inline void meter_of(carbon_options options)
{
    options.root = tree.path;
    meter = carbon_open(&options, &failure);
    ck_assert_msg(meter != NULL, "%s: %s", failure.what, failure.why);
}

/* A meter over such counters, of a machine in France. */
static inline void meter_of_counters(uint64_t range_uj)
{
    tree_of_counters(range_uj);
    meter_of((carbon_options){ .zone = "FR" });
}

static inline void pause_ms(long ms)
{
    const struct timespec pause = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

    nanosleep(&pause, NULL);
}

static inline void close_meter(void)
{
    carbon_close(meter);
    meter = NULL;
    if (tree.path[0])
        tree_close(&tree);
}

#endif
