/* SPDX-License-Identifier: MIT
 * The market-based factor: contracts first, then the residual mix, then, with a notice, the location-based factor. */
#include "base/c_locale.h"
#include "emissions/supplementary.h"

#include "base/text.h"
#include "base/units.h"
#include "emissions/factor_table.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct factor no_factor = {
    .kgco2eq_per_kwh = NAN,
    .td_losses_kgco2eq_per_kwh = NAN,
    .upstream_kgco2eq_per_kwh = NAN,
    .quality = QUALITY_UNKNOWN,
};

static void none(struct factor *market)
{
    *market = no_factor;
    market->basis = FACTOR_DIRECT;
    text_copy(market->method, sizeof market->method, "market");
}

bool location_factor_of(const struct factor *location, enum factor_basis basis, struct factor *factor,
                        struct error *err)
{
    const struct factor_query query = {
        .zone = location->zone,
        .year = location->year,
        .basis = basis,
        .intensity = NAN,
    };
    struct error unknown = { .kind = ERROR_NONE };
    AUTO_NOTICES struct notices reported = { .count = 0 };

    *factor = no_factor;
    if (isnan(location->kgco2eq_per_kwh) || location->basis == basis) {
        *factor = isnan(location->kgco2eq_per_kwh) ? no_factor : *location;
        return true;
    }
    if (!location->zone[0] || !location->source_id[0])
        return true;
    /* that of another zone would be no figure of the same electricity */
    if (!factor_lookup(&query, factor, &reported, &unknown) || strcmp(factor->zone, location->zone) != 0)
        *factor = no_factor;
    else
        factor->quality = location->quality;
    return unknown.kind != ERROR_BAD_DATA || error_set(err, ERROR_BAD_DATA, "%s", unknown.what);
}

static bool residual_mix(const struct market_query *query, struct factor *market, struct notices *notices,
                         struct error *err)
{
    struct factor_rows rows = { 0 };
    const struct factor_row *row = NULL;
    struct source source;
    bool good, found;

    none(market);
    if (!query->location->zone[0])
        return true;
    good = rows_add_residual(&rows, query->location->zone, err);
    if (good)
        row = rows_best(&rows, query->location->zone, FACTOR_DIRECT, query->year > 0 ? query->year : INT_MAX);
    if (row)
        good = source_find(row->source_id, &source, &found, err);
    if (row && good) {
        market->kgco2eq_per_kwh = row->kgco2eq_per_kwh;
        market->quality = query->location->quality;
        market->basis = row->basis;
        market->year = row->year;
        text_copy(market->zone, sizeof market->zone, row->zone);
        text_copy(market->zone_name, sizeof market->zone_name, row->zone_name);
        text_copy(market->gases, sizeof market->gases, row->gases);
        text_copy(market->source_id, sizeof market->source_id, row->source_id);
        snprintf(market->source, sizeof market->source, "residual mix: %.100s", found ? source.title : row->source_id);
        text_copy(market->licence, sizeof market->licence, found ? source.licence : "");
        text_copy(market->version, sizeof market->version, found ? source.year : "");
        text_copy(market->table, sizeof market->table, rows_table_name(&rows, row));
        if (query->year > 0 && row->year != query->year)
            notice_add(notices, NOTICE_STAND_IN, "nearest year in 'residual_mix.csv'", "",
                       "no residual mix of %d for %s; using %d (market-based)", query->year, row->zone, row->year);
    }
    rows_close(&rows);
    return good;
}

/* "0.6 at 0 (GO-2026-77), " of each contract that covers the days; the sum of their shares. */
static double add_contracts(const struct market_query *query, double *kgco2eq_per_kwh, struct text *text,
                            struct notices *notices)
{
    double shares = 0;

