/* SPDX-License-Identifier: MIT
 * Europe: actual generation per type (A75) of ENTSO-E's Transparency Platform, with a key, documented at
 * https://transparencyplatform.zendesk.com (RESTful API).
 *
 *   /api?documentType=A75&processType=A16&in_Domain=10Y1001A1001A46L&periodStart=202601200000&periodEnd=202601210000
 *   <GL_MarketDocument><TimeSeries><inBiddingZone_Domain.mRID>...</inBiddingZone_Domain.mRID>
 *    <curveType>A01</curveType><quantity_Measure_Unit.name>MAW</quantity_Measure_Unit.name><MktPSRType><psrType>B04
 *    </psrType></MktPSRType><Period>
 *    <timeInterval><start>2026-01-20T00:00Z</start><end>2026-01-21T00:00Z</end></timeInterval>
 *    <resolution>PT15M</resolution><Point><position>1</position><quantity>410</quantity></Point>...
 *   <Acknowledgement_MarketDocument><Reason><code>999</code><text>No matching data found ...</text></Reason>
 *
 * "securityToken" in the address. MW by type of plant; a series with outBiddingZone_Domain.mRID is what a type draws
 * (pumping). Of curve A03 a point holds until the next one. No emissions: they are generation times factors by fuel. */
#include "grid/generation.h"
#include "grid/live_service.h"

#include "base/clock.h"
#include "base/text.h"
#include "io/json_read.h"

#include <math.h>
#include <string.h>

enum { POINTS_MAX = 366 * 96 };

/* Oil shale, peat and gas of coal are taken as coal; waste and unspecified types as thermal plants of unknown fuel. */
static const struct fuel_code fuels[] = {
    { "B01", FUEL_BIOENERGY },  { "B02", FUEL_COAL },    { "B03", FUEL_COAL },      { "B04", FUEL_GAS },
    { "B05", FUEL_COAL },       { "B06", FUEL_OIL },     { "B07", FUEL_COAL },      { "B08", FUEL_COAL },
    { "B09", FUEL_GEOTHERMAL }, { "B10", FUEL_STORAGE }, { "B11", FUEL_HYDRO },     { "B12", FUEL_HYDRO },
    { "B13", FUEL_OCEAN },      { "B14", FUEL_NUCLEAR }, { "B15", FUEL_BIOENERGY }, { "B16", FUEL_SOLAR },
    { "B17", FUEL_OTHER },      { "B18", FUEL_WIND },    { "B19", FUEL_WIND },      { "B20", FUEL_OTHER },
    { "B25", FUEL_STORAGE },    { NULL, FUEL_STORAGE },
};

static const char *const areas[][2] = {
    { "AL", "10YAL-KESH-----5" },     { "AT", "10YAT-APG------L" },     { "BA", "10YBA-JPCC-----D" },
    { "BE", "10YBE----------2" },     { "BG", "10YCA-BULGARIA-R" },     { "CH", "10YCH-SWISSGRIDZ" },
    { "CY", "10YCY-1001A0003J" },     { "CZ", "10YCZ-CEPS-----N" },     { "DE", "10Y1001A1001A83F" },
    { "DE-LU", "10Y1001A1001A82H" },  { "DK", "10Y1001A1001A65H" },     { "DK1", "10YDK-1--------W" },
    { "DK2", "10YDK-2--------M" },    { "EE", "10Y1001A1001A39I" },     { "ES", "10YES-REE------0" },
    { "FI", "10YFI-1--------U" },     { "FR", "10YFR-RTE------C" },     { "GB-NIR", "10Y1001A1001A016" },
    { "GE", "10Y1001A1001B012" },     { "GR", "10YGR-HTSO-----Y" },     { "HR", "10YHR-HEP------M" },
    { "HU", "10YHU-MAVIR----U" },     { "IE", "10YIE-1001A00010" },     { "IT", "10YIT-GRTN-----B" },
    { "IT-CNO", "10Y1001A1001A70O" }, { "IT-CSO", "10Y1001A1001A71M" }, { "IT-NO", "10Y1001A1001A73I" },
    { "IT-SAR", "10Y1001A1001A74G" }, { "IT-SIC", "10Y1001A1001A75E" }, { "IT-SO", "10Y1001A1001A788" },
    { "LT", "10YLT-1001A0008Q" },     { "LU", "10YLU-CEGEDEL-NQ" },     { "LV", "10YLV-1001A00074" },
    { "MD", "10Y1001A1001A990" },     { "ME", "10YCS-CG-TSO---S" },     { "MK", "10YMK-MEPSO----8" },
    { "NL", "10YNL----------L" },     { "NO", "10YNO-0--------C" },     { "NO1", "10YNO-1--------2" },
    { "NO2", "10YNO-2--------T" },    { "NO3", "10YNO-3--------J" },    { "NO4", "10YNO-4--------9" },
    { "NO5", "10Y1001A1001A48H" },    { "PL", "10YPL-AREA-----S" },     { "PT", "10YPT-REN------W" },
    { "RO", "10YRO-TEL------P" },     { "RS", "10YCS-SERBIATSOV" },     { "SE", "10YSE-1--------K" },
    { "SE1", "10Y1001A1001A44P" },    { "SE2", "10Y1001A1001A45N" },    { "SE3", "10Y1001A1001A46L" },
    { "SE4", "10Y1001A1001A47J" },    { "SI", "10YSI-ELES-----O" },     { "SK", "10YSK-SEPS-----K" },
    { "UA", "10Y1001C--00003F" },     { "XK", "10Y1001C--00100H" },
};

