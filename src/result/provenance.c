/* SPDX-License-Identifier: MIT
 * The list of where each figure comes from, row by row. */
#include "config.h"

#include "result/provenance.h"

#include "base/clock.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

/* To whom the rows go. */
struct provenance_list {
    provenance_take *take;
    void *context;
};

static void add(const struct provenance_list *list, struct provenance row)
{
    row.quality = isnan(row.value) ? QUALITY_UNKNOWN : row.quality;
    list->take(&row, list->context);
}

static const char *const own_derivations[OWN_METHODS] = {
    [OWN_UNKNOWN] = "others were busy, and nothing tells their energy from the job's",
    [OWN_NET] = "net: nobody else did more or less than in the baselines",
    [OWN_PROFILE] = "gross - idle - others x watts of each of their CPUs, learnt from the strides; domain by domain",
    [OWN_SHARE] = "net x the job's part of the CPU time beyond the baselines, domain by domain",
    [OWN_CPU_TIME] = "the job's CPU time x watts per busy CPU of the model, and of meters net or a share",
};

static enum quality own_quality(const struct report *report)
{
    const enum own_method method = report->summary.total.own_method;

    return method == OWN_SHARE || method == OWN_PROFILE ? QUALITY_ATTRIBUTED : report->summary.quality;
}

static void add_energies(const struct provenance_list *list, const struct report *report, const char *drivers)
{
    const char *writer_version = report->writer_version ? report->writer_version : PACKAGE_VERSION;
    const struct domain_energy *total = &report->summary.total;
    const bool modelled = isfinite(total->gross_low_j);

    add(list, (struct provenance){ "gross_j.mean", total->gross_j.mean, "J", report->summary.quality,
                                   "sum over the counted domains, mean over the counted runs", drivers, writer_version,
                                   NULL, total->gross_low_j, total->gross_high_j });
    add(list, (struct provenance){ "idle_j.mean", total->idle_j.mean, "J", report->summary.quality,
                                   "power in the baselines beside a run x its duration, mean over the counted runs",
                                   drivers, writer_version, NULL, NAN, NAN });
    add(list, (struct provenance){ "net_j.mean", total->net_j.mean, "J", report->summary.quality,
                                   "gross - idle power of the baselines x duration, run by run", drivers,
                                   writer_version, NULL, modelled ? total->net_low_j : total->net_interval_j.low,
                                   modelled ? total->net_high_j : total->net_interval_j.high });
    add(list, (struct provenance){ "own_j.mean", total->own_j.mean, "J", own_quality(report),
                                   own_derivations[total->own_method], drivers, writer_version, NULL,
                                   isnan(total->own_low_j) ? total->own_interval_j.low : total->own_low_j,
                                   isnan(total->own_low_j) ? total->own_interval_j.high : total->own_high_j });
    add(list, (struct provenance){ "share_j.mean", report->summary.share_j.mean, "J", QUALITY_ATTRIBUTED,
                                   "net x the job's part of the CPU time beyond the baselines", drivers, writer_version,
                                   NULL, NAN, NAN });
    if (report->target)
        add(list, (struct provenance){ "attributed_j.mean", report->summary.attributed_j.mean, "J", QUALITY_ATTRIBUTED,
                                       "gross x its part of the machine's busy CPU time, run by run", drivers,
                                       writer_version, NULL, NAN, NAN });
    if (isfinite(report->summary.total.gpu_own_j.mean))
        add(list,
            (struct provenance){ "gpu_own_j.mean", report->summary.total.gpu_own_j.mean, "J", QUALITY_ATTRIBUTED,
                                 "energy of each card x the part of its processors' time that the job's processes "
                                 "had, second by second",
                                 drivers, writer_version, NULL, NAN, NAN });
    add(list, (struct provenance){ "duration_s.mean", report->summary.duration_s.mean, "s", QUALITY_MEASURED,
                                   "CLOCK_MONOTONIC, opening to closing sample, mean over the counted runs", NULL, NULL,
                                   NULL, NAN, NAN });
}

/* Who told the intensities, and when last. */
static const char *asked_at(const struct by_hour *by_hour, char text[CLOCK_TEXT_SIZE])
{
    uint64_t last_s = 0;

    for (unsigned i = 0; i < by_hour->known->answer_count; i++)
        if (by_hour->known->answers[i].retrieved_realtime_s > last_s)
            last_s = by_hour->known->answers[i].retrieved_realtime_s;
    return last_s ? clock_text(last_s * NS_PER_S_INT, text) : NULL;
}

