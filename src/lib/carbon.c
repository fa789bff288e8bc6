/* SPDX-License-Identifier: MIT
 * carbon.h in terms of measure/ and emissions/. */
#include <carbon.h>

#include "base/clock.h"
#include "base/units.h"
#include "emissions/factor.h"
#include "measure/scope.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct carbon_meter {
    struct root root;
    struct machine machine;
    struct meter meter;
    struct counting counting;
    struct factor factor;
    double pue;
    enum quality quality;
};

static carbon_meter *refuse(carbon_meter *meter, const struct error *err, carbon_error *error)
{
    if (error) {
        snprintf(error->what, sizeof error->what, "%s", err->what);
        snprintf(error->why, sizeof error->why, "%s", err->why);
        snprintf(error->fix, sizeof error->fix, "%s", err->fix);
    }
    carbon_close(meter);
    return NULL;
}

static bool open_meter(carbon_meter *meter, const carbon_options *options, struct error *err)
{
    const struct factor_query query = {
        .zone = options->zone,
        .year = clock_year(clock_realtime_ns()),
        .basis = FACTOR_LIFECYCLE,
        .intensity = NAN,
    };
    const struct meter_options sources = { .measured_only = options->require_measured != 0 };
    struct notices ignored = { .count = 0 };

    meter->pue = options->pue == 0 ? 1 : options->pue;
    if (!(meter->pue >= 1))
        return error_set(err, ERROR_USAGE, "a PUE is at least 1");
    if (!root_open(&meter->root, options->root ? options->root : "/", err))
        return false;
    machine_read(&meter->machine, &meter->root);
    if (!factor_lookup(&query, &meter->factor, &ignored, err))
        return false;
    return meter_open(&meter->meter, &meter->root, &meter->machine, &sources, err) &&
           scope_count(&meter->meter, SCOPE_COMPUTE, &meter->counting, &ignored, err);
}

carbon_meter *carbon_open(const carbon_options *options, carbon_error *error)
{
    const carbon_options none = { 0 };
    carbon_meter *meter = calloc(1, sizeof *meter);
    struct error err = { .kind = ERROR_NONE };

    if (!meter) {
        error_errno(&err, "cannot open a meter");
        return refuse(meter, &err, error);
    }
    meter->root.fd = -1;
    if (!open_meter(meter, options ? options : &none, &err))
        return refuse(meter, &err, error);
    for (size_t i = 0; i < meter->meter.domain_count; i++)
        if (meter->counting.counts[i] && meter->meter.domains[i].domain->quality > meter->quality)
            meter->quality = meter->meter.domains[i].domain->quality;
    return meter;
}

carbon_mark carbon_now(carbon_meter *meter)
{
    struct sample sample;
    carbon_mark mark = { 0 };

    meter_sample(&meter->meter, &sample);
    mark.time_ns = sample.time_ns;
    for (size_t i = 0; i < meter->meter.domain_count; i++)
        if (meter->counting.counts[i])
            mark.energy_uj += sample.energy_uj[i];
    return mark;
}

/* A counter that never moved says nothing. */
static bool has_moved(const carbon_meter *meter)
{
    for (size_t i = 0; i < meter->meter.domain_count; i++)
        if (meter->counting.counts[i] && meter->meter.domains[i].moved)
            return true;
    return false;
}

carbon_energy carbon_since(carbon_meter *meter, carbon_mark start)
{
    const carbon_mark end = carbon_now(meter);
    carbon_energy energy = { .seconds = s_from_ns(end.time_ns - start.time_ns),
                             .joules = NAN,
                             .kwh = NAN,
                             .kgco2eq = NAN,
                             .quality = CARBON_UNKNOWN };
    struct footprint footprint;

    if (!has_moved(meter))
        return energy;
    energy.joules = j_from_uj(end.energy_uj - start.energy_uj);
    footprint = footprint_of(energy.joules, meter->pue, meter->factor.kgco2eq_per_kwh);
    energy.kwh = footprint.it_kwh;
    energy.kgco2eq = footprint.kgco2eq;
    energy.quality = (carbon_quality)meter->quality;
    return energy;
}

double carbon_factor(const carbon_meter *meter)
{
    return meter->factor.kgco2eq_per_kwh;
}

void carbon_close(carbon_meter *meter)
{
    if (!meter)
        return;
    meter_close(&meter->meter);
    root_close(&meter->root);
    free(meter);
}
