/* SPDX-License-Identifier: MIT
 * The prices of a report: worked out once for all accounts that stand on the same. */
#include "commands/report/annual_price.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/units.h"
#include "emissions/supplementary.h"
#include "io/json_read.h"
#include "ledger/contribution.h"
#include "result/record_fields.h"
#include "result/session_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct basis_text {
    int64_t number;
    char *text;
};

/* A factor that was looked up, since many records stand on the same. */
struct looked_up {
    struct factor from, found;
    enum factor_basis basis;
};

struct annual_prices {
    struct annual *annual;
    struct basis_text *bases; /* ascending by number */
    size_t base_count, base_room;
    struct annual_price *items;
    size_t count, room;
    size_t last; /* found */
    struct looked_up *cache;
    size_t cached;
};

static bool no_memory(struct error *err)
{
    return error_set(err, ERROR_SYSTEM, "no memory for the factors of the report");
}

struct annual_prices *annual_prices_open(struct annual *annual, struct error *err)
{
    struct annual_prices *prices = calloc(1, sizeof *prices);

    if (prices)
        prices->annual = annual;
    else
        (void)no_memory(err);
    return prices;
}

void annual_prices_close(struct annual_prices *prices)
{
    if (!prices)
        return;
    for (size_t i = 0; i < prices->base_count; i++)
        free(prices->bases[i].text);
    free(prices->bases);
    free(prices->items);
    free(prices->cache);
    free(prices);
}

static size_t base_place(const struct annual_prices *prices, int64_t number)
{
    return prices->base_count ? array_below(&prices->bases->number, prices->base_count, sizeof *prices->bases, number)
                              : 0;
}

static const char *text_of(const struct annual_prices *prices, int64_t number)
{
    const size_t place = base_place(prices, number);

    return place < prices->base_count && prices->bases[place].number == number ? prices->bases[place].text : NULL;
}

bool annual_prices_add(struct annual_prices *prices, int64_t number, const char *basis, struct error *err)
{
    const size_t place = base_place(prices, number);

    if (text_of(prices, number))
        return true;
    prices->bases = array_room(prices->bases, &prices->base_room, prices->base_count + 1, sizeof *prices->bases);
    if (prices->base_count == prices->base_room)
        return no_memory(err);
    memmove(&prices->bases[place + 1], &prices->bases[place], (prices->base_count - place) * sizeof *prices->bases);
    prices->bases[place] = (struct basis_text){ .number = number, .text = strdup(basis) };
    prices->base_count++;
    return prices->bases[place].text || no_memory(err);
}

/* The basis of a stated figure is known where it is not the one that is assumed. */
static bool has_basis(const struct factor *factor)
{
    return isfinite(factor->kgco2eq_per_kwh) && factor->basis != FACTOR_NO_BASIS &&
           (factor->zone[0] || factor->source_id[0] || factor->basis == FACTOR_DIRECT);
}

static bool same_row(const struct factor *a, const struct factor *b)
{
    return a->year == b->year && a->basis == b->basis && a->kgco2eq_per_kwh == b->kgco2eq_per_kwh &&
           a->quality == b->quality && strcmp(a->zone, b->zone) == 0 && strcmp(a->source_id, b->source_id) == 0;
}

static bool on_basis(struct annual_prices *prices, const struct factor *factor, enum factor_basis basis,
                     struct factor *found, struct error *err)
{
    struct looked_up *cache;

    for (size_t i = 0; i < prices->cached; i++)
        if (prices->cache[i].basis == basis && same_row(&prices->cache[i].from, factor)) {
            *found = prices->cache[i].found;
            return true;
        }
    *found = *factor;
    if (!has_basis(factor))
        found->kgco2eq_per_kwh = NAN;
    else if (!location_factor_of(factor, basis, found, err))
        return false;
    cache = realloc(prices->cache, (prices->cached + 1) * sizeof *cache);
    if (!cache)
        return no_memory(err);
    prices->cache = cache;
    cache[prices->cached++] = (struct looked_up){ .from = *factor, .found = *found, .basis = basis };
    return true;
}

/* What of a record's zone an official set has, in the year of the accounts; else its own on that basis, said once. */
static bool of_set(struct annual_prices *prices, struct annual_price *price, struct error *err)
{
    struct annual_restating *asked = &prices->annual->restating;
    const struct factor_query query = {
        .zone = price->factor.zone,
        .year = price->year,
        .basis = FACTOR_DIRECT,
        .intensity = NAN,
        .set = asked->set,
    };
    AUTO_NOTICES struct notices reported = { .count = 0 };
    struct error lacking = { .kind = ERROR_NONE };
    struct factor found;
    bool is_found;

    is_found = price->factor.zone[0] && price->factor.quality != QUALITY_DEFAULT &&
               factor_lookup(&query, &found, &reported, &lacking);
    if (is_found) {
        price->factor = found;
        price->changed = price->of_set = true;
        notices_copy(&asked->notices, &reported);
    } else if (lacking.kind && lacking.kind != ERROR_USAGE) {
        *err = lacking;
        return false;
    } else {
        notice_add(&asked->notices, NOTICE_STAND_IN, "official sets have the zones of one country",
                   "--zone takes one zone for all records",
                   "records of %s keep their direct factor: the set '%s' has none",
                   price->factor.zone[0] ? price->factor.zone : "a factor of their own", asked->set);
    }
    return true;
}

