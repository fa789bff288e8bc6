/* SPDX-License-Identifier: MIT
 * The options for a service of live grid data, and the texts about its answer. */
#include "app/options/live_options.h"

#include "base/c_locale.h"
#include "base/text.h"
#include "base/units.h"
#include "emissions/factor_table.h"

#include <math.h>
#include <string.h>

const struct option_spec option_live =
    OPTION(CHOICE, "Live grid data", "live", .argument = "<service>", .choices = live_names, .cli_only = true,
           .help = "hourly carbon intensity from this service");
const struct option_spec option_offline =
    OPTION(FLAG, "Live grid data", "offline", .help = "use cached answers only, no network");
const struct option_spec option_live_timeout =
    OPTION(NUMBER, "Live grid data", "live-timeout", .argument = "<s>", .quantity = QUANTITY_SECONDS,
           .default_text = "15", .min = 1, .max = 300, .help = "total time limit of the service, retries included");
const struct option_spec option_live_url =
    OPTION(TEXT, "Live grid data", "live-url", .argument = "<url>", .cli_only = true,
           .help = "where the service is, in place of its own address: a Carbon Aware SDK, a proxy");
const struct option_spec option_live_step =
    OPTION(COUNT, "Live grid data", "live-step", .argument = "<s>", .quantity = QUANTITY_SECONDS, .min = 300,
           .max = S_PER_H, .cli_only = true,
           .help = "steps of 5m, 15m or 1h, of a service that has several: electricity-maps-v4, openelectricity");

struct live_query live_query_of(const struct settings *settings)
{
    const double step_s = settings_number(settings, &option_live_step);

    return (struct live_query){
        .step_s = isnan(step_s) ? 0 : (uint64_t)step_s,
        .offline = settings_flag(settings, &option_offline),
        .limit_s = settings_number(settings, &option_live_timeout),
        .base_url = settings_text(settings, &option_live_url),
    };
}

bool live_check_basis(const struct settings *settings, const struct live_service *service, enum factor_basis basis,
                      struct error *err)
{
    const struct intensities none = { .basis = !basis };
    const struct live_about about = live_about(service, &none);

    if (settings_origin(settings, &option_basis) != ORIGIN_LINE || live_has_basis(service, basis))
        return true;
    error_set(err, ERROR_USAGE, "%s has no %s intensities", about.title, factor_basis_name(basis));
    if (*about.basis)
        error_why(err, "it has %s ones", about.basis);
    else
        error_why(err, "it does not say what its intensities cover");
    return error_fix(err, "leave --basis out");
}

bool live_own_basis(const struct settings *settings, enum factor_basis *basis)
{
    const char *name = settings_text(settings, &option_live);
    const struct live_service *service = name ? live_named(name) : NULL;

    if (!service || live_has_basis(service, *basis) || !live_has_basis(service, !*basis))
        return false;
    *basis = !*basis;
    return true;
}

const char *live_zone_typed(const char *typed, char code[ZONE_SIZE], struct notices *notices)
{
    struct factor_rows none = { 0 };
    struct zone_meant meant;
    struct zones zones;
    AUTO_NOTICES struct notices reported = { 0 };
    bool found;

    if (!typed || !zones_read(&zones, NULL))
        return typed;
    found = zone_resolve(typed, &none, &zones, false, &meant, &reported, NULL) && !meant.part;
    zones_close(&zones);
    for (size_t i = 0; found && i < reported.count; i++)
        notice_copy(notices, &reported.item[i]);
    if (!found)
        return typed;
    /* services know bidding zones as "SE-SE3", the share-alike table as "EM:SE-SE3" */
    text_copy(code, ZONE_SIZE, *meant.grid_zone ? strchr(meant.grid_zone, ':') + 1 : meant.code);
    return code;
}

bool live_zone_is(const char *table, const char *its_zone, const char *typed, const char *reported, struct error *err)
{
    char one[ZONE_SIZE], other[ZONE_SIZE];
    AUTO_NOTICES struct notices none = { 0 };

    if (!typed || !*typed || !*its_zone || c_strcasecmp(typed, its_zone) == 0 ||
        c_strcasecmp(live_zone_typed(typed, one, &none), live_zone_typed(its_zone, other, &none)) == 0)
        return true;
    error_set(err, ERROR_USAGE, "'%s' is of zone %s, not of %.60s", table, its_zone, typed);
    return error_fix(err, "%s %s, or give another file", reported, its_zone);
}

/* "direct, CO2 only, of consumption; average" */
void live_title(const struct live_about *about, const struct intensities *found, FILE *out)
{
    const bool co2 = strcmp(about->gases, "co2") == 0;

    fprintf(out, "%s%s%s\n", found->zone, *found->zone ? "  " : "", about->title);
    fprintf(out, "%s%s%s; %s\n", *about->basis ? about->basis : "basis not said", co2 ? ", CO2 alone" : "",
            strcmp(about->scope, "consumption") == 0  ? ", of consumption"
            : strcmp(about->scope, "production") == 0 ? ", of generation"
                                                      : "",
            *about->method ? about->method : "average or marginal is not said");
}
