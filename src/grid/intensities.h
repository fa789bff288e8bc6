/* SPDX-License-Identifier: MIT
 * Carbon intensity over time: read, sorted, and decided if several values cover one time. Used
 * throughout grid. Begin with intensities_close(). */
#ifndef GRID_INTENSITIES_H
#define GRID_INTENSITIES_H

#include "base/units.h"
#include "emissions/factor.h"

#include <stdint.h>

struct cJSON;

#define LIVE_DAY_S UINT64_C(86400)

/* Lignite in an old plant emits 1.3 kg; lifecycle and a margin come on top. */
#define LIVE_MAX_KGCO2EQ_PER_KWH 5.0

/* From the weakest to the strongest: of one time, the strongest is taken. */
enum intensity_kind {
    INTENSITY_FORECAST,
    INTENSITY_ESTIMATED, /* what was, by the publisher's estimate or before its revision */
    INTENSITY_ACTUAL,    /* what was, as the publisher leaves it */
};

const char *intensity_kind_name(enum intensity_kind kind); /* "forecast", "estimated", "actual" */

/* From start to end, without the end; UTC, since 1970. */
struct intensity {
    uint64_t start_realtime_s, end_realtime_s;
    double kgco2eq_per_kwh;
    enum intensity_kind kind;
    unsigned answer; /* the answer that contained it */
};

/* One answer of the service, now or when it was kept. */
struct live_answer {
    uint64_t retrieved_realtime_s;
    bool stored; /* answer taken from the cache */
    char url[512];
};

enum { LIVE_ZONE_SIZE = 48, LIVE_ANSWERS_MAX = 64 };

/* In the order of time; none overlaps another. What lies in none of them is not known. */
struct intensities {
    struct intensity *items;
    size_t count, size;
    struct live_answer answers[LIVE_ANSWERS_MAX];
    unsigned answer_count;
    size_t contradictions; /* times for which one answer has two values: unknown */
    size_t zeros;          /* values of 0 that were left out */
    char zone[LIVE_ZONE_SIZE];
    enum factor_basis basis;                 /* where the service says which */
    uint64_t from_realtime_s, to_realtime_s; /* period asked for */
    uint64_t known_s;                        /* how much of that is known */
    /* root mean square of forecast minus actual, where both are known; NAN: never */
    double forecast_error_kgco2eq_per_kwh;
    size_t forecasts_judged; /* times of which that is */
};

void intensities_close(struct intensities *found);

/* Mean over the time that is known; NAN: nothing is. */
double intensities_mean(const struct intensities *found);

/* ERROR_BAD_DATA with this why, for `read`. */
bool live_malformed(struct error *err, const char *why, ...) PRINTF_LIKE(2, 3);

/* A value of the answer that is being read. Fails for a value that no grid has and for a time other than a whole
 * minute. */
bool intensities_add(struct intensities *found, uint64_t start_s, uint64_t step_s, double kgco2eq_per_kwh,
                     enum intensity_kind kind, struct error *err) MUST_CHECK;

/* The same for a value of a document, with its unit in g/kWh: null adds nothing; a value that is neither
 * null nor a number fails. */
bool intensities_add_item(struct intensities *found, uint64_t start_s, uint64_t step_s, const struct cJSON *item,
                          double g_per_kwh, enum intensity_kind kind, struct error *err) MUST_CHECK;

/* Leaves out what is 0: no electricity has a lifecycle of nothing, while for an hour nothing may be burnt. */
void intensities_leave_zeros(struct intensities *found);

/* By time, of one time the strongest first. */
void intensities_order(struct intensities *found);

/* Sorts them, finds the forecast error, decides which one holds if several cover one time, and keeps the values
 * lies outside. */
void intensities_settle(struct intensities *found);

#endif
