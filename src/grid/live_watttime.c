/* SPDX-License-Identifier: MIT
 * Regions of WattTime v3, with an account, documented at https://docs.watttime.org.
 *
 *   /login with HTTP Basic   {"token":"..."}, borne for half an hour in "Authorization: Bearer ..."
 *   /v3/historical?region=CAISO_NORTH&start=...&end=...&signal_type=co2_moer
 *   /v3/forecast?region=CAISO_NORTH&signal_type=co2_moer&horizon_hours=24
 *   {"data":[{"point_time":"2026-01-20T12:00:00+00:00","value":870.0}],"meta":{"data_point_period_seconds":300,
 *    "region":"CAISO_NORTH","signal_type":"co2_moer","units":"lbs_co2_per_mwh"}}
 *
 * The marginal rate: what one kilowatt-hour more or less would change. It advises when to run and is no factor for a
 * footprint, which is of the average. */
#include "grid/live_service.h"

#include "base/clock.h"
#include "io/http_url.h"
#include "io/json_read.h"

#include <string.h>

#define G_PER_KWH_OF_LB_PER_MWH 0.45359237

enum { HISTORICAL, FORECAST, PARTS, MAX_HOURS = 72 };

static bool read_zone(const char *typed, char zone[LIVE_ZONE_SIZE])
{
    return live_zone_of(typed, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-", zone);
}

static bool address(const struct live_request *request, unsigned part, struct text *url)
{
    const uint64_t ahead_s = request->to_s > request->now_s ? request->to_s - request->now_s : 0;
    const unsigned hours = (unsigned)((ahead_s + 3599) / 3600 < MAX_HOURS ? (ahead_s + 3599) / 3600 : MAX_HOURS);

    if (part == HISTORICAL ? request->from_s >= request->now_s : ahead_s == 0)
        return false;
    text_add(url, "/v3/%s?region=%s&signal_type=co2_moer", part == HISTORICAL ? "historical" : "forecast",
             request->zone);
    if (part == FORECAST) {
        text_add(url, "&horizon_hours=%u", hours);
        return true;
    }
    live_add_minute(url, "start", request->from_s);
    live_add_minute(url, "end", request->to_s);
    return true;
}

static bool read_answer(const struct live_request *request, unsigned part, const struct cJSON *document,
                        struct intensities *found, struct error *err)
{
    const struct cJSON *rows = json_member(document, "data"), *meta = json_member(document, "meta");
    const double period_s = json_number_of(meta, "data_point_period_seconds");
    uint64_t start_s;

    if (!json_is_array(rows))
        return live_malformed(err, "it has no list 'data'");
    if (strcmp(json_text_of(meta, "region"), request->zone) != 0)
        return live_malformed(err, "it is of another region");
    if (strcmp(json_text_of(meta, "signal_type"), "co2_moer") != 0 ||
        strcmp(json_text_of(meta, "units"), "lbs_co2_per_mwh") != 0)
        return live_malformed(err, "not a marginal rate in lbs_co2_per_mwh");
    if (!(period_s >= 60 && period_s <= 3600))
        return live_malformed(err, "it does not say how long its steps are");
    for (const struct cJSON *row = json_first(rows); row; row = json_next(row))
        if (!live_time(row, "point_time", &start_s, err) ||
            !intensities_add_item(found, start_s, (uint64_t)period_s, json_member(row, "value"),
                                  G_PER_KWH_OF_LB_PER_MWH, part == FORECAST ? INTENSITY_FORECAST : INTENSITY_ESTIMATED,
                                  err))
            return false;
    return true;
}

const struct live_service live_watttime = LIVE_SERVICE(
    "watttime", "WattTime v3", "WATTTIME_V3", read_zone, address, read_answer, .base_url = "https://api.watttime.org",
    .zones = "regions of WattTime: CAISO_NORTH, ...", .scope = "production", .gases = "co2",
    .licence = "proprietary, by your account", .url = "https://watttime.org",
    .advice = "marginal: for timing extra load; not a factor for a footprint", .basis = LIVE_BASIS_DIRECT,
    .marginal = true, .forecasts = true, .secret = LIVE_LOGIN, .key_variable = "CARBON_WATTTIME_KEY",
    .login_path = "/login", .max_days = 32, .parts = PARTS);
