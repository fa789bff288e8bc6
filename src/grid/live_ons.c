/* SPDX-License-Identifier: MIT
 * Brazil: the energy balance of the ONS at this moment, which its page "Energia Agora" shows.
 *
 *   /Content/GetBalancoEnergetico/null
 *   {"Data":"2026-01-20T20:19:00-03:00","sul":{"geracao":{"total":11444.7,"hidraulica":9273.7,"termica":855.8,
 *    "eolica":1315.1,"nuclear":0.0,"solar":0.0},"cargaVerificada":11648.0,...},"nordeste":{...},"norte":{...},
 *    "sudesteECentroOeste":
 *    {"geracao":{...,"itaipu50HzBrasil":4684.8,"itaipu60Hz":6858.4},...},"internacional":{...},"intercambio":{...}}
 *
 * MW by subsystem. It tells of now alone: the reading is taken for its quarter of an hour. The fuel of thermal plants
 * is not said (gas, biomass, coal, oil), so that they count as fossil ones of unknown fuel. Solar plants may draw a
 * little at night. No emissions: they are generation times factors by fuel. */
#include "grid/generation.h"
#include "grid/live_service.h"

#include "io/json_read.h"

#include <math.h>
#include <string.h>

enum { STEP_S = 900, SUBSYSTEMS = 4 };

static const struct fuel_code fuels[] = {
    { "hidraulica", FUEL_HYDRO }, { "itaipu50HzBrasil", FUEL_HYDRO },
    { "itaipu60Hz", FUEL_HYDRO }, { "termica", FUEL_OTHER },
    { "nuclear", FUEL_NUCLEAR },  { "eolica", FUEL_WIND },
    { "solar", FUEL_SOLAR },      { NULL, FUEL_STORAGE },
};

enum { FUELS = sizeof fuels / sizeof fuels[0] - 1 };

static const char *const subsystems[SUBSYSTEMS][2] = {
    { "BR-CS", "sudesteECentroOeste" },
    { "BR-S", "sul" },
    { "BR-NE", "nordeste" },
    { "BR-N", "norte" },
};

static bool read_zone(const char *typed, char zone[LIVE_ZONE_SIZE])
{
    if (!live_zone_of(typed, "BRCSNEbrcsne-", zone))
        return false;
    for (size_t i = 0; i < SUBSYSTEMS; i++)
        if (strcmp(zone, subsystems[i][0]) == 0)
            return true;
    return strcmp(zone, "BR") == 0;
}

static bool address(const struct live_request *request, unsigned part, struct text *url)
{
    (void)request, (void)part;
    text_add(url, "/Content/GetBalancoEnergetico/null");
    return true;
}

static bool read_subsystem(const struct live_request *request, const struct fuel_factors *factors, uint64_t start_s,
                           size_t subsystem, const struct cJSON *document, struct generation *generation,
                           struct error *err)
{
    const char *name = subsystems[subsystem][1];
    const struct cJSON *generated = json_member(json_member(document, name), "geracao");

    if (!generated)
        return live_malformed(err, "it has no '%s.geracao'", name);
    for (size_t i = 0; i < FUELS; i++) {
        const struct cJSON *item = json_member(generated, fuels[i].code);
        const bool itaipu = strncmp(fuels[i].code, "itaipu", 6) == 0;

        if (!item && itaipu)
            continue;
        if (isnan(json_number(item)))
            return live_malformed(err, "it has no number '%s.geracao.%s'", name, fuels[i].code);
        if (!generation_add_fuel(generation, request, factors, start_s, STEP_S, (unsigned)(subsystem * FUELS + i),
                                 fuels[i].fuel, json_number(item), err))
            return false;
    }
    return true;
}

static bool read_answer(const struct live_request *request, unsigned part, const struct cJSON *document,
                        struct intensities *found, struct error *err)
{
    struct generation generation = { 0 };
    struct fuel_factors factors;
    uint64_t now_s;
    bool good = live_time(document, "Data", &now_s, err) && fuel_factors_read(request->basis, &factors, err);

    (void)part;
    for (size_t i = 0; good && i < SUBSYSTEMS; i++)
        if (strcmp(request->zone, "BR") == 0 || strcmp(request->zone, subsystems[i][0]) == 0)
            good = read_subsystem(request, &factors, now_s - now_s % STEP_S, i, document, &generation, err);
    good = good && generation_settle(&generation, found, err);
    generation_close(&generation);
    return good;
}

const struct live_service live_ons =
    LIVE_SERVICE("ons", "ONS (production mix x factors by fuel)", "ONS_ENERGIA_AGORA", read_zone, address, read_answer,
                 .base_url = "https://tr.ons.org.br",
                 .zones = "BR and its subsystems BR-S, BR-CS (south-east and centre-west), BR-NE, BR-N; of now alone",
                 .zone = "BR", .scope = "production", .gases = "co2eq", .licence = "CC BY 4.0",
                 .url = "https://www.ons.org.br/paginas/energia-agora", .basis = LIVE_BASIS_BOTH, .max_days = 2,
                 .parts = 1, .whole_file = true);
