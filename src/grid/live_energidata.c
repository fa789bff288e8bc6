/* SPDX-License-Identifier: MIT
 * Denmark: Energinet's Energi Data Service, documented at https://www.energidataservice.dk/guides/api-guides.
 *
 *   /dataset/CO2Emis?start=2026-01-20&end=2026-01-21&filter={"PriceArea":["DK1"]}&sort=Minutes5UTC&limit=100000
 *   {"total":288,"limit":100000,"dataset":"CO2Emis","records":[{"Minutes5UTC":"2026-01-20T00:00:00",
 *    "Minutes5DK":"2026-01-20T01:00:00","PriceArea":"DK1","CO2Emission":93.0}]}
 *
 * Steps of five minutes, gCO2/kWh of what is used in the area; CO2EmisProg has the same for what is to come. start and
 * end are in Danish time, which is ahead of UTC by an hour or two: a day more is asked for at the end and the rest
 * left. Minutes5DK is never read, for it repeats an hour in autumn. */
#include "grid/live_service.h"

#include "io/http_url.h"
#include "io/json_read.h"

#include <string.h>

enum { ACTUAL, PROGNOSIS, PARTS, STEP_S = 300 };

static bool read_zone(const char *typed, char zone[LIVE_ZONE_SIZE])
{
    if (!live_zone_of(typed, "DKdk12-", zone))
        return false;
    if (strncmp(zone, "DK-", 3) == 0)
        memmove(zone, zone + 3, strlen(zone + 3) + 1);
    return strcmp(zone, "DK1") == 0 || strcmp(zone, "DK2") == 0;
}

static bool address(const struct live_request *request, unsigned part, struct text *url)
{
    if (part == ACTUAL ? request->from_s >= request->now_s : request->to_s <= request->now_s)
        return false;
    text_add(url, "/dataset/%s?start=", part == ACTUAL ? "CO2Emis" : "CO2EmisProg");
    live_add_date(url, request->from_s);
    text_add(url, "&end=");
    live_add_date(url, request->to_s + 2 * LIVE_DAY_S);
    text_add(url, "&filter=");
    http_add_escaped(url, "{\"PriceArea\":[\"");
    text_add(url, "%s", request->zone);
    http_add_escaped(url, "\"]}");
    text_add(url, "&sort=Minutes5UTC&limit=100000");
    return true;
}

static bool read_answer(const struct live_request *request, unsigned part, const struct cJSON *document,
                        struct intensities *found, struct error *err)
{
    const struct cJSON *rows = json_member(document, "records");
    const double total = json_number_of(document, "total");
    uint64_t start_s;

    if (!json_is_array(rows))
        return live_malformed(err, "it has no list 'records'");
    if (total > (double)json_count(rows))
        return live_malformed(err, "it has %zu of %.0f records", json_count(rows), total);
    for (const struct cJSON *row = json_first(rows); row; row = json_next(row)) {
        if (strcmp(json_text_of(row, "PriceArea"), request->zone) != 0)
            return live_malformed(err, "it has records of another area");
        if (!live_time(row, "Minutes5UTC", &start_s, err) ||
            !intensities_add_item(found, start_s, STEP_S, json_member(row, "CO2Emission"), G,
                                  part == ACTUAL ? INTENSITY_ACTUAL : INTENSITY_FORECAST, err))
            return false;
    }
    return true;
}

const struct live_service live_energidata =
    LIVE_SERVICE("energidata", "Energi Data Service, Energinet", "ENERGINET_CO2EMIS", read_zone, address, read_answer,
                 .base_url = "https://api.energidataservice.dk", .zones = "DK1 (west of the Great Belt) and DK2 (east)",
                 .scope = "consumption", .gases = "co2", .licence = "CC BY 4.0",
                 .url = "https://www.energidataservice.dk/tso-electricity/CO2Emis", .basis = LIVE_BASIS_DIRECT,
                 .forecasts = true, .max_days = 14, .parts = PARTS);