static void add_hourly(const struct provenance_list *list, const struct report *report)
{
    const struct by_hour *by_hour = &report->by_hour;
    char text[CLOCK_TEXT_SIZE];

    if (!by_hour->enabled)
        return;
    if (by_hour->part[COVER_YEARLY] >= 1) {
        add(list, (struct provenance){ "emissions.gross.kgco2eq_per_kwh", by_hour->gross_kgco2eq_per_kwh, "kgCO2eq/kWh",
                                       report->factor.quality, "the yearly factor; no hourly data",
                                       report->factor.source_id, NULL, NULL, NAN, NAN });
        return;
    }
    add(list, (struct provenance){ "emissions.gross.kgco2eq_per_kwh", by_hour->gross_kgco2eq_per_kwh, "kgCO2eq/kWh",
                                   by_hour->known->count ? QUALITY_GIVEN : report->factor.quality,
                                   "intensities of the slices' times, weighted by gross energy",
                                   by_hour->source.source_id, NULL, asked_at(by_hour, text), NAN, NAN });
}

/* "emissions.gross.kgco2eq" and its rates. energy is what it stands on: "gross_j". */
static void add_emission(const struct provenance_list *list, const struct report *report, const char *name,
                         const char *energy, const struct emission *emission)
{
    const struct factor *factor = &report->factor;
    const enum quality quality = strcmp(name, "share") == 0 ? QUALITY_ATTRIBUTED
                                 : strcmp(name, "own") == 0 ? own_quality(report)
                                                            : report->summary.quality;
    const bool by_hour = report->by_hour.enabled;
    char asked[CLOCK_TEXT_SIZE], figure[64], method[96];
    struct provenance row = { figure,
                              emission->footprint.kgco2eq,
                              "kgCO2eq",
                              quality,
                              method,
                              factor->source_id,
                              factor->version,
                              factor->retrieved_at,
                              emission->kgco2eq_low,
                              emission->kgco2eq_high };

    snprintf(figure, sizeof figure, "emissions.%s.kgco2eq_per_year", name);
    snprintf(method, sizeof method, "%s / 3.6e6 x pue x factor / duration_s x hours_per_year", energy);
    row.value = emission->kgco2eq_per_year;
    row.low = row.high = NAN;
    add(list, row);
    if (by_hour) {
        row.source_id = report->by_hour.source.source_id;
        row.version = NULL;
        row.retrieved_at = asked_at(&report->by_hour, asked);
    }
    snprintf(figure, sizeof figure, "emissions.%s.kgco2eq", name);
    snprintf(method, sizeof method,
             by_hour ? "sum over slices of %s / 3.6e6 x pue x intensity of its time" : "%s / 3.6e6 x pue x factor",
             energy);
    row.value = emission->footprint.kgco2eq;
    row.low = emission->kgco2eq_low;
    row.high = emission->kgco2eq_high;
    add(list, row);
    snprintf(figure, sizeof figure, "emissions.%s.kgco2eq_per_h", name);
    snprintf(method, sizeof method, "emissions.%s.kgco2eq / duration_s x 3600", name);
    row.value = emission->kgco2eq_per_h;
    row.low = row.high = NAN;
    add(list, row);
}

