/* SPDX-License-Identifier: MIT
 * From options to a factor. */
#include "app/options/emission_options.h"

#include "app/options/contract_file.h"
#include "app/options/live_options.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "emissions/plant_fuel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const struct option_spec option_fuel =
    OPTION(CHOICE, "Carbon", "fuel", .argument = "<fuel>", .cli_only = true, .choices = plant_fuel_names,
           .help = "as if all of it came from plants of one fuel, in pounds of CO2, too");

static enum quality given_or_default(const struct settings *settings, const struct option_spec *option)
{
    return settings_origin(settings, option) == ORIGIN_STANDARD ? QUALITY_DEFAULT : QUALITY_GIVEN;
}

/* Below any grid's lifecycle in g (18.5 is the least), and above any in kg (1.31 is the most). */
#define DOUBTED_G_PER_KWH 2.0

/* In kgCO2eq/kWh; NAN: not given. A number alone that is of another size than grams of any grid is doubted. */
static double intensity_of(const struct settings *settings, const struct option_spec *option, struct notices *notices)
{
    const double g_per_kwh = settings_number(settings, option);
    const char *typed = settings_text(settings, option);
    char fix[160];

    if (g_per_kwh > 0 && g_per_kwh < DOUBTED_G_PER_KWH && quantity_is_bare(typed)) {
        snprintf(fix, sizeof fix, "--%s %.40skg, if it is in kilograms; --%s %.40sg, if it is not", option->name, typed,
                 option->name, typed);
        notice_add(notices, NOTICE_UNIT, "a number without a unit is of grams, and few grids emit so little", fix,
                   "--%s %.40s is taken as %.40s gCO2eq/kWh", option->name, typed, typed);
    }
    return settings_scaled(settings, option, -3);
}

double emission_options_intensity(const struct settings *settings, struct notices *notices)
{
    return intensity_of(settings, &option_intensity, notices);
}

/* The stronger of two options with the same meaning; `second` is true for the second. Both given alike is a mistake. */
static bool choose(const struct settings *settings, const struct option_spec *first, const struct option_spec *second,
                   bool *is_second, struct error *err)
{
    const bool both = settings_text(settings, first) && settings_text(settings, second);
    const enum option_origin one = settings_origin(settings, first), other = settings_origin(settings, second);

    *is_second = settings_text(settings, second) && (!settings_text(settings, first) || other >= one);
    if (!both || one != other)
        return true;
    return options_clash(first, second, err);
}

/* A name that was given must be known. */
static bool find_published(const struct settings *settings, const struct option_spec *option,
                           enum facility_figure figure, int year, struct published *published, struct notices *notices,
                           struct error *err)
{
    const char *name = settings_text(settings, option);
    bool found;

    return facility_find(figure, name, year, published, &found, notices, err) &&
           (found || facility_unknown(figure, name, err));
}

/* Who names a cloud region, and no PUE, gets the region's where one is published, else its fleet's. */
static bool find_pue_of_region(const struct settings *settings, int year, const char *region, struct published *pue,
                               struct notices *notices, struct error *err)
{
    const struct published given = *pue;

    if (!*region || settings_origin(settings, &option_pue) != ORIGIN_STANDARD)
        return true;
    if (!facility_pue_of_region(region, year, pue, notices, err)) {
        *pue = given;
        return false;
    }
    if (pue->of_fleet)
        notice_add(notices, NOTICE_STAND_IN, pue->source, "--pue gives another, --pue 1 leaves it out",
                   "no PUE published for cloud region %s; using %s: %g", region,
                   pue->quality == QUALITY_DEFAULT ? "that of data centres in general (none of its fleet)"
                                                   : "its fleet's",
                   pue->value);
    else
        notice_add(notices, NOTICE_ASSUMED, pue->source, "--pue 1 leaves it out",
                   "the PUE of cloud region %s is included: %g", region, pue->value);
    return true;
}

static bool read_facility(const struct settings *settings, int year, struct emission_options *options,
                          struct notices *notices, struct error *err)
{
    struct published *pue = &options->supplementary.pue, *wue = &options->supplementary.wue;
    bool published;

    *pue = (struct published){ .value = settings_number(settings, &option_pue) };
    pue->quality = given_or_default(settings, &option_pue);
    if (!choose(settings, &option_pue, &option_pue_of, &published, err) ||
        !(published ? find_published(settings, &option_pue_of, FACILITY_PUE, year, pue, notices, err)
                    : find_pue_of_region(settings, year, options->factor.cloud_region, pue, notices, err)))
        return false;
    options->pue = pue->value;
    options->pue_quality = pue->quality;
    *wue = (struct published){ .value = settings_number(settings, &option_wue) };
    wue->quality = isnan(wue->value) ? QUALITY_UNKNOWN : QUALITY_GIVEN;
    return choose(settings, &option_wue, &option_wue_of, &published, err) &&
           (!published || find_published(settings, &option_wue_of, FACILITY_WUE, year, wue, notices, err));
}

/* 20261128 of "2026-11-28T...". */
static int day_of(uint64_t realtime_ns)
{
    char text[CLOCK_TEXT_SIZE];
    int year, month, day;

    clock_text(realtime_ns, text);
    return sscanf(text, "%4d-%2d-%2d", &year, &month, &day) == 3 ? (year * 100 + month) * 100 + day : 0;
}

