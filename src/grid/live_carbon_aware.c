/* SPDX-License-Identifier: MIT
 * A Carbon Aware SDK of one's own, of the Green Software Foundation: its WebApi, documented at
 * https://carbon-aware-sdk.greensoftware.foundation/docs/tutorial-basics/carbon-aware-webapi.
 *
 *   /emissions/bylocation?location=eastus&time=...&toTime=...
 *       [{"location":"eastus","time":"2026-01-20T20:45:11.5092741+00:00","rating":70}]      "duration":"00:05:00" in
 * some /emissions/forecasts/current?location=eastus
 *       [{"location":"eastus","forecastData":[{"location":"IE","timestamp":"2026-01-20T14:00:00+00:00","duration":10,
 *       "value":532.02}]}]
 *
 * g/kWh of whatever source it was set up with: marginal (WattTime) or average (Electricity Maps), of a basis that is
 * not said. So it advises when to run. Where no duration is reported, a step is as long as the shortest between two
 * times.
 */
#include "grid/live_service.h"

#include "base/clock.h"
#include "io/http_url.h"
#include "io/json_read.h"

#include <stdio.h>
#include <string.h>

enum { HISTORY, FORECAST, PARTS, MINUTE_S = 60 };

/* Names of locations are as whoever set it up has them. */
static bool read_zone(const char *typed, char zone[LIVE_ZONE_SIZE])
{
    const size_t length = strlen(typed);

    if (!live_zone_of(typed, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-", zone))
        return false;
    memcpy(zone, typed, length + 1);
    return true;
}

static bool address(const struct live_request *request, unsigned part, struct text *url)
{
    char from[CLOCK_TEXT_SIZE], to[CLOCK_TEXT_SIZE];

    if (part == FORECAST) {
        text_add(url, "/emissions/forecasts/current?location=%s", request->zone);
        return request->to_s > request->now_s;
    }
    text_add(url, "/emissions/bylocation?location=%s&time=", request->zone);
    http_add_escaped(url, clock_minute_text(request->from_s, from));
    text_add(url, "&toTime=");
    http_add_escaped(url, clock_minute_text(request->to_s < request->now_s ? request->to_s : request->now_s, to));
    return request->from_s < request->now_s;
}

/* Full minutes, because some sources return the moment of the reading. */
static bool read_time(const struct cJSON *row, const char *key, uint64_t *start_s, struct error *err)
{
    if (!live_time(row, key, start_s, err))
        return false;
    *start_s -= *start_s % MINUTE_S;
    return true;
}

/* "00:05:00", or minutes. 0: unknown. */
static uint64_t duration_s(const struct cJSON *row)
{
    const double minutes = json_number_of(row, "duration");
    unsigned hours, rest, seconds;

    if (minutes > 0 && minutes <= 1440)
        return (uint64_t)(minutes * MINUTE_S);
    if (sscanf(json_text_of(row, "duration"), "%2u:%2u:%2u", &hours, &rest, &seconds) == 3)
        return (hours * 60UL + rest) * MINUTE_S + seconds;
    return 0;
}

static bool shortest_step(const struct cJSON *rows, uint64_t *step_s, struct error *err)
{
    uint64_t before_s = 0, now_s;

    *step_s = 0;
    for (const struct cJSON *row = json_first(rows); row; row = json_next(row), before_s = now_s) {
        if (!read_time(row, "time", &now_s, err))
            return false;
        if (before_s && now_s > before_s && (!*step_s || now_s - before_s < *step_s))
            *step_s = now_s - before_s;
    }
    return true;
}

static bool read_rows(const struct cJSON *rows, const char *time, const char *value, uint64_t step_s,
                      enum intensity_kind kind, struct intensities *found, struct error *err)
{
    uint64_t start_s;

    for (const struct cJSON *row = json_first(rows); row; row = json_next(row)) {
        const uint64_t reported_s = duration_s(row);

        if (!read_time(row, time, &start_s, err))
            return false;
        if (!reported_s && !step_s)
            return live_malformed(err, "it does not say how long its steps are");
        if (!intensities_add_item(found, start_s, reported_s ? reported_s : step_s, json_member(row, value), G, kind,
                                  err))
            return false;
    }
    return true;
}

static bool read_answer(const struct live_request *request, unsigned part, const struct cJSON *document,
                        struct intensities *found, struct error *err)
{
    const struct cJSON *forecast = json_member(json_first(document), "forecastData");
    uint64_t step_s;

    (void)request;
    if (!json_is_array(document) || (part == FORECAST && !json_is_array(forecast)))
        return live_malformed(err, part == FORECAST ? "it has no list 'forecastData'" : "not a list");
    if (part == FORECAST)
        return read_rows(forecast, "timestamp", "value", 0, INTENSITY_FORECAST, found, err);
    return shortest_step(document, &step_s, err) &&
           read_rows(document, "time", "rating", step_s, INTENSITY_ESTIMATED, found, err);
}

const struct live_service live_carbon_aware = LIVE_SERVICE(
    "carbon-aware-sdk", "Carbon Aware SDK", "GSF_CARBON_AWARE_SDK", read_zone, address, read_answer,
    .base_url = "http://127.0.0.1:8080",
    .zones =
        "the locations that it was set up with (/locations): eastus, northeurope, ...; --live-url is where it runs",
    .gases = "co2eq", .licence = "that of its own source", .url = "https://carbon-aware-sdk.greensoftware.foundation",
    .advice =
        "it does not say whether its figures are marginal or average, nor what they cover; no factor for a footprint",
    .method_unsaid = true, .own_zones = true, .forecasts = true, .max_days = 31, .parts = PARTS);