/* NULL: none. */
static const char *area_of(const char *zone)
{
    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++)
        if (strcmp(areas[i][0], zone) == 0)
            return areas[i][1];
    return NULL;
}

/* "SE3" or "SE-SE3", "DK1" or "DK-DK1": Electricity Maps puts the country before the bidding zone. */
static bool read_zone(const char *typed, char zone[LIVE_ZONE_SIZE])
{
    if (!live_zone_of(typed, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz12345-", zone))
        return false;
    if (zone[0] && zone[1] && zone[2] == '-' && strncmp(zone, zone + 3, 2) == 0 && zone[5])
        memmove(zone, zone + 3, strlen(zone + 3) + 1);
    return area_of(zone);
}

static void add_minute(struct text *url, const char *name, uint64_t realtime_s)
{
    char text[CLOCK_TEXT_SIZE];

    clock_minute_text(realtime_s, text); /* 2026-01-20T00:30Z */
    text_add(url, "&%s=%.4s%.2s%.2s%.2s%.2s", name, text, text + 5, text + 8, text + 11, text + 14);
}

static bool address(const struct live_request *request, unsigned part, struct text *url)
{
    (void)part;
    text_add(url, "/api?documentType=A75&processType=A16&in_Domain=%s", area_of(request->zone));
    add_minute(url, "periodStart", request->from_s);
    add_minute(url, "periodEnd", request->to_s);
    return request->from_s < request->now_s;
}

struct live_entsoe_reading {
    const struct live_request *request;
    struct fuel_factors factors;
    struct generation generation;
};

/* One period of one series. */
struct period {
    uint64_t start_s, step_s, count;
    unsigned series;
    bool holds; /* a point until the next one */
};

static bool read_period_time(const struct cJSON *item, struct period *period, struct error *err)
{
    static const struct {
        const char *name;
        unsigned step_s;
    } resolutions[] = { { "PT15M", 900 }, { "PT30M", 1800 }, { "PT60M", 3600 }, { "PT1H", 3600 } };
    const struct cJSON *interval = json_member(item, "timeInterval");
    const char *resolution = json_text_of(item, "resolution");
    uint64_t end_s;

    period->step_s = 0;
    for (size_t i = 0; i < sizeof resolutions / sizeof resolutions[0]; i++)
        if (strcmp(resolutions[i].name, resolution) == 0)
            period->step_s = resolutions[i].step_s;
    if (!period->step_s)
        return live_malformed(err, "it has steps that are not known: '%.20s'", resolution);
    if (!live_time(interval, "start", &period->start_s, err) || !live_time(interval, "end", &end_s, err))
        return false;
    period->count = end_s > period->start_s ? (end_s - period->start_s) / period->step_s : 0;
    return period->count <= POINTS_MAX || live_malformed(err, "it has a period of more than a year");
}

/* Where the point stands, from 0 on; and its power, NAN where it has none. */
static bool read_point(const struct period *period, const struct cJSON *point, uint64_t *position, double *mw,
                       struct error *err)
{
    const char *quantity = json_text_of(point, "quantity");

    *mw = NAN;
    if (!text_to_u64(json_text_of(point, "position"), position) || *position < 1 || *position > period->count)
        return live_malformed(err, "it has a point that lies outside its period");
    --*position;
    if (!*quantity || text_to_number(quantity, mw))
        return true;
    return live_malformed(err, "it has something else where a number should be");
}

static bool hold(struct live_entsoe_reading *reading, const struct period *period, uint64_t from, uint64_t to,
                 double mw, struct error *err)
{
    for (uint64_t i = from; i < to; i++)
        if (!generation_add_fuel(&reading->generation, reading->request, &reading->factors,
                                 period->start_s + i * period->step_s, period->step_s, period->series,
                                 fuels[period->series].fuel, mw, err))
            return false;
    return true;
}

static bool read_period(struct live_entsoe_reading *reading, struct period *period, const struct cJSON *item,
                        struct error *err)
{
    uint64_t position, last = 0;
    double mw, last_mw = NAN;
    bool any = false;

    if (!read_period_time(item, period, err))
        return false;
    for (const struct cJSON *point = json_items(item); point; point = json_next(point)) {
        if (strcmp(json_key(point), "Point") != 0)
            continue;
        if (!read_point(period, point, &position, &mw, err))
            return false;
        if (any && position <= last)
            return live_malformed(err, "its points are not in order");
        if (any && !hold(reading, period, last, period->holds ? position : last + 1, last_mw, err))
            return false;
        any = true;
        last = position;
        last_mw = mw;
    }
    return !any || hold(reading, period, last, period->holds ? period->count : last + 1, last_mw, err);
}

static bool read_series(struct live_entsoe_reading *reading, const struct cJSON *series, struct error *err)
{
    const char *type = json_text_of(json_member(series, "MktPSRType"), "psrType"),
               *area = json_text_of(series, "inBiddingZone_Domain.mRID"), *curve = json_text_of(series, "curveType");
    const int fuel = fuel_code_find(fuels, type);
    struct period period = { .series = (unsigned)fuel, .holds = strcmp(curve, "A03") == 0 };

    if (*json_text_of(series, "outBiddingZone_Domain.mRID"))
        return true;
    if (strcmp(area, area_of(reading->request->zone)) != 0)
        return live_malformed(err, "it is of another zone");
    if (fuel < 0)
        return live_malformed(err, "it has a type of plant that is not known: '%.20s'", type);
    if (strcmp(json_text_of(series, "quantity_Measure_Unit.name"), "MAW") != 0)
        return live_malformed(err, "its values are not in MW");
    if (!period.holds && strcmp(curve, "A01") != 0)
        return live_malformed(err, "it has a curve that is not known: '%.20s'", curve);
    for (const struct cJSON *item = json_items(series); item; item = json_next(item))
        if (strcmp(json_key(item), "Period") == 0 && !read_period(reading, &period, item, err))
            return false;
    return true;
}

/* What it says in place of data. */
static bool fail_acknowledged(const struct live_request *request, const struct cJSON *reason, struct error *err)
{
    const bool nothing = strcmp(json_text_of(reason, "code"), "999") == 0;

    error_set(err, nothing ? ERROR_ABSENT : ERROR_USAGE, "ENTSO-E has nothing for %s in that time", request->zone);
    error_why(err, "it says '%.120s'", json_text_of(reason, "text"));
    return error_fix(err, "try another time (--from, --to) or service");
}

static bool read_answer(const struct live_request *request, unsigned part, const struct cJSON *document,
                        struct intensities *found, struct error *err)
{
    const struct cJSON *root = json_member(document, "GL_MarketDocument"),
                       *refusal = json_member(document, "Acknowledgement_MarketDocument");
    struct live_entsoe_reading reading = { .request = request };
    bool good;

    (void)part;
    if (refusal)
        return fail_acknowledged(request, json_member(refusal, "Reason"), err);
    if (!root)
        return live_malformed(err, "it is no GL_MarketDocument");
    good = fuel_factors_read(request->basis, &reading.factors, err);
    for (const struct cJSON *item = json_items(root); good && item; item = json_next(item))
        good = strcmp(json_key(item), "TimeSeries") != 0 || read_series(&reading, item, err);
    good = good && generation_settle(&reading.generation, found, err);
    generation_close(&reading.generation);
    return good;
}

const struct live_service live_entsoe = LIVE_SERVICE(
    "entsoe", "ENTSO-E (production mix x factors by fuel)", "ENTSOE_A75", read_zone, address, read_answer,
    .base_url = "https://web-api.tp.entsoe.eu",
    .zones = "countries of Europe by two letters without GB, GB-NIR, and bidding zones: DE-LU, DK1, DK2, NO1 to NO5, "
             "SE1 to SE4, "
             "IT-NO, IT-CNO, IT-CSO, IT-SO, IT-SIC, IT-SAR",
    .scope = "production", .gases = "co2eq", .licence = "terms of ENTSO-E's Transparency Platform",
    .url = "https://transparency.entsoe.eu", .basis = LIVE_BASIS_BOTH, .secret = LIVE_QUERY,
    .key_prefix = "securityToken=", .key_variable = "CARBON_ENTSOE_KEY", .max_days = 31, .parts = 1, .xml = true,
    .max_bytes = 16 << 20);
