/* SPDX-License-Identifier: MIT
 * A PMU that counts energy, from sysfs: its events, and the CPUs to open them on. Used by perf.c. Begin with
 * pmu_read(). */
#ifndef ENERGY_PERF_PMU_H
#define ENERGY_PERF_PMU_H

#include "energy/energy.h"

/* sys/bus/event_source/devices/NAME */
struct pmu {
    char name[32];
    char path[96];
    uint32_t type;
};

/* One event of a PMU. */
struct pmu_event {
    char name[32]; /* "energy-pkg" */
    char path[160];
    enum component component;
    const char *pfm_name; /* how libpfm4 calls it */
    uint64_t config;
    double j_per_count;
};

/* Static types (software events and the like) are the same numbers in every kernel; others are
 * assigned again by each (PERF_TYPE_MAX). */
static inline bool pmu_is_static(const struct pmu *pmu)
{
    return pmu->type < 6;
}

bool pmu_read(struct pmu *pmu, const struct root *root, const char *name, struct error *err) MUST_CHECK;

/* ERROR_BAD_DATA: described in a way that is not understood, or not in joules. */
bool pmu_read_event(const struct pmu *pmu, const struct root *root, const char *name, struct pmu_event *event,
                    struct error *err) MUST_CHECK;

/* Where one event must be opened to be counted once. */
struct pmu_place {
    int cpu, package, die; /* package, die: -1 unknown, or the only one */
};

enum { PMU_MAX_PLACES = 64 };

struct pmu_places {
    struct pmu_place places[PMU_MAX_PLACES];
    size_t count, left_out;
};

bool pmu_read_places(const struct pmu *pmu, const struct root *root, const struct machine *machine,
                     struct pmu_places *places, struct error *err) MUST_CHECK;

#endif
