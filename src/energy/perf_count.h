/* SPDX-License-Identifier: MIT
 * The count of a perf energy event as energy that only grows. Pure arithmetic. Used by perf_event.h. Begin with
 * perf_count_add(). */
#ifndef ENERGY_PERF_COUNT_H
#define ENERGY_PERF_COUNT_H

#include <stdint.h>

struct perf_count {
    long double uj_per_count; /* set by the caller; the rest starts as 0 */
    uint64_t energy_uj;
    long double rest_uj; /* what is less than a microjoule is kept */
    uint64_t last;
    uint64_t unit; /* all steps so far are multiples of it: the hardware's unit in counts */
};

/* Takes the next value of the event. Returns 0, or EIO for a backward step other than a wrap: the
 * interval is lost, and the counting goes on from this value. */
int perf_count_add(struct perf_count *count, uint64_t raw);

#endif
