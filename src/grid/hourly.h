/* SPDX-License-Identifier: MIT
 * Accounting by the hour: the carbon intensity at the time of use, with every gap in the
 * data filled by a stated rule. Used by commands/when/start_time.c and result/report.h. Begin with
 * hourly_of(). */
#ifndef GRID_HOURLY_H
#define GRID_HOURLY_H

#include "grid/intensities.h"

/* The origin of the intensity of a piece of time: a value for this time, by its kind, or a fallback.
 */
enum intensity_cover {
    COVER_FORECAST = INTENSITY_FORECAST,
    COVER_ESTIMATED = INTENSITY_ESTIMATED,
    COVER_ACTUAL = INTENSITY_ACTUAL,
    COVER_NEAREST,     /* a gap as long as one interval at most: the nearest one's */
    COVER_PERIOD_MEAN, /* a longer one, where at least HOURLY_MEAN_MIN of the time is known: the mean of that */
    COVER_YEARLY,      /* else: the yearly factor */
    COVER_COUNT,
};

#define HOURLY_MEAN_MIN 0.9

const char *intensity_cover_name(enum intensity_cover cover); /* "actual", "held", "yearly" */

struct hourly {
    const struct intensities *known; /* settled, in the order of time; of none: all is yearly */
    uint64_t from_ns, to_ns;         /* CLOCK_REALTIME: the time that matters */
    double mean_kgco2eq_per_kwh;     /* over what is known of it; NAN: that is too little */
    double yearly_kgco2eq_per_kwh;
};

struct hourly hourly_of(const struct intensities *known, uint64_t from_ns, uint64_t to_ns,
                        double yearly_kgco2eq_per_kwh);

/* Keeps only the values in this time, and the nearest before and after it. */
void intensities_trim(struct intensities *known, uint64_t from_ns, uint64_t to_ns);

/* What a kilowatt-hour emitted that was used evenly from from_ns on until to_ns. */
struct hourly_factor {
    double kgco2eq_per_kwh;
    double part[COVER_COUNT]; /* of the time, by where it comes from; sum 1 */
    size_t pieces;            /* above 1: an edge of two intervals lay within, so that it is prorated */
    double longest;           /* part of the time, of these */
};
struct hourly_factor hourly_factor(const struct hourly *hourly, uint64_t from_ns, uint64_t to_ns);

#endif
