/* SPDX-License-Identifier: MIT
 * What the grids are forecast to emit: which service tells it, or which file. */
#include "commands/when/when.h"

#include "app/options/live_options.h"

#include <stdio.h>
#include <string.h>

/* Answers are kept by what was asked for: within one half hour that is the same. */
#define HALF_HOUR_S UINT64_C(1800)
#define DAY_S UINT64_C(86400)

static bool covers(const struct live_service *service, const char *zone)
{
    char code[LIVE_ZONE_SIZE];

    return live_zone_known(service, zone, code, NULL);
}

/* A service that tells of times to come, without a key, for a footprint. */
static bool is_open(const struct live_service *service)
{
    return live_forecasts(service) && !live_wants_key(service) && !live_is_advice(service);
}

/* The first that covers these zones; NULL: none does. */
static const struct live_service *open_service(const char *const *zones, size_t count)
{
    for (size_t i = 0; live_names[i]; i++) {
        const struct live_service *service = live_named(live_names[i]);
        size_t covered = 0;
        while (is_open(service) && covered < count && covers(service, zones[covered]))
            covered++;
        if (covered == count)
            return service;
    }
    return NULL;
}

static bool no_service(const char *zone, struct error *err)
{
    if (!zone) {
        error_set(err, ERROR_USAGE, "nothing says whose electricity the job uses");
        return error_fix(err, "--zone GB, or --intensities FILE");
    }
    error_set(err, ERROR_USAGE, "no service without a key forecasts for '%.60s'", zone);
    error_why(err, "neso has Great Britain, energidata DK1 and DK2, energy-charts countries of Europe by two letters");
    return error_fix(err, "--live electricity-maps or watttime with a key (carbon-config(5)), or --intensities FILE");
}

/* One for all zones where there is one; else the first for each. */
static bool choose(const struct settings *settings, const char *const *zones, size_t count,
                   const struct live_service **services, struct error *err)
{
    const char *name = settings_text(settings, &option_live);
    const struct live_service *one = name ? live_named(name) : zones[0] ? open_service(zones, count) : NULL;

    for (size_t i = 0; i < count; i++) {
        services[i] = one || !zones[i] ? one : open_service(&zones[i], 1);
        if (!services[i])
            return no_service(zones[i], err);
        if (!live_forecasts(services[i])) {
            error_set(err, ERROR_USAGE, "%s does not forecast",
                      live_about(services[i], &(struct intensities){ 0 }).title);
            return error_fix(err, "leave --live out, or give another service");
        }
    }
    return true;
}

static bool query_intensities(const struct settings *settings, struct when *when, struct error *err)
{
    const char *zones[WHEN_ZONES_MAX];
    const struct live_service *services[WHEN_ZONES_MAX];
    char codes[WHEN_ZONES_MAX][ZONE_SIZE];
    struct live_query query = live_query_of(settings);
    const char *name = settings_text(settings, &option_live);
    const bool own_zones = name && live_zones_are_own(live_named(name));

    query.from_realtime_s = when->now_s / HALF_HOUR_S * HALF_HOUR_S - DAY_S;
    query.to_realtime_s = (when->deadline_s + HALF_HOUR_S - 1) / HALF_HOUR_S * HALF_HOUR_S;
    for (size_t i = 0; i < when->count; i++)
        zones[i] = own_zones ? when->zones[i].typed : live_zone_typed(when->zones[i].typed, codes[i], &when->notices);
    if (!factor_basis_of(settings_text(settings, &option_basis), &query.basis) ||
        !choose(settings, zones, when->count, services, err))
        return false;
    for (size_t i = 0; i < when->count; i++) {
        struct when_zone *zone = &when->zones[i];
        query.zone = zones[i];
        if (!live_check_basis(settings, services[i], query.basis, err) ||
            !live_fetch(services[i], &query, &zone->found, &when->notices, err))
            return false;
        zone->about = live_about(services[i], &zone->found);
    }
    return true;
}

static bool read_file(const struct settings *settings, const char *path, struct when_zone *zone, struct error *err)
{
    const struct intensity_file *file = &zone->file;
    char code[ZONE_SIZE];
    AUTO_NOTICES struct notices ignored = { 0 };
    const char *wanted = live_zone_typed(zone->typed, code, &ignored);
    enum factor_basis basis;

    if (!factor_basis_of(settings_text(settings, &option_basis), &basis) ||
        !intensity_file_read(path, basis, &zone->file, &zone->found, err))
        return false;
    if (!live_zone_is(path, file->zone, zone->typed, "--zone", err))
        return false;
    if (wanted && !*file->zone)
        snprintf(zone->found.zone, sizeof zone->found.zone, "%s", wanted);
    zone->about = (struct live_about){
        .name = file->name,
        .title = file->name,
        .basis = file->basis,
        .scope = file->scope,
        .gases = file->gases,
        .td_losses = "",
        .method = file->method,
        .licence = file->licence,
        .source_id = file->source_id,
        .url = "",
        .zones = "",
        .advice = "",
    };
    return true;
}

bool when_grid(const struct settings *settings, struct when *when, struct error *err)
{
    const char *path = settings_text(settings, &option_intensities);

    return path ? read_file(settings, path, &when->zones[0], err) : query_intensities(settings, when, err);
}
