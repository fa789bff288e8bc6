/* SPDX-License-Identifier: MIT
 * The world, with a key: Electricity Maps v3, documented at https://portal.electricitymaps.com/docs, and v4, documented
 * at https://app.electricitymaps.com/docs/reference, which has steps of 5 and 15 minutes, too, where the plan has them.
 *
 *   /carbon-intensity/past-range?zone=DE&start=...&end=...
 *       {"zone":"DE","data":[{"carbonIntensity":216,"datetime":"2026-01-20T12:00:00.000Z",
 *       "emissionFactorType":"lifecycle","isEstimated":true,"temporalGranularity":"hourly"}]}
 *   /carbon-intensity/forecast?zone=DE&horizonHours=24
 *       {"zone":"DE","forecast":[{"carbonIntensity":216,"datetime":"2026-01-20T12:00:00.000Z"}]}
 *
 * Header "auth-token". Times in UTC, gCO2eq/kWh of what is used, imports followed to their origin; lifecycle or direct
 * as asked. A forecast is not in every plan. A time may lie before the clock of the answer or after it. */
#include "grid/live_service.h"

#include "base/clock.h"
#include "io/http_url.h"
#include "io/json_read.h"

#include <string.h>

enum { HISTORY, FORECAST, PARTS, QUARTER_S = 900, HOUR_S = 3600 };

static const char *granularity_of(uint64_t step_s)
{
    return step_s == HOUR_S ? "hourly" : step_s == QUARTER_S ? "15_minutes" : "5_minutes";
}

static bool read_zone(const char *typed, char zone[LIVE_ZONE_SIZE])
{
    if (strncmp(typed, "EM:", 3) == 0) /* as the share-alike table has them */
        typed += 3;
    return live_zone_of(typed, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-", zone);
}

static bool address(const struct live_request *request, unsigned part, struct text *url)
{
    static const unsigned horizons[] = { 6, 24, 48, 72 };
    const uint64_t ahead_s = request->to_s > request->now_s ? request->to_s - request->now_s : 0;
    size_t horizon = 0;

    if (part == HISTORY ? request->from_s >= request->now_s : ahead_s == 0)
        return false;
    text_add(url, "/carbon-intensity/%s?zone=%s&emissionFactorType=%s&temporalGranularity=%s",
             part == HISTORY ? "past-range" : "forecast", request->zone, factor_basis_name(request->basis),
             granularity_of(request->step_s));
    if (part == HISTORY) {
        /* a step is identified by its start */
        live_add_minute(url, "start", request->from_s / request->step_s * request->step_s);
        live_add_minute(url, "end", request->to_s);
        return true;
    }
    while (horizon < 3 && horizons[horizon] * UINT64_C(3600) < ahead_s)
        horizon++;
    text_add(url, "&horizonHours=%u", horizons[horizon]);
    return true;
}

static bool read_hour(const struct live_request *request, unsigned part, const struct cJSON *row,
                      struct intensities *found, struct error *err)
{
    const char *type = json_text_of(row, "emissionFactorType"), *step = json_text_of(row, "temporalGranularity");
    const bool actual = json_is_false(json_member(row, "isEstimated"));
    uint64_t start_s;

    if (*type && strcmp(type, factor_basis_name(request->basis)) != 0)
        return live_malformed(err, "its basis differs from the requested one");
    if (*step && strcmp(step, granularity_of(request->step_s)) != 0)
        return live_malformed(err, "its steps differ from the requested ones");
    return live_time(row, "datetime", &start_s, err) &&
           intensities_add_item(found, start_s, request->step_s, json_member(row, "carbonIntensity"), G,
                                part == FORECAST ? INTENSITY_FORECAST
                                : actual         ? INTENSITY_ACTUAL
                                                 : INTENSITY_ESTIMATED,
                                err);
}

static bool read_answer(const struct live_request *request, unsigned part, const struct cJSON *document,
                        struct intensities *found, struct error *err)
{
    const struct cJSON *rows = json_member(document, part == HISTORY ? "data" : "forecast");

    if (strcmp(json_text_of(document, "zone"), request->zone) != 0)
        return live_malformed(err, "it is of another zone");
    if (!json_is_array(rows))
        return live_malformed(err, "it has no list '%s'", part == HISTORY ? "data" : "forecast");
    for (const struct cJSON *row = json_first(rows); row; row = json_next(row))
        if (!read_hour(request, part, row, found, err))
            return false;
    return true;
}

#define COMMON                                                                                                         \
    .zones = "zones of Electricity Maps: DE, US-CAL-CISO, JP-TK, ...", .scope = "consumption", .gases = "co2eq",       \
    .licence = "commercial, by your contract", .url = "https://www.electricitymaps.com", .basis = LIVE_BASIS_BOTH,     \
    .forecasts = true, .secret = LIVE_HEADER,                                                                          \
    .key_prefix = "auth-token: ", .key_variable = "CARBON_ELECTRICITY_MAPS_KEY", .max_days = 10, .parts = PARTS

const struct live_service live_electricity_maps =
    LIVE_SERVICE("electricity-maps", "Electricity Maps v3", "ELECTRICITY_MAPS_V3", read_zone, address, read_answer,
                 .base_url = "https://api.electricitymaps.com/v3", .steps = { HOUR_S }, COMMON);

const struct live_service live_electricity_maps_v4 =
    LIVE_SERVICE("electricity-maps-v4", "Electricity Maps v4", "ELECTRICITY_MAPS_V4", read_zone, address, read_answer,
                 .base_url = "https://api.electricitymaps.com/v4", .steps = { HOUR_S, QUARTER_S, 300 }, COMMON);
