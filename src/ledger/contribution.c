/* SPDX-License-Identifier: MIT
 * A record's part in a sum: what is of the mean run there is of all runs here. */
#include "ledger/contribution.h"

#include "base/units.h"
#include "io/json_read.h"
#include "result/energy_fields.h"
#include "result/estimate/estimate.h"
#include "result/record_fields.h"
#include "result/session_fields.h"
#include "result/window_fields.h"

#include <math.h>
#include <string.h>

/* Runs that do not count used energy all the same. */
static double warmup_energy(const struct cJSON *record)
{
    double sum_j = 0;

    for (const struct cJSON *run = json_first(RECORD_MADE(record, record_runs)); run; run = json_next(run))
        if (json_truth(RUN_OWN_ITEM(run, warmup)))
            sum_j += json_number(RUN_ITEM(run, summary.gross_j));
    return sum_j;
}

static int64_t natural(const struct cJSON *item)
{
    const double number = json_number(item);

    return number > 0 && number < 1e15 ? (int64_t)number : 0;
}

static void of_estimate(const struct cJSON *record, struct contribution *contribution)
{
    contribution->duration_s = json_number(ESTIMATE_ITEM(record, hours)) * S_PER_H;
    contribution->ended_ns = contribution->started_ns;
    if (contribution->started_ns >= 0 && contribution->duration_s >= 0 && contribution->duration_s < 1e9)
        contribution->ended_ns += (int64_t)(contribution->duration_s * NS_PER_S);
    contribution->complete = contribution->estimated = contribution->runs = 1;
    contribution->recorded = 0;
    contribution->gross_j = json_number(ESTIMATE_ITEM(record, energy_j));
    contribution->gross_low_j = json_number(ESTIMATE_ITEM(record, low_j));
    contribution->gross_high_j = json_number(ESTIMATE_ITEM(record, high_j));
    contribution->facility_kwh = json_number(ESTIMATE_ITEM(record, footprint.facility_kwh));
    contribution->gross_kgco2eq = json_number(ESTIMATE_ITEM(record, footprint.kgco2eq));
    contribution->market_kgco2eq = json_number(ESTIMATE_ITEM(record, market.kgco2eq));
    contribution->td_losses_kgco2eq = json_number(ESTIMATE_ITEM(record, td_losses_kgco2eq));
    contribution->upstream_kgco2eq = json_number(ESTIMATE_ITEM(record, upstream_kgco2eq));
    contribution->embodied_kgco2eq = json_number(ESTIMATE_ITEM(record, sci.embodied_kgco2eq));
    contribution->sci_units = json_number(ESTIMATE_ITEM(record, sci.units));
    contribution->net_j = contribution->net_kgco2eq = contribution->variance_j2 = contribution->covered = NAN;
    contribution->own_j = contribution->own_kgco2eq = NAN;
    contribution->warmup_j = 0;
    contribution->job = natural(ESTIMATE_ITEM(record, job.id));
    contribution->cluster = json_given_text(ESTIMATE_ITEM(record, job.cluster));
    contribution->nodes = json_given_text(ESTIMATE_ITEM(record, job.node_list));
    contribution->node_count = natural(ESTIMATE_ITEM(record, job.nodes));
    if (contribution->job || contribution->nodes)
        contribution->reported = json_truth(ESTIMATE_ITEM(record, job.whole_nodes)) ? REPORTED_WHOLE : REPORTED_PART;
}

