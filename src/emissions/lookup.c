/* SPDX-License-Identifier: MIT
 * The factor for a query, and its differences from the request. */
#include "base/c_locale.h"
#include "emissions/factor.h"

#include "base/debug.h"
#include "base/text.h"
#include "emissions/factor_table.h"
#include "emissions/zones.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORLD "WORLD"
#define MODELLED "modelled: " /* as the notes of such a figure begin */
#define DERIVED "DERIVED_"    /* sources of figures that carbon calculated */

enum { CHAIN_MAX = 32, OLD_YEARS = 5 };

struct lookup_search {
    const struct factor_query *query;
    struct zones zones;
    struct factor_rows rows;
    struct zone_meant meant;
    const char *asked; /* the code that was meant */
    struct text chain; /* "US-CA, US": the zones looked at */
};

static bool given_intensity(const struct factor_query *query, struct factor *factor, struct error *err)
{
    struct cloud_region region;
    bool found = false;

    if (!(query->intensity >= 0 && query->intensity <= MAX_KGCO2EQ_PER_KWH)) {
        error_set(err, ERROR_USAGE, "an intensity of %g gCO2eq/kWh cannot be", query->intensity * 1000);
        return error_why(err, "it must be from 0 to %g", MAX_KGCO2EQ_PER_KWH * 1000);
    }
    *factor = (struct factor){
        .kgco2eq_per_kwh = query->intensity,
        .quality = QUALITY_GIVEN,
        .basis = query->basis,
        .source = "given by the user",
        .td_losses_kgco2eq_per_kwh = NAN,
        .upstream_kgco2eq_per_kwh = NAN,
    };
    /* whose PUE it is that goes with it */
    if (query->zone && !cloud_region_find(query->zone, &region, &found, err))
        return false;
    text_copy(factor->cloud_region, sizeof factor->cloud_region, found ? region.name : "");
    return true;
}

static const char *name_of(const struct zones *zones, const char *code)
{
    const struct zone *zone = zones_find(zones, code);

    return zone ? zone->name : "";
}

/* "US-CA (California)" */
static const char *described(const struct zones *zones, const char *code, char out[ZONE_SIZE + ZONE_NAME_SIZE + 4])
{
    const char *name = name_of(zones, code);

    snprintf(out, ZONE_SIZE + ZONE_NAME_SIZE + 4, *name ? "%s (%s)" : "%s", code, name);
    return out;
}

/* What would answer the query as it was asked. */
static const char *remedy(const struct lookup_search *search)
{
    const struct zone *zone = zones_find(&search->zones, search->asked);
    const enum factor_basis other = search->query->basis == FACTOR_DIRECT ? FACTOR_LIFECYCLE : FACTOR_DIRECT;

    if (zone && zone->share_alike && !search->query->share_alike)
        return "--share-alike adds a table in which this zone is";
    if (rows_best(&search->rows, search->asked, other, INT_MAX))
        return other == FACTOR_DIRECT ? "--basis direct has a figure of its own; or give one with --intensity or "
                                        "--factors"
                                      : "--basis lifecycle has a figure of its own; or give one with --intensity or "
                                        "--factors";
    return "give a figure of your own with --intensity or --factors";
}

static bool no_factor(const struct lookup_search *search, struct error *err)
{
    char zone[ZONE_SIZE + ZONE_NAME_SIZE + 4];

    if (search->query->set) {
        error_set(err, ERROR_USAGE, "the set '%.20s' has no %s factor of %s", search->query->set,
                  factor_basis_name(search->query->basis), described(&search->zones, search->asked, zone));
        error_why(err, "it has direct ones of %s", factor_set_zones(search->query->set));
        return error_fix(err, search->query->basis == FACTOR_DIRECT ? "leave --set out, or give a zone of it"
                                                                    : "leave --basis out, or --set");
    }
    error_set(err, ERROR_USAGE, "no %s factor for %s", factor_basis_name(search->query->basis),
              described(&search->zones, search->asked, zone));
    error_why(err, "no table has one for any of its chain of zones: %s", search->chain.data);
    return error_fix(err, "%s", remedy(search));
}

static const struct factor_row *endless_chain(const struct lookup_search *search, struct error *err)
{
    error_set(err, ERROR_BAD_DATA, "the fallbacks of zone '%.24s' do not end", search->asked);
    error_why(err, "after %d of them zones.csv still names another: %s", CHAIN_MAX,
              search->chain.data ? search->chain.data : "");
    return NULL;
}

static void debug_walk(const struct lookup_search *search, const struct factor_row *row, const char *code, int year)
{
    const struct factor_query *query = search->query;
    char of_year[24] = "the latest year";

    if (year != INT_MAX)
        snprintf(of_year, sizeof of_year, "%d or before", year);
    debug_tell(DEBUG_FACTORS, "%s, %s, %s%s%s: %s", code, factor_basis_name(query->basis), of_year,
               query->set ? ", set " : "", query->set ? query->set : "", row ? "found" : "nothing");
    rows_debug(&search->rows, row, code, query->basis, year, query->set);
}

