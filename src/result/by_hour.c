/* SPDX-License-Identifier: MIT
 * Slices of the counted runs, each at its own intensity. */
#include "result/report.h"

#include "base/clock.h"
#include "base/units.h"
#include "measurement/cpu_share.h"
#include "measurement/slices.h"
#include "result/by_hour.h"

#include <math.h>
#include <string.h>

/* Where less of a slice than this is in another interval, the clock and the wake-up are to blame. */
#define PRORATED_MIN 0.01

/* Below this part of the energy there is no notice. */
#define REPORTED_MIN 0.0005

/* Over the counted runs: energies, and energies times intensity, in J and J kgCO2eq/kWh. */
struct hourly_sums {
    double gross_j, net_j, share_j;
    double gross, net, share;
    double part_j[COVER_COUNT], prorated_j;
};

/* As exactly as a record has it, so that it comes again from there. */
static uint64_t whole_ms(uint64_t realtime_ns)
{
    return realtime_ns / NS_PER_MS * NS_PER_MS;
}

static uint64_t end_of(const struct run *run)
{
    const struct slices *slices = run->slices;
    const struct slice *last = slices && slices->count ? &slices->items[slices->count - 1] : NULL;

    return last ? whole_ms(last->realtime_ns) + last->duration_ns
                : whole_ms(run->window.realtime_ns) + run->window.duration_ns;
}

bool by_hour_span(const struct report *report, uint64_t *from_ns, uint64_t *to_ns)
{
    const struct measurement *measurement = report->measurement;

    *from_ns = UINT64_MAX;
    *to_ns = 0;
    for (size_t i = 0; i < measurement->run_count; i++) {
        const struct run *run = &measurement->runs[i];
        if (!run_is_counted(run))
            continue;
        *from_ns = clock_earlier_ns(*from_ns, whole_ms(run->window.realtime_ns));
        *to_ns = end_of(run) > *to_ns ? end_of(run) : *to_ns;
    }
    return *from_ns < *to_ns;
}

double by_hour_counted_j(const struct measurement *measurement, const struct run *run, const uint64_t *energy_uj)
{
    double sum_j = 0;

    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        if (measurement->counting->is_counted[i] && window_has_figure(measurement, &run->window, i))
            sum_j += figure_j(measurement->meter->domains[i].domain, energy_uj[i]);
    return sum_j;
}

/* The part of a run's net and share for an energy. */
struct run_rates {
    double idle_w, fraction;
};

static void add_slice(struct hourly_sums *sums, const struct hourly *hourly, const struct run_rates *rates,
                      uint64_t realtime_ns, uint64_t duration_ns, double energy_j)
{
    const uint64_t start_ns = whole_ms(realtime_ns);
    const struct hourly_factor price = hourly_factor(hourly, start_ns, start_ns + duration_ns);
    const double net_j = energy_j - rates->idle_w * s_from_ns(duration_ns);

    sums->gross_j += energy_j;
    sums->net_j += net_j;
    sums->share_j += rates->fraction * net_j;
    sums->gross += energy_j * price.kgco2eq_per_kwh;
    sums->net += net_j * price.kgco2eq_per_kwh;
    sums->share += rates->fraction * net_j * price.kgco2eq_per_kwh;
    for (size_t i = 0; i < COVER_COUNT; i++)
        sums->part_j[i] += energy_j * price.part[i];
    if (price.pieces > 1 && price.longest < 1 - PRORATED_MIN)
        sums->prorated_j += energy_j;
}

static void add_run(struct hourly_sums *sums, const struct hourly *hourly, const struct measurement *measurement,
                    const struct run *run)
{
    const struct neighbours neighbours = neighbours_of(measurement, &run->window);
    /* the known energy of a run with a hole is assigned to the hours, as a lower bound */
    const struct energies total = total_bound(measurement, &neighbours, &run->window);
    const struct run_rates rates = {
        .idle_w = isnan(total.net_j) ? NAN : total.idle_j / s_from_ns(run->window.duration_ns),
        .fraction = cpu_share_of(&neighbours, run).fraction,
    };
    const struct slices *slices = run->slices;

    if (isnan(total.gross_j))
        sums->gross_j = NAN;
    if (!slices || !slices->count)
        add_slice(sums, hourly, &rates, run->window.realtime_ns, run->window.duration_ns,
                  by_hour_counted_j(measurement, run, run->window.energy_uj));
    for (size_t i = 0; slices && i < slices->count; i++)
        add_slice(sums, hourly, &rates, slices->items[i].realtime_ns, slices->items[i].duration_ns,
                  by_hour_counted_j(measurement, run, slice_energy_uj(slices, i)));
}

/* Where nothing was used nothing was emitted, whatever the factor. */
static double weighted(double sum, double energy_j, double yearly_kgco2eq_per_kwh)
{
    return energy_j == 0 ? yearly_kgco2eq_per_kwh : sum / energy_j;
}

