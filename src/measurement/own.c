/* SPDX-License-Identifier: MIT
 * The rules of docs/METHOD.md, "Own". */
#include "measurement/own.h"

#include "base/units.h"
#include "measurement/cpu_sums.h"
#include "measurement/gpu_watch.h"
#include "measurement/share.h"

#include <math.h>

/* Others did the same in the run as in the baselines where their CPU time differs by no more than this part. */
#define STEADY 0.05

/* No CPU is to spare where more of all are busy. */
#define FULL 0.98

static struct own unknown(double low_j, double high_j)
{
    return (struct own){ NAN, low_j, high_j, OWN_UNKNOWN };
}

static struct own told(double own_j, enum own_method method)
{
    return isnan(own_j) ? unknown(NAN, NAN) : (struct own){ own_j, own_j, own_j, method };
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

    return isnan(part) ? NAN : fmax(0, net_j * part_where(part, 1 / OWN_POWERS_APART));
}

/* They had what they wanted in the run, too, and wanted the same. */
static bool was_steady(const struct own_cpus *cpus)
{
    const double least = fmax(SHARE_OTHERS_CORES, cpus->baseline_coarse);

    return fabs(cpus->others - cpus->baseline) <= fmax(least, STEADY * cpus->baseline) &&
           cpus->idleness != IDLENESS_FULL && cpus->job + cpus->others <= FULL * cpus->all;
}

static struct own shared(const struct own_cpus *cpus, double net_j)
{
    const double beyond = cpus->others - (isnan(cpus->baseline) ? 0 : cpus->baseline);
    const double part = cpus->job / (cpus->job + beyond);
    const double less_j = net_j * part_where(part, 1 / OWN_POWERS_APART);
    const double more_j = net_j * part_where(part, OWN_POWERS_APART);

    return (struct own){ part * net_j, fmin(less_j, more_j), fmax(less_j, more_j), OWN_SHARE };
}

struct own own_of_meter(const struct own_cpus *cpus, double gross_j, double net_j)
{
    const double baseline = isnan(cpus->baseline) ? 0 : cpus->baseline;

    if (isnan(net_j))
        return unknown(NAN, at_most_j(cpus, gross_j));
    if (cpus->idleness <= IDLENESS_IDLE)
        return cpus->others - baseline > SHARE_OTHERS_CORES ? shared(cpus, net_j) : told(net_j, OWN_NET);
    if (was_steady(cpus))
        return told(net_j, OWN_NET);
    return unknown(at_least_j(cpus, net_j), at_most_j(cpus, gross_j));
}

struct own own_of_model(double slope_w, double cpu_s, double low_ratio, double high_ratio)
{
    const double own_j = slope_w * cpu_s;

    return isnan(own_j) ? unknown(NAN, NAN)
                        : (struct own){ own_j, own_j * low_ratio, own_j * high_ratio, OWN_CPU_TIME };
}

struct own own_add(const struct own *a, const struct own *b)
{
    return (struct own){
        .own_j = a->own_j + b->own_j,
        .low_j = a->low_j + b->low_j,
        .high_j = a->high_j + b->high_j,
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

void own_basis_fill(const struct measurement *measurement, struct own_basis *basis)
{
    const struct machine *machine = measurement->meter->machine;
    const struct cpu_sums runs = cpu_sums_in_runs(measurement), baselines = cpu_sums_in_baselines(measurement);
    double load;

    basis->cpus = (struct own_cpus){
        .all = machine ? machine_stat_cpus(machine) : 0,
        .job = runs.lasted_ns ? (double)runs.job_ns / (double)runs.lasted_ns : NAN,
        .others = cpu_sums_others(&runs),
        .baseline = cpu_sums_others(&baselines),
        .idleness = baseline_idleness(measurement),
        .baseline_coarse = coarse_cpus(baselines.lasted_ns),
    };
    if (s_from_ns(runs.lasted_ns) < SHARE_SHORTEST_S)
        basis->cpus.others = NAN;
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
    cpus.others = fmax(0, (double)run->window.machine_busy_ns / (double)run->window.duration_ns - cpus.job);
    cpus.baseline = idle_cores_under(beside, &run->window);
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

static struct own own_by(const struct measurement *measurement, const struct own_basis *basis, const struct run *run,
                         const struct own_cpus *cpus, const struct own_part *part)
{
    const struct domain *of = measurement->meter->domains[part->domain].domain;
    const struct interval ratios = domain_slope_ratios(of);

    if (isnan(part->gross_j))
        return unknown(NAN, NAN);
    if (of->quality == QUALITY_MODELLED)
        return own_of_model(basis->slope_w[part->domain], part->cpu_s, ratios.low, ratios.high);
    if (of->component == COMPONENT_GPU)
        return own_of_card(gpu_use_of(run, part->domain), part->gross_j, part->net_j);
    return own_of_meter(cpus, part->gross_j, part->net_j);
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

    return own_by(measurement, basis, run, &cpus, &whole);
}

struct own own_of_part(const struct measurement *measurement, const struct own_basis *basis, const struct run *run,
                       const struct own_part *part)
{
    const struct neighbours beside = neighbours_of(measurement, &run->window);
    struct own_cpus cpus = cpus_of_run(basis, &beside, run);
    struct own own;

    cpus.job = part->duration_s > 0 ? part->cpu_s / part->duration_s : 0;
    own = own_by(measurement, basis, run, &cpus, part);
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
