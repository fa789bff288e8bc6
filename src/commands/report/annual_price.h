/* SPDX-License-Identifier: MIT
 * What a record's energy emits in a report: as the record has it, or restated by a zone, a basis or a PUE for all; and
 * what of it is of which scope of the GHG Protocol, whose Scope 2 is direct alone. Used by annual_total.h. Begin with
 * annual_prices_open(). */
#ifndef COMMANDS_REPORT_ANNUAL_PRICE_H
#define COMMANDS_REPORT_ANNUAL_PRICE_H

#include "commands/report/annual.h"

struct cJSON;

/* What all accounts are worked out by that stand on the same. Unknown factors are NAN. */
struct annual_price {
    int64_t number; /* number of the basis */
    int year;       /* of the accounts, where the factor is that of their year; else 0 */
    double pue, recorded_pue;
    enum quality pue_quality;
    bool changed; /* the factor is another than the record's */
    bool of_set;  /* of the official set that was asked for */
    bool stored;  /* the mass that the record has is on recorded_basis */
    enum factor_basis recorded_basis;
    struct factor factor; /* factor of the figures */
    struct factor direct; /* factor of Scope 2, location-based */
    struct factor lifecycle;
    struct factor market; /* by contracts, a supplier's rate or the residual mix */
    bool market_changed;
    bool location_based; /* market: it is the direct location-based one, for there is none of those */
};

/* An account with what it comes to here. */
struct annual_contribution {
    struct contribution contribution; /* its masses are those of the price */
    double direct_kgco2eq, lifecycle_kgco2eq, scope2_market_kgco2eq, stand_in_j;
    bool hours_lost; /* it was by the hour, and is by a yearly factor now */
};

struct annual_prices;

struct annual_prices *annual_prices_open(struct annual *annual, struct error *err) MUST_CHECK;
void annual_prices_close(struct annual_prices *prices); /* NULL: nothing */

/* What the accounts of this number stand on (contribution_basis); one that is there already is left as it is. */
bool annual_prices_add(struct annual_prices *prices, int64_t number, const char *basis, struct error *err) MUST_CHECK;

/* *place: of the price of an account; -1 where nobody has told what it stands on. */
bool annual_prices_find(struct annual_prices *prices, int64_t number, int64_t started_ns, int64_t *place,
                        struct error *err) MUST_CHECK;

/* The account as the price has it; of place -1 as it is. */
struct annual_contribution annual_prices_apply(const struct annual_prices *prices, int64_t place,
                                               const struct contribution *contribution);

/* Calls for each price that was found, with what it stands on. False ends it. */
typedef bool annual_price_function(const struct annual_price *price, int64_t place, const char *basis, void *context,
                                   struct error *err);
bool annual_prices_each(const struct annual_prices *prices, annual_price_function *function, void *context,
                        struct error *err) MUST_CHECK;

#endif
