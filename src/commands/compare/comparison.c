/* SPDX-License-Identifier: MIT
 * From several results to their differences, and to what is doubtful about them. */
#include "commands/compare/comparison.h"

#include "base/auto.h"
#include "result/verdict_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL (1 - STATISTICS_CONFIDENCE)

enum { NAMES_SHOWN = 3 };

bool comparison_open(struct comparison *comparison, size_t count, struct error *err)
{
    *comparison = (struct comparison){ .candidate_count = count, .pair_count = count ? count - 1 : 0 };
    comparison->candidates = calloc(count ? count : 1, sizeof *comparison->candidates);
    comparison->pairs = calloc(count ? count : 1, sizeof *comparison->pairs);
    return (comparison->candidates && comparison->pairs) || error_errno(err, "no memory to compare %zu results", count);
}

void comparison_close(struct comparison *comparison)
{
    for (size_t i = 0; comparison->candidates && i < comparison->candidate_count; i++)
        if (comparison->candidates[i].report)
            series_free(&comparison->candidates[i].series);
    for (size_t i = 0; comparison->pairs && i < comparison->pair_count; i++) {
        free((char *)comparison->pairs[i].sentence);
        free(comparison->pairs[i].gate);
    }
    free(comparison->candidates);
    free(comparison->pairs);
    notices_clear(&comparison->notices);
    notices_clear(&comparison->doubts);
    comparison->candidates = NULL;
    comparison->pairs = NULL;
}

static void take_sources(struct candidate *candidate, const struct measurement *measurement)
{
    const struct energy_source *last = NULL;
    size_t length = 0;

    for (size_t i = 0; i < measurement->meter->domain_count && length < sizeof candidate->sources; i++) {
        const struct energy_source *source = measurement->meter->domains[i].source;
        if (!measurement->counting->is_counted[i] || source == last)
            continue;
        length += (size_t)snprintf(candidate->sources + length, sizeof candidate->sources - length, "%s%s",
                                   last ? " + " : "", source->driver->name);
        last = source;
    }
}

/* A run that still goes on is none that could be compared. */
static bool take_report(struct candidate *candidate)
{
    const struct report *report = candidate->report;
    struct measurement ended = *report->measurement;

    while (ended.run_count && !ended.runs[ended.run_count - 1].ended)
        ended.run_count--;
    candidate->id = report->id;
    candidate->command = report->command;
    candidate->notices = &report->all_notices;
    candidate->complete = report->complete;
    candidate->recorded_tree = report->recorded_tree;
    candidate->rates = isfinite(report->summary.total.gross_w);
    candidate->scope = report->scope;
    candidate->pue = report->pue;
    candidate->factor = &report->factor;
    take_sources(candidate, report->measurement);
    if (!measurement_series(&ended, &report->summary.own_basis, candidate->name, &candidate->series))
        return false;
    candidate->series.quality = report->summary.quality;
    candidate->series.net_noise_j = 2 * report->summary.net_noise_j;
    return true;
}

static void take_stored(struct candidate *candidate)
{
    const struct stored_record *stored = candidate->stored;

    candidate->id = stored->id;
    candidate->command = stored->command;
    candidate->notices = &stored->notices;
    candidate->complete = stored->complete;
    candidate->recorded_tree = stored->recorded_tree;
    candidate->rates = isfinite(stored->gross_w);
    candidate->scope = stored->scope;
    candidate->pue = stored->pue;
    candidate->factor = &stored->factor;
    text_copy(candidate->sources, sizeof candidate->sources, stored->sources);
    candidate->series = stored_record_series(stored, candidate->name);
}

static bool read_candidate(struct candidate *candidate)
{
    if (candidate->stored)
        take_stored(candidate);
    else if (!take_report(candidate))
        return false;
    candidate->duration_s = series_spread(&candidate->series, FIGURE_DURATION_S);
    candidate->gross_j = series_spread(&candidate->series, FIGURE_GROSS_J);
    candidate->idle_j = series_spread(&candidate->series, FIGURE_IDLE_J);
    candidate->net_j = series_spread(&candidate->series, FIGURE_NET_J);
    candidate->own_j = series_spread(&candidate->series, FIGURE_OWN_J);
    return true;
}

/* The mass is the energy times a constant, and so is all that is said of it. */
static double kg_of(const struct candidate *candidate, double energy_j)
{
    return footprint_of(energy_j, candidate->pue, candidate->factor->kgco2eq_per_kwh).kgco2eq;
}

static struct sample_stats kg_spread(const struct candidate *candidate, const struct sample_stats *energy_j)
{
    return (struct sample_stats){
        .mean = kg_of(candidate, energy_j->mean),
        .deviation = kg_of(candidate, energy_j->deviation),
        .min = kg_of(candidate, energy_j->min),
        .max = kg_of(candidate, energy_j->max),
        .count = energy_j->count,
    };
}

