/* SPDX-License-Identifier: MIT
 * What an estimated energy emits, and keeping that. */
#include "app/estimate_steps.h"

#include "app/ledger_options.h"
#include "app/options/emission_options.h"
#include "base/auto.h"
#include "base/units.h"
#include "run/privileges.h"

#include <stdio.h>

bool estimate_factor(struct estimate *estimate, const struct settings *settings, struct error *err)
{
    struct emission_options options;

    if (!emission_options_read(
            settings, estimate->started_realtime_ns ? estimate->started_realtime_ns : estimate->created_realtime_ns,
            &options, &estimate->notices, err))
        return false;
    estimate->pue = options.pue;
    estimate->pue_quality = options.pue_quality;
    estimate->factor = options.factor;
    estimate->supplementary = options.supplementary;
    estimate->hours_per_year = options.hours_per_year;
    estimate->hours_per_year_quality = options.hours_quality;
    return true;
}

void estimate_footprint(struct estimate *estimate)
{
    const double pue = estimate->pue, factor = estimate->factor.kgco2eq_per_kwh;
    const double hour_j = estimate->power.w * S_PER_H;

    estimate->footprint = footprint_of(estimate->energy_j, pue, factor);
    estimate->kgco2eq_low = footprint_of(estimate->low_j, pue, factor).kgco2eq;
    estimate->kgco2eq_high = footprint_of(estimate->high_j, pue, factor).kgco2eq;
    estimate->kgco2eq_per_h = footprint_of(hour_j, pue, factor).kgco2eq;
    estimate->market = footprint_of(estimate->energy_j, pue, estimate->supplementary.market.kgco2eq_per_kwh);
    estimate->market_location =
        footprint_of(estimate->energy_j, pue, supplementary_market(&estimate->supplementary)->kgco2eq_per_kwh);
    estimate->td_losses_kgco2eq =
        footprint_of(estimate->energy_j, pue, estimate->factor.td_losses_kgco2eq_per_kwh).kgco2eq;
    estimate->upstream_kgco2eq =
        footprint_of(estimate->energy_j, pue, estimate->factor.upstream_kgco2eq_per_kwh).kgco2eq;
    estimate->water_l = estimate->footprint.it_kwh * estimate->supplementary.wue.value;
    estimate->kgco2eq_per_year = estimate->kgco2eq_per_h * estimate->hours_per_year;
    estimate->facility_kwh_per_h = footprint_of(hour_j, pue, factor).facility_kwh;
    estimate->facility_kwh_per_year = estimate->facility_kwh_per_h * estimate->hours_per_year;
    sci_work_out(&estimate->sci, estimate->footprint.kgco2eq, estimate->hours * S_PER_H);
    equivalents_work_out(&estimate->equivalents, estimate->footprint.kgco2eq);
}

bool estimate_keep(const struct estimate *estimate, const struct settings *settings, struct error *err)
{
    struct environment environment = { .variables = NULL };
    AUTO_FREE char *record = NULL;
    size_t size = 0;
    FILE *out;
    bool stored;

    if (!estimate->id[0])
        return true;
    out = open_memstream(&record, &size);
    if (!out)
        return error_errno(err, "no memory for the record");
    stored = estimate_json(estimate, out, err);
    if (fclose(out) != 0 && stored)
        stored = error_errno(err, "no memory for the record");
    stored = stored && privileges_drop(&environment, err) && ledger_options_add(settings, &environment, record, err);
    environment_close(&environment);
    return stored;
}
