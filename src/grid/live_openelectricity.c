/* SPDX-License-Identifier: MIT
 * Australia: OpenElectricity v4, which has the figures of AEMO, with a key, documented at
 * https://docs.openelectricity.org.au/api-reference.
 *
 *   /v4/data/network/NEM?metrics=energy&metrics=emissions&interval=5m&network_region=NSW1&
 *    primary_grouping=network_region&secondary_grouping=fueltech&date_start=2026-01-20T10:00:00&
 *    date_end=2026-01-21T10:00:00
 *   {"success":true,"data":[{"network_code":"NEM","metric":"energy","unit":"MWh","interval":"5m","results":[
 *    {"name":"...","columns":{"region":"NSW1","fueltech":"coal_black"},"data":[["2026-01-20T00:00:00Z",510.2],...]}],
 *    "network_timezone_offset":"+10:00"},{"metric":"emissions","unit":"t",...}]}
 *
 * Header "Authorization: Bearer". Dates are requested in the network's own time, which never changes: UTC+10, in
 * Western Australia (WEM) UTC+8; times that are reported have their offset. A step is told by its beginning. Emissions
 * are the publisher's, of burning: tonnes over the energy of all that generates in the region. */
#include "grid/generation.h"
#include "grid/live_service.h"

#include "base/clock.h"
#include "base/text.h"
#include "io/json_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HOUR_S = 3600, KG_PER_TONNE = 1000, CODES_MAX = 32 };

/* Burning fuels must have emissions; storage and transmission are not generation. */
static const struct fuel_code fuels[] = {
    { "coal_black", FUEL_COAL },
    { "coal_brown", FUEL_COAL },
    { "distillate", FUEL_OIL },
    { "gas_ccgt", FUEL_GAS },
    { "gas_ocgt", FUEL_GAS },
    { "gas_recip", FUEL_GAS },
    { "gas_steam", FUEL_GAS },
    { "gas_wcmg", FUEL_GAS },
    { "bioenergy_biogas", FUEL_BIOENERGY },
    { "bioenergy_biomass", FUEL_BIOENERGY },
    { "hydro", FUEL_HYDRO },
    { "nuclear", FUEL_NUCLEAR },
    { "other", FUEL_OTHER },
    { "solar", FUEL_SOLAR },
    { "solar_rooftop", FUEL_SOLAR },
    { "solar_thermal", FUEL_SOLAR },
    { "solar_utility", FUEL_SOLAR },
    { "wind", FUEL_WIND },
    { "wind_offshore", FUEL_WIND },
    { "battery", FUEL_STORAGE },
    { "battery_charging", FUEL_STORAGE },
    { "battery_discharging", FUEL_STORAGE },
    { "pumps", FUEL_STORAGE },
    { "imports", FUEL_STORAGE },
    { "exports", FUEL_STORAGE },
    { "interconnector", FUEL_STORAGE },
    { "aggregator_vpp", FUEL_STORAGE },
    { "aggregator_dr", FUEL_STORAGE },
    { NULL, FUEL_STORAGE },
};

static const struct {
    const char *zone, *network, *region;
    int ahead_h;
} regions[] = {
    { "AU-NSW", "NEM", "NSW1", 10 }, { "AU-ACT", "NEM", "NSW1", 10 }, { "AU-QLD", "NEM", "QLD1", 10 },
    { "AU-SA", "NEM", "SA1", 10 },   { "AU-TAS", "NEM", "TAS1", 10 }, { "AU-VIC", "NEM", "VIC1", 10 },
    { "AU-WA", "WEM", "WEM", 8 },
};

enum { REGIONS = sizeof regions / sizeof regions[0] };

static size_t region_of(const char *zone)
{
    size_t i = 0;

    while (i < REGIONS && strcmp(regions[i].zone, zone) != 0)
        i++;
    return i;
}

