/* SPDX-License-Identifier: MIT
 * Live grid data: the carbon intensity of each quarter or half of an hour, from a service. Used in app,
 * commands/help, commands/when and grid. Begin with live_named(). */
#ifndef GRID_LIVE_H
#define GRID_LIVE_H

#include "grid/intensities.h"

struct live_service;

struct live_query {
    const char *zone;                        /* NULL: the service's own, where it has one */
    uint64_t from_realtime_s, to_realtime_s; /* both 0: a day back, and a day on where the service forecasts */
    enum factor_basis basis;                 /* basis, where a service has both */
    uint64_t step_s;                         /* of a service that has several; 0: its standard */
    bool offline;                            /* the cache alone */
    double limit_s;                          /* for all that is asked of the network */
    bool (*stop)(void);                      /* asked now and then: true ends it; NULL: never */
    const char *base_url;                    /* in place of the service's own; NULL: that */
};

/* Facts about a service next to its figures. Texts are "" if unknown. */
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
/* Whether the key that it wants is there and readable; true where it wants none. */
bool live_has_key(const struct live_service *service, struct error *err) MUST_CHECK;
bool live_has_variable(const char *entry); /* "NAME=..." of the environment is the key of one of them */
bool live_wants_key(const struct live_service *service);
bool live_zones_are_own(const struct live_service *service); /* no table knows them */
bool live_is_advice(const struct live_service *service);     /* alone: it is not for a footprint */

/* Asks the service, or takes what was kept of it while that holds. Doubts (a part that failed, gaps, a clock that is
 * wrong, the age of cached answers) are notices. Fails if nothing of that time is known. intensities_close in any
 * case. */
bool live_fetch(const struct live_service *service, const struct live_query *query, struct intensities *found,
                struct notices *notices, struct error *err) MUST_CHECK;

/* The same for any length of time, with as many requests as it takes. Parts of it that fail are notices, where not all
 * do. */
bool live_fetch_span(const struct live_service *service, const struct live_query *query, struct intensities *found,
                     struct notices *notices, struct error *err) MUST_CHECK;

#endif