/* day 0: the whole year is meant. */
static bool read_market(const struct settings *settings, const struct factor_query *factor, int day,
                        struct emission_options *options, struct notices *notices, struct error *err)
{
    struct contracts contracts = { .count = 0 };
    const struct market_query query = {
        .location = &options->factor,
        .year = factor->year,
        .first_day = day ? day : factor->year * 10000 + 101,
        .last_day = day ? day : factor->year * 10000 + 1231,
        .given = intensity_of(settings, &option_market_factor, notices),
        .contracts = &contracts,
    };
    bool contract;

    if (options->fuel) {
        options->supplementary.market = options->supplementary.market_location =
            (struct factor){ .kgco2eq_per_kwh = NAN };
        return true;
    }
    return choose(settings, &option_market_factor, &option_contract, &contract, err) &&
           (!contract || contracts_read(settings_text(settings, &option_contract), &contracts, err)) &&
           market_factor(&query, &options->supplementary.market, notices, err) &&
           supplementary_set_location(&options->factor, &options->supplementary, err);
}

/* Of commands that have it: --fuel excludes what else says whose electricity it is. */
static bool read_factor(const struct settings *settings, const struct factor_query *query,
                        struct emission_options *options, struct notices *notices, struct error *err)
{
    const char *fuel = settings_text(settings, &option_fuel);
    bool other;

    options->fuel = NULL;
    if (!fuel)
        return factor_lookup(query, &options->factor, notices, err);
    if (!choose(settings, &option_fuel, &option_zone, &other, err) ||
        !choose(settings, &option_fuel, &option_intensity, &other, err))
        return false;
    options->fuel = fuel;
    options->zone = NULL;
    return plant_fuel_factor(fuel, &options->factor) || error_set(err, ERROR_USAGE, "unknown fuel '%.40s'", fuel);
}

/* Official sets are direct only, and no other table is used with them. */
static bool read_set(const struct settings *settings, struct factor_query *query, struct error *err)
{
    static const struct option_spec *const others[] = { &option_factors, &option_share_alike };
    bool is_set;

    if (!choose(settings, &option_intensity, &option_factor_set, &is_set, err))
        return false;
    query->set = is_set ? settings_text(settings, &option_factor_set) : NULL;
    for (size_t i = 0; query->set && i < sizeof others / sizeof others[0]; i++)
        if (settings_origin(settings, others[i]) >= settings_origin(settings, &option_factor_set) &&
            settings_origin(settings, others[i]) != ORIGIN_STANDARD)
            return options_clash(&option_factor_set, others[i], err);
    if (!query->set)
        return true;
    query->intensity = NAN;
    if (settings_origin(settings, &option_basis) < settings_origin(settings, &option_factor_set))
        query->basis = FACTOR_DIRECT;
    return true;
}

static bool read_year(const struct settings *settings, int year, int day, struct emission_options *options,
                      struct notices *notices, struct error *err)
{
    const char *duty = settings_text(settings, &option_duty);
    struct factor_query query = {
        .zone = settings_text(settings, &option_zone),
        .year = year,
        .intensity = intensity_of(settings, &option_intensity, notices),
        .tables = settings_texts(settings, &option_factors),
        .share_alike = settings_flag(settings, &option_share_alike),
    };

    if (!factor_basis_of(settings_text(settings, &option_basis), &query.basis))
        return error_set(err, ERROR_USAGE, "unknown basis");
    if (!read_set(settings, &query, err))
        return false;
    if (query.set)
        ;
    else if (settings_origin(settings, &option_basis) == ORIGIN_STANDARD && !isnan(query.intensity))
        query.basis = FACTOR_NO_BASIS;
    else if (query.zone && settings_origin(settings, &option_basis) == ORIGIN_STANDARD)
        (void)live_own_basis(settings, &query.basis);
    options->zone = isnan(query.intensity) ? query.zone : NULL;
    options->year = query.year;
    options->share_alike = query.share_alike;
    options->set = query.set;
    options->hours_per_year = HOURS_PER_YEAR;
    options->hours_quality = given_or_default(settings, &option_duty);
    return (!duty || duty_hours_per_year(duty, &options->hours_per_year, err)) &&
           read_factor(settings, &query, options, notices, err) &&
           read_facility(settings, query.year, options, notices, err) &&
           read_market(settings, &query, day, options, notices, err);
}

bool emission_options_of_year(const struct settings *settings, int year, struct emission_options *options,
                              struct notices *notices, struct error *err)
{
    return read_year(settings, year, 0, options, notices, err);
}

bool emission_options_read(const struct settings *settings, uint64_t realtime_ns, struct emission_options *options,
                           struct notices *notices, struct error *err)
{
    const double year = settings_number(settings, &option_year);
    const bool whole_year = settings_origin(settings, &option_year) != ORIGIN_STANDARD;

    return read_year(settings, isnan(year) ? clock_year(realtime_ns) : (int)year, whole_year ? 0 : day_of(realtime_ns),
                     options, notices, err);
}
