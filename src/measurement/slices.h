/* SPDX-License-Identifier: MIT
 * A run cut at full minutes of UTC, so that its energy can be laid on the hours of a grid. Used in commands/restate,
 * measurement and result. Begin with slices_new(). */
#ifndef MEASUREMENT_SLICES_H
#define MEASUREMENT_SLICES_H

#include "meter/meter.h"

/* The first length of a slice: services of grid data have 5, 15, 30 or 60 minutes. */
#define SLICE_STANDARD_S 300

enum { SLICES_MAX = 9216 }; /* a month of 5 minutes; then they are joined to 15, 30 and 60 minutes and so on */

struct slice {
    uint64_t realtime_ns; /* start of the slice */
    uint64_t start_ns;    /* since the run's opening sample */
    uint64_t duration_ns;
};

struct slices {
    size_t count, size, energies; /* size, energies: for how many of each there is room */
    size_t domain_count;
    uint64_t step_ns;    /* they begin at multiples of it, but for the first, and where the clock was set */
    struct slice *items; /* in the order of time, without gaps */
    uint64_t *energy_uj; /* energies of each slice, all domains */
    struct slices *next; /* of another run of the measurement that they belong to */
};

static inline const uint64_t *slice_energy_uj(const struct slices *slices, size_t i)
{
    return slices->energy_uj + i * slices->domain_count;
}

/* For `count` slices at first. NULL: no memory. */
struct slices *slices_new(size_t domain_count, size_t count, uint64_t step_ns);
void slices_free(struct slices *slices); /* and those after it */

/* Adds one without energy; joins some where there are too many. False: it cannot, and the last one goes on. */
bool slices_add(struct slices *slices, const struct slice *slice);

/* Adds energy of one domain to the last one. */
void slices_give(struct slices *slices, size_t domain, uint64_t energy_uj);

/* The run that goes on. Where no edge comes before its end it has no slices: it is one. */
struct slicer {
    const struct meter *meter;
    uint64_t step_ns;               /* 0: nothing is cut */
    struct slices *slices, **place; /* where they are published, once there are some */
    struct sample opening, from;    /* opening of the run, and of the slice */
    struct slice current;
    uint64_t next_ns; /* CLOCK_MONOTONIC when the next edge is due; UINT64_MAX: never */
};

void slicer_open(struct slicer *slicer, const struct meter *meter, uint64_t step_ns, const struct sample *opening,
                 uint64_t realtime_ns, struct slices **place);

/* An edge is due, or the clock was set or the machine slept, so that later times differ. */
bool slicer_is_due(const struct slicer *slicer, uint64_t now_ns, uint64_t realtime_ns);

/* The slice ends with this sample, and the next begins. */
void slicer_cut(struct slicer *slicer, const struct sample *sample, uint64_t realtime_ns);

/* The last slice, up to this sample; may come again with a later one. */
void slicer_update(struct slicer *slicer, const struct sample *sample);

#endif
