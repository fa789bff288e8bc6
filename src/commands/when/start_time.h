/* SPDX-License-Identifier: MIT
 * The start with the lowest emissions: the job's energy over time, combined with the forecast carbon intensity. Used by
 * when.h. Begin with start_time_flat(). */
#ifndef COMMANDS_WHEN_START_TIME_H
#define COMMANDS_WHEN_START_TIME_H

#include "grid/live.h"

/* A part of a job with constant power. Only the ratios of the energies matter. */
struct start_time_piece {
    uint64_t duration_ns;
    double energy_j;
};

enum { START_TIME_PIECES_MAX = 48 };

struct start_time_profile {
    struct start_time_piece pieces[START_TIME_PIECES_MAX];
    size_t count;
    uint64_t duration_ns; /* total of all pieces */
};

struct start_time_profile start_time_flat(uint64_t duration_ns);

/* Of any number of pieces; neighbours are merged until there are few enough. False: no time, no energy, or an energy
 * that is unknown or negative. */
bool start_time_profile_of(const struct start_time_piece *pieces, size_t count,
                           struct start_time_profile *profile) MUST_CHECK;

/* A start, and the mean intensity of the job's energy then; NAN: part of its time is unknown. */
struct start_time_choice {
    uint64_t start_ns;
    double kgco2eq_per_kwh;
};

struct start_time {
    struct start_time_choice now, best, worst; /* the earliest of equal ones */
};

/* Of the starts from earliest_ns on with an end by deadline_ns and with a known intensity throughout. Times are of
 * CLOCK_REALTIME; known is settled. False: no such start. */
bool find_best_start(const struct intensities *known, const struct start_time_profile *profile, uint64_t earliest_ns,
                     uint64_t deadline_ns, struct start_time *shift) MUST_CHECK;

/* Less by more than rounding differences of sums in another order. */
bool start_time_is_less(double kgco2eq_per_kwh, double than_kgco2eq_per_kwh);

enum start_time_verdict {
    START_TIME_UNKNOWN, /* the emissions of a start now are unknown */
    START_TIME_NO_GAIN,
    START_TIME_GAIN,
};

const char *start_time_verdict_name(enum start_time_verdict verdict); /* "unknown", "no-gain", "gain" */

/* A gain is at least this share of the emissions of a start now, and not below its uncertainty. */
#define START_TIME_MIN 0.05

struct start_time_saving {
    double kgco2eq_per_kwh;
    double percent;               /* saving, in percent of a start now */
    double doubt_kgco2eq_per_kwh; /* uncertainty; NAN: unknown */
    enum start_time_verdict verdict;
};

/* Of another start (also in another zone), each with the root mean square error of its forecast (NAN: unknown). Errors
 * of neighbouring hours are correlated, so that a longer job does not have smaller ones. */
struct start_time_saving start_time_saving_of(double now_kgco2eq_per_kwh, double now_error,
                                              double other_kgco2eq_per_kwh, double other_error);

#endif