static void of_measured(const struct cJSON *record, struct contribution *contribution)
{
    const double runs = json_number(RECORD_ITEM(record, summary.runs));
    const double deviation_j = json_number(RECORD_ITEM(record, summary.total.gross_j.deviation));

    contribution->ended_ns = json_time_ns(RECORD_ITEM(record, ended_realtime_ns));
    contribution->complete = json_truth(RECORD_ITEM(record, complete));
    contribution->recorded = json_truth(RECORD_ITEM(record, recorded_tree));
    contribution->estimated = 0;
    contribution->runs = runs >= 0 && runs < 1e15 ? (int64_t)runs : -1;
    contribution->duration_s = runs * json_number(RECORD_ITEM(record, summary.duration_s.mean));
    contribution->gross_j = runs * json_number(RECORD_ITEM(record, summary.total.gross_j.mean));
    contribution->variance_j2 = runs * deviation_j * deviation_j;
    contribution->gross_low_j = runs * json_number(RECORD_ITEM(record, summary.total.gross_low_j));
    contribution->gross_high_j = runs * json_number(RECORD_ITEM(record, summary.total.gross_high_j));
    contribution->net_j = runs * json_number(RECORD_ITEM(record, summary.total.net_j.mean));
    contribution->facility_kwh = runs * json_number(RECORD_ITEM(record, gross.footprint.facility_kwh));
    contribution->gross_kgco2eq = runs * json_number(RECORD_ITEM(record, gross.footprint.kgco2eq));
    contribution->net_kgco2eq = runs * json_number(RECORD_ITEM(record, net.footprint.kgco2eq));
    contribution->market_kgco2eq = runs * json_number(RECORD_ITEM(record, gross_market.footprint.kgco2eq));
    contribution->td_losses_kgco2eq = runs * json_number(RECORD_ITEM(record, td_losses.gross_kgco2eq));
    contribution->upstream_kgco2eq = runs * json_number(RECORD_ITEM(record, upstream.gross_kgco2eq));
    contribution->embodied_kgco2eq = runs * json_number(RECORD_ITEM(record, sci.embodied_kgco2eq));
    contribution->own_j = runs * json_number(RECORD_ITEM(record, summary.total.own_j.mean));
    contribution->own_kgco2eq = runs * json_number(RECORD_ITEM(record, own.footprint.kgco2eq));
    if (isfinite(contribution->own_j))
        contribution->own_method = json_given_text(RECORD_ITEM(record, summary.total.own_method));
    contribution->sci_units = runs * json_number(RECORD_ITEM(record, sci.units));
    contribution->warmup_j = warmup_energy(record);
    contribution->covered = json_number(RECORD_ITEM(record, by_hour.covered));
    contribution->job = natural(RECORD_ITEM(record, job.id));
    contribution->cluster = json_given_text(RECORD_ITEM(record, job.cluster));
    contribution->nodes = json_given_text(RECORD_ITEM(record, job.node));
    contribution->node_count = natural(RECORD_ITEM(record, job.nodes));
}

/* A start of a machine is one for all containers of it, and for no clone; of a record from before there was that, the
 * kernel's own name of it, or which machine it is. */
static const char *machine_of(const struct cJSON *record)
{
    const struct cJSON *machine = RECORD_ITEM(record, machine);
    const char *start = json_given_text(MACHINE_ITEM(machine, start));
    const char *boot = json_given_text(RECORD_ITEM(record, job.boot_id));

    return start ? start : boot ? boot : json_given_text(MACHINE_ITEM(machine, id));
}

bool imported_is(const struct cJSON *record)
{
    return strcmp(json_schema(record), IMPORTED_SCHEMA) == 0;
}

void contribution_of(const struct cJSON *record, struct contribution *contribution)
{
    *contribution = (struct contribution){
        .started_ns = json_time_ns(RECORD_ITEM(record, started_realtime_ns)),
        .project = json_given_text(RECORD_ITEM(record, project)),
        .label = json_given_text(RECORD_ITEM(record, label)),
        .parent_id = json_given_text(RECORD_ITEM(record, parent.id)),
        .quality = json_given_text(RECORD_ITEM(record, summary.quality)),
        .sci_unit = json_given_text(RECORD_ITEM(record, sci.unit)),
        .machine = machine_of(record),
    };
    if (strcmp(json_schema(record), ESTIMATE_SCHEMA) == 0)
        of_estimate(record, contribution);
    else
        of_measured(record, contribution);
}

/* What of something lies between two times, and all of it. */
struct contribution_part {
    double inside_j, all_j, inside_s, all_s;
    int64_t inside_runs;
};

