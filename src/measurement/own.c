/* SPDX-License-Identifier: MIT
 * The rules of docs/METHOD.md, "Own". */
#include "measurement/own.h"

#include "base/units.h"
#include "measurement/cpu_sums.h"
#include "measurement/gpu_watch.h"
#include "measurement/learnt.h"
#include "measurement/share.h"

#include <math.h>

/* Others did the same in the run as in the baselines where their CPU time differs by no more than this part of the
 * job's. */
#define STEADY 0.05

/* No CPU is to spare where more of all are busy. */
#define FULL 0.98

static struct own unknown(double low_j, double high_j)
{
    return (struct own){ NAN, low_j, high_j, NAN, OWN_UNKNOWN };
}

static struct own told(double own_j, enum own_method method)
{
    return isnan(own_j) ? unknown(NAN, NAN) : (struct own){ own_j, own_j, own_j, NAN, method };
}

/* A part by CPU time, where each of the job's CPU seconds draws so many times what one of the others' does. */
static double part_where(double part, double times)
{
    return times * part / (times * part + 1 - part);
}

static double at_most_j(const struct own_cpus *cpus, double gross_j)
{
    const double part = cpus->job / (cpus->job + cpus->others);

    return isnan(part) ? gross_j : gross_j * part_where(part, OWN_POWERS_APART);
}

/* Net, without what others may have of it that came beyond the baselines. */
static double at_least_j(const struct own_cpus *cpus, double net_j)
{
    const double beyond = fmax(0, cpus->others - cpus->baseline), part = cpus->job / (cpus->job + beyond);

    return isnan(part) || isnan(cpus->others) ? NAN : fmax(0, net_j * part_where(part, 1 / OWN_POWERS_APART));
}

/* Of the CPUs that the job may run on, as far as they are known: nobody else wanted them, or some were left. */
static bool had_spare(const struct own_cpus *cpus)
{
    if (!cpus->mask || isnan(cpus->mask_busy) || isnan(cpus->mask_baseline))
        return cpus->job + cpus->others <= FULL * cpus->all;
    return fmax(cpus->mask_baseline, cpus->mask_busy - cpus->job) <= BASELINE_IDLE * cpus->mask ||
           cpus->mask_busy <= FULL * cpus->mask;
}

/* They had what they wanted in the run, too, and wanted the same. */
static bool was_steady(const struct own_cpus *cpus)
{
    return fabs(cpus->others - cpus->baseline) <= fmax(cpus->baseline_coarse, STEADY * cpus->job) &&
           cpus->idleness != IDLENESS_FULL && had_spare(cpus);
}

static struct own shared(const struct own_cpus *cpus, double net_j)
{
    const double beyond = cpus->others - (isnan(cpus->baseline) ? 0 : cpus->baseline);
    const double part = cpus->job / (cpus->job + beyond);
    const double less_j = net_j * part_where(part, 1 / OWN_POWERS_APART);
    const double more_j = net_j * part_where(part, OWN_POWERS_APART);

    return (struct own){ part * net_j, fmin(less_j, more_j), fmax(less_j, more_j), NAN, OWN_SHARE };
}

/* What was learnt says more than the bounds, and does not contradict them. */
static struct own better(const struct own *learnt, struct own bounds)
{
    const double low_j = isnan(bounds.low_j) ? 0 : bounds.low_j;
    const bool narrower = learnt->high_j - learnt->low_j < bounds.high_j - low_j;

    return narrower && learnt->high_j >= low_j && learnt->low_j <= bounds.high_j ? *learnt : bounds;
}

struct own own_of_meter(const struct own_cpus *cpus, double gross_j, double net_j, const struct own *learnt)
{
    const double baseline = isnan(cpus->baseline) ? 0 : cpus->baseline;
    struct own bounds;

    if (isnan(net_j))
        return better(learnt, unknown(NAN, at_most_j(cpus, gross_j)));
    if (cpus->idleness <= IDLENESS_IDLE && !(cpus->others - baseline > SHARE_OTHERS_CORES))
        return told(net_j, OWN_NET);
    if (cpus->idleness <= IDLENESS_IDLE)
        return better(learnt, shared(cpus, net_j));
    bounds = better(learnt, unknown(at_least_j(cpus, net_j), at_most_j(cpus, gross_j)));
    return bounds.method == OWN_UNKNOWN && was_steady(cpus) ? told(net_j, OWN_NET) : bounds;
}

