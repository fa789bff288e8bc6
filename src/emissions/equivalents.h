/* SPDX-License-Identifier: MIT
 * What else emits as much: equivalents.csv. A figure to picture a mass by, never a part of one. Used in app,
 * commands/report and result. Begin with equivalents_read(). */
#ifndef EMISSIONS_EQUIVALENTS_H
#define EMISSIONS_EQUIVALENTS_H

#include "base/error.h"

#include <stddef.h>

enum { EQUIVALENTS_MAX = 48 };

struct equivalent {
    char name[48];           /* "car_average" */
    double kgco2eq_per_unit; /* what one of it emits, or (a tree) takes up */
    char unit[24];           /* "km" */
    char region[8];          /* "GB", or "" */
    int year;
    char source_id[48];
    char source[160]; /* its title and publisher */
    double amount;    /* that the mass comes to; NAN unknown */
};

struct equivalents {
    struct equivalent items[EQUIVALENTS_MAX];
    size_t count; /* 0: not asked for */
};

bool equivalents_read(struct equivalents *equivalents, struct error *err) MUST_CHECK;

/* Those of which the mass is nearest to one, on a scale of ratios, the nearest first; how many there are. */
size_t equivalents_nearest(const struct equivalents *equivalents, const struct equivalent **nearest, size_t max);

void equivalents_work_out(struct equivalents *equivalents, double kgco2eq);

#endif
