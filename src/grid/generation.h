/* SPDX-License-Identifier: MIT
 * Generation over time, series by series (a fuel, a kind of plant), and its mean emissions. Used throughout
 * grid. Begin with generation_close(). */
#ifndef GRID_GENERATION_H
#define GRID_GENERATION_H

#include "emissions/fuel.h"
#include "grid/live_service.h"

enum { GENERATION_SERIES_MAX = 64 };

struct generation_item {
    uint64_t start_s, step_s;
    double mw, kg_per_h;
    unsigned series;
};

/* Zeroed to begin with. */
struct generation {
    struct generation_item *items;
    size_t count, size;
};

void generation_close(struct generation *generation);

/* Mean power of a series in a step, and its emissions. NAN is not a value. Steps outside the requested time are left
 * out. */
bool generation_add(struct generation *generation, const struct live_request *request, uint64_t start_s,
                    uint64_t step_s, unsigned series, double mw, double kg_per_h, struct error *err) MUST_CHECK;

/* The same of a fuel, by its factor; a plant's consumption (a pump, a battery that charges) is not generation of
 * it: 0. */
bool generation_add_fuel(struct generation *generation, const struct live_request *request,
                         const struct fuel_factors *factors, uint64_t start_s, uint64_t step_s, unsigned series,
                         enum fuel fuel, double mw, struct error *err) MUST_CHECK;

/* Emissions over generation, in steps of the shortest, as estimates. A time in which a series has no value that has one
 * at another time of the answer is unknown, and so is one for which a series has two values, or all of them have 0. */
bool generation_settle(struct generation *generation, struct intensities *found, struct error *err) MUST_CHECK;

#endif
