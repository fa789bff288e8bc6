/* SPDX-License-Identifier: MIT
 * From accounts to the figures of a period. */
#include "commands/report/annual_sum.h"

#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct annual_sum *annual_sum_open(struct annual *annual, struct error *err)
{
    struct annual_sum *sum = calloc(1, sizeof *sum);

    if (sum) {
        sum->annual = annual;
        sum->by_month = calloc(annual->month_count, sizeof *sum->by_month);
    }
    if (sum)
        sum->prices = annual_prices_open(annual, err);
    if (sum && sum->prices && sum->by_month && name_totals_open(&sum->projects, err) &&
        name_totals_open(&sum->labels, err))
        return sum;
    annual_sum_close(sum);
    error_set(err, ERROR_SYSTEM, "no memory for the sums of the report");
    return NULL;
}

void annual_sum_close(struct annual_sum *sum)
{
    if (!sum)
        return;
    name_totals_close(&sum->projects);
    name_totals_close(&sum->labels);
    basis_totals_close(&sum->bases);
    annual_prices_close(sum->prices);
    for (size_t i = 0; i < LIST_COUNT; i++) {
        free(sum->lists[i].items);
        free(sum->lists[i].totals);
    }
    counted_machines_close(&sum->machines);
    free(sum->by_month);
    free(sum);
}

void annual_sum_expect_reported(struct annual_sum *sum)
{
    sum->machines.with_reported = true;
}

static void ratio_add(struct ratio_total *ratio, double e, double t)
{
    if (!isfinite(e) || !(t > 0))
        return;
    ratio->records++;
    total_add(&ratio->e, e);
    total_add(&ratio->t, t);
    total_add(&ratio->ee, e * e);
    total_add(&ratio->et, e * t);
    total_add(&ratio->tt, t * t);
}

static double beyond(double busy_s, double span_s)
{
    return busy_s > span_s * (1 + 1e-9) ? busy_s - span_s : 0;
}

/* What several runs used together beyond the time that went by: so long at least two were measured at once. */
static void end_of_overlap(struct annual_sum *sum)
{
    const double span_s = (double)(sum->to_ns - sum->from_ns) / NS_PER_S;

    sum->annual->gaps.overlap_s += beyond(sum->busy_s, span_s);
    if (sum->unknown)
        sum->annual->gaps.unknown_overlap_s += beyond(sum->once_s, span_s);
    sum->busy_s = sum->once_s = 0;
    sum->unknown = 0;
}

static void look_for_overlap(struct annual_sum *sum, const struct contribution *contribution, double once)
{
    const int64_t to_ns =
        contribution->ended_ns > contribution->started_ns ? contribution->ended_ns : contribution->started_ns;

    if (contribution->estimated || !isfinite(contribution->duration_s) || annual_is_fleet(sum->annual))
        return;
    if (contribution->started_ns >= sum->to_ns) {
        end_of_overlap(sum);
        sum->from_ns = contribution->started_ns;
    }
    sum->to_ns = to_ns > sum->to_ns ? to_ns : sum->to_ns;
    sum->busy_s += contribution->duration_s;
    sum->once_s += once * contribution->duration_s;
    sum->unknown += !contribution->machine || !contribution->times;
}

/* Accounts come in the order in which they began, but for what Slurm has reported. */
static bool count_once(struct annual_sum *sum, struct contribution *contribution, double *of_time, struct error *err)
{
    struct contribution_once once;

    if (contribution->started_ns > 0)
        counted_machines_forget(&sum->machines, (uint64_t)contribution->started_ns);
    if (!contribution_count_once(&sum->machines, contribution, &once, err))
        return false;
    *of_time = once.of_time;
    sum->once_j += once.gross_j;
    sum->annual->gaps.once += once.gross_j > 0;
    if (contribution->reported && once.gross_j > 0) {
        sum->annual->gaps.reported_once++;
        sum->annual->gaps.reported_once_kwh += once.gross_j / J_PER_KWH;
    }
    return true;
}

