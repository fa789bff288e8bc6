/* SPDX-License-Identifier: MIT
 * When a job would emit least: its energy over time laid on what a kilowatt-hour is forecast to emit. Used by when.h.
 * Begin with start_time_flat(). */
#ifndef COMMANDS_WHEN_START_TIME_H
#define COMMANDS_WHEN_START_TIME_H

#include "grid/live.h"

/* A stretch of a job in which it draws evenly. Only how the energies stand to each other matters. */
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

/* Of any number of pieces; neighbours are put together until there are few enough. False: it has no time or no energy,
 * or an energy that is unknown or negative. */
bool start_time_profile_of(const struct start_time_piece *pieces, size_t count,
                           struct start_time_profile *profile) MUST_CHECK;

/* A start, and what each of the job's kilowatt-hours emits then; NAN: some of its time is not known. */
struct start_time_choice {
    uint64_t start_ns;
    double kgco2eq_per_kwh;
};

struct start_time {
    struct start_time_choice now, best, worst; /* the earliest of equal ones */
};

/* Of the starts from earliest_ns on whose job has ended by deadline_ns, and all of whose time is known. Times are of
 * CLOCK_REALTIME; known is settled. False: there is no such start. */
bool find_best_start(const struct intensities *known, const struct start_time_profile *profile, uint64_t earliest_ns,
                     uint64_t deadline_ns, struct start_time *shift) MUST_CHECK;

/* Beyond what sums of the same values in another order differ by. */
bool start_time_is_less(double kgco2eq_per_kwh, double than_kgco2eq_per_kwh);

enum start_time_verdict {
    START_TIME_UNKNOWN, /* the emissions of a start now are unknown */
    START_TIME_NO_GAIN,
    START_TIME_GAIN,
};

const char *start_time_verdict_name(enum start_time_verdict verdict); /* "unknown", "no-gain", "gain" */

/* A gain is at least this part of the emissions of a start now, and not below its uncertainty. */
#define START_TIME_MIN 0.05

struct start_time_saving {
    double kgco2eq_per_kwh;
    double percent;               /* saving, in percent of a start now */
    double doubt_kgco2eq_per_kwh; /* NAN: not known */
    enum start_time_verdict verdict;
};

/* Of another start (in another zone, it may be), each with the root mean square error of its forecast (NAN: not
 * known). Errors of neighbouring hours go together, so that a long job does not make them smaller. */
struct start_time_saving start_time_saving_of(double now_kgco2eq_per_kwh, double now_error,
                                              double other_kgco2eq_per_kwh, double other_error);

#endif