struct own own_of_model(double slope_w, double cpu_s, double low_ratio, double high_ratio)
{
    const double own_j = slope_w * cpu_s;

    return isnan(own_j) ? unknown(NAN, NAN)
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

/* How much of all CPUs was busy in the runs. The job's part is exact; the others' is that of all commands of a series,
 * so that these go by one slope where they use as much. On a full machine one makes way for the other. */
static double load_of(const struct measurement *measurement, const struct own_cpus *cpus)
{
    const struct cpu_sums busy =
        measurement->series_cpu.lasted_ns ? measurement->series_cpu : cpu_sums_beside(measurement);
    const double load = (double)busy.all_ns / (double)busy.lasted_ns / cpus->all;

    return load > FULL ? load : (cpus->job + cpu_sums_others(&busy)) / cpus->all;
}

/* CPUs of others, where everything kept `busy` of them busy. A machine that lost its own CPUs for a while (a guest of a
 * full host) counts too few ticks: where the job alone used more than everything, nobody knows what others did. */
static double others_of(double busy, double job, double coarse)
{
    return job - busy > fmax(coarse, STEADY * job) ? NAN : fmax(0, busy - job);
}

void own_basis_fill(const struct measurement *measurement, struct own_basis *basis)
{
    const struct machine *machine = measurement->meter->machine;
    const struct cpu_sums runs = cpu_sums_in_runs(measurement), baselines = cpu_sums_in_baselines(measurement);
    double load;

    learnt_fill(measurement, &basis->learnt);
    basis->cpus = (struct own_cpus){
        .all = machine ? machine_stat_cpus(machine) : 0,
        .job = runs.lasted_ns ? (double)runs.job_ns / (double)runs.lasted_ns : NAN,
        .others = cpu_sums_others(&runs),
        .baseline = cpu_sums_others(&baselines),
        .mask = runs.mask_cpus,
        .mask_busy = cpu_sums_of_mask(&runs),
        .mask_baseline = cpu_sums_of_mask(&baselines),
        .idleness = baseline_idleness(measurement),
        .baseline_coarse = coarse_cpus(baselines.lasted_ns),
    };
    if (s_from_ns(runs.lasted_ns) < SHARE_SHORTEST_S)
        basis->cpus.others = NAN;
    else if (!isnan(basis->cpus.others))
        basis->cpus.others =
            others_of((double)runs.all_ns / (double)runs.lasted_ns, basis->cpus.job, coarse_cpus(runs.lasted_ns));
    load = load_of(measurement, &basis->cpus);
    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        basis->slope_w[i] = domain_slope_w(measurement->meter->domains[i].domain, load, basis->cpus.all);
}

static uint64_t lasted_ns(const struct window *window)
{
    return window && window->machine_busy_known ? window->duration_ns : 0;
}

/* A run that is too short for ticks goes by all of them together. */
static struct own_cpus cpus_of_run(const struct own_basis *basis, const struct neighbours *beside,
                                   const struct run *run)
{
    const struct share share = share_of(beside, run);
    struct own_cpus cpus = basis->cpus;

    if (isnan(share.fraction))
        return cpus;
    cpus.job = (double)run->usage.cpu_ns.value / (double)run->window.duration_ns;
    cpus.others = others_of((double)run->window.machine_busy_ns / (double)run->window.duration_ns, cpus.job,
                            coarse_cpus(run->window.duration_ns));
    cpus.baseline = idle_cores_under(beside, &run->window);
    cpus.mask = run->window.mask_cpus;
    cpus.mask_busy = window_busy_mask_cpus(&run->window);
    cpus.mask_baseline = idle_mask_cores_under(beside, &run->window);
    cpus.baseline_coarse = coarse_cpus(lasted_ns(beside->before) + lasted_ns(beside->after));
    return cpus;
}

/* What processes of others had of a card is not the job's. */
static struct own own_of_card(const struct gpu_use *use, double gross_j, double net_j)
{
    const bool is_told = use && use->told == GPU_TOLD;

    if (isnan(net_j))
        return unknown(NAN, gross_j);
    if (!is_told || (use->used_uj && use->own_uj == use->used_uj))
        return told(net_j, OWN_NET);
    return told(use->used_uj ? net_j * ((double)use->own_uj / (double)use->used_uj) : 0, OWN_SHARE);
}

/* Watts per busy CPU for the job's CPU time. */
static struct own own_by_slope(const struct domain *domain, double slope_w, const struct own_part *part)
{
    const struct interval ratios = domain_slope_ratios(domain);

