/* SPDX-License-Identifier: MIT
 * The rules of docs/METHOD.md, "Own", for one domain. */
#include "own/own.h"

#include <math.h>

/* Others did the same in the run as in the baselines where their CPU time differs by no more than this part of the
 * job's. */
#define STEADY 0.05

struct own own_unknown(double low_j, double high_j)
{
    return (struct own){ NAN, low_j, high_j, NAN, OWN_UNKNOWN };
}

struct own own_known(double own_j, enum own_method method)
{
    return isnan(own_j) ? own_unknown(NAN, NAN) : (struct own){ own_j, own_j, own_j, NAN, method };
}

/* A part by CPU time, if each of the job's CPU seconds uses this multiple of one of the others'. */
static double part_where(double part, double times)
{
    return times * part / (times * part + 1 - part);
}

static double at_most_j(const struct own_cpus *cpus, double gross_j, const struct own_seen *seen)
{
    const double part = cpus->job / (cpus->job + cpus->others);

    return isnan(part) ? gross_j : fmin(gross_j * part_where(part, seen->apart), seen->possible_high_j);
}

/* If others were there throughout: net, less their possible part beyond the baselines, as exact as ticks are; and with
 * the energy that they may have given up, at most their part of the baselines' energy. */
static struct own between(const struct own_cpus *cpus, double gross_j, double net_j, const struct own_seen *seen)
{
    const double max_j = at_most_j(cpus, gross_j, seen), coarse = cpus->baseline_coarse;
    const double more = fmax(0, cpus->others - cpus->baseline + coarse);
    const double less = fmax(0, cpus->baseline - cpus->others + coarse);
    const double part = cpus->job / (cpus->job + more);

    if (isnan(cpus->others) || isnan(cpus->baseline) || isnan(part))
        return own_unknown(NAN, max_j);
    if (isnan(seen->net_off_j))
        return own_unknown(seen->possible_low_j, max_j);
    return own_unknown(fmax(0, (net_j - seen->net_off_j) * part_where(part, 1 / seen->apart)),
                       fmin(max_j, net_j + seen->net_off_j + (gross_j - net_j) * fmin(1, less / cpus->baseline)));
}

/* Of the job's allowed CPUs, as far as known: no other process used them, or some were idle. */
static bool had_spare(const struct own_cpus *cpus)
{
    if (!cpus->mask || isnan(cpus->mask_busy) || isnan(cpus->mask_baseline))
        return cpus->job + cpus->others <= OWN_FULL * cpus->all;
    return fmax(cpus->mask_baseline, cpus->mask_busy - cpus->job) <= BASELINE_IDLE * cpus->mask ||
           cpus->mask_busy <= OWN_FULL * cpus->mask;
}

/* They had what they wanted in the run, too, and wanted the same. */
static bool was_steady(const struct own_cpus *cpus)
{
    return fabs(cpus->others - cpus->baseline) <= fmax(cpus->baseline_coarse, STEADY * cpus->job) &&
           cpus->idleness != IDLENESS_FULL && had_spare(cpus);
}

static struct own shared(const struct own_cpus *cpus, double net_j, double apart)
{
    const double beyond = cpus->others - (isnan(cpus->baseline) ? 0 : cpus->baseline);
    const double part = cpus->job / (cpus->job + beyond);
    const double less_j = net_j * part_where(part, 1 / apart);
    const double more_j = net_j * part_where(part, apart);

    return (struct own){ part * net_j, fmin(less_j, more_j), fmax(less_j, more_j), NAN, OWN_SHARE };
}

struct own own_better(const struct own *learnt, struct own bounds)
{
    const double low_j = isnan(bounds.low_j) ? -INFINITY : bounds.low_j;
    struct own own = *learnt;

    if (!(learnt->high_j >= low_j && learnt->low_j <= bounds.high_j))
        return bounds;
    own.low_j = fmin(learnt->own_j, fmax(learnt->low_j, low_j));
    own.high_j = fmax(learnt->own_j, fmin(learnt->high_j, bounds.high_j));
    return own;
}

bool own_is_net(const struct own_cpus *cpus, double net_j)
{
    return cpus->alone && cpus->idleness <= IDLENESS_IDLE && !isnan(net_j);
}

bool own_is_undisturbed(const struct own_cpus *cpus, double net_j)
{
    const double beyond = cpus->others - (isnan(cpus->baseline) ? 0 : cpus->baseline);

    return !isnan(net_j) && cpus->idleness <= IDLENESS_IDLE && !(beyond > SHARE_OTHERS_CORES);
}

struct own own_of_meter(const struct own_cpus *cpus, double gross_j, double net_j, const struct own_seen *seen)
{
    struct own own;

    if (isnan(net_j))
        return own_better(&seen->learnt, own_unknown(NAN, at_most_j(cpus, gross_j, seen)));
    if (cpus->idleness <= IDLENESS_IDLE)
        return own_better(&seen->learnt, shared(cpus, net_j, seen->apart));
    own = own_better(&seen->learnt, between(cpus, gross_j, net_j, seen));
    return own.method == OWN_UNKNOWN && !seen->changed && was_steady(cpus) ? own_known(net_j, OWN_NET) : own;
}

struct own own_of_model(double slope_w, double cpu_s, double low_ratio, double high_ratio)
{
    const double own_j = slope_w * cpu_s;

    return isnan(own_j) ? own_unknown(NAN, NAN)
                        : (struct own){ own_j, own_j * low_ratio, own_j * high_ratio, NAN, OWN_CPU_TIME };
}

struct own own_add(const struct own *a, const struct own *b)
{
    return (struct own){
        .own_j = a->own_j + b->own_j,
        .low_j = a->low_j + b->low_j,
        .high_j = a->high_j + b->high_j,
        .idle_j = a->idle_j + b->idle_j,
        .method = own_method_worst(a->method, b->method),
    };
}
