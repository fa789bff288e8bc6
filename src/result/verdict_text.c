/* SPDX-License-Identifier: MIT
 * Verdicts in words, the same wherever they are told. */
#include "result/verdict_text.h"

#include "base/units.h"

#include <math.h>

static void add_interval(struct text *text, double low_j, double high_j)
{
    char low[UNITS_SIZE], high[UNITS_SIZE];

    if (isfinite(low_j) && isfinite(high_j))
        text_add(text, ", 95 %% interval %s to %s", units_energy(low_j, low), units_energy(high_j, high));
}

static void add_runs(struct text *text, size_t runs_needed)
{
    if (runs_needed)
        text_add(text, "; %zu runs would settle it", runs_needed);
}

static void add_noise(const struct net_verdict *verdict, struct text *text)
{
    char net[UNITS_SIZE], least[UNITS_SIZE];

    text_add(text, "below the meter's noise: %s", units_energy(verdict->net_j.mean, net));
    add_interval(text, verdict->net_j_interval.low, verdict->net_j_interval.high);
    if (isfinite(verdict->detectable_j))
        text_add(text, "; %s would have been told", units_energy(verdict->detectable_j, least));
    add_runs(text, verdict->runs_needed);
}

void verdict_text_of_net(const struct net_verdict *verdict, struct text *text)
{
    char net[UNITS_SIZE];

    switch (verdict->verdict) {
    case VERDICT_UNKNOWN: text_add(text, "unknown"); break;
    case VERDICT_ONE_RUN:
        text_add(text, "one run: no interval, only the resolution and the baseline's own spread");
        break;
    case VERDICT_LESS:
    case VERDICT_MORE:
        text_add(text, "measured: %s %s than idle", units_energy(fabs(verdict->net_j.mean), net),
                 verdict->verdict == VERDICT_MORE ? "more" : "less");
        add_interval(text, verdict->net_j_interval.low, verdict->net_j_interval.high);
        break;
    case VERDICT_NOISE: add_noise(verdict, text); break;
    case VERDICT_MODELLED:
        text_add(text, "modelled: a model of CPU time says so much, no meter does");
        add_interval(text, verdict->net_j_interval.low, verdict->net_j_interval.high);
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
    verdict_text_of_net(&summary->verdict, text);
}

static void add_difference(const struct comparison *comparison, struct text *text)
{
    const struct welch *energy_j = &comparison->energy_j;
    char difference[UNITS_SIZE];

    text_add(text, "%s", units_energy(energy_j->difference, difference));
    if (isfinite(comparison->percent))
        text_add(text, " (%+.1f %%)", comparison->percent);
    add_interval(text, energy_j->low, energy_j->high);
}

static void add_no_difference(const struct comparison *comparison, const char *a, const char *b, struct text *text)
{
    char least[UNITS_SIZE];

    text_add(text, "no difference seen between '%s' and '%s'", b, a);
    if (isfinite(comparison->detectable_percent))
        text_add(text, "; one of %.1f %% would have been", comparison->detectable_percent);
    else if (isfinite(comparison->energy_j.detectable))
        text_add(text, "; one of %s would have been", units_energy(comparison->energy_j.detectable, least));
    text_add(text, ": ");
    add_difference(comparison, text);
    add_runs(text, comparison->runs_needed);
}

void verdict_text_comparison(const struct comparison *comparison, const char *a, const char *b, struct text *text)
{
    const bool told = comparison->verdict != VERDICT_UNKNOWN && comparison->verdict != VERDICT_NOT_MEASURABLE;

    if (told && comparison->own_method == OWN_CPU_TIME)
        text_add(text, "modelled, by CPU time: ");
    else if (told && comparison->own_method == OWN_PROFILE)
        text_add(text, "without what others used: ");
    switch (comparison->verdict) {
    case VERDICT_UNKNOWN:
        text_add(text, "'%s' against '%s': unknown", b, a);
        if (comparison->own_method == OWN_SHARE) {
            text_add(text, ", others were busy in the runs, and CPU time alone does not tell whose energy it was: ");
            add_difference(comparison, text);
        }
        break;
    case VERDICT_ONE_RUN:
        text_add(text, "'%s' against '%s': no verdict from one run of either: ", b, a);
        add_difference(comparison, text);
        break;
    case VERDICT_LESS:
    case VERDICT_MORE:
        text_add(text, "'%s' uses %s than '%s': ", b, comparison->verdict == VERDICT_LESS ? "less" : "more", a);
        add_difference(comparison, text);
        break;
    case VERDICT_NOISE: add_no_difference(comparison, a, b, text); break;
    case VERDICT_MODELLED:
        text_add(text, "'%s' against '%s', modelled (a model of CPU time says so much, no meter does): ", b, a);
        add_difference(comparison, text);
        break;
    case VERDICT_NOT_MEASURABLE:
        text_add(text, "'%s' against '%s': not measurable: the source reports constant power", b, a);
        break;
    case VERDICT_NO_IDLE_BASELINE:
        text_add(text, "'%s' against '%s': no idle baseline, other processes kept the CPUs busy", b, a);
        break;
    }
}
