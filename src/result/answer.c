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

/* Of several runs by their scatter; of a single one by what the baseline and the meter leave open; of a model by what
 * the model may be off, for the scatter of CPU time says nothing of that. */
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
