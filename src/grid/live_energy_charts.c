/* SPDX-License-Identifier: MIT
 * Countries of Europe: Energy-Charts of Fraunhofer ISE, documented at https://api.energy-charts.info.
 *
 *   /co2eq?country=de&start=2026-01-01&end=2026-01-02
 *   {"unix_seconds":[1783893600,...],"co2eq":[491.5,null,...],"co2eq_forecast":[null,505.0,...],"deprecated":false}
 *
 * Lists of equal length, in steps of 15 minutes (an hour for some countries), gCO2eq/kWh. Dates are days of the
 * country, so that a day more is asked for on both sides and the rest left. Whether the figures include building the
 * plants and supplying the fuel is not said there, so that neither basis is claimed. */
#include "grid/live_service.h"

#include "io/json_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The countries of its interface, with a blank before and after each; the United Kingdom is UK there. */
static const char countries[] =
    " AL AM AT AZ BA BE BG BY CH CY CZ DE DK EE ES EU FI FR GE GR HR HU IE IT LT LU LV MD ME MK "
    "MT NL NO PL PT RO RS RU SE SI SK TR UA UK XK ";

/* The code by which the zone is asked for. */
static const char *country_of(const char *zone)
{
    return strcmp(zone, "GB") == 0 ? "UK" : strcmp(zone, "EU27") == 0 ? "EU" : zone;
}

static bool read_zone(const char *typed, char zone[LIVE_ZONE_SIZE])
{
    char wanted[LIVE_ZONE_SIZE + 2];

    if (!live_zone_of(typed, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz27", zone))
        return false;
    snprintf(wanted, sizeof wanted, " %s ", country_of(zone));
    return strstr(countries, wanted) != NULL;
}

static bool address(const struct live_request *request, unsigned part, struct text *url)
{
    const char *country = country_of(request->zone);

    (void)part;
    text_add(url, "/co2eq?country=%c%c&start=", country[0] - 'A' + 'a', country[1] - 'A' + 'a');
    live_add_date(url, request->from_s - LIVE_DAY_S);
    text_add(url, "&end=");
    live_add_date(url, request->to_s + LIVE_DAY_S);
    return true;
}

static bool take_second(const struct cJSON *item, uint64_t *realtime_s, struct error *err)
{
    const double seconds = json_number(item);

    *realtime_s = 0;
    if (!(seconds >= 0 && seconds < 1e11) || seconds != trunc(seconds))
        return live_malformed(err, "'unix_seconds' has a value that is not a time");
    *realtime_s = (uint64_t)seconds;
    return true;
}

/* The shortest between two times that follow each other. */
static bool find_step(const struct cJSON *times, uint64_t *step_s, struct error *err)
{
    uint64_t before_s = 0, now_s;

    *step_s = 0;
    for (const struct cJSON *item = json_first(times); item; item = json_next(item), before_s = now_s) {
        if (!take_second(item, &now_s, err))
            return false;
        if (before_s && now_s > before_s && (!*step_s || now_s - before_s < *step_s))
            *step_s = now_s - before_s;
    }
    if (!*step_s)
        *step_s = 900;
    if (*step_s != 900 && *step_s != 1800 && *step_s != 3600)
        return live_malformed(err, "its times differ by %llu s", (unsigned long long)*step_s);
    return true;
}

static bool take_list(const struct cJSON *times, const struct cJSON *values, uint64_t step_s, enum intensity_kind kind,
                      struct intensities *found, struct error *err)
{
    const struct cJSON *value = json_first(values);
    uint64_t start_s;

    for (const struct cJSON *item = json_first(times); item; item = json_next(item), value = json_next(value))
        if (!take_second(item, &start_s, err) || !intensities_add_item(found, start_s, step_s, value, G, kind, err))
            return false;
    return true;
}

static bool read_answer(const struct live_request *request, unsigned part, const struct cJSON *document,
                        struct intensities *found, struct error *err)
{
    const struct cJSON *times = json_member(document, "unix_seconds"), *values = json_member(document, "co2eq"),
                       *forecasts = json_member(document, "co2eq_forecast");
    uint64_t step_s;

    (void)request, (void)part;
    if (!json_is_array(times) || !json_is_array(values))
        return live_malformed(err, "it has no lists 'unix_seconds' and 'co2eq'");
    if (json_count(values) != json_count(times) ||
        (!json_is_null(forecasts) && (!json_is_array(forecasts) || json_count(forecasts) != json_count(times))))
        return live_malformed(err, "its lists are not of one length");
    return find_step(times, &step_s, err) && take_list(times, values, step_s, INTENSITY_ACTUAL, found, err) &&
           (json_is_null(forecasts) || take_list(times, forecasts, step_s, INTENSITY_FORECAST, found, err));
}

const struct live_service live_energy_charts = LIVE_SERVICE(
    "energy-charts", "Energy-Charts, Fraunhofer ISE", "ENERGY_CHARTS", read_zone, address, read_answer,
    .base_url = "https://api.energy-charts.info", .zones = "countries of Europe by two letters: DE, FR, AT, ...",
    .gases = "co2eq", .licence = "CC BY 4.0", .url = "https://www.energy-charts.info", .forecasts = true,
    .max_days = 31, .parts = 1);
