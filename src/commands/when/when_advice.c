/* SPDX-License-Identifier: MIT
 * From forecasts to advice: the best start in each zone, and of these the best. */
#include "commands/when/when.h"

#include "base/units.h"
#include "io/local_time.h"

#include <math.h>
#include <string.h>

double when_kgco2eq(const struct when_job *job, double kgco2eq_per_kwh)
{
    return footprint_of(job->energy_j, job->pue, kgco2eq_per_kwh).kgco2eq;
}

uint64_t when_known_until_s(const struct when_zone *zone)
{
    const struct intensities *found = &zone->found;

    return found->count ? found->items[found->count - 1].end_realtime_s : 0;
}

static bool no_start(const struct when *when, const struct when_zone *zone, struct error *err)
{
    const uint64_t until_s = when_known_until_s(zone);
    char text[CLOCK_TEXT_SIZE], duration[UNITS_SIZE];

    error_set(err, ERROR_ABSENT, "no start of the job is known through in %s",
              *zone->found.zone ? zone->found.zone : zone->about.title);
    error_why(err, "it takes %s, and the data of %s ends at %s or has gaps",
              units_duration(when->job.duration_s, duration), zone->about.title, local_time_text(until_s, text));
    return error_fix(err, "give a shorter --duration, or another --live or --intensities");
}

static bool advise_zone(struct when *when, struct when_zone *zone, struct error *err)
{
    const double error_kgco2eq_per_kwh = zone->found.forecast_error_kgco2eq_per_kwh;
    char until[CLOCK_TEXT_SIZE];

    if (!find_best_start(&zone->found, &when->job.profile, when->now_s * NS_PER_S_INT, when->deadline_s * NS_PER_S_INT,
                         &zone->shift))
        return no_start(when, zone, err);
    zone->saving = start_time_saving_of(zone->shift.now.kgco2eq_per_kwh, error_kgco2eq_per_kwh,
                                        zone->shift.best.kgco2eq_per_kwh, error_kgco2eq_per_kwh);
    if (when_known_until_s(zone) < when->deadline_s)
        notice_add(&when->notices, NOTICE_GAPS, "a start whose end lies beyond that is not looked at", "",
                   "%s is known until %s, not until the deadline",
                   *zone->found.zone ? zone->found.zone : "the intensity",
                   local_time_text(when_known_until_s(zone), until));
    if (isnan(zone->shift.now.kgco2eq_per_kwh))
        notice_add(&when->notices, NOTICE_UNKNOWN, "the forecast has a gap", "",
                   "emissions of a start now are unknown");
    if (isnan(error_kgco2eq_per_kwh))
        notice_add(&when->notices, NOTICE_UNKNOWN, "forecast and actual intensity are not both published", "",
                   "the forecast error of %s, and so the error of a saving, is unknown", zone->about.title);
    return true;
}

/* Against each other stand only figures of one kind. */
static void compare_kinds(struct when *when)
{
    const struct when_zone *first = &when->zones[0];

    for (size_t i = 1; i < when->count; i++) {
        const struct when_zone *zone = &when->zones[i];
        if (strcmp(zone->about.basis, first->about.basis) != 0 || strcmp(zone->about.gases, first->about.gases) != 0 ||
            strcmp(zone->about.method, first->about.method) != 0)
            notice_add(&when->notices, NOTICE_MIXED,
                       "direct and lifecycle, CO2 and CO2eq, average and marginal never compare",
                       "--live with one service for all", "the zones' figures do not cover the same");
        else if (strcmp(zone->about.name, first->about.name) != 0)
            notice_add(&when->notices, NOTICE_MIXED, "each has a method of its own", "--live with one service for all",
                       "the zones' figures are of different services");
    }
}

static void add_caveats(struct when *when)
{
    if (strcmp(when->zones[0].about.method, "marginal") != 0)
        notice_add(&when->notices, NOTICE_BASIS, "the effect of an extra job on power plants is the marginal intensity",
                   "", "average intensity does not show the effect of shifting on the grid");
    if (when_is_now(when))
        return;
    notice_add(&when->notices, NOTICE_BASIS, "with a yearly factor the figure stays as it is", "",
               "the inventory changes only where it is reported by hourly factors");
    notice_add(&when->notices, NOTICE_LEFT_OUT, "it draws power while it waits", "give the node back until then",
               "waiting on a node that is held adds its idle energy");
}

/* Asking took its time, and no start is to lie in the past; but a job that has none to lose keeps its start. */
static void take_present(struct when *when)
{
    const uint64_t now_s = clock_realtime_ns() / NS_PER_S_INT;

    if (now_s > when->now_s && now_s * NS_PER_S_INT + when->job.profile.duration_ns <= when->deadline_s * NS_PER_S_INT)
        when->now_s = now_s;
}

bool when_advise(struct when *when, struct error *err)
{
    const struct when_zone *first = &when->zones[0], *best = first;
    struct start_time_saving saving;

    take_present(when);
    for (size_t i = 0; i < when->count; i++) {
        if (!advise_zone(when, &when->zones[i], err))
            return false;
        if (start_time_is_less(when->zones[i].shift.best.kgco2eq_per_kwh, best->shift.best.kgco2eq_per_kwh))
            best = &when->zones[i];
    }
    saving = start_time_saving_of(first->shift.now.kgco2eq_per_kwh, first->found.forecast_error_kgco2eq_per_kwh,
                                  best->shift.best.kgco2eq_per_kwh, best->found.forecast_error_kgco2eq_per_kwh);
    when->saving = saving;
    when->start_s = when->now_s;
    if (saving.verdict == START_TIME_GAIN) {
        when->best = (size_t)(best - first);
        when->start_s = best->shift.best.start_ns / NS_PER_S_INT;
    }
    compare_kinds(when);
    add_caveats(when);
    return true;
}
