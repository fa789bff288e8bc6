/* SPDX-License-Identifier: MIT
 * The United States: EIA-930, the Hourly Electric Grid Monitor, by API v2, with a key, documented at
 * https://www.eia.gov/opendata/documentation.php.
 *
 *   /v2/electricity/rto/fuel-type-data/data/?frequency=hourly&data[0]=value&facets[respondent][]=CISO&
 *    start=2026-01-20T01&end=2026-01-21T00&sort[0][column]=period&sort[0][direction]=asc&offset=0&length=5000
 *   {"response":{"total":"240","frequency":"hourly","data":[{"period":"2026-01-20T01","respondent":"CISO",
 *    "respondent-name":"California Independent System Operator","fueltype":"NG","type-name":"Natural
 * Gas","value":"7300", "value-units":"megawatthours"}]},"apiVersion":"2.1.8"}
 *
 * Header "X-Api-Key". Hours of UTC told by their end, MWh, net: below 0 is what plants draw themselves. A value is a
 * number, a text or null. No emissions: they are generation times factors by fuel. */
#include "grid/generation.h"
#include "grid/live_service.h"

#include "base/clock.h"
#include "base/text.h"
#include "io/http_url.h"
#include "io/json_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HOUR_S = 3600, MAX_ROWS = 5000 };

static const struct fuel_code fuels[] = {
    { "COL", FUEL_COAL },    { "NG", FUEL_GAS },     { "OIL", FUEL_OIL },     { "NUC", FUEL_NUCLEAR },
    { "WAT", FUEL_HYDRO },   { "WND", FUEL_WIND },   { "SUN", FUEL_SOLAR },   { "GEO", FUEL_GEOTHERMAL },
    { "OTH", FUEL_OTHER },   { "UNK", FUEL_OTHER },  { "SNB", FUEL_SOLAR },   { "WNB", FUEL_WIND },
    { "BAT", FUEL_STORAGE }, { "PS", FUEL_STORAGE }, { "OES", FUEL_STORAGE }, { "UES", FUEL_STORAGE },
    { NULL, FUEL_STORAGE },
};

/* The lower 48, regions, and balancing authorities. */
static const char respondents[] =
    " US48 CAL CAR CENT FLA MIDA MIDW NE NW NY SE SW TEN TEX AECI AVA AVRN AZPS BANC BPAT CHPD CISO CPLE CPLW DEAA DOPD"
    " DUK EPE ERCO FMPP FPC FPL GCPD GRID GVL GWA HGMA HST IID IPCO ISNE JEA LDWP LGEE MISO NEVP NWMT NYIS PACE PACW "
    "PGE"
    " PJM PNM PSCO PSEI SC SCEG SCL SEC SEPA SOCO SPA SRP SWPP TAL TEC TEPC TIDC TPWR TVA WACM WALC WAUW WWA YAD ";

static bool is_respondent(const char *name)
{
    char word[LIVE_ZONE_SIZE + 2];

    snprintf(word, sizeof word, " %s ", name);
    return strstr(respondents, word);
}

/* "EIA:NE" as the EIA has it, "US-CAL-CISO" as Electricity Maps has it, "CISO", the country, and states that a region
 * of the EIA has alone. Two letters alone are a country (NE, SE, SC), behind "US-" a state, and neither is a region. */
