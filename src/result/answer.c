/* SPDX-License-Identifier: MIT
 * Which figure is the answer. */
#include "result/answer.h"

#include "base/units.h"
#include "result/verdict_text.h"

#include <math.h>

static void set_interval(struct answer *answer, double low_j, double high_j, const char *interval)
{
    answer->low_j = low_j;
    answer->high_j = high_j;
    answer->interval = isfinite(low_j) && isfinite(high_j) ? interval : "";
}

/* For several runs by their standard deviation; for one by baseline and meter; for a model by the model's range,
 * because the spread of CPU time does not cover it. */
static void set_net_interval(struct answer *answer, const struct summary *summary)
{
    const struct domain_energy *total = &summary->total;

    if (isfinite(total->net_low_j))
        set_interval(answer, total->net_low_j, total->net_high_j, "range");
    else if (isfinite(total->net_interval_j.low))
        set_interval(answer, total->net_interval_j.low, total->net_interval_j.high, "95 % CI");
    else if (isfinite(summary->net_noise_j))
        set_interval(answer, answer->energy_j - summary->net_noise_j, answer->energy_j + summary->net_noise_j,
                     "baseline noise");
    answer->distinct = summary->net_is_reported;
}

static const char *own_interval(const struct domain_energy *total)
{
    return total->own_method == OWN_PROFILE && isnan(total->gross_low_j) ? "95 % CI" : "range";
}

struct answer answer_of(const struct report *report)
{
    const struct summary *summary = &report->summary;
    const struct domain_energy *total = &summary->total;
    struct answer answer = { FIGURE_GROSS_J, total->gross_j.mean, NAN, NAN, "", true, &report->gross };

    if (isfinite(total->own_j.mean)) {
        answer.figure = FIGURE_OWN_J;
        answer.energy_j = total->own_j.mean;
        answer.emission = total->own_method == OWN_NET ? &report->net : &report->own;
        if (total->own_method == OWN_NET)
            set_net_interval(&answer, summary);
        else
            set_interval(&answer, total->own_low_j, total->own_high_j, own_interval(total));
    } else if (isfinite(total->net_j.mean) && verdict_has_net(summary->verdict.verdict)) {
        answer.figure = FIGURE_NET_J;
        answer.energy_j = total->net_j.mean;
        answer.emission = &report->net;
        set_net_interval(&answer, summary);
    } else {
        set_interval(&answer, total->gross_low_j, total->gross_high_j, "range");
    }
    return answer;
}

const char *answer_lacks(const struct report *report)
{
    const struct summary *summary = &report->summary;

    if (answer_of(report).figure != FIGURE_GROSS_J)
        return "";
    if (summary->verdict.verdict == VERDICT_NOT_MEASURABLE)
        return "the source reports constant power";
    if (net_is_void(summary))
        return NET_IS_VOID;
    if (summary->at_least)
        return "a part of the run is unknown";
    return summary->baseline_s > 0 ? "no power of the baseline" : "no baseline";
}

/* The interval of the answer; where it has none, the meter's resolution on both sides. */
static void set_spent_interval(struct budget *budget, const struct answer *answer, const struct summary *summary)
{
    const double step = isfinite(summary->resolution_j) ? summary->resolution_j : 0;

    budget->low_j = isfinite(answer->low_j) ? answer->low_j : answer->energy_j - step;
    budget->high_j = isfinite(answer->high_j) ? answer->high_j : answer->energy_j + step;
    if (summary->at_least)
        budget->high_j = NAN;
}

static enum gate_verdict verdict_of(double low, double high, double limit)
{
    return low > limit ? GATE_FAILED : high <= limit ? GATE_PASSED : GATE_UNDECIDED;
}

void answer_judge_budget(struct budget *budget, const struct report *report)
{
    double kg_per_j;
    struct answer answer;

    if (!budget->given)
        return;
    answer = answer_of(report);
    kg_per_j = footprint_of(1, report->pue, answer.emission->kgco2eq_per_kwh).kgco2eq;
    set_spent_interval(budget, &answer, &report->summary);
    budget->figure = answer.figure;
    budget->spent_j = answer.energy_j;
    budget->spent_kgco2eq = budget->spent_j * kg_per_j;
    budget->low_kgco2eq = budget->low_j * kg_per_j;
    budget->high_kgco2eq = budget->high_j * kg_per_j;
    budget->verdict = budget->stopped ? GATE_FAILED
                      : isnan(budget->limit_j)
                          ? verdict_of(budget->low_kgco2eq, budget->high_kgco2eq, budget->limit_kgco2eq)
                          : verdict_of(budget->low_j, budget->high_j, budget->limit_j);
}
