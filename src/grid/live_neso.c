/* SPDX-License-Identifier: MIT
 * Great Britain: the Carbon Intensity API of NESO, documented at https://carbon-intensity.github.io/api-definitions/.
 *
 *   /intensity/FROM/TO                           {"data":[{"from","to","intensity":{"forecast","actual","index"}}]}
 *   /regional/intensity/FROM/TO/regionid/N       {"data":{"regionid","data":[{"from","to","intensity":{"forecast"}}]}}
 *   /regional/intensity/FROM/TO/postcode/RG10    the same; "data" may be a list of one such object
 *
 * Half hours in UTC, gCO2/kWh: CO2 alone, of burning, with imports and losses. "actual" is what NESO calls the
 * estimated actual; it is null for what is to come and for the latest half hours. Regions have forecasts alone. The
 * half hour that ends where the time begins is reported, too. */
#include "grid/live_service.h"

#include "base/clock.h"
#include "io/json_read.h"

#include <string.h>

enum { HALF_HOUR_S = 1800, REGIONS = 17 };

static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", digits[] = "0123456789";

/* A region by its number, 1 to 17; 0: it is none. */
static unsigned region_of(const char *zone)
{
    const char *number = strncmp(zone, "GB:", 3) == 0 ? zone + 3 : "";
    uint64_t region;

    return *number != '0' && text_to_u64(number, &region) && region >= 1 && region <= REGIONS ? (unsigned)region : 0;
}

/* The outward part of a postcode: "RG10", "SW1A", "M1". */
static const char *postcode_of(const char *zone)
{
    const char *code = strncmp(zone, "GB:", 3) == 0 ? zone + 3 : "";
    const size_t letters = strspn(code, capitals), length = strlen(code);

    return letters >= 1 && letters <= 2 && strspn(code + letters, digits) >= 1 && length <= 4 ? code : NULL;
}

/* "GB", "GB:13", "GB:RG10"; England, Scotland and Wales by their codes. */
static bool read_zone(const char *typed, char zone[LIVE_ZONE_SIZE])
{
    static const char *const nations[][2] = { { "GB-ENG", "GB:15" }, { "GB-SCT", "GB:16" }, { "GB-WLS", "GB:17" } };

    if (!live_zone_of(typed, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789:-", zone))
        return false;
    if (strcmp(zone, "UK") == 0)
        strcpy(zone, "GB");
    for (size_t i = 0; i < sizeof nations / sizeof nations[0]; i++)
        if (strcmp(zone, nations[i][0]) == 0)
            strcpy(zone, nations[i][1]);
    return strcmp(zone, "GB") == 0 || region_of(zone) || postcode_of(zone);
}

static bool address(const struct live_request *request, unsigned part, struct text *url)
{
    const unsigned region = region_of(request->zone);
    char from[CLOCK_TEXT_SIZE], to[CLOCK_TEXT_SIZE];

    (void)part;
    text_add(url, "%s/intensity/%s/%s", strchr(request->zone, ':') ? "/regional" : "",
             clock_minute_text(request->from_s, from), clock_minute_text(request->to_s, to));
    if (region)
        text_add(url, "/regionid/%u", region);
    else if (postcode_of(request->zone))
        text_add(url, "/postcode/%s", postcode_of(request->zone));
    return true;
}

static bool read_half_hour(const struct cJSON *row, struct intensities *found, struct error *err)
{
    const struct cJSON *intensity = json_member(row, "intensity");
    const struct cJSON *forecast = json_member(intensity, "forecast"), *actual = json_member(intensity, "actual");
    uint64_t from_s, to_s;

    if (!live_time(row, "from", &from_s, err) || !live_time(row, "to", &to_s, err))
        return false;
    if (to_s != from_s + HALF_HOUR_S)
        return live_malformed(err, "it has an interval other than half an hour");
    if (!intensity)
        return live_malformed(err, "it has a half hour without 'intensity'");
    return intensities_add_item(found, from_s, HALF_HOUR_S, actual, G, INTENSITY_ESTIMATED, err) &&
           intensities_add_item(found, from_s, HALF_HOUR_S, forecast, G, INTENSITY_FORECAST, err);
}

static bool read_answer(const struct live_request *request, unsigned part, const struct cJSON *document,
                        struct intensities *found, struct error *err)
{
    const struct cJSON *rows = json_member(document, "data");
    const unsigned region = region_of(request->zone);

    (void)part;
    if (strchr(request->zone, ':')) {
        const struct cJSON *place = json_first(rows) ? json_first(rows) : rows;
        if (region && json_number_of(place, "regionid") != region)
            return live_malformed(err, "it is of another region");
        rows = json_member(place, "data");
    }
    if (!json_is_array(rows))
        return live_malformed(err, "it has no list 'data'");
    for (const struct cJSON *row = json_first(rows); row; row = json_next(row))
        if (!read_half_hour(row, found, err))
            return false;
    return true;
}

const struct live_service live_neso = LIVE_SERVICE(
    "neso", "Carbon Intensity API, NESO", "NESO_CI", read_zone, address, read_answer,
    .base_url = "https://api.carbonintensity.org.uk",
    .zones = "GB; a region GB:1 to GB:17, a postcode GB:RG10, GB-ENG, GB-SCT, GB-WLS", .zone = "GB",
    .scope = "consumption", .gases = "co2", .td_losses = "included", .licence = "CC BY 4.0",
    .url = "https://carbonintensity.org.uk", .basis = LIVE_BASIS_DIRECT, .forecasts = true, .max_days = 14, .parts = 1);
