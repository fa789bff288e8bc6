/* SPDX-License-Identifier: MIT
 * A sentence for each method. */
#include "result/own_text.h"

#include "base/units.h"
#include "own/learnt.h"

#include <math.h>

bool own_is_apart(const struct report *report)
{
    const struct domain_energy *total = &report->summary.total;

    return isfinite(total->own_j.mean) && total->own_method != OWN_NET;
}

const char *own_manner(enum own_method method)
{
    return method == OWN_PROFILE ? "without what others used" : "by CPU time";
}

static void add_range(const struct domain_energy *total, const char *what, struct text *text)
{
    char low[UNITS_SIZE], high[UNITS_SIZE];

    if (isfinite(total->own_low_j))
        text_add(text, " (%s%s to %s)", what, units_energy(total->own_low_j, low),
                 units_energy(total->own_high_j, high));
}

/* Of all domains that count and go by it. */
static double slope_w(const struct report *report, enum own_method method)
{
    double sum_w = 0;

    for (size_t i = 0; i < report->measurement->meter->domain_count; i++)
        if (report->measurement->counting->is_counted[i] && report->summary.domains[i].own_method == method &&
            isfinite(report->summary.own_basis.slope_w[i]))
            sum_w += report->summary.own_basis.slope_w[i];
    return sum_w;
}

/* Of all metered domains that count. */
static double others_w(const struct report *report)
{
    double sum_w = 0;

    for (size_t i = 0; i < report->measurement->meter->domain_count; i++)
        if (report->measurement->counting->is_counted[i] && report->summary.domains[i].own_method == OWN_PROFILE)
            sum_w += learnt_slope(&report->summary.own_basis.learnt, i, LEARNT_OTHERS);
    return sum_w;
}

static bool any_metered(const struct report *report)
{
    for (size_t i = 0; i < report->measurement->meter->domain_count; i++)
        if (report->measurement->counting->is_counted[i] && isfinite(report->summary.domains[i].own_j.mean) &&
            report->summary.domains[i].own_method != OWN_CPU_TIME)
            return true;
    return false;
}

static bool bounds_text(const struct report *report, struct text *text)
{
    const struct domain_energy *total = &report->summary.total;
    char low[UNITS_SIZE], high[UNITS_SIZE];

    if (isnan(total->own_high_j))
        return false;
    units_energy(total->own_high_j, high);
    if (isnan(total->own_low_j))
        text_add(text, "unknown, at most %s: %s", high,
                 report->measurement->baseline_count ? "the load of other processes is unknown" : "no baseline");
    else
        text_add(text,
                 "unknown, %s to %s: other processes were busy in the baselines and changed in the runs; measure on an "
                 "idle machine",
                 units_energy(total->own_low_j, low), high);
    return true;
}

static void profile_text(const struct report *report, const char *own, struct text *text)
{
    const struct domain_energy *total = &report->summary.total;
    char watts[UNITS_SIZE];

    if (report->summary.own_basis.learnt.by_counters) {
        text_add(text, "%s by its processor counters", own);
        add_range(total, "95 % interval ", text);
        text_add(text, ": others were busy, too");
    } else if (report->summary.own_basis.learnt.reported) {
        text_add(text, "%s %s", own, own_manner(OWN_PROFILE));
        add_range(total, "95 % interval ", text);
        text_add(text, ": they came and went, and each of their CPUs drew %s", units_power(others_w(report), watts));
    } else {
        text_add(text, "%s by CPU time × %s per busy CPU", own, units_power(slope_w(report, OWN_PROFILE), watts));
        add_range(total, "machine profile: ", text);
        text_add(text, ": others were busy in the baselines or the runs");
    }
}

bool own_text(const struct report *report, struct text *text)
{
    const struct domain_energy *total = &report->summary.total;
    char own[UNITS_SIZE], slope[UNITS_SIZE];

    units_energy(total->own_j.mean, own);
    if (isnan(total->own_j.mean))
        return bounds_text(report, text);
    switch (total->own_method) {
    case OWN_NET: text_add(text, "%s: net", own); break;
    case OWN_PROFILE: profile_text(report, own, text); break;
    case OWN_SHARE:
        text_add(text, "%s by CPU time", own);
        add_range(total, "equal times differ in power: ", text);
        text_add(text, ": other processes were busy in the runs; an idle machine gives more");
        break;
    case OWN_CPU_TIME:
        text_add(text, "%s by CPU time × %s per busy CPU%s", own, units_power(slope_w(report, OWN_CPU_TIME), slope),
                 any_metered(report) ? ", and the metered part" : "");
        add_range(total, report->profile.id[0] ? "machine profile: " : "modelled: ", text);
        break;
    default: break;
    }
    return true;
}
