/* SPDX-License-Identifier: MIT
 * Verdicts in words, the same wherever they are reported. */
#include "result/verdict_text.h"

#include "base/units.h"

#include <math.h>

static void add_interval(struct text *text, double low_j, double high_j)
{
    char low[UNITS_SIZE], high[UNITS_SIZE];

    if (isfinite(low_j) && isfinite(high_j))
        text_add(text, ", 95 %% CI %s to %s", units_energy(low_j, low), units_energy(high_j, high));
}

static void add_noise(const struct net_verdict *verdict, struct text *text)
{
    char net[UNITS_SIZE], min[UNITS_SIZE];

    text_add(text, "not distinguishable from idle: %s", units_energy(verdict->net_j.mean, net));
    add_interval(text, verdict->net_j_interval.low, verdict->net_j_interval.high);
    if (isfinite(verdict->detectable_j))
        text_add(text, "; minimum detectable %s", units_energy(verdict->detectable_j, min));
    if (verdict->runs_needed)
        text_add(text, "; about %zu runs needed to resolve it", verdict->runs_needed);
}

void verdict_text_of_net(const struct net_verdict *verdict, struct text *text)
{
    char net[UNITS_SIZE];

    switch (verdict->verdict) {
    case VERDICT_UNKNOWN: text_add(text, "unknown"); break;
    case VERDICT_ONE_RUN: text_add(text, "one run, so no confidence interval (use --runs 5)"); break;
    case VERDICT_LESS:
    case VERDICT_MORE:
        text_add(text, "measured: %s %s than idle", units_energy(fabs(verdict->net_j.mean), net),
                 verdict->verdict == VERDICT_MORE ? "more" : "less");
        add_interval(text, verdict->net_j_interval.low, verdict->net_j_interval.high);
        break;
    case VERDICT_NOISE: add_noise(verdict, text); break;
    case VERDICT_MODELLED:
        /* the runs' interval says how CPU time scatters, and nothing of the model */
        text_add(text, "modelled from CPU time, not measured");
        break;
    case VERDICT_NOT_MEASURABLE: text_add(text, "not measurable: the source reports constant power"); break;
    case VERDICT_NO_IDLE_BASELINE:
        text_add(text, "unknown: " NET_IS_VOID ", other processes kept the CPUs busy");
        break;
    }
}

bool net_is_void(const struct summary *summary)
{
    return summary->verdict.verdict == VERDICT_NO_IDLE_BASELINE;
}

void verdict_text_net(const struct summary *summary, struct text *text)
{
    const struct domain_energy *total = &summary->total;
    char low[UNITS_SIZE], high[UNITS_SIZE];

    verdict_text_of_net(&summary->verdict, text);
    if (summary->verdict.verdict == VERDICT_MODELLED && isfinite(total->net_low_j))
        text_add(text, ", range %s to %s", units_energy(total->net_low_j, low), units_energy(total->net_high_j, high));
}

/* " (95 % CI 62.0 to 66.0 %)": of the size of a difference, whichever way it goes. */
static void add_percent_interval(double low, double high, struct text *text)
{
    if (isfinite(low) && isfinite(high))
        text_add(text, " (95 %% CI %.1f to %.1f %%)", fmin(fabs(low), fabs(high)), fmax(fabs(low), fabs(high)));
}

static void add_energy_interval(double low_j, double high_j, struct text *text)
{
    char low[UNITS_SIZE], high[UNITS_SIZE];

    if (isfinite(low_j) && isfinite(high_j))
        text_add(text, " (95 %% CI %s to %s)", units_energy(low_j, low), units_energy(high_j, high));
}

static void add_difference(const struct series_verdict *verdict, struct text *text)
{
    const struct welch *energy_j = &verdict->energy_j;
    char difference[UNITS_SIZE];

    text_add(text, "%s", units_energy(energy_j->difference, difference));
    if (isfinite(verdict->percent))
        text_add(text, ", %+.1f %%", verdict->percent);
    add_energy_interval(energy_j->low, energy_j->high, text);
}

/* "'zstd' uses 64.0 % less energy than 'gzip' (95 % CI 62.0 to 66.0 %)"; in joules where no percentage can be of it. */
static void add_winner(const struct series_verdict *verdict, const char *a, const char *b, struct text *text)
{
    const char *which = verdict->verdict == VERDICT_LESS ? "less" : "more";
    const struct welch *energy_j = &verdict->energy_j;
    char size[UNITS_SIZE];

    if (isfinite(verdict->percent)) {
        text_add(text, "'%s' uses %.1f %% %s energy than '%s'", b, fabs(verdict->percent), which, a);
        add_percent_interval(verdict->percent_low, verdict->percent_high, text);
    } else {
        text_add(text, "'%s' uses %s %s energy than '%s'", b, units_energy(fabs(energy_j->difference), size), which, a);
        add_energy_interval(fmin(fabs(energy_j->low), fabs(energy_j->high)),
                            fmax(fabs(energy_j->low), fabs(energy_j->high)), text);
    }
}

static void add_no_difference(const struct series_verdict *verdict, const char *a, const char *b, struct text *text)
{
    char min[UNITS_SIZE];

    text_add(text, "undecided: no significant difference between '%s' and '%s': ", b, a);
    add_difference(verdict, text);
    if (isfinite(verdict->detectable_percent))
        text_add(text, "; minimum detectable difference %.1f %%", verdict->detectable_percent);
    else if (isfinite(verdict->energy_j.detectable))
        text_add(text, "; minimum detectable difference %s", units_energy(verdict->energy_j.detectable, min));
    if (verdict->runs_needed)
        text_add(text, "; --runs %zu would settle it", verdict->runs_needed);
}

void verdict_text_comparison(const struct series_verdict *verdict, const char *a, const char *b, struct text *text)
{
    const bool known = verdict->verdict != VERDICT_UNKNOWN && verdict->verdict != VERDICT_NOT_MEASURABLE;

    switch (verdict->verdict) {
    case VERDICT_UNKNOWN:
        text_add(text, "undecided: '%s' vs. '%s' is unknown", b, a);
        if (verdict->own_method == OWN_SHARE) {
            text_add(text, ", since others were busy during the runs and CPU time alone does not show whose energy it "
                           "was: ");
            add_difference(verdict, text);
        }
        break;
    case VERDICT_ONE_RUN:
        text_add(text, "undecided: '%s' vs. '%s', one run of either, not testable (use --runs 5): ", b, a);
        add_difference(verdict, text);
        break;
    case VERDICT_LESS:
    case VERDICT_MORE: add_winner(verdict, a, b, text); break;
    case VERDICT_NOISE: add_no_difference(verdict, a, b, text); break;
    case VERDICT_MODELLED:
        text_add(text, "'%s' vs. '%s', modelled from CPU time: ", b, a);
        add_difference(verdict, text);
        break;
    case VERDICT_NOT_MEASURABLE:
        text_add(text, "undecided: '%s' vs. '%s' is not measurable: the source reports constant power", b, a);
        break;
    case VERDICT_NO_IDLE_BASELINE:
        text_add(text, "undecided: '%s' vs. '%s' has no idle baseline, other processes kept the CPUs busy", b, a);
        break;
    }
    if (known && verdict->own_method == OWN_CPU_TIME)
        text_add(text, ", by CPU time");
    else if (known && verdict->own_method == OWN_PROFILE)
        text_add(text, ", without what others used");
}