static bool read_zone(const char *typed, char zone[LIVE_ZONE_SIZE])
{
    static const char *const places[][2] = {
        { "US", "US48" }, { "US-CA", "CAL" }, { "US-FL", "FLA" }, { "US-NY", "NY" }, { "US-TX", "TEX" },
    };
    const char *name;

    if (!live_zone_of(typed, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz48:-", zone))
        return false;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (strcmp(zone, places[i][0]) == 0) {
            strcpy(zone, places[i][1]);
            return true;
        }
    name = strrchr(zone, '-');
    if (strncmp(zone, "EIA:", 4) == 0)
        name = zone + 4;
    else if (name && strncmp(zone, "US-", 3) == 0 && name > zone + 2)
        name++;
    else if (!name && strlen(zone) > 2)
        name = zone;
    else
        return false;
    memmove(zone, name, strlen(name) + 1);
    return is_respondent(zone);
}

/* An hour is identified by its end. */
static void add_hour(struct text *url, const char *name, uint64_t end_s)
{
    char text[CLOCK_TEXT_SIZE];

    text_add(url, "&%s=%.13s", name, clock_minute_text(end_s, text));
}

static bool address(const struct live_request *request, unsigned part, struct text *url)
{
    (void)part;
    text_add(url, "/v2/electricity/rto/fuel-type-data/data/?frequency=hourly&");
    http_add_escaped(url, "data[0]");
    text_add(url, "=value&");
    http_add_escaped(url, "facets[respondent][]");
    text_add(url, "=%s", request->zone);
    add_hour(url, "start", request->from_s / HOUR_S * HOUR_S + HOUR_S);
    add_hour(url, "end", (request->to_s + HOUR_S - 1) / HOUR_S * HOUR_S);
    text_add(url, "&");
    http_add_escaped(url, "sort[0][column]");
    text_add(url, "=period&");
    http_add_escaped(url, "sort[0][direction]");
    text_add(url, "=asc&offset=0&length=%d", MAX_ROWS);
    return request->from_s < request->now_s;
}

/* A number, or a text that is one; NAN: null. */
static bool read_number(const struct cJSON *item, double *number, struct error *err)
{
    *number = json_number(item);
    if (!isnan(*number) || json_is_null(item) || text_to_number(json_text(item), number))
        return true;
    return live_malformed(err, "it has something else where a number should be");
}

static bool read_row(const struct live_request *request, const struct fuel_factors *factors, const struct cJSON *row,
                     struct generation *generation, struct error *err)
{
    const char *name = json_text_of(row, "fueltype");
    const int fuel = fuel_code_find(fuels, name);
    char period[32];
    uint64_t end_s;
    double mwh;

    snprintf(period, sizeof period, "%.20s:00Z", json_text_of(row, "period"));
    if (!clock_of_iso_text(period, &end_s) || end_s < HOUR_S)
        return live_malformed(err, "'period' is not an hour");
    if (strcmp(json_text_of(row, "respondent"), request->zone) != 0)
        return live_malformed(err, "it is of another zone");
    if (strcmp(json_text_of(row, "value-units"), "megawatthours") != 0)
        return live_malformed(err, "its values are not in MWh");
    if (fuel < 0)
        return live_malformed(err, "it has a fuel that is not known: '%.20s'", name);
    return read_number(json_member(row, "value"), &mwh, err) &&
           generation_add_fuel(generation, request, factors, end_s - HOUR_S, HOUR_S, (unsigned)fuel, fuels[fuel].fuel,
                               mwh, err);
}

static bool read_answer(const struct live_request *request, unsigned part, const struct cJSON *document,
                        struct intensities *found, struct error *err)
{
    const struct cJSON *response = json_member(document, "response"), *rows = json_member(response, "data");
    struct generation generation = { 0 };
    struct fuel_factors factors;
    double total;
    bool good;

    (void)part;
    if (!json_is_array(rows))
        return live_malformed(err, "it has no list 'response.data'");
    if (!read_number(json_member(response, "total"), &total, err))
        return false;
    if (total > (double)json_count(rows))
        return live_malformed(err, "it has %zu of %.0f records", json_count(rows), total);
    good = fuel_factors_read(request->basis, &factors, err);
    for (const struct cJSON *row = json_first(rows); good && row; row = json_next(row))
        good = read_row(request, &factors, row, &generation, err);
    good = good && generation_settle(&generation, found, err);
    generation_close(&generation);
    return good;
}

const struct live_service live_eia = LIVE_SERVICE(
    "eia", "EIA-930 (production mix x factors by fuel)", "EIA_930", read_zone, address, read_answer,
    .base_url = "https://api.eia.gov",
    .zones = "US, US-CA, US-FL, US-NY, US-TX, balancing authorities (CISO or US-CAL-CISO, ERCO, PJM, MISO, ...) and "
             "regions (EIA:NE, EIA:MIDW, ...)",
    .scope = "production", .gases = "co2eq", .licence = "public domain", .url = "https://www.eia.gov/opendata/",
    .basis = LIVE_BASIS_BOTH, .secret = LIVE_HEADER, .key_prefix = "X-Api-Key: ", .key_variable = "CARBON_EIA_KEY",
    .max_days = 10, .parts = 1);