/* Of one that began before the period: the first. */
static size_t month_of(const struct annual *annual, int64_t started_ns)
{
    size_t low = 0, high = annual->month_count;

    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (started_ns >= (int64_t)annual->months[middle].from_ns)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* What is left out, and why; true: nothing of it counts. */
static bool is_left_out(struct annual_sum *sum, const struct contribution *contribution, bool restated)
{
    struct annual_gaps *gaps = &sum->annual->gaps;

    if (restated)
        gaps->restated++;
    else if (contribution->recorded > 0) {
        gaps->recorded++;
        sum->recorded_j += isfinite(contribution->gross_j) ? contribution->gross_j : 0;
    } else if (!isfinite(contribution->gross_j))
        gaps->unknown++;
    else if (contribution->gross_j < sum->annual->at_least_j) {
        gaps->small++;
        sum->small_j += contribution->gross_j;
    } else
        return false;
    return true;
}

static void look_for_gaps(struct annual_sum *sum, const struct contribution *contribution, double once)
{
    struct annual_gaps *gaps = &sum->annual->gaps;

    gaps->incomplete += contribution->complete == 0;
    gaps->without_mass += !isfinite(contribution->gross_kgco2eq);
    gaps->cut += contribution->started_ns < (int64_t)sum->annual->from_ns ||
                 contribution->ended_ns > (int64_t)sum->annual->to_ns;
    sum->warmup_j += isfinite(contribution->warmup_j) ? contribution->warmup_j : 0;
    look_for_overlap(sum, contribution, once);
}

bool annual_sum_contribution(struct annual_sum *sum, const struct contribution *recorded, int64_t basis, bool restated,
                             struct error *err)
{
    struct contribution counted = *recorded;
    struct annual_contribution of;
    enum quality quality;
    int64_t place;
    double once;

    if (is_left_out(sum, recorded, restated))
        return true;
    if (!count_once(sum, &counted, &once, err) ||
        !annual_prices_find(sum->prices, basis, recorded->started_ns, &place, err))
        return false;
    of = annual_prices_apply(sum->prices, place, &counted);
    const struct contribution *contribution = &of.contribution;
    quality = contribution->quality ? quality_of(contribution->quality) : QUALITY_UNKNOWN;
    look_for_gaps(sum, contribution, once);
    sum->annual->gaps.hours_lost += of.hours_lost;
    sum->annual->gaps.direct_above_lifecycle += of.direct_kgco2eq > of.lifecycle_kgco2eq;
    contribution_totals_add(&sum->by_month[month_of(sum->annual, contribution->started_ns)][quality], &of);
    if (contribution->estimated > 0)
        contribution_totals_add(&sum->estimated, &of);
    else {
        ratio_add(&sum->power, contribution->gross_j, once * contribution->duration_s);
        ratio_add(&sum->energy_of_run, contribution->gross_j, (double)contribution->runs);
        ratio_add(&sum->idle_power, contribution->gross_j - contribution->net_j, once * contribution->duration_s);
    }
    return basis_totals_add(&sum->bases, place, &of, err) &&
           name_totals_add(&sum->projects, contribution->project, &of, err) &&
           name_totals_add(&sum->labels, contribution->label, &of, err);
}

static void sum_months(struct annual_sum *sum)
{
    struct contribution_totals total = { .records = 0 }, measured = { .records = 0 };
    struct annual *annual = sum->annual;

    for (size_t i = 0; i < annual->month_count; i++) {
        struct contribution_totals month = { .records = 0 };
        for (enum quality quality = 0; quality <= QUALITY_DEFAULT; quality++)
            contribution_totals_merge(&month, &sum->by_month[i][quality]);
        annual->months[i].figures = contribution_totals_figures(&month);
    }
    for (enum quality quality = 0; quality <= QUALITY_DEFAULT; quality++) {
        struct contribution_totals of_quality = { .records = 0 };
        for (size_t i = 0; i < annual->month_count; i++)
            contribution_totals_merge(&of_quality, &sum->by_month[i][quality]);
        annual->by_quality[quality] = contribution_totals_figures(&of_quality);
        contribution_totals_merge(&total, &of_quality);
        if (quality == QUALITY_MEASURED || quality == QUALITY_VIRTUAL || quality == QUALITY_ATTRIBUTED)
            contribution_totals_merge(&measured, &of_quality);
    }
    annual->total = contribution_totals_figures(&total);
    annual->measured = contribution_totals_figures(&measured);
    annual->estimated = contribution_totals_figures(&sum->estimated);
}

/* Part of the period; estimates cover nothing, for nothing was run. */
static double share_of(const struct annual *annual, double duration_s, double without_s)
{
    const double left_s = (isnan(duration_s) ? 0 : duration_s) - (isnan(without_s) ? 0 : without_s);
    const double share = (left_s - annual->gaps.overlap_s) / S_PER_H / annual->period_hours;

    return share < 0 ? 0 : share > 1 ? 1 : share;
}

static void set_gaps(struct annual_sum *sum)
{
    struct annual *annual = sum->annual;
    struct annual_gaps *gaps = &annual->gaps;

    gaps->recorded_kwh = sum->recorded_j / J_PER_KWH;
    gaps->small_kwh = sum->small_j / J_PER_KWH;
    gaps->counted_once_kwh = sum->once_j / J_PER_KWH;
    gaps->warmup_kwh = sum->warmup_j / J_PER_KWH;
    gaps->pooled = sum->bases.unnamed.records;
    for (size_t i = 0; i < annual->month_count; i++)
        gaps->empty_months +=
            !annual->months[i].figures.records && annual->months[i].from_ns < annual->made_realtime_ns;
    if (annual_is_fleet(annual))
        annual_fleet_finish(annual);
    else {
        annual->covered_share = share_of(annual, annual->total.duration_s, annual->estimated.duration_s);
        annual->measured_share = share_of(annual, annual->measured.duration_s, 0);
    }
    annual->scarce = annual->covered_share < ANNUAL_SCARCE;
}

bool annual_sum_finish(struct annual_sum *sum, struct error *err)
{
    struct annual *annual = sum->annual;

    end_of_overlap(sum);
    sum_months(sum);
    set_gaps(sum);
    if (!annual_sum_list(sum, err))
        return false;
    annual_sum_give_lists(sum);
    return name_totals_groups(&sum->projects, &annual->projects, &annual->project_count, err) &&
           name_totals_groups(&sum->labels, &annual->labels, &annual->label_count, err);
}

void annual_close(struct annual *annual)
{
    free(annual->months);
    free(annual->projects);
    free(annual->labels);
    free(annual->factors);
    free(annual->market_factors);
    free(annual->direct_factors);
    free(annual->lifecycle_factors);
    free(annual->pues);
    free(annual->embodied);
    free(annual->machines_made);
    free(annual->scopes);
    free(annual->machines);
    free(annual->sources);
    free(annual->fleet.nodes);
    notices_clear(&annual->fleet.notices);
    notices_clear(&annual->restating.notices);
    notices_clear(&annual->notices);
}