static struct mean_difference difference_of(const struct welch *welch, const struct sample_stats *a,
                                            const struct sample_stats *b, double per_cent)
{
    return (struct mean_difference){
        .welch = *welch,
        .percent = welch->difference * per_cent,
        .percent_low = welch->low * per_cent,
        .percent_high = welch->high * per_cent,
        .detectable_percent = welch->detectable * per_cent,
        .runs_needed = isfinite(welch->difference) && a->count > 1 && b->count > 1
                           ? runs_to_tell_apart(welch->difference, a->deviation, b->deviation)
                           : 0,
    };
}

static struct mean_difference unknown_difference(void)
{
    static const struct sample_stats unknown = { NAN, NAN, NAN, NAN, 0 };
    const struct welch welch = welch_of(&unknown, &unknown);

    return difference_of(&welch, &unknown, &unknown, NAN);
}

static bool same_emission(const struct candidate *a, const struct candidate *b)
{
    return a->pue == b->pue && a->factor->kgco2eq_per_kwh == b->factor->kgco2eq_per_kwh;
}

static struct mean_difference kg_difference(const struct pair *pair)
{
    struct mean_difference difference = pair->energy_j;

    if (!same_emission(pair->a, pair->b))
        return unknown_difference();
    difference.welch.difference = kg_of(pair->a, difference.welch.difference);
    difference.welch.low = kg_of(pair->a, difference.welch.low);
    difference.welch.high = kg_of(pair->a, difference.welch.high);
    difference.welch.detectable = kg_of(pair->a, difference.welch.detectable);
    return difference;
}

static char *sentence_of(const struct pair *pair)
{
    struct text text;

    text_open(&text, SIZE_MAX);
    verdict_text_comparison(&pair->verdict, pair->a->name, pair->b->name, &text);
    return text.data;
}

static void finish_pair(struct pair *pair)
{
    const struct run_series at_slope = series_at_slope_of(&pair->b->series, &pair->a->series);
    const struct run_series *a = &pair->a->series, *b = &at_slope;
    const struct series_verdict verdict = series_verdict_of(a, b);
    const enum figure energy = verdict.compared, power = figure_power(energy);
    const struct sample_stats energy_a = series_spread(a, energy), energy_b = series_spread(b, energy);
    const struct sample_stats power_a = series_spread(a, power), power_b = series_spread(b, power);

    pair->verdict = verdict;
    pair->sentence = sentence_of(pair);
    pair->energy_j = difference_of(&verdict.energy_j, &energy_a, &energy_b, series_per_cent(a, energy));
    pair->duration_s = difference_of(&verdict.duration_s, &pair->a->duration_s, &pair->b->duration_s,
                                     series_per_cent(a, FIGURE_DURATION_S));
    pair->power_w = pair->a->rates && pair->b->rates
                        ? difference_of(&verdict.power_w, &power_a, &power_b, series_per_cent(a, power))
                        : unknown_difference();
    pair->kgco2eq = kg_difference(pair);
}

static bool correct_pairs(struct comparison *comparison)
{
    AUTO_FREE double *p = calloc(2 * comparison->pair_count + 1, sizeof *p);

    if (!p)
        return false;
    double *const corrected = p + comparison->pair_count;
    for (size_t i = 0; i < comparison->pair_count; i++)
        p[i] = comparison->pairs[i].energy_j.welch.p;
    if (!holm_of(p, comparison->pair_count, corrected))
        return false;
    for (size_t i = 0; i < comparison->pair_count; i++)
        comparison->pairs[i].p_holm = corrected[i];
    return true;
}

static bool is_known(enum verdict verdict)
{
    return verdict == VERDICT_LESS || verdict == VERDICT_MORE;
}

static void note_many(struct comparison *comparison)
{
    const struct pair *doubtful = NULL;
    size_t count = 0;

    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct pair *pair = &comparison->pairs[i];
        if (is_known(pair->verdict.verdict) && pair->p_holm > LEVEL) {
            doubtful = doubtful ? doubtful : pair;
            count++;
        }
    }
    if (doubtful)
        notice_add(&comparison->doubts, NOTICE_NOISE,
                   "at the 95 % level, 1 of 20 comparisons of equal commands looks significant",
                   "more runs, or fewer commands",
                   "after Holm's correction for %zu comparisons, %zu differences (first: '%.60s') %s not significant "
                   "(p > 0.05)",
                   comparison->pair_count, count, doubtful->b->name, count > 1 ? "are" : "is");
}