/* The zone that was asked for, in the year of the accounts. */
static bool of_zone(const struct annual_prices *prices, struct annual_price *price, struct error *err)
{
    const struct annual_restating *asked = &prices->annual->restating;
    const struct factor_query query = {
        .zone = asked->zone,
        .year = price->year,
        .basis = asked->has_basis ? asked->basis : price->factor.basis,
        .intensity = NAN,
        .set = asked->set[0] ? asked->set : NULL,
    };
    AUTO_NOTICES struct notices reported = { .count = 0 };
    const bool found = factor_lookup(&query, &price->factor, &reported, err);

    if (found)
        notices_copy(&prices->annual->restating.notices, &reported);
    price->changed = true;
    return found;
}

/* A rate or contracts of the user's own stay: they are not of a zone. */
static bool market_of_zone(struct annual_price *price, struct error *err)
{
    const struct market_query query = { .location = &price->factor, .year = price->year, .given = NAN };
    AUTO_NOTICES struct notices reported = { .count = 0 };
    bool good;

    if (isfinite(price->market.kgco2eq_per_kwh) && strcmp(price->market.table, "residual_mix.csv") != 0)
        return true;
    good = market_factor(&query, &price->market, &reported, err);
    price->market_changed = true;
    return good;
}

static bool restate(struct annual_prices *prices, struct annual_price *price, struct error *err)
{
    const struct annual_restating *asked = &prices->annual->restating;
    struct factor other;

    if (asked->zone[0])
        return of_zone(prices, price, err) && market_of_zone(price, err);
    if (asked->set[0] && (!of_set(prices, price, err) || price->of_set))
        return price->of_set;
    if (!asked->has_basis || (price->factor.basis == asked->basis && has_basis(&price->factor)))
        return true;
    if (!on_basis(prices, &price->factor, asked->basis, &other, err))
        return false;
    price->factor = other;
    price->changed = true;
    return true;
}

static bool set_scopes(struct annual_prices *prices, struct annual_price *price, const struct factor *location,
                       struct error *err)
{
    if (!on_basis(prices, location, FACTOR_DIRECT, &price->direct, err) ||
        !on_basis(prices, location, FACTOR_LIFECYCLE, &price->lifecycle, err))
        return false;
    if (isnan(price->market.kgco2eq_per_kwh) && price->direct.zone[0] && price->direct.quality != QUALITY_DEFAULT &&
        isfinite(price->direct.kgco2eq_per_kwh)) {
        price->market = price->direct;
        price->location_based = true;
    }
    return true;
}

static bool work_out(struct annual_prices *prices, const char *text, struct annual_price *price, struct error *err)
{
    struct cJSON *basis = json_parse(text, "the ledger", err);
    struct factor location;
    bool good;

    if (!basis)
        return false;
    fields_take(RECORD_ITEM(basis, factor), &factor_fields, &price->factor);
    price->factor.td_losses_kgco2eq_per_kwh = json_number(BASIS_ITEM(basis, td_losses_kgco2eq_per_kwh));
    price->factor.upstream_kgco2eq_per_kwh = json_number(BASIS_ITEM(basis, upstream_kgco2eq_per_kwh));
    snprintf(price->factor.version, sizeof price->factor.version, "%s", json_text(BASIS_ITEM(basis, factor_version)));
    snprintf(price->factor.retrieved_at, sizeof price->factor.retrieved_at, "%s",
             json_text(BASIS_ITEM(basis, factor_retrieved_at)));
    fields_take(RECORD_ITEM(basis, supplementary.market), &factor_fields, &price->market);
    price->market.td_losses_kgco2eq_per_kwh = price->market.upstream_kgco2eq_per_kwh = NAN;
    price->recorded_pue = price->pue = json_number(RECORD_ITEM(basis, pue));
    price->pue_quality = quality_of(json_text(RECORD_ITEM(basis, pue_quality)));
    json_close(basis);
    if (prices->annual->restating.pue > 0) {
        price->pue = prices->annual->restating.pue;
        price->pue_quality = QUALITY_GIVEN;
    }
    location = price->factor; /* a basis that a figure is not known on does not unsay the other one */
    good = restate(prices, price, err);
    price->stored = !prices->annual->restating.zone[0] && !price->of_set && has_basis(&location);
    price->recorded_basis = location.basis;
    if (prices->annual->restating.zone[0] || price->of_set)
        location = price->factor;
    return good && set_scopes(prices, price, &location, err);
}