static bool read_zone(const char *typed, char zone[LIVE_ZONE_SIZE])
{
    if (!live_zone_of(typed, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz1-", zone))
        return false;
    for (size_t i = 0; i < REGIONS; i++)
        if (strcmp(regions[i].region, zone) == 0) {
            text_copy(zone, LIVE_ZONE_SIZE, regions[i].zone);
            break;
        }
    return region_of(zone) < REGIONS;
}

static bool address(const struct live_request *request, unsigned part, struct text *url)
{
    const size_t region = region_of(request->zone);
    const int64_t ahead_s = (int64_t)regions[region].ahead_h * HOUR_S;

    (void)part;
    text_add(url, "/v4/data/network/%s?metrics=energy&metrics=emissions&interval=%s&network_region=%s",
             regions[region].network, request->step_s == HOUR_S ? "1h" : "5m", regions[region].region);
    text_add(url, "&primary_grouping=network_region&secondary_grouping=fueltech&date_start=");
    live_add_time(url, request->from_s, ahead_s);
    text_add(url, "&date_end=");
    live_add_time(url, request->to_s, ahead_s);
    return request->from_s < request->now_s;
}

struct live_openelectricity_reading {
    const struct live_request *request;
    struct generation generation;
    bool has_energy[CODES_MAX], has_emissions[CODES_MAX];
};

/* "2026-01-20T10:00:00+10:00" or "...Z"; without either it could be any. */
static bool read_time(const struct cJSON *item, uint64_t *start_s, struct error *err)
{
    const char *text = json_text(item), *time = strchr(text, 'T');

    if (time && (strpbrk(time, "Z+") || strchr(time, '-')) && clock_of_iso_text(text, start_s))
        return true;
    return live_malformed(err, "it has a time without an offset from UTC, or none");
}

static bool read_points(struct live_openelectricity_reading *reading, unsigned code, bool is_energy,
                        const struct cJSON *points, struct error *err)
{
    const double per_hour = (double)HOUR_S / (double)reading->request->step_s;
    uint64_t start_s;

    for (const struct cJSON *point = json_first(points); point; point = json_next(point)) {
        const struct cJSON *value = json_next(json_first(point));
        const double number = json_number(value) * per_hour;

        if (!read_time(json_first(point), &start_s, err))
            return false;
        if (isnan(number) && !json_is_null(value))
            return live_malformed(err, "it has something else where a number should be");
        if (!generation_add(&reading->generation, reading->request, start_s, reading->request->step_s,
                            2 * code + !is_energy, is_energy ? fmax(number, 0) + (isnan(number) ? NAN : 0) : 0,
                            is_energy ? 0 : number * KG_PER_TONNE, err))
            return false;
    }
    return true;
}

static bool read_result(struct live_openelectricity_reading *reading, bool is_energy, const struct cJSON *result,
                        struct error *err)
{
    const struct cJSON *columns = json_member(result, "columns");
    const char *name = json_text_of(columns, "fueltech");
    const int code = fuel_code_find(fuels, name);

    if (strcmp(json_text_of(columns, "region"), regions[region_of(reading->request->zone)].region) != 0)
        return live_malformed(err, "it is of another zone");
    if (code < 0)
        return live_malformed(err, "it has a fuel that is not known: '%.20s'", name);
    if (!json_is_array(json_member(result, "data")))
        return live_malformed(err, "it has no list 'data' of %s", name);
    if (fuels[code].fuel == FUEL_STORAGE)
        return true;
    *(is_energy ? &reading->has_energy[code] : &reading->has_emissions[code]) = true;
    return read_points(reading, (unsigned)code, is_energy, json_member(result, "data"), err);
}

static bool read_series(struct live_openelectricity_reading *reading, const struct cJSON *series, struct error *err)
{
    const char *metric = json_text_of(series, "metric"), *unit = json_text_of(series, "unit");
    const bool is_energy = strcmp(metric, "energy") == 0;

    if (!is_energy && strcmp(metric, "emissions") != 0)
        return live_malformed(err, "it has figures that were not requested: '%.20s'", metric);
    if (strcmp(unit, is_energy ? "MWh" : "t") != 0)
        return live_malformed(err, "its %s is in '%.10s'", metric, unit);
    if (strcmp(json_text_of(series, "interval"), reading->request->step_s == HOUR_S ? "1h" : "5m") != 0)
        return live_malformed(err, "its steps differ from the requested ones");
    for (const struct cJSON *result = json_first(json_member(series, "results")); result; result = json_next(result))
        if (!read_result(reading, is_energy, result, err))
            return false;
    return true;
}

/* Without the emissions of burning fuels the sum would be too low. */
static bool check_emissions(const struct live_openelectricity_reading *reading, struct error *err)
{
    for (size_t i = 0; fuels[i].code; i++)
        if (fuels[i].fuel <= FUEL_OTHER && reading->has_energy[i] && !reading->has_emissions[i])
            return live_malformed(err, "it has no emissions of %s", fuels[i].code);
    return true;
}

static bool read_answer(const struct live_request *request, unsigned part, const struct cJSON *document,
                        struct intensities *found, struct error *err)
{
    const struct cJSON *data = json_member(document, "data");
    struct live_openelectricity_reading reading = { .request = request };
    bool good = true;

    (void)part;
    if (!json_is_array(data))
        return live_malformed(err, "it has no list 'data'");
    for (const struct cJSON *series = json_first(data); good && series; series = json_next(series))
        good = read_series(&reading, series, err);
    good = good && check_emissions(&reading, err) && generation_settle(&reading.generation, found, err);
    generation_close(&reading.generation);
    return good;
}

const struct live_service live_openelectricity = LIVE_SERVICE(
    "openelectricity", "OpenElectricity v4 (AEMO)", "OPENELECTRICITY_V4", read_zone, address, read_answer,
    .base_url = "https://api.openelectricity.org.au",
    .zones = "AU-NSW (with AU-ACT), AU-QLD, AU-SA, AU-TAS, AU-VIC, AU-WA", .scope = "production", .gases = "co2eq",
    .licence = "terms of OpenElectricity", .url = "https://platform.openelectricity.org.au", .basis = LIVE_BASIS_DIRECT,
    .secret = LIVE_HEADER, .key_prefix = "Authorization: Bearer ", .key_variable = "CARBON_OPENELECTRICITY_KEY",
    .max_days = 7, .parts = 1, .steps = { 300, HOUR_S });
