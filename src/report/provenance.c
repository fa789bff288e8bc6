/* SPDX-License-Identifier: MIT
 * The list of where each figure comes from, row by row. */
#include "config.h"

#include "report/provenance.h"

#include "base/clock.h"
#include "base/units.h"

#include <math.h>

/* To whom the rows go. */
struct list {
    provenance_take *take;
    void *context;
};

static void add(const struct list *list, struct provenance row)
{
    row.quality = isnan(row.value) ? QUALITY_UNKNOWN : row.quality;
    list->take(&row, list->context);
}

static void add_energies(const struct list *list, const struct report *report, const char *drivers)
{
    const char *made_by = report->made_by ? report->made_by : PACKAGE_VERSION;
    const struct domain_energy *total = &report->summary.total;
    const bool modelled = isfinite(total->gross_low_j);

    add(list, (struct provenance){ "gross_j.mean", total->gross_j.mean, "J", report->summary.quality,
                                   "sum over the counted domains, mean over the counted runs", drivers, made_by, NULL,
                                   total->gross_low_j, total->gross_high_j });
    add(list, (struct provenance){ "net_j.mean", total->net_j.mean, "J", report->summary.quality,
                                   "gross - idle power of the baselines x duration, run by run", drivers, made_by, NULL,
                                   modelled ? total->net_low_j : total->net_interval_j.low,
                                   modelled ? total->net_high_j : total->net_interval_j.high });
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

static void add_hourly(const struct list *list, const struct report *report)
{
    const struct by_hour *by_hour = &report->by_hour;
    char text[CLOCK_TEXT_SIZE];

    if (!by_hour->asked)
        return;
    add(list, (struct provenance){ "emissions.gross.kgco2eq_per_kwh", by_hour->gross_kgco2eq_per_kwh, "kgCO2eq/kWh",
                                   by_hour->known->count ? QUALITY_GIVEN : report->factor.quality,
                                   "intensities of the slices' times, weighted by gross energy",
                                   by_hour->source.source_id, NULL, asked_at(by_hour, text), NAN, NAN });
}

static void add_emission(const struct list *list, const struct report *report, const char *figure, const char *yearly,
                         const char *hourly, const struct emission *emission)
{
    const struct factor *factor = &report->factor;
    const bool by_hour = report->by_hour.asked;
    char text[CLOCK_TEXT_SIZE];

    add(list, (struct provenance){
                  figure, emission->footprint.kgco2eq, "kgCO2eq", report->summary.quality, by_hour ? hourly : yearly,
                  by_hour ? report->by_hour.source.source_id : factor->source_id, by_hour ? NULL : factor->version,
                  by_hour ? asked_at(&report->by_hour, text) : factor->retrieved_at, emission->kgco2eq_low,
                  emission->kgco2eq_high });
}

static void add_carbon(const struct list *list, const struct report *report)
{
    const struct factor *factor = &report->factor;

    add(list, (struct provenance){ "pue.value", report->pue, "1", report->pue_quality,
                                   report->pue_quality == QUALITY_GIVEN ? "stated" : "assumed: no overhead", NULL, NULL,
                                   NULL, NAN, NAN });
    add(list, (struct provenance){ "factor.kgco2eq_per_kwh", factor->kgco2eq_per_kwh, "kgCO2eq/kWh", factor->quality,
                                   factor->source_id[0] ? "row of a table" : "stated", factor->source_id,
                                   factor->version, factor->retrieved_at, NAN, NAN });
    add_hourly(list, report);
    add(list, (struct provenance){ "hours_per_year.value", report->hours_per_year, "h", report->hours_quality,
                                   report->hours_quality == QUALITY_GIVEN ? "stated" : "assumed: all year", NULL, NULL,
                                   NULL, NAN, NAN });
    add_emission(list, report, "emissions.gross.kgco2eq", "gross_j / 3.6e6 x pue x factor",
                 "sum over slices of gross_j / 3.6e6 x pue x intensity of its time", &report->gross);
    add_emission(list, report, "emissions.net.kgco2eq", "net_j / 3.6e6 x pue x factor",
                 "sum over slices of net_j / 3.6e6 x pue x intensity of its time", &report->net);
}

static void add_sci(const struct list *list, const struct sci *sci)
{
    if (!sci->asked)
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
        if (!measurement->counting->counts[i] || source == last || used >= size)
            continue;
        used += (size_t)snprintf(names + used, size - used, "%s%s", last ? ", " : "", source->driver->name);
        last = source;
    }
}

void provenance_each(const struct report *report, provenance_take *take, void *context)
{
    const struct list list = { take, context };
    char drivers[256];

    name_drivers(report->measurement, drivers, sizeof drivers);
    add_energies(&list, report, drivers);
    add_carbon(&list, report);
    add_sci(&list, &report->sci);
}