/* Walks from the zone asked for along its fallbacks. NULL: the end was reached, or err is filled. */
static const struct factor_row *walk(struct lookup_search *search, bool *failed, struct error *err)
{
    const struct factor_query *query = search->query;
    const int year = query->year > 0 ? query->year : INT_MAX;
    const char *code = search->asked;

    for (int i = 0; *code; i++) {
        const struct zone *zone = zones_find(&search->zones, code);
        const struct factor_row *row;
        text_add(&search->chain, "%s%s", i ? ", " : "", code);
        *failed = i == CHAIN_MAX || !text_ok(&search->chain);
        if (*failed)
            return endless_chain(search, err);
        *failed = !rows_add_shipped(&search->rows, code, query->share_alike, err);
        if (*failed)
            return NULL;
        row = rows_best_of(&search->rows, code, query->basis, year, query->set);
        if (debug_is_on(DEBUG_FACTORS))
            debug_walk(search, row, code, year);
        if (row || query->set)
            return row;
        code = zone ? zone->fallback : "";
    }
    return NULL;
}

/* The fallback chain of a zone, with its wire, or that there is none. */
static bool describe_wire(const struct lookup_search *search, char *why, size_t size, struct error *err)
{
    struct wire wire;
    bool found;

    if (!wire_find(search->asked, &wire, &found, err))
        return false;
    snprintf(why, size, "fallback order in zones.csv: %s; %s%s%s", search->chain.data,
             found && wire.there ? wire.kind : "no wire is known", *wire.notes ? ": " : "", wire.notes);
    return true;
}

static bool note_stand_in(const struct lookup_search *search, const struct factor_row *row, const char *asked,
                          const char *used, struct notices *notices, struct error *err)
{
    char why[400];

    if (c_strcasecmp(row->zone, search->asked) == 0)
        return true;
    if (!describe_wire(search, why, sizeof why, err))
        return false;
    notice_add(notices, NOTICE_STAND_IN, why, remedy(search), "no %s factor for %s; using %s",
               factor_basis_name(row->basis), asked, used);
    return true;
}

static bool is_modelled(const struct factor_row *row)
{
    return strncmp(row->source_id, DERIVED, strlen(DERIVED)) == 0;
}

/* An old figure is reported with its table's remark. */
static void note_year(const struct lookup_search *search, const struct factor_row *row, const char *used,
                      struct notices *notices)
{
    const int year = search->query->year;
    const bool later = row->year > year;
    const bool noted = abs(row->year - year) >= OLD_YEARS && *row->notes && !is_modelled(row);
    char why[256];

    if (year <= 0 || row->year == year)
        return;
    snprintf(why, sizeof why, "%s in '%s'%s%s", later ? "earliest year" : "latest earlier year",
             rows_table_name(&search->rows, row), noted ? "; " : "", noted ? row->notes : "");
    notice_add(notices, NOTICE_STAND_IN, why, "", "no %s factor of %d%s for %s; using %d",
               factor_basis_name(row->basis), year, later ? " or before" : "", used, row->year);
}

/* Direct emissions are a part of those of the lifecycle; publishers who differ may say otherwise. */
static void note_bases(const struct lookup_search *search, const struct factor_row *row, const char *used,
                       struct notices *notices)
{
    const enum factor_basis other_basis = row->basis == FACTOR_DIRECT ? FACTOR_LIFECYCLE : FACTOR_DIRECT;
    const struct factor_row *other = rows_best(&search->rows, row->zone, other_basis, row->year);
    const struct factor_row *direct = row->basis == FACTOR_DIRECT ? row : other;
    const struct factor_row *lifecycle = row->basis == FACTOR_DIRECT ? other : row;

    if (!other || (other->table < TABLES_MAX) != (row->table < TABLES_MAX) || abs(other->year - row->year) > 1 ||
        direct->kgco2eq_per_kwh <= lifecycle->kgco2eq_per_kwh)
        return;
    notice_add(notices, NOTICE_BASIS,
               "two publishers with plant data of their own; neither may be subtracted from the "
               "other",
               "", "the direct factor of %s (%d, %s) is above its lifecycle one (%d, %s)", used, direct->year,
               direct->source_id, lifecycle->year, lifecycle->source_id);
}

static bool note_doubts(const struct lookup_search *search, const struct factor_row *row, struct notices *notices,
                        struct error *err)
{
    const char *basis = factor_basis_name(row->basis);
    char asked[ZONE_SIZE + ZONE_NAME_SIZE + 4], used[ZONE_SIZE + ZONE_NAME_SIZE + 4];

