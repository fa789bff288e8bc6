/* SPDX-License-Identifier: MIT
 * Ontario: the IESO's report "Generator Output by Fuel Type Hourly", public at https://reports-public.ieso.ca/public/.
 *
 *   /public/GenOutputbyFuelHourly/PUB_GenOutputbyFuelHourly.xml         this year; ..._2025.xml an earlier one
 *   <Document><DocHeader/><DocBody><DeliveryYear/><DailyData><Day>2026-01-20</Day>
 *     <HourlyData><Hour>1</Hour><FuelTotal><Fuel>NUCLEAR</Fuel><EnergyValue><OutputQuality>0</OutputQuality>
 *     <Output>9011</Output></EnergyValue></FuelTotal>...</HourlyData>...</DailyData>...</DocBody></Document>
 *
 * MWh in hours 1 to 24 of Eastern Standard Time the whole year; hour 1 begins at midnight. No emissions: they are
 * generation times factors by fuel. */
#include "grid/generation.h"
#include "grid/live_service.h"

#include "base/text.h"
#include "io/json_read.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { HOUR_S = 3600, BEHIND_UTC_S = 5 * HOUR_S, PARTS = 2 };

static const struct fuel_code fuels[] = {
    { "NUCLEAR", FUEL_NUCLEAR }, { "GAS", FUEL_GAS },           { "HYDRO", FUEL_HYDRO },
    { "WIND", FUEL_WIND },       { "SOLAR", FUEL_SOLAR },       { "COAL", FUEL_COAL },
    { "OTHER", FUEL_OTHER },     { "BIOFUEL", FUEL_BIOENERGY }, { NULL, FUEL_STORAGE },
};

static bool read_zone(const char *typed, char zone[LIVE_ZONE_SIZE])
{
    return live_zone_of(typed, "CAONcaon-", zone) && strcmp(zone, "CA-ON") == 0;
}

static int year_of(uint64_t realtime_s)
{
    const time_t local = (time_t)realtime_s - BEHIND_UTC_S;
    struct tm parts;

    gmtime_r(&local, &parts);
    return parts.tm_year + 1900;
}

static bool address(const struct live_request *request, unsigned part, struct text *url)
{
    const int this_year = year_of(request->now_s), first = year_of(request->from_s), last = year_of(request->to_s - 1);
    const int year = part == 0 ? first : last;

    if (year > this_year || (part == 1 && last == first))
        return false;
    text_add(url, "/public/GenOutputbyFuelHourly/PUB_GenOutputbyFuelHourly");
    if (year < this_year)
        text_add(url, "_%d", year);
    text_add(url, ".xml");
    return true;
}

struct live_ieso_reading {
    const struct live_request *request;
    struct fuel_factors factors;
    struct generation generation;
};

static bool read_fuel(struct live_ieso_reading *reading, uint64_t start_s, const struct cJSON *total, struct error *err)
{
    const char *name = json_text_of(total, "Fuel"), *output = json_text_of(json_member(total, "EnergyValue"), "Output");
    const int fuel = fuel_code_find(fuels, name);
    double mwh;

    if (fuel < 0)
        return live_malformed(err, "it has a fuel that is not known: '%.20s'", name);
    if (!*output)
        return true;
    if (!text_to_number(output, &mwh))
        return live_malformed(err, "it has something else where a number should be");
    return generation_add_fuel(&reading->generation, reading->request, &reading->factors, start_s, HOUR_S,
                               (unsigned)fuel, fuels[fuel].fuel, mwh, err);
}

static bool read_hour(struct live_ieso_reading *reading, uint64_t midnight_s, const struct cJSON *hourly,
                      struct error *err)
{
    uint64_t hour;

    if (!text_to_u64(json_text_of(hourly, "Hour"), &hour) || hour < 1 || hour > 24)
        return live_malformed(err, "it has an hour that is none of 1 to 24");
    for (const struct cJSON *item = json_items(hourly); item; item = json_next(item))
        if (strcmp(json_key(item), "FuelTotal") == 0 &&
            !read_fuel(reading, midnight_s + (hour - 1) * HOUR_S, item, err))
            return false;
    return true;
}

static bool read_day(struct live_ieso_reading *reading, const struct cJSON *daily, struct error *err)
{
    uint64_t midnight_s;

    if (!live_time(daily, "Day", &midnight_s, err))
        return false;
    midnight_s += BEHIND_UTC_S;
    if (midnight_s >= reading->request->to_s || midnight_s + LIVE_DAY_S <= reading->request->from_s)
        return true;
    for (const struct cJSON *item = json_items(daily); item; item = json_next(item))
        if (strcmp(json_key(item), "HourlyData") == 0 && !read_hour(reading, midnight_s, item, err))
            return false;
    return true;
}

static bool read_answer(const struct live_request *request, unsigned part, const struct cJSON *document,
                        struct intensities *found, struct error *err)
{
    const struct cJSON *body = json_member(json_member(document, "Document"), "DocBody");
    struct live_ieso_reading reading = { .request = request };
    bool good;

    (void)part;
    if (!body)
        return live_malformed(err, "it has no element 'DocBody'");
    good = fuel_factors_read(request->basis, &reading.factors, err);
    for (const struct cJSON *item = json_items(body); good && item; item = json_next(item))
        good = strcmp(json_key(item), "DailyData") != 0 || read_day(&reading, item, err);
    good = good && generation_settle(&reading.generation, found, err);
    generation_close(&reading.generation);
    return good;
}

const struct live_service live_ieso =
    LIVE_SERVICE("ieso", "IESO (production mix x factors by fuel)", "IESO_FUEL_HOURLY", read_zone, address, read_answer,
                 .base_url = "https://reports-public.ieso.ca", .zones = "CA-ON", .zone = "CA-ON", .scope = "production",
                 .gases = "co2eq", .licence = "terms of use of the IESO",
                 .url = "https://reports-public.ieso.ca/public/GenOutputbyFuelHourly/", .basis = LIVE_BASIS_BOTH,
                 .max_days = 31, .parts = PARTS, .xml = true, .whole_file = true, .max_bytes = LIVE_DOCUMENT_MAX);
