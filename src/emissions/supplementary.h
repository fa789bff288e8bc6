/* SPDX-License-Identifier: MIT
 * Figures reported next to the location-based emission, never added to it: market-based factor, water, published PUE.
 * Used in app, commands/factors, commands/prometheus, commands/report, emissions and result. Begin with
 * market_factor(). */
#ifndef EMISSIONS_SUPPLEMENTARY_H
#define EMISSIONS_SUPPLEMENTARY_H

#include "emissions/factor.h"

#include <math.h>

/* A published or given number; source is "" if the user gave it. */
struct published {
    double value; /* NAN: none */
    enum quality quality;
    bool of_fleet;    /* of a region's area or provider, or of data centres in general: not the region's own */
    char source[192]; /* "aws, fleet, 2024; Power usage effectiveness (Amazon)" */
};

struct supplementary {
    struct factor market;          /* its kgco2eq_per_kwh is NAN where neither contract nor residual mix is known */
    struct factor market_location; /* the location-based one of its basis, shown next to it; NAN: none known */
    struct published pue;          /* applied once, to the location- and the market-based figure alike */
    struct published wue;          /* litres per kWh of IT energy; not multiplied by the PUE */
};

/* Electricity bought by contract, with certificates. Days are YYYYMMDD, both ends within. */
struct contract {
    double share; /* share of the energy, above 0 to 1 */
    double kgco2eq_per_kwh;
    int from, until;
    char certificate[64];
};

enum { CONTRACTS_MAX = 16 };

struct contracts {
    struct contract items[CONTRACTS_MAX];
    size_t count;
    char file[64]; /* its name without the folder */
};

struct market_query {
    const struct factor *location;     /* whose zone and basis it is */
    int year;                          /* year of the use; 0: the latest */
    int first_day, last_day;           /* days of the use: YYYYMMDD */
    double given;                      /* kgCO2eq/kWh of the user's own; NAN: none */
    const struct contracts *contracts; /* of none: the residual mix for all of it */
};

/* A figure of the user's own; else what contracts cover at their factors, the rest at the residual mix of the zone (or,
 * where there is none, at the direct location-based factor, with a notice); without contracts the residual mix for all
 * of it. It is always direct: the contract covers the generation (Scope 2). */
bool market_factor(const struct market_query *query, struct factor *market, struct notices *notices,
                   struct error *err) MUST_CHECK;

/* The location-based factor of that basis, of the zone and year of another one; its kgco2eq_per_kwh is NAN where no
 * table has it, or if the zone of the other one is unknown. The one place that decides which figure may
 * appear next to a market-based one. */
bool location_factor_of(const struct factor *location, enum factor_basis basis, struct factor *factor,
                        struct error *err) MUST_CHECK;

/* The location-based factor shown next to the market-based one; without either, one that is NAN. */
static inline const struct factor *supplementary_market(const struct supplementary *supplementary)
{
    return isnan(supplementary->market.kgco2eq_per_kwh) ? &supplementary->market : &supplementary->market_location;
}

/* Sets market_location, from market and the location-based factor that the result is by. */
bool supplementary_set_location(const struct factor *location, struct supplementary *supplementary,
                                struct error *err) MUST_CHECK;

enum facility_figure { FACILITY_PUE, FACILITY_WUE };

/* What is published of a provider or site of pue.csv ("aws", "nrel_esif") or a cloud region ("aws:eu-west-3"): the
 * year's (0: the latest), else the nearest earlier one's, with a notice. found is false where nothing is known. */
bool facility_find(enum facility_figure figure, const char *name, int year, struct published *published, bool *found,
                   struct notices *notices, struct error *err) MUST_CHECK;

/* The PUE of a cloud region: its own, else its provider's in that part of the world, else its provider's, else that of
 * data centres in general. of_fleet: it is not its own. */
bool facility_pue_of_region(const char *region, int year, struct published *pue, struct notices *notices,
                            struct error *err) MUST_CHECK;

/* ERROR_USAGE for a name of which nothing is known, with near names. */
bool facility_unknown(enum facility_figure figure, const char *name, struct error *err);

#endif