static void note_emissions(struct comparison *comparison)
{
    const struct candidate *a = &comparison->candidates[0];
    char pues[2][TEXT_NUMBER_SIZE], factors[2][UNITS_SIZE];
    struct error notice = { .kind = ERROR_NONE };

    for (size_t i = 1; i < comparison->candidate_count && !notice.what[0]; i++) {
        const struct candidate *b = &comparison->candidates[i];
        if (same_emission(a, b))
            continue;
        error_set(&notice, ERROR_NONE,
                  "the emissions of '%.60s' and '%.60s' are not comparable; only energy is compared", a->name, b->name);
        error_why(&notice, "PUE %s and %s vs. PUE %s and %s", text_number(a->pue, pues[0]),
                  units_intensity(a->factor->kgco2eq_per_kwh, factors[0]), text_number(b->pue, pues[1]),
                  units_intensity(b->factor->kgco2eq_per_kwh, factors[1]));
        error_fix(&notice, "measure both with the same --zone, --year and --pue");
        notice_add_error(&comparison->doubts, NOTICE_MIXED, &notice);
    }
}

static bool has_notice(const struct candidate *candidate, const char *what)
{
    for (size_t i = 0; i < candidate->notices->count; i++)
        if (strcmp(candidate->notices->item[i].what, what) == 0)
            return true;
    return false;
}

/* As it is where it is everybody's; else with the names of those that have it. */
static void add_notice(struct comparison *comparison, const struct notice *notice)
{
    struct notice named = *notice;
    struct text text;
    size_t count = 0;

    text_open(&text, 1 << 16);
    for (size_t i = 0; i < comparison->candidate_count; i++)
        if (has_notice(&comparison->candidates[i], notice->what) && count++ < NAMES_SHOWN)
            text_add(&text, "%s'%.40s'", count > 1 ? ", " : "", comparison->candidates[i].name);
    if (count > NAMES_SHOWN)
        text_add(&text, " and %zu more", count - NAMES_SHOWN);
    text_add(&text, ": %s", notice->what);
    if (count < comparison->candidate_count && text_ok(&text))
        named.what = text.data;
    notice_copy(&comparison->doubts, &named);
    text_close(&text);
}

static void note_candidates(struct comparison *comparison)
{
    size_t left_out = 0;

    for (size_t i = 0; i < comparison->candidate_count; i++) {
        const struct notices *notices = comparison->candidates[i].notices;

        left_out = notices->left_out > left_out ? notices->left_out : left_out;
        for (size_t j = 0; j < notices->count; j++) {
            bool reported = false;
            for (size_t k = 0; k < i; k++)
                reported |= has_notice(&comparison->candidates[k], notices->item[j].what);
            if (!reported)
                add_notice(comparison, &notices->item[j]);
        }
    }
    comparison->doubts.left_out += left_out;
}

/* What each pair can be compared by. */
static enum figure compared_by_all(const struct comparison *comparison)
{
    bool own = true, net = true;

    for (size_t i = 0; i < comparison->candidate_count; i++) {
        const enum figure one = figure_compared(&comparison->candidates[0].series, &comparison->candidates[i].series);
        own &= one == FIGURE_OWN_J;
        net &= comparison->candidates[i].net_j.count > 0;
    }
    return own ? FIGURE_OWN_J : net ? FIGURE_NET_J : FIGURE_GROSS_J;
}

static const struct sample_stats *energy_of(const struct candidate *candidate, enum figure figure)
{
    return figure == FIGURE_OWN_J   ? &candidate->own_j
           : figure == FIGURE_NET_J ? &candidate->net_j
                                    : &candidate->gross_j;
}

bool comparison_finish(struct comparison *comparison, struct error *err)
{
    bool done = true;

    for (size_t i = 0; done && i < comparison->candidate_count; i++)
        done = read_candidate(&comparison->candidates[i]);
    comparison->compared = compared_by_all(comparison);
    for (size_t i = 0; done && i < comparison->candidate_count; i++) {
        struct candidate *candidate = &comparison->candidates[i];
        candidate->kgco2eq = kg_spread(candidate, energy_of(candidate, comparison->compared));
    }
    for (size_t i = 0; done && i < comparison->pair_count; i++) {
        comparison->pairs[i].a = &comparison->candidates[0];
        comparison->pairs[i].b = &comparison->candidates[i + 1];
        finish_pair(&comparison->pairs[i]);
    }
    if (!done || !correct_pairs(comparison) || !comparison_judge(comparison))
        return error_errno(err, "no memory to compare %zu results", comparison->candidate_count);
    notices_set(&comparison->doubts, &comparison->notices);
    note_emissions(comparison);
    note_many(comparison);
    note_candidates(comparison);
    return true;
}

enum quality comparison_quality(const struct comparison *comparison)
{
    enum quality quality = comparison->candidates[0].series.quality;

    for (size_t i = 1; i < comparison->candidate_count; i++)
        if (comparison->candidates[i].series.quality > quality)
            quality = comparison->candidates[i].series.quality;
    return quality;
}