    for (size_t i = 0; i < query->contracts->count; i++) {
        const struct contract *contract = &query->contracts->items[i];
        char share[TEXT_NUMBER_SIZE], factor[TEXT_NUMBER_SIZE];
        if (contract->from > query->first_day || contract->until < query->last_day) {
            notice_add(notices, NOTICE_LEFT_OUT, "its period does not cover the whole time of the use", "",
                       "contract '%s' of '%s' is left out", contract->certificate, query->contracts->file);
            continue;
        }
        shares += contract->share;
        *kgco2eq_per_kwh += contract->share * contract->kgco2eq_per_kwh;
        text_add(text, "%s%s at %s g/kWh (%s)", text->length ? ", " : "", text_rounded(contract->share, share),
                 text_rounded(contract->kgco2eq_per_kwh * G_PER_KG, factor), contract->certificate);
    }
    return shares;
}

/* What no contract covers. */
static bool add_rest(const struct market_query *query, double rest, struct factor *market, struct text *text,
                     struct notices *notices, struct error *err)
{
    const bool residual = isfinite(market->kgco2eq_per_kwh);
    char share[TEXT_NUMBER_SIZE], factor[TEXT_NUMBER_SIZE], percent[32];
    struct factor location;

    if (!residual) {
        if (!location_factor_of(query->location, FACTOR_DIRECT, &location, err))
            return false;
        if (isnan(location.kgco2eq_per_kwh)) /* of one's own, or the only one that there is */
            location = *query->location;
        c_snprintf(percent, sizeof percent, "%.4g %%", rest * 100);
        notice_add(notices, NOTICE_STAND_IN, "no residual mix of the zone is known",
                   "--market-factor gives a supplier's rate",
                   "market-based: %s without a contract is at the location-based factor", percent);
        market->kgco2eq_per_kwh = location.kgco2eq_per_kwh;
        market->basis = location.basis;
        text_copy(market->source_id, sizeof market->source_id, location.source_id);
    }
    text_add(text, "%s%s at %s g/kWh (%s)", text->length ? ", " : "", text_rounded(rest, share),
             text_rounded(market->kgco2eq_per_kwh * G_PER_KG, factor), residual ? "residual mix" : "location-based");
    return true;
}

static bool mixed(const struct market_query *query, struct factor *market, struct notices *notices, struct error *err)
{
    double contracted = 0, rest = 1, shares;
    struct text text;

    text_open(&text, sizeof market->source);
    shares = add_contracts(query, &contracted, &text, notices);
    if (shares == 0) {
        text_close(&text);
        return residual_mix(query, market, notices, err);
    }
    /* shares are decimal fractions: 0.7 + 0.3 is 1 */
    rest = shares > 1 - 1e-9 ? 0 : 1 - shares;
    none(market);
    if (rest > 0 &&
        !(residual_mix(query, market, notices, err) && add_rest(query, rest, market, &text, notices, err))) {
        text_close(&text);
        return false;
    }
    market->kgco2eq_per_kwh = contracted + (rest > 0 ? rest * market->kgco2eq_per_kwh : 0);
    market->quality = QUALITY_GIVEN;
    text_copy(market->zone, sizeof market->zone, query->location->zone);
    text_copy(market->zone_name, sizeof market->zone_name, query->location->zone_name);
    text_copy(market->source, sizeof market->source, text.data ? text.data : "contracts");
    text_copy(market->table, sizeof market->table, query->contracts->file);
    text_close(&text);
    return true;
}

bool market_factor(const struct market_query *query, struct factor *market, struct notices *notices, struct error *err)
{
    if (query->contracts && query->contracts->count)
        return mixed(query, market, notices, err);
    if (isnan(query->given))
        return residual_mix(query, market, notices, err);
    none(market);
    market->kgco2eq_per_kwh = query->given;
    market->quality = QUALITY_GIVEN;
    text_copy(market->source, sizeof market->source, "given by the user");
    return true;
}

bool supplementary_set_location(const struct factor *location, struct supplementary *supplementary, struct error *err)
{
    supplementary->market_location = no_factor;
    return isnan(supplementary->market.kgco2eq_per_kwh) ||
           location_factor_of(location, supplementary->market.basis, &supplementary->market_location, err);
}