    described(&search->zones, search->asked, asked);
    described(&search->zones, row->zone, used);
    if (!note_stand_in(search, row, asked, used, notices, err))
        return false;
    note_year(search, row, used, notices);
    if (is_modelled(row))
        notice_add(notices, NOTICE_ASSUMED,
                   strncmp(row->notes, MODELLED, strlen(MODELLED)) == 0 ? row->notes + strlen(MODELLED) : row->notes,
                   "", "the %s factor of %s for %d is modelled, not published", basis, used, row->year);
    note_bases(search, row, used, notices);
    if (row->kgco2eq_per_kwh == 0)
        notice_add(notices, NOTICE_BASIS, row->notes, "--basis lifecycle counts plant construction and fuel supply too",
                   "the %s factor of %s for %d is 0 in its source", basis, used, row->year);
    return true;
}

static bool fill_factor(const struct lookup_search *search, const struct factor_row *row, struct factor *factor,
                        struct error *err)
{
    const char *name = *row->zone_name ? row->zone_name : name_of(&search->zones, row->zone);
    struct source source;
    bool found;

    if (!source_find(row->source_id, &source, &found, err))
        return false;
    *factor = (struct factor){
        .kgco2eq_per_kwh = row->kgco2eq_per_kwh,
        .quality = !search->query->zone ? QUALITY_DEFAULT
                   : is_modelled(row)   ? QUALITY_MODELLED
                                        : QUALITY_GIVEN,
        .basis = row->basis,
        .year = row->year,
        .td_losses_kgco2eq_per_kwh = rows_td_losses(&search->rows, row),
        .upstream_kgco2eq_per_kwh = row->upstream_kgco2eq_per_kwh,
    };
    text_copy(factor->zone, sizeof factor->zone, row->zone);
    text_copy(factor->zone_name, sizeof factor->zone_name, name);
    text_copy(factor->cloud_region, sizeof factor->cloud_region, search->meant.cloud_region);
    text_copy(factor->scope, sizeof factor->scope, row->scope);
    text_copy(factor->td_losses, sizeof factor->td_losses, row->td_losses);
    text_copy(factor->method, sizeof factor->method, row->method);
    text_copy(factor->gases, sizeof factor->gases, row->gases);
    text_copy(factor->source_id, sizeof factor->source_id, row->source_id);
    text_copy(factor->licence, sizeof factor->licence, source.licence);
    text_copy(factor->version, sizeof factor->version, source.year);
    text_copy(factor->retrieved_at, sizeof factor->retrieved_at, row->retrieved);
    text_copy(factor->table, sizeof factor->table, rows_table_name(&search->rows, row));
    if (found) {
        char text[sizeof source.title + sizeof source.publisher + 3];
        snprintf(text, sizeof text, "%s (%s)", source.title, source.publisher);
        text_copy(factor->source, sizeof factor->source, text);
    } else {
        text_copy(factor->source, sizeof factor->source, row->source_id);
    }
    return true;
}

static bool look_up(struct lookup_search *search, struct factor *factor, struct notices *notices, struct error *err)
{
    const struct factor_query *query = search->query;
    const struct factor_row *row;
    bool failed = false;

    if (query->set && !query->zone) {
        error_set(err, ERROR_USAGE, "the set '%.20s' needs a zone", query->set);
        error_why(err, "it has %s", factor_set_zones(query->set));
        return error_fix_adds(err, "--zone %.2s", factor_set_zones(query->set));
    }
    if (!zones_read(&search->zones, err) || !rows_add_own(&search->rows, query->tables, err))
        return false;
    if (!query->zone) {
        notice_add(notices, NOTICE_STAND_IN, "", "--zone FR, or CARBON_ZONE=FR, or 'zone = FR' in the config file",
                   "no zone given; using the world average");
        snprintf(search->meant.code, sizeof search->meant.code, WORLD);
    } else if (!zone_resolve(query->zone, &search->rows, &search->zones, query->share_alike, &search->meant, notices,
                             err)) {
        return false;
    }
    search->asked = search->meant.code;
    DEBUG(DEBUG_FACTORS, "zone '%s' is %s%s%s", query->zone ? query->zone : "", search->asked,
          *search->meant.cloud_region ? ", cloud region " : "", search->meant.cloud_region);
    row = walk(search, &failed, err);
    if (failed)
        return false;
    if (!row)
        return no_factor(search, err);
    return note_doubts(search, row, notices, err) && fill_factor(search, row, factor, err);
}

bool factor_lookup(const struct factor_query *query, struct factor *factor, struct notices *notices, struct error *err)
{
    struct lookup_search search = { .query = query };

    if (!isnan(query->intensity)) {
        DEBUG(DEBUG_FACTORS, "given: %g kgCO2eq/kWh", query->intensity);
        return given_intensity(query, factor, err);
    }
    text_open(&search.chain, SIZE_MAX);
    const bool found = look_up(&search, factor, notices, err);
    text_close(&search.chain);
    zones_close(&search.zones);
    rows_close(&search.rows);
    return found;
}
