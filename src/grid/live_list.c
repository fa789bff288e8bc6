/* SPDX-License-Identifier: MIT
 * The services of live grid data, and their descriptions. */
#include "grid/live.h"

#include "grid/live_service.h"

#include <string.h>

static const struct live_service *const services[] = {
    &live_neso,
    &live_energy_charts,
    &live_odre,
    &live_energidata,
    &live_electricity_maps,
    &live_watttime,
    &live_ieso,
    &live_ons,
    &live_carbon_aware,
    &live_electricity_maps_v4,
    &live_eia,
    &live_openelectricity,
    &live_entsoe,
};

const char *const live_names[] = {
    "neso",
    "energy-charts",
    "odre",
    "energidata",
    "electricity-maps",
    "watttime",
    "ieso",
    "ons",
    "carbon-aware-sdk",
    "electricity-maps-v4",
    "eia",
    "openelectricity",
    "entsoe",
    NULL,
};

enum { SERVICES = sizeof services / sizeof services[0] };

const struct live_service *live_named(const char *name)
{
    for (size_t i = 0; i < SERVICES; i++)
        if (strcmp(services[i]->name, name) == 0)
            return services[i];
    return NULL;
}

bool live_has_basis(const struct live_service *service, enum factor_basis basis)
{
    return service->basis == LIVE_BASIS_BOTH || (service->basis == LIVE_BASIS_DIRECT && basis == FACTOR_DIRECT);
}

struct live_about live_about(const struct live_service *service, const struct intensities *found)
{
    return (struct live_about){
        .name = service->name,
        .title = service->title,
        .basis = service->basis != LIVE_BASIS_UNSAID ? factor_basis_name(found->basis) : "",
        .scope = service->scope ? service->scope : "",
        .gases = service->gases,
        .td_losses = service->td_losses ? service->td_losses : "",
        .method = service->method_unsaid ? ""
                  : service->marginal    ? "marginal"
                                         : "average",
        .licence = service->licence,
        .source_id = service->source_id,
        .url = service->url,
        .zones = service->zones,
        .advice = service->advice ? service->advice : "",
    };
}

bool live_forecasts(const struct live_service *service)
{
    return service->forecasts;
}

bool live_wants_key(const struct live_service *service)
{
    return service->secret != LIVE_OPEN;
}

bool live_has_variable(const char *entry)
{
    for (size_t i = 0; i < SERVICES; i++) {
        const char *variable = services[i]->key_variable;
        const size_t length = variable ? strlen(variable) : 0;

        if (variable && strncmp(entry, variable, length) == 0 && entry[length] == '=')
            return true;
    }
    return false;
}

bool live_zones_are_own(const struct live_service *service)
{
    return service->own_zones;
}

bool live_is_advice(const struct live_service *service)
{
    return service->advice;
}

bool live_zone_known(const struct live_service *service, const char *typed, char zone[LIVE_ZONE_SIZE],
                     struct error *err)
{
    const char *wanted = typed ? typed : service->zone;

    if (wanted && service->read_zone(wanted, zone))
        return true;
    if (wanted)
        error_set(err, ERROR_USAGE, "%s does not cover '%.60s'", service->title, wanted);
    else
        error_set(err, ERROR_USAGE, "%s has several zones; none is given", service->title);
    error_why(err, "it has %s", service->zones);
    return error_fix(err, "--live %s --zone ZONE", service->name);
}