    return own_of_model(slope_w, part->cpu_s, ratios.low, ratios.high);
}

/* Where the meter alone does not tell it the machine's profile says what the job does. */
static struct own own_by_profile(const struct domain *domain, double slope_w, const struct own_part *part,
                                 struct own own)
{
    struct own profile;

    if ((own.method != OWN_UNKNOWN && own.method != OWN_SHARE) || !(domain->slope_high_ratio > 0))
        return own;
    profile = own_by_slope(domain, slope_w, part);
    if (isnan(profile.own_j))
        return own;
    profile.method = OWN_PROFILE;
    return better(&profile, own);
}

/* learnt: of the part, where it is told. */
static struct own own_by(const struct measurement *measurement, const struct own_basis *basis, const struct run *run,
                         const struct own_cpus *cpus, const struct own_part *part, const struct own *learnt)
{
    const struct domain *of = measurement->meter->domains[part->domain].domain;
    const double slope_w = basis->slope_w[part->domain];
    struct own own;

    if (isnan(part->gross_j))
        return unknown(NAN, NAN);
    if (of->quality == QUALITY_MODELLED)
        return own_by_slope(of, slope_w, part);
    if (of->component == COMPONENT_GPU)
        return own_of_card(gpu_use_of(run, part->domain), part->gross_j, part->net_j);
    own = own_of_meter(cpus, part->gross_j, part->net_j, learnt);
    return own_by_profile(of, slope_w, part, own);
}

/* By the slope idle is what lies below that of everything's CPU time; what was learnt has its own. */
static double idle_j_of(const struct own *own, const struct own_basis *basis, const struct run *run,
                        const struct own_part *part, double idle_j)
{
    const double others_s = s_from_ns(run->window.machine_busy_ns) - part->cpu_s;

    if (own->method == OWN_NET || own->method == OWN_SHARE)
        return idle_j;
    if (!isnan(own->idle_j) || !run->window.machine_busy_known)
        return own->idle_j;
    return part->gross_j - own->own_j - basis->slope_w[part->domain] * fmax(0, others_s);
}

struct own own_of_domain(const struct measurement *measurement, const struct own_basis *basis, const struct run *run,
                         size_t domain)
{
    const struct neighbours beside = neighbours_of(measurement, &run->window);
    const struct own_cpus cpus = cpus_of_run(basis, &beside, run);
    const struct energies energies = domain_energies(measurement, &beside, &run->window, domain);
    const struct own_part whole = {
        .domain = domain,
        .gross_j = run->window.unknown_ns[domain] ? NAN : energies.gross_j,
        .net_j = energies.net_j,
        .cpu_s = run->usage.cpu_ns.known ? s_from_ns(run->usage.cpu_ns.value) : NAN,
    };
    const struct own learnt = learnt_own(measurement, &basis->learnt, run, domain);
    struct own own = own_by(measurement, basis, run, &cpus, &whole, &learnt);

    own.idle_j = idle_j_of(&own, basis, run, &whole, energies.idle_j);
    return own;
}

struct own own_of_part(const struct measurement *measurement, const struct own_basis *basis, const struct run *run,
                       const struct own_part *part)
{
    const struct neighbours beside = neighbours_of(measurement, &run->window);
    const struct own learnt = unknown(NAN, NAN);
    struct own_cpus cpus = cpus_of_run(basis, &beside, run);
    struct own own;

    cpus.job = part->duration_s > 0 ? part->cpu_s / part->duration_s : 0;
    own = own_by(measurement, basis, run, &cpus, part, &learnt);
    return isnan(own.own_j) && own.method != OWN_UNKNOWN ? unknown(NAN, part->gross_j) : own;
}

struct own own_of_run(const struct measurement *measurement, const struct own_basis *basis, const struct run *run)
{
    struct own total = unknown(NAN, NAN);
    bool any = false;

    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        struct own one;
        if (!measurement->counting->counts[i] || !window_has_figure(measurement, &run->window, i))
            continue;
        one = own_of_domain(measurement, basis, run, i);
        total = any ? own_add(&total, &one) : one;
        any = true;
    }
    return total;
}

double own_slope_w(const struct measurement *measurement, const struct own_basis *basis)
{
    double sum_w = 0;

    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        if (measurement->counting->counts[i])
            sum_w += measurement->meter->domains[i].domain->quality == QUALITY_MODELLED ? basis->slope_w[i] : NAN;
    return sum_w;
}
