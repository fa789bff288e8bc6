/* SPDX-License-Identifier: MIT
 * France: RTE's éCO2mix in the open data of ODRÉ, documented at https://odre.opendatasoft.com/api/explore/v2.1/console.
 *
 *   /api/explore/v2.1/catalog/datasets/DATASET/exports/json?select=date_heure,taux_co2&where=...&timezone=UTC
 *   [{"date_heure":"2026-01-20T00:00:00+00:00","taux_co2":31},...]       (/records: {"total_count","results":[...]})
 *
 * gCO2/kWh of burning, in France. eco2mix-national-cons-def: consolidated, half hours, up to about the month before
 * last. eco2mix-national-tr: real time, quarters of an hour, an estimate; its times to come are null or 0, and France
 * was never at 0. Times have their offset from UTC, so that a repeated hour in autumn is two. */
#include "grid/live_service.h"

#include "base/clock.h"
#include "io/http_url.h"
#include "io/json_read.h"

#include <string.h>
#include <time.h>

enum { CONSOLIDATED, REAL_TIME, PARTS };

static bool read_zone(const char *typed, char zone[LIVE_ZONE_SIZE])
{
    return live_zone_of(typed, "FRAfra", zone) && strcmp(zone, "FR") == 0;
}

/* Where the real-time set begins: with the month before this one. */
static uint64_t real_time_since(uint64_t now_s)
{
    const time_t now = (time_t)now_s;
    struct tm utc;

    gmtime_r(&now, &utc);
    utc.tm_mday = 1;
    utc.tm_mon--;
    utc.tm_hour = utc.tm_min = utc.tm_sec = 0;
    return (uint64_t)timegm(&utc);
}

static bool address(const struct live_request *request, unsigned part, struct text *url)
{
    const uint64_t since_s = real_time_since(request->now_s);
    char from[CLOCK_TEXT_SIZE], to[CLOCK_TEXT_SIZE], where[160];
    struct text condition;

    if (part == CONSOLIDATED ? request->from_s >= since_s : request->to_s <= since_s)
        return false;
    text_open(&condition, sizeof where);
    text_add(&condition, "date_heure IN [date'%s' TO date'%s'[", clock_minute_text(request->from_s, from),
             clock_minute_text(request->to_s, to));
    text_add(url, "/api/explore/v2.1/catalog/datasets/%s/exports/json?select=date_heure,taux_co2&where=",
             part == CONSOLIDATED ? "eco2mix-national-cons-def" : "eco2mix-national-tr");
    if (text_ok(&condition))
        http_add_escaped(url, condition.data);
    text_close(&condition);
    text_add(url, "&order_by=date_heure&timezone=UTC");
    return true;
}

static bool read_answer(const struct live_request *request, unsigned part, const struct cJSON *document,
                        struct intensities *found, struct error *err)
{
    const struct cJSON *rows = json_is_array(document) ? document : json_member(document, "results");
    const double total = json_number_of(document, "total_count");
    uint64_t start_s;

    (void)request;
    if (!json_is_array(rows))
        return live_malformed(err, "not a list of records");
    if (total > (double)json_count(rows))
        return live_malformed(err, "it has %zu of %.0f records", json_count(rows), total);
    for (const struct cJSON *row = json_first(rows); row; row = json_next(row)) {
        const struct cJSON *value = json_member(row, "taux_co2");
        if (!live_time(row, "date_heure", &start_s, err))
            return false;
        if (json_number(value) == 0)
            continue;
        if (!intensities_add_item(found, start_s, part == CONSOLIDATED ? 1800 : 900, value, G,
                                  part == CONSOLIDATED ? INTENSITY_ACTUAL : INTENSITY_ESTIMATED, err))
            return false;
    }
    return true;
}

const struct live_service live_odre = LIVE_SERVICE(
    "odre", "éCO2mix, RTE, through ODRÉ", "RTE_ECO2MIX", read_zone, address, read_answer,
    .base_url = "https://odre.opendatasoft.com", .zones = "FR", .zone = "FR", .scope = "production", .gases = "co2",
    .licence = "Licence Ouverte 2.0", .url = "https://odre.opendatasoft.com/explore/dataset/eco2mix-national-tr/",
    .basis = LIVE_BASIS_DIRECT, .max_days = 31, .parts = PARTS);