void by_hour_work_out(struct report *report)
{
    const struct measurement *measurement = report->measurement;
    const double yearly = report->factor.kgco2eq_per_kwh;
    struct by_hour *by_hour = &report->by_hour;
    struct hourly_sums sums = { .gross_j = 0 };
    struct hourly hourly;
    uint64_t from_ns, to_ns;

    if (!by_hour->enabled) {
        by_hour->gross_kgco2eq_per_kwh = by_hour->net_kgco2eq_per_kwh = by_hour->share_kgco2eq_per_kwh = NAN;
        by_hour->covered = by_hour->prorated = by_hour->part[COVER_FORECAST] = NAN;
        by_hour->yearly_gross_kgco2eq = by_hour->yearly_net_kgco2eq = NAN;
        return;
    }
    if (!by_hour_span(report, &from_ns, &to_ns))
        sums.gross_j = sums.net_j = sums.share_j = NAN;
    hourly = hourly_of(by_hour->known, from_ns, to_ns, yearly);
    for (size_t i = 0; i < measurement->run_count; i++)
        if (run_is_counted(&measurement->runs[i]))
            add_run(&sums, &hourly, measurement, &measurement->runs[i]);
    by_hour->gross_kgco2eq_per_kwh = weighted(sums.gross, sums.gross_j, yearly);
    by_hour->net_kgco2eq_per_kwh = weighted(sums.net, sums.net_j, yearly);
    by_hour->share_kgco2eq_per_kwh = weighted(sums.share, sums.share_j, yearly);
    for (size_t i = 0; i < COVER_COUNT; i++)
        by_hour->part[i] = sums.part_j[i] / sums.gross_j;
    by_hour->covered =
        (sums.part_j[COVER_ACTUAL] + sums.part_j[COVER_ESTIMATED] + sums.part_j[COVER_FORECAST]) / sums.gross_j;
    by_hour->prorated = sums.prorated_j / sums.gross_j;
    by_hour->yearly_gross_kgco2eq = footprint_of(report->summary.total.gross_j.mean, report->pue, yearly).kgco2eq;
    by_hour->yearly_net_kgco2eq = footprint_of(report->summary.total.net_j.mean, report->pue, yearly).kgco2eq;
}

static void tell_source(const struct by_hour *by_hour, enum factor_basis yearly_basis, struct notices *notices)
{
    const struct hourly_source *source = &by_hour->source;

    if (by_hour->known->count == 0)
        return;
    if (!*source->basis)
        notice_add(notices, NOTICE_BASIS, "the yearly factor does: the two may differ in kind", "",
                   "%s does not say whether its figures have the plants and the fuel supply in them", source->title);
    else if (yearly_basis == FACTOR_NO_BASIS)
        notice_add(notices, NOTICE_BASIS, "the two may not be of one kind", "--basis says it",
                   "the intensities are %s, and it was not said what the factor of your own covers", source->basis);
    else if (strcmp(source->basis, factor_basis_name(yearly_basis)) != 0)
        notice_add(notices, NOTICE_MIXED, "the two are not of one kind, and neither is their difference", "",
                   "the intensities are %s, the yearly factor is %s", source->basis, factor_basis_name(yearly_basis));
    if (strcmp(source->gases, "co2") == 0)
        notice_add(notices, NOTICE_BASIS, "CH4 and N2O are excluded: 1 % or less of combustion emissions", "",
                   "the intensities cover CO2 only");
}

void by_hour_notices(struct report *report)
{
    struct by_hour *by_hour = &report->by_hour;
    const double *part = by_hour->part;

    tell_source(by_hour, report->factor.basis, &report->own_notices);
    if (part[COVER_FORECAST] > REPORTED_MIN)
        notice_add(&report->own_notices, NOTICE_STAND_IN, "actual intensities may differ from it",
                   "once it is published: carbon restate RECORD --with SERVICE",
                   "%.3g %% of the energy is at a forecast", 100 * part[COVER_FORECAST]);
    if (part[COVER_NEAREST] > REPORTED_MIN)
        notice_add(&report->own_notices, NOTICE_STAND_IN, "the gap is no longer than one", "",
                   "%.3g %% of the energy is at the nearest interval: its own has no intensity",
                   100 * part[COVER_NEAREST]);
    if (part[COVER_PERIOD_MEAN] > REPORTED_MIN)
        notice_add(&report->own_notices, NOTICE_STAND_IN, "90 % or more of the whole time have an intensity", "",
                   "%.3g %% of the energy is at the mean of the known intensities", 100 * part[COVER_PERIOD_MEAN]);
    if (part[COVER_YEARLY] > REPORTED_MIN && by_hour->known->count)
        notice_add(&report->own_notices, NOTICE_STAND_IN, "no intensity of that time", "",
                   "%.3g %% of the energy is at the yearly factor", 100 * part[COVER_YEARLY]);
    if (by_hour->prorated > REPORTED_MIN)
        notice_add(&report->own_notices, NOTICE_ASSUMED, "within it the power is taken to be even",
                   "measure with a shorter --slice",
                   "%.3g %% of the energy lies in slices of time that an edge of two intervals cuts",
                   100 * by_hour->prorated);
    by_hour->notice_count = report->own_notices.count - by_hour->first_notice;
}
