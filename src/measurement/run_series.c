/* SPDX-License-Identifier: MIT
 * From the figures of repeated runs to a spread, an interval and a verdict. */
#include "measurement/run_series.h"

#include "base/auto.h"

#include <math.h>

static double rate(double amount, double duration_s)
{
    return duration_s > 0 ? amount / duration_s : NAN;
}

static double times_own(const struct run_series *series)
{
    return series->own_times > 0 ? series->own_times : 1;
}

double series_figure(const struct run_series *series, size_t run_index, enum figure figure)
{
    const struct run_figures *run = &series->runs[run_index];

    switch (figure) {
    case FIGURE_DURATION_S: return run->duration_s;
    case FIGURE_GROSS_J: return run->gross_j;
    case FIGURE_IDLE_J: return run->idle_j;
    case FIGURE_NET_J: return run->net_j;
    case FIGURE_OWN_J: return times_own(series) * run->own_j;
    case FIGURE_GROSS_W: return rate(run->gross_j, run->duration_s);
    case FIGURE_IDLE_W: return rate(run->idle_j, run->duration_s);
    case FIGURE_NET_W: return rate(run->net_j, run->duration_s);
    case FIGURE_OWN_W: return rate(times_own(series) * run->own_j, run->duration_s);
    case FIGURE_ITEMS_PER_S: return rate(run->items, run->duration_s);
    }
    return NAN;
}

const char *figure_name(enum figure figure)
{
    switch (figure) {
    case FIGURE_GROSS_J: return "gross";
    case FIGURE_NET_J: return "net";
    case FIGURE_OWN_J: return "own";
    default: return "";
    }
}

enum figure figure_power(enum figure energy)
{
    return energy == FIGURE_OWN_J ? FIGURE_OWN_W : energy == FIGURE_NET_J ? FIGURE_NET_W : FIGURE_GROSS_W;
}

enum figure figure_compared(const struct run_series *a, const struct run_series *b)
{
    const enum own_method worst = own_method_worst(a->own_method, b->own_method);

    if (worst > OWN_NET && (a->own_method == b->own_method || worst == OWN_PROFILE) &&
        series_spread(a, FIGURE_OWN_J).count > 0 && series_spread(b, FIGURE_OWN_J).count > 0)
        return FIGURE_OWN_J;
    return series_spread(a, FIGURE_NET_J).count > 0 && series_spread(b, FIGURE_NET_J).count > 0 ? FIGURE_NET_J
                                                                                                : FIGURE_GROSS_J;
}

struct run_series series_at_slope_of(const struct run_series *b, const struct run_series *a)
{
    struct run_series at = *b;

    if (a->own_method == OWN_CPU_TIME && b->own_method == OWN_CPU_TIME && a->slope_w > 0 && b->slope_w > 0)
        at.own_times = times_own(b) * (a->slope_w / b->slope_w);
    return at;
}

struct sample_stats series_spread(const struct run_series *series, enum figure figure)
{
    AUTO_FREE double *values = calloc(series->count ? series->count : 1, sizeof *values);

    for (size_t i = 0; values && i < series->count; i++) {
        values[i] = series_figure(series, i, figure);
        if (!isfinite(values[i]))
            return sample_stats_of(NULL, 0);
    }
    return sample_stats_of(values, values ? series->count : 0);
}

static bool is_net(enum figure figure)
{
    return figure == FIGURE_NET_J || figure == FIGURE_NET_W;
}

/* What the mean of a single run may be off by: nothing is known of it but for net. */
static double noise_of_one(const struct run_series *series, enum figure figure)
{
    if (!is_net(figure))
        return 0;
    return figure == FIGURE_NET_J ? series->net_noise_j : rate(series->net_noise_j, series->runs[0].duration_s);
}

double series_per_cent(const struct run_series *series, enum figure figure)
{
    const struct sample_stats spread = series_spread(series, figure);
    const double low = spread.count == 1 ? spread.mean - noise_of_one(series, figure) : mean_interval(&spread).low;

    if (is_net(figure) && (series->constant || series->no_idle))
        return NAN;
    return low > 0 ? 100 / spread.mean : NAN;
}

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[] = {
        [VERDICT_UNKNOWN] = "unknown",
        [VERDICT_ONE_RUN] = "one-run",
        [VERDICT_LESS] = "less",
        [VERDICT_MORE] = "more",
        [VERDICT_NOISE] = "noise",
        [VERDICT_MODELLED] = "modelled",
        [VERDICT_NOT_MEASURABLE] = "not-measurable",
        [VERDICT_NO_IDLE_BASELINE] = "no-idle-baseline",
    };

    return names[verdict];
}

bool verdict_has_net(enum verdict verdict)
{
    return verdict != VERDICT_NOT_MEASURABLE && verdict != VERDICT_NO_IDLE_BASELINE;
}

