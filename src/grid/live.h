/* SPDX-License-Identifier: MIT
 * Live grid data: what a kilowatt-hour emits in each quarter or half of an hour, as a service tells it. */
#ifndef GRID_LIVE_H
#define GRID_LIVE_H

#include "emissions/factor.h"

#include <stdint.h>

struct live_service;

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
    unsigned answer; /* which of the answers told it */
};

/* One answer of the service, now or when it was kept. */
struct live_answer {
    uint64_t retrieved_realtime_s;
    bool kept; /* it came from the cache */
    char url[512];
};

enum { LIVE_ZONE_SIZE = 48, LIVE_ANSWERS_MAX = 64 };

/* In the order of time; none overlaps another. What lies in none of them is not known. */
struct intensities {
    struct intensity *items;
    size_t count, size;
    struct live_answer answers[LIVE_ANSWERS_MAX];
    unsigned answer_count;
    size_t contradictions; /* times for which one answer told two values: not known */
    char zone[LIVE_ZONE_SIZE];
    enum factor_basis basis;                 /* where the service says which */
    uint64_t from_realtime_s, to_realtime_s; /* as asked for */
    uint64_t known_s;                        /* how much of that is known */
    /* root mean square of forecast less what came, where both are told; NAN: they never are */
    double forecast_error_kgco2eq_per_kwh;
    size_t forecasts_judged; /* times of which that is */
};

struct live_query {
    const char *zone;                        /* NULL: the service's own, where it has one */
    uint64_t from_realtime_s, to_realtime_s; /* both 0: a day back, and a day on where the service forecasts */
    enum factor_basis basis;                 /* of a service that has both */
    bool offline;                            /* the cache alone */
    double limit_s;                          /* for all that is asked of the network */
    bool (*stop)(void);                      /* asked now and then: true ends it; NULL: never */
    const char *base_url;                    /* in place of the service's own; NULL: that */
};

/* What is to be said of a service beside its figures. Texts are "" where it does not say. */
struct live_about {
    const char *name, *title, *basis, *scope, *gases, *td_losses, *method, *licence, *source_id, *url, *zones, *advice;
};

/* Names of all services, NULL-ended; by name, NULL: there is none. */
extern const char *const live_names[];
const struct live_service *live_named(const char *name);
struct live_about live_about(const struct live_service *service, const struct intensities *found);
bool live_has_basis(const struct live_service *service, enum factor_basis basis);

/* Whether it covers this zone (NULL: has one of its own); ERROR_USAGE where not. */
bool live_zone_known(const struct live_service *service, const char *typed, char zone[LIVE_ZONE_SIZE],
                     struct error *err) MUST_CHECK;
bool live_forecasts(const struct live_service *service); /* times to come can be asked for */
bool live_wants_key(const struct live_service *service);
bool live_is_advice(const struct live_service *service); /* alone: it is not for a footprint */

/* Asks the service, or takes what was kept of it while that holds. Doubts (a part that failed, gaps, a clock that is
 * wrong, the age of what was kept) are notices. Fails where nothing of that time is known. intensities_close in any
 * case. */
bool live_fetch(const struct live_service *service, const struct live_query *query, struct intensities *found,
                struct notices *notices, struct error *err) MUST_CHECK;
void intensities_close(struct intensities *found);

/* The same for any length of time, with as many requests as it takes. Parts of it that fail are notices, where not all
 * do. */
bool live_fetch_span(const struct live_service *service, const struct live_query *query, struct intensities *found,
                     struct notices *notices, struct error *err) MUST_CHECK;

/* Mean over the time that is known; NAN: nothing is. */
double intensities_mean(const struct intensities *found);

#endif
