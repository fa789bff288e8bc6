/* SPDX-License-Identifier: MIT
 * The emissions of a record's energy in a report: as recorded, or restated with one zone, basis or PUE for all; and
 * their scopes by the GHG Protocol, whose Scope 2 is direct only. Used by annual_total.h. Begin with
 * annual_prices_open(). */
#ifndef COMMANDS_REPORT_ANNUAL_PRICE_H
#define COMMANDS_REPORT_ANNUAL_PRICE_H

#include "commands/report/annual.h"

struct cJSON;

/* The factors of all accounts with the same basis. Unknown factors are NAN. */
struct annual_price {
    int64_t number; /* number of the basis */
    int year;       /* of the accounts, if the factor depends on their year; else 0 */
    double pue, recorded_pue;
    enum quality pue_quality;
    bool changed; /* the factor differs from the record's */
    bool of_set;  /* it is from the requested official set */
    bool stored;  /* the record's emissions are on recorded_basis */
    enum factor_basis recorded_basis;
    struct factor factor; /* factor of the figures */
    struct factor direct; /* factor of Scope 2, location-based */
    struct factor lifecycle;
    struct factor market; /* by contracts, a supplier's rate or the residual mix */
    bool market_changed;
    bool location_based; /* market: no contract or residual mix is known, so it is the direct location-based factor */
};

/* An account with its emissions in this report. */
struct annual_contribution {
    struct contribution contribution; /* its emissions are calculated with the price */
    double direct_kgco2eq, lifecycle_kgco2eq, scope2_market_kgco2eq, stand_in_j;
    bool hours_lost; /* recorded with hourly accounting, calculated with an annual factor now */
};

struct annual_prices;

struct annual_prices *annual_prices_open(struct annual *annual, struct error *err) MUST_CHECK;
void annual_prices_close(struct annual_prices *prices); /* NULL is allowed */

/* The basis of the accounts with this number (contribution_basis); an existing one does not change. */
bool annual_prices_add(struct annual_prices *prices, int64_t number, const char *basis, struct error *err) MUST_CHECK;

/* *place: of the price of an account; -1: its basis is unknown. */
bool annual_prices_find(struct annual_prices *prices, int64_t number, int64_t started_ns, int64_t *place,
                        struct error *err) MUST_CHECK;

/* The account with the emissions of the price; place -1: unchanged. */
struct annual_contribution annual_prices_apply(const struct annual_prices *prices, int64_t place,
                                               const struct contribution *contribution);

/* Called for each price in use, with its basis. False stops. */
typedef bool annual_price_function(const struct annual_price *price, int64_t place, const char *basis, void *context,
                                   struct error *err);
bool annual_prices_each(const struct annual_prices *prices, annual_price_function *function, void *context,
                        struct error *err) MUST_CHECK;

#endif