/* What an interval says; nothing where it is unknown (no quantiles). */
static enum verdict verdict_of(double low, double high)
{
    if (isnan(low) || isnan(high))
        return VERDICT_UNKNOWN;
    if (high < 0)
        return VERDICT_LESS;
    return low > 0 ? VERDICT_MORE : VERDICT_NOISE;
}

/* A figure of nothing is reported as 0, not as -0.00. */
static double unsigned_zero(double value)
{
    return value == 0 ? 0 : value;
}

struct net_verdict net_verdict_of(const struct run_series *series)
{
    struct net_verdict net = { .net_j = series_spread(series, FIGURE_NET_J) };

    net.net_j.mean = unsigned_zero(net.net_j.mean);
    net.net_j.min = unsigned_zero(net.net_j.min);
    net.net_j.max = unsigned_zero(net.net_j.max);
    net.net_j_interval = mean_interval(&net.net_j);
    net.net_j_interval.low = unsigned_zero(net.net_j_interval.low);
    net.net_j_interval.high = unsigned_zero(net.net_j_interval.high);
    net.detectable_j = detectable_mean(&net.net_j);
    if (net.net_j.count > 1)
        net.runs_needed = runs_to_tell(net.net_j.mean, net.net_j.deviation);
    if (net.net_j.count == 0)
        net.verdict = VERDICT_UNKNOWN;
    else if (series->no_idle)
        net.verdict = VERDICT_NO_IDLE_BASELINE;
    else if (series->constant)
        net.verdict = VERDICT_NOT_MEASURABLE;
    else if (series->quality == QUALITY_MODELLED)
        net.verdict = VERDICT_MODELLED;
    else if (net.net_j.count < 2)
        net.verdict = VERDICT_ONE_RUN;
    else
        net.verdict = verdict_of(net.net_j_interval.low, net.net_j_interval.high);
    return net;
}

static double doubt_of(const struct run_series *series, enum figure figure)
{
    if (figure == FIGURE_OWN_W)
        return rate(series->own_doubt_j, series_spread(series, FIGURE_DURATION_S).mean);
    return figure == FIGURE_OWN_J ? series->own_doubt_j : 0;
}

static struct welch welch_between(const struct run_series *a, const struct run_series *b, enum figure figure)
{
    const struct sample_stats of_a = series_spread(a, figure), of_b = series_spread(b, figure);
    struct welch welch = welch_of(&of_a, &of_b);

    welch_widen(&welch, hypot(doubt_of(a, figure), doubt_of(b, figure)));
    welch.difference = unsigned_zero(welch.difference);
    welch.low = unsigned_zero(welch.low);
    welch.high = unsigned_zero(welch.high);
    welch.t = unsigned_zero(welch.t);
    welch.hedges_g = unsigned_zero(welch.hedges_g);
    return welch;
}

struct series_verdict series_verdict_of(const struct run_series *a, const struct run_series *other)
{
    const struct run_series at_slope = series_at_slope_of(other, a), *b = &at_slope;
    const enum figure energy = figure_compared(a, b);
    const enum own_method method =
        energy == FIGURE_OWN_J ? own_method_worst(a->own_method, b->own_method) : OWN_UNKNOWN;
    const struct sample_stats of_a = series_spread(a, energy), of_b = series_spread(b, energy);
    const double per_cent = series_per_cent(a, energy);
    struct series_verdict verdict = { .compared = energy,
                                      .own_method = method,
                                      .energy_j = welch_between(a, b, energy),
                                      .power_w = welch_between(a, b, figure_power(energy)),
                                      .duration_s = welch_between(a, b, FIGURE_DURATION_S) };
    const struct welch *difference = &verdict.energy_j;

    verdict.percent = difference->difference * per_cent;
    verdict.percent_low = difference->low * per_cent;
    verdict.percent_high = difference->high * per_cent;
    verdict.detectable_percent = difference->detectable * per_cent;
    if (of_a.count > 1 && of_b.count > 1)
        verdict.runs_needed = runs_to_tell_apart(difference->difference, of_a.deviation, of_b.deviation);
    if (of_a.count == 0 || of_b.count == 0)
        verdict.verdict = VERDICT_UNKNOWN;
    else if (energy == FIGURE_NET_J && (a->no_idle || b->no_idle))
        verdict.verdict = VERDICT_NO_IDLE_BASELINE;
    else if ((a->constant || b->constant) && method != OWN_CPU_TIME)
        verdict.verdict = VERDICT_NOT_MEASURABLE;
    else if (method == OWN_SHARE)
        verdict.verdict = VERDICT_UNKNOWN;
    else if ((a->quality == QUALITY_MODELLED || b->quality == QUALITY_MODELLED) && method != OWN_CPU_TIME)
        verdict.verdict = VERDICT_MODELLED;
    else if (of_a.count < 2 || of_b.count < 2)
        verdict.verdict = VERDICT_ONE_RUN;
    else
        verdict.verdict = verdict_of(difference->low, difference->high);
    return verdict;
}