static bool new_price(struct annual_prices *prices, int64_t number, int year, const char *text, struct error *err)
{
    struct annual_price *price;

    prices->items = array_room(prices->items, &prices->room, prices->count + 1, sizeof *prices->items);
    if (prices->count == prices->room)
        return no_memory(err);
    price = &prices->items[prices->count];
    *price = (struct annual_price){ .number = number, .year = year };
    if (!work_out(prices, text, price, err))
        return false;
    prices->last = prices->count++;
    return true;
}

static bool is_of(const struct annual_price *price, int64_t number, int year)
{
    return price->number == number && price->year == year;
}

bool annual_prices_find(struct annual_prices *prices, int64_t number, int64_t started_ns, int64_t *place,
                        struct error *err)
{
    const struct annual_restating *asked = &prices->annual->restating;
    const int year = (asked->zone[0] || asked->set[0]) && started_ns >= 0 ? clock_year((uint64_t)started_ns) : 0;
    const char *text;

    *place = -1;
    if (prices->count && is_of(&prices->items[prices->last], number, year)) {
        *place = (int64_t)prices->last;
        return true;
    }
    text = number < 0 ? NULL : text_of(prices, number);
    if (!text)
        return true;
    for (size_t i = 0; i < prices->count && *place < 0; i++)
        if (is_of(&prices->items[i], number, year))
            *place = (int64_t)(prices->last = i);
    if (*place >= 0)
        return true;
    if (!new_price(prices, number, year, text, err))
        return false;
    *place = (int64_t)prices->last;
    return true;
}

static double ratio_or(double ratio, double otherwise)
{
    return isfinite(ratio) ? ratio : otherwise;
}

/* The mass that the record has stays on its basis: it may be by the hour. */
static double mass_on(const struct annual_price *price, enum factor_basis basis, const struct contribution *recorded)
{
    const struct factor *factor = basis == FACTOR_DIRECT ? &price->direct : &price->lifecycle;

    if (price->stored && price->recorded_basis == basis)
        return recorded->gross_kgco2eq;
    return footprint_of(recorded->gross_j, price->pue, factor->kgco2eq_per_kwh).kgco2eq;
}

static void change_mass(const struct annual_price *price, struct contribution *contribution)
{
    const double kgco2eq_per_j = footprint_of(1, price->pue, price->factor.kgco2eq_per_kwh).kgco2eq;
    const double kwh = footprint_of(contribution->gross_j, price->pue, 1).facility_kwh;

    contribution->gross_kgco2eq = contribution->gross_j * kgco2eq_per_j;
    contribution->net_kgco2eq = contribution->net_j * kgco2eq_per_j;
    contribution->own_kgco2eq = contribution->own_j * kgco2eq_per_j;
    contribution->td_losses_kgco2eq = kwh * price->factor.td_losses_kgco2eq_per_kwh;
    contribution->upstream_kgco2eq = kwh * price->factor.upstream_kgco2eq_per_kwh;
    contribution->covered = NAN;
}

struct annual_contribution annual_prices_apply(const struct annual_prices *prices, int64_t place,
                                               const struct contribution *contribution)
{
    struct annual_contribution of = { .contribution = *contribution };
    const struct annual_price *price = place >= 0 ? &prices->items[place] : NULL;
    double facility;

    of.direct_kgco2eq = of.lifecycle_kgco2eq = of.scope2_market_kgco2eq = NAN;
    if (!price)
        return of;
    facility = ratio_or(price->pue / price->recorded_pue, 1);
    double *const with_pue[] = {
        &of.contribution.facility_kwh,     &of.contribution.gross_kgco2eq,  &of.contribution.net_kgco2eq,
        &of.contribution.own_kgco2eq,      &of.contribution.market_kgco2eq, &of.contribution.td_losses_kgco2eq,
        &of.contribution.upstream_kgco2eq,
    };
    for (size_t i = 0; facility != 1 && i < sizeof with_pue / sizeof with_pue[0]; i++)
        *with_pue[i] *= facility;
    of.direct_kgco2eq = mass_on(price, FACTOR_DIRECT, &of.contribution);
    of.lifecycle_kgco2eq = mass_on(price, FACTOR_LIFECYCLE, &of.contribution);
    of.hours_lost = price->changed && contribution->covered > 0;
    if (price->changed)
        change_mass(price, &of.contribution);
    if (price->market_changed)
        of.contribution.market_kgco2eq =
            price->location_based
                ? NAN
                : footprint_of(contribution->gross_j, price->pue, price->market.kgco2eq_per_kwh).kgco2eq;
    of.scope2_market_kgco2eq = of.contribution.market_kgco2eq;
    if (price->location_based && isnan(of.contribution.market_kgco2eq)) {
        of.scope2_market_kgco2eq = of.direct_kgco2eq;
        of.stand_in_j = contribution->gross_j;
    }
    return of;
}

bool annual_prices_each(const struct annual_prices *prices, annual_price_function *function, void *context,
                        struct error *err)
{
    for (size_t i = 0; i < prices->count; i++)
        if (!function(&prices->items[i], (int64_t)i, text_of(prices, prices->items[i].number), context, err))
            return false;
    return true;
}