/* What stands beside them: each where there is such. */
static void add_supplementary(const struct provenance_list *list, const struct report *report)
{
    const struct factor *factor = &report->factor, *market = &report->supplementary.market,
                        *location = supplementary_market(&report->supplementary);
    const struct published *wue = &report->supplementary.wue;
    const struct {
        const char *figure, *method;
        double value;
        const struct factor *by;
    } rows[] = {
        { "market_factor.kgco2eq_per_kwh", market->source, market->kgco2eq_per_kwh, market },
        { "market_location_factor.kgco2eq_per_kwh", "row of a table", location->kgco2eq_per_kwh, location },
        { "emissions.gross_market.kgco2eq", "gross_j / 3.6e6 x pue x market_factor",
          report->gross_market.footprint.kgco2eq, market },
        { "emissions.net_market.kgco2eq", "net_j / 3.6e6 x pue x market_factor", report->net_market.footprint.kgco2eq,
          market },
        { "emissions.gross_market_location.kgco2eq", "gross_j / 3.6e6 x pue x market_location_factor",
          report->gross_market_location.footprint.kgco2eq, location },
        { "emissions.td_losses.gross_kgco2eq", "gross_j / 3.6e6 x pue x losses of the grid",
          report->td_losses.gross_kgco2eq, factor },
        { "emissions.upstream.gross_kgco2eq", "gross_j / 3.6e6 x pue x supply of the fuel",
          report->upstream.gross_kgco2eq, factor },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (!isnan(rows[i].value))
            add(list, (struct provenance){ rows[i].figure, rows[i].value, i > 1 ? "kgCO2eq" : "kgCO2eq/kWh",
                                           i > 1 ? report->summary.quality : rows[i].by->quality,
                                           *rows[i].method ? rows[i].method : "stated", rows[i].by->source_id,
                                           rows[i].by->version, rows[i].by->retrieved_at, NAN, NAN });
    if (isnan(wue->value))
        return;
    add(list, (struct provenance){ "wue.l_per_kwh", wue->value, "L/kWh", wue->quality,
                                   *wue->source ? wue->source : "stated", NULL, NULL, NULL, NAN, NAN });
    add(list, (struct provenance){ "emissions.gross_water_l", report->gross_water_l, "L", report->summary.quality,
                                   "gross_j / 3.6e6 x wue", NULL, NULL, NULL, NAN, NAN });
}

static void add_carbon(const struct provenance_list *list, const struct report *report)
{
    const struct factor *factor = &report->factor;

    add(list, (struct provenance){ "pue.value", report->pue, "1", report->pue_quality,
                                   *report->supplementary.pue.source      ? report->supplementary.pue.source
                                   : report->pue_quality == QUALITY_GIVEN ? "stated"
                                                                          : "assumed: no overhead",
                                   NULL, NULL, NULL, NAN, NAN });
    add(list, (struct provenance){ "factor.kgco2eq_per_kwh", factor->kgco2eq_per_kwh, "kgCO2eq/kWh", factor->quality,
                                   factor->source_id[0] ? "row of a table" : "stated", factor->source_id,
                                   factor->version, factor->retrieved_at, NAN, NAN });
    add_hourly(list, report);
    add(list, (struct provenance){ "hours_per_year.value", report->hours_per_year, "h", report->hours_quality,
                                   report->hours_quality == QUALITY_GIVEN ? "stated" : "assumed: all year", NULL, NULL,
                                   NULL, NAN, NAN });
    add_emission(list, report, "gross", "gross_j", &report->gross);
    add_emission(list, report, "net", "net_j", &report->net);
    add_emission(list, report, "share", "share_j", &report->share);
    add_emission(list, report, "own", "own_j", &report->own);
    add_supplementary(list, report);
}

static void add_sci(const struct provenance_list *list, const struct sci *sci)
{
    if (!sci->enabled)
        return;
    add(list, (struct provenance){ "sci.units", sci->units, "1", QUALITY_GIVEN, "stated", NULL, NULL, NULL, NAN, NAN });
    add(list,
        (struct provenance){ "sci.machine.kgco2eq", sci->machine_kgco2eq.value, "kgCO2eq", sci->machine_kgco2eq.quality,
                             isnan(sci->machine_kgco2eq.value) ? "not declared"
                             : sci->source_id[0]               ? "row of a table"
                                                               : "stated",
                             sci->source_id, sci->version, NULL, NAN, NAN });
    add(list,
        (struct provenance){ "sci.lifetime_years.value", sci->lifetime_years.value, "a", sci->lifetime_years.quality,
                             "stated, of a table, or assumed", NULL, NULL, NULL, NAN, NAN });
    add(list,
        (struct provenance){ "sci.reserved_share.value", sci->reserved_share.value, "1", sci->reserved_share.quality,
                             "stated, or the job's CPUs / CPUs online", NULL, NULL, NULL, NAN, NAN });
    add(list, (struct provenance){ "sci.kgco2eq_per_unit", sci->kgco2eq_per_unit, "kgCO2eq", QUALITY_ATTRIBUTED,
                                   "(gross kgco2eq + machine x hours / lifetime x share) / units", NULL, NULL, NULL,
                                   NAN, NAN });
}

/* The drivers of the counted domains: "powercap, nvml". */
static void name_drivers(const struct measurement *measurement, char *names, size_t size)
{
    const struct energy_source *last = NULL;
    size_t used = 0;

    names[0] = '\0';
    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        const struct energy_source *source = measurement->meter->domains[i].source;
        if (!measurement->counting->is_counted[i] || source == last || used >= size)
            continue;
        used += (size_t)snprintf(names + used, size - used, "%s%s", last ? ", " : "", source->driver->name);
        last = source;
    }
}

void provenance_each(const struct report *report, provenance_take *take, void *context)
{
    const struct provenance_list list = { take, context };
    char drivers[256];

    name_drivers(report->measurement, drivers, sizeof drivers);
    add_energies(&list, report, drivers);
    add_carbon(&list, report);
    add_sci(&list, &report->sci);
}
