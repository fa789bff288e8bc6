/* SPDX-License-Identifier: MIT
 * From several results to their differences, and to what is doubtful about them. */
#include "commands/compare/contest.h"

#include "base/auto.h"
#include "result/verdict_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL (1 - STATISTICS_CONFIDENCE)

enum { NAMES_SHOWN = 3 };

bool contest_open(struct contest *contest, size_t count, struct error *err)
{
    *contest = (struct contest){ .contender_count = count, .pair_count = count ? count - 1 : 0 };
    contest->contenders = calloc(count ? count : 1, sizeof *contest->contenders);
    contest->pairs = calloc(count ? count : 1, sizeof *contest->pairs);
    return (contest->contenders && contest->pairs) || error_errno(err, "no memory to compare %zu results", count);
}

void contest_close(struct contest *contest)
{
    for (size_t i = 0; contest->contenders && i < contest->contender_count; i++)
        if (contest->contenders[i].report)
            series_free(&contest->contenders[i].series);
    for (size_t i = 0; contest->pairs && i < contest->pair_count; i++)
        free((char *)contest->pairs[i].sentence);
    free(contest->contenders);
    free(contest->pairs);
    contest->contenders = NULL;
    contest->pairs = NULL;
}

static void take_sources(struct contender *contender, const struct measurement *measurement)
{
    const struct energy_source *last = NULL;
    size_t length = 0;

    for (size_t i = 0; i < measurement->meter->domain_count && length < sizeof contender->sources; i++) {
        const struct energy_source *source = measurement->meter->domains[i].source;
        if (!measurement->counting->counts[i] || source == last)
            continue;
        length += (size_t)snprintf(contender->sources + length, sizeof contender->sources - length, "%s%s",
                                   last ? " + " : "", source->driver->name);
        last = source;
    }
}

/* A run that still goes on is none that could be compared. */
static bool take_report(struct contender *contender)
{
    const struct report *report = contender->report;
    struct measurement ended = *report->measurement;

    while (ended.run_count && !ended.runs[ended.run_count - 1].ended)
        ended.run_count--;
    contender->id = report->id;
    contender->command = report->command;
    contender->notices = &report->doubts;
    contender->complete = report->complete;
    contender->recorded_tree = report->recorded_tree;
    contender->rates = isfinite(report->summary.total.gross_w);
    contender->scope = report->scope;
    contender->pue = report->pue;
    contender->factor = &report->factor;
    take_sources(contender, report->measurement);
    if (!measurement_series(&ended, &report->summary.own_basis, contender->name, &contender->series))
        return false;
    contender->series.quality = report->summary.quality;
    contender->series.net_noise_j = 2 * report->summary.net_noise_j;
    return true;
}

static void take_past(struct contender *contender)
{
    const struct past *past = contender->past;

    contender->id = past->id;
    contender->command = past->command;
    contender->notices = &past->notices;
    contender->complete = past->complete;
    contender->recorded_tree = past->recorded_tree;
    contender->rates = isfinite(past->gross_w);
    contender->scope = past->scope;
    contender->pue = past->pue;
    contender->factor = &past->factor;
    text_copy(contender->sources, sizeof contender->sources, past->sources);
    contender->series = past_series(past, contender->name);
}

static bool take(struct contender *contender)
{
    if (contender->past)
        take_past(contender);
    else if (!take_report(contender))
        return false;
    contender->duration_s = series_spread(&contender->series, FIGURE_DURATION_S);
    contender->gross_j = series_spread(&contender->series, FIGURE_GROSS_J);
    contender->idle_j = series_spread(&contender->series, FIGURE_IDLE_J);
    contender->net_j = series_spread(&contender->series, FIGURE_NET_J);
    contender->own_j = series_spread(&contender->series, FIGURE_OWN_J);
    return true;
}

/* The mass is the energy times a constant, and so is all that is said of it. */
static double kg_of(const struct contender *contender, double energy_j)
{
    return footprint_of(energy_j, contender->pue, contender->factor->kgco2eq_per_kwh).kgco2eq;
}