/* Even within one slice, which an edge of a year seldom cuts: slices end at full five minutes. */
static double overlap(double start_ns, double end_ns, double from_ns, double to_ns)
{
    const double from = fmax(start_ns, from_ns), to = fmin(end_ns, to_ns);

    if (end_ns <= start_ns)
        return start_ns >= from_ns && start_ns < to_ns;
    return fmax(to - from, 0) / (end_ns - start_ns);
}

/* Energy of the counted domains. */
static double counted_energy(const struct cJSON *energies, const struct cJSON *domains)
{
    const struct cJSON *energy = json_first(energies);
    double sum_uj = 0;

    for (const struct cJSON *domain = json_first(domains); domain && energy;
         domain = json_next(domain), energy = json_next(energy))
        if (json_truth(DOMAIN_ITEM(domain, counted)) && !json_is_null(energy))
            sum_uj += json_number(energy);
    return sum_uj / UJ_PER_J;
}

static void add_piece(struct contribution_part *part, double start_ns, double duration_s, double energy_j, bool cut,
                      uint64_t from_ns, uint64_t to_ns)
{
    const double inside =
        overlap(start_ns, cut ? start_ns + duration_s * NS_PER_S : start_ns, (double)from_ns, (double)to_ns);

    part->all_j += energy_j;
    part->all_s += duration_s;
    part->inside_j += inside * energy_j;
    part->inside_s += inside * duration_s;
}

static struct contribution_part part_between(const struct cJSON *record, uint64_t from_ns, uint64_t to_ns)
{
    const struct cJSON *domains = RECORD_MADE(record, record_domains);
    struct contribution_part part = { .all_j = 0 };

    for (const struct cJSON *run = json_first(RECORD_MADE(record, record_runs)); run; run = json_next(run)) {
        const struct cJSON *slice = json_first(FIELD_MADE(run, run_fields, record_slices));
        const int64_t started_ns = json_time_ns(WINDOW_ITEM(run, realtime_ns));

        if (!json_truth(RUN_ITEM(run, counted)))
            continue;
        part.inside_runs += started_ns >= (int64_t)from_ns && started_ns < (int64_t)to_ns;
        if (!slice)
            add_piece(&part, (double)started_ns, json_number(WINDOW_ITEM(run, duration_ns)),
                      json_number(RUN_ITEM(run, summary.gross_j)), false, from_ns, to_ns);
        for (; slice; slice = json_next(slice))
            add_piece(&part, (double)json_time_ns(SLICE_ITEM(slice, realtime_ns)),
                      json_number(SLICE_ITEM(slice, duration_ns)),
                      counted_energy(FIELD_MADE(slice, slice_fields, record_slice_energies), domains), true, from_ns,
                      to_ns);
    }
    return part;
}

static void keep_part(struct contribution *contribution, double of_energy, double of_time)
{
    double *const by_energy[] = {
        CONTRIBUTION_OF_MACHINE(contribution),
        &contribution->warmup_j,
        &contribution->own_j,
        &contribution->own_kgco2eq,
        &contribution->sci_units,
    };

    for (size_t i = 0; i < sizeof by_energy / sizeof by_energy[0]; i++)
        *by_energy[i] *= of_energy;
    contribution->variance_j2 *= of_energy * of_energy;
    contribution->duration_s *= of_time;
    contribution->embodied_kgco2eq *= of_time;
}

void contribution_between(const struct cJSON *record, uint64_t from_ns, uint64_t to_ns,
                          struct contribution *contribution)
{
    struct contribution_part part;

    contribution_of(record, contribution);
    if (contribution->estimated || imported_is(record)) {
        /* a stated mean power, or a total that another tool told: even all the time */
        const double inside =
            overlap((double)contribution->started_ns, (double)contribution->ended_ns, (double)from_ns, (double)to_ns);
        keep_part(contribution, inside, inside);
        return;
    }
    part = part_between(record, from_ns, to_ns);
    if (!(part.all_j > 0) || !(part.all_s > 0))
        return;
    contribution->runs = part.inside_runs;
    keep_part(contribution, part.inside_j / part.all_j, part.inside_s / part.all_s);
}