static struct spread kg_spread(const struct contender *contender, const struct spread *energy_j)
{
    return (struct spread){
        .mean = kg_of(contender, energy_j->mean),
        .deviation = kg_of(contender, energy_j->deviation),
        .min = kg_of(contender, energy_j->min),
        .max = kg_of(contender, energy_j->max),
        .count = energy_j->count,
    };
}

static struct difference difference_of(const struct welch *welch, const struct spread *a, const struct spread *b,
                                       double per_cent)
{
    return (struct difference){
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

static struct difference unknown_difference(void)
{
    static const struct spread unknown = { NAN, NAN, NAN, NAN, 0 };
    const struct welch welch = welch_of(&unknown, &unknown);

    return difference_of(&welch, &unknown, &unknown, NAN);
}

static bool same_emission(const struct contender *a, const struct contender *b)
{
    return a->pue == b->pue && a->factor->kgco2eq_per_kwh == b->factor->kgco2eq_per_kwh;
}

static struct difference kg_difference(const struct pair *pair)
{
    struct difference difference = pair->energy_j;

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
    verdict_text_comparison(&pair->comparison, pair->a->name, pair->b->name, &text);
    return text.data;
}

static void finish_pair(struct pair *pair)
{
    const struct series at_slope = series_at_slope_of(&pair->b->series, &pair->a->series);
    const struct series *a = &pair->a->series, *b = &at_slope;
    const struct comparison comparison = comparison_of(a, b);
    const enum figure energy = comparison.compared, power = figure_power(energy);
    const struct spread energy_a = series_spread(a, energy), energy_b = series_spread(b, energy);
    const struct spread power_a = series_spread(a, power), power_b = series_spread(b, power);

    pair->comparison = comparison;
    pair->sentence = sentence_of(pair);
    pair->energy_j = difference_of(&comparison.energy_j, &energy_a, &energy_b, series_per_cent(a, energy));
    pair->duration_s = difference_of(&comparison.duration_s, &pair->a->duration_s, &pair->b->duration_s,
                                     series_per_cent(a, FIGURE_DURATION_S));
    pair->power_w = pair->a->rates && pair->b->rates
                        ? difference_of(&comparison.power_w, &power_a, &power_b, series_per_cent(a, power))
                        : unknown_difference();
    pair->kgco2eq = kg_difference(pair);
}

static bool correct_pairs(struct contest *contest)
{
    AUTO_FREE double *p = calloc(2 * contest->pair_count + 1, sizeof *p);

    if (!p)
        return false;
    double *const corrected = p + contest->pair_count;
    for (size_t i = 0; i < contest->pair_count; i++)
        p[i] = contest->pairs[i].energy_j.welch.p;
    if (!holm_of(p, contest->pair_count, corrected))
        return false;
    for (size_t i = 0; i < contest->pair_count; i++)
        contest->pairs[i].p_holm = corrected[i];
    return true;
}

static bool is_told(enum verdict verdict)
{
    return verdict == VERDICT_LESS || verdict == VERDICT_MORE;
}

static void note_many(struct contest *contest)
{
    const struct pair *doubtful = NULL;
    size_t count = 0;

    for (size_t i = 0; i < contest->pair_count; i++) {
        const struct pair *pair = &contest->pairs[i];
        if (is_told(pair->comparison.verdict) && pair->p_holm > LEVEL) {
            doubtful = doubtful ? doubtful : pair;
            count++;
        }
    }
    if (doubtful)
        notice_add(&contest->doubts, NOTICE_NOISE,
                   "at the 95 % level, 1 of 20 comparisons of equal commands looks significant",
                   "more runs, or fewer commands",
                   "after Holm's correction for %zu comparisons, %zu differences (first: '%.60s') %s not significant "
                   "(p > 0.05)",
                   contest->pair_count, count, doubtful->b->name, count > 1 ? "are" : "is");
}

static void note_emissions(struct contest *contest)
{
    const struct contender *a = &contest->contenders[0];
    char pues[2][TEXT_NUMBER_SIZE], factors[2][UNITS_SIZE];
    struct error notice = { .kind = ERROR_NONE };

    for (size_t i = 1; i < contest->contender_count && !notice.what[0]; i++) {
        const struct contender *b = &contest->contenders[i];
        if (same_emission(a, b))
            continue;
        error_set(&notice, ERROR_NONE,
                  "the emissions of '%.60s' and '%.60s' are not comparable; only energy is compared", a->name, b->name);
        error_why(&notice, "PUE %s and %s stand against PUE %s and %s", text_number(a->pue, pues[0]),
                  units_intensity(a->factor->kgco2eq_per_kwh, factors[0]), text_number(b->pue, pues[1]),
                  units_intensity(b->factor->kgco2eq_per_kwh, factors[1]));
        error_fix(&notice, "measure both with the same --zone, --year and --pue");
        notice_add_error(&contest->doubts, NOTICE_MIXED, &notice);
    }
}

static bool has_notice(const struct contender *contender, const char *what)
{
    for (size_t i = 0; i < contender->notices->count; i++)
        if (strcmp(contender->notices->item[i].what, what) == 0)
            return true;
    return false;
}

/* As it is where it is everybody's; else with the names of those that have it. */
static void add_notice(struct contest *contest, const struct error *notice)
{
    struct error named = *notice;
    struct text text;
    size_t count = 0;

    text_open(&text, 1 << 16);
    for (size_t i = 0; i < contest->contender_count; i++)
        if (has_notice(&contest->contenders[i], notice->what) && count++ < NAMES_SHOWN)
            text_add(&text, "%s'%.40s'", count > 1 ? ", " : "", contest->contenders[i].name);
    if (count > NAMES_SHOWN)
        text_add(&text, " and %zu more", count - NAMES_SHOWN);
    text_add(&text, ": %s", notice->what);
    if (count < contest->contender_count && text_ok(&text))
        text_copy(named.what, sizeof named.what, text.data);
    notice_copy(&contest->doubts, &named);
    text_close(&text);
}

static void note_contenders(struct contest *contest)
{
    size_t left_out = 0;

    for (size_t i = 0; i < contest->contender_count; i++) {
        const struct notices *notices = contest->contenders[i].notices;

        left_out = notices->left_out > left_out ? notices->left_out : left_out;
        for (size_t j = 0; j < notices->count; j++) {
            bool told = false;
            for (size_t k = 0; k < i; k++)
                told |= has_notice(&contest->contenders[k], notices->item[j].what);
            if (!told)
                add_notice(contest, &notices->item[j]);
        }
    }
    contest->doubts.left_out += left_out;
}

/* What each pair can be compared by. */
static enum figure compared_by_all(const struct contest *contest)
{
    bool own = true, net = true;

    for (size_t i = 0; i < contest->contender_count; i++) {
        const enum figure one = figure_compared(&contest->contenders[0].series, &contest->contenders[i].series);
        own &= one == FIGURE_OWN_J;
        net &= contest->contenders[i].net_j.count > 0;
    }
    return own ? FIGURE_OWN_J : net ? FIGURE_NET_J : FIGURE_GROSS_J;
}

static const struct spread *energy_of(const struct contender *contender, enum figure figure)
{
    return figure == FIGURE_OWN_J   ? &contender->own_j
           : figure == FIGURE_NET_J ? &contender->net_j
                                    : &contender->gross_j;
}

bool contest_finish(struct contest *contest, struct error *err)
{
    bool done = true;

    for (size_t i = 0; done && i < contest->contender_count; i++)
        done = take(&contest->contenders[i]);
    contest->compared = compared_by_all(contest);
    for (size_t i = 0; done && i < contest->contender_count; i++) {
        struct contender *contender = &contest->contenders[i];
        contender->kgco2eq = kg_spread(contender, energy_of(contender, contest->compared));
    }
    for (size_t i = 0; done && i < contest->pair_count; i++) {
        contest->pairs[i].a = &contest->contenders[0];
        contest->pairs[i].b = &contest->contenders[i + 1];
        finish_pair(&contest->pairs[i]);
    }
    if (!done || !correct_pairs(contest))
        return error_errno(err, "no memory to compare %zu results", contest->contender_count);
    contest->doubts = contest->notices;
    note_emissions(contest);
    note_many(contest);
    note_contenders(contest);
    return true;
}
