/* SPDX-License-Identifier: MIT
 * Who used the CPUs in the runs and baselines of a command, and own by that. */
#include "measurement/own_runs.h"

#include "base/units.h"
#include "measurement/cpu_share.h"
#include "measurement/cpu_sums.h"
#include "measurement/gpu_watch.h"
#include "own/own_bounds.h"

#include <math.h>

/* A bound holds the truth; of a mean that is a question of how often it may not. */
#define BOUND_CONFIDENCE 0.999

/* How much of all CPUs was busy in the runs. The job's part is exact; the others' is that of all commands of a series,
 * so that these go by one slope where they use as much. On a full machine one makes way for the other. */
static double load_of(const struct measurement *measurement, const struct own_cpus *cpus)
{
    const struct cpu_sums busy =
        measurement->series_cpu.lasted_ns ? measurement->series_cpu : cpu_sums_concurrent(measurement);
    const double load = (double)busy.all_ns / (double)busy.lasted_ns / cpus->all;

    return load > OWN_FULL ? load : (cpus->job + cpu_sums_others(&busy)) / cpus->all;
}

static struct learnt_from learnt_from_of(const struct measurement *measurement)
{
    return (struct learnt_from){ measurement->strides, measurement->baselines, measurement->baseline_count,
                                 measurement->meter, measurement->counting };
}

void own_basis_fill(const struct measurement *measurement, struct own_basis *basis)
{
    const struct machine *machine = measurement->meter->machine;
    const struct cpu_sums runs = cpu_sums_in_runs(measurement), baselines = cpu_sums_in_baselines(measurement);
    const struct learnt_from from = learnt_from_of(measurement);
    double load;

    learnt_fill(&from, &basis->learnt);
    basis->cpus = (struct own_cpus){
        .all = machine ? machine_stat_cpus(machine) : 0,
        .job = runs.lasted_ns ? (double)runs.job_ns / (double)runs.lasted_ns : NAN,
        .others = s_from_ns(runs.lasted_ns) < SHARE_SHORTEST_S ? NAN : cpu_sums_others_known(&runs),
        .baseline = cpu_sums_others(&baselines),
        .mask = runs.mask_cpus,
        .mask_busy = cpu_sums_of_mask(&runs),
        .mask_baseline = cpu_sums_of_mask(&baselines),
        .idleness = baseline_idleness(measurement),
        .baseline_coarse = coarse_cpus(baselines.lasted_ns),
    };
    load = load_of(measurement, &basis->cpus);
    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        basis->slope_w[i] = domain_slope_w(measurement->meter->domains[i].domain, load, basis->cpus.all);
}

static uint64_t lasted_ns(const struct window *window)
{
    return window && window->machine_busy_known ? window->duration_ns : 0;
}

/* A run that is too short for ticks goes by all of them together. */
static struct own_cpus cpus_of_run(const struct own_basis *basis, const struct neighbours *neighbours,
                                   const struct run *run)
{
    const struct cpu_share share = cpu_share_of(neighbours, run);
    struct own_cpus cpus = basis->cpus;

    if (isnan(share.fraction))
        return cpus;
    cpus.job = (double)run->usage.cpu_ns.value / (double)run->window.duration_ns;
    cpus.others = others_known(run->window.machine_busy_ns, run->usage.cpu_ns.value, run->window.machine_lost_ns,
                               run->window.duration_ns);
    cpus.baseline = idle_cores_under(neighbours, &run->window);
    cpus.mask = run->window.mask_cpus;
    cpus.mask_busy = window_busy_mask_cpus(&run->window);
    cpus.mask_baseline = idle_mask_cores_under(neighbours, &run->window);
    cpus.baseline_coarse = coarse_cpus(lasted_ns(neighbours->before) + lasted_ns(neighbours->after));
    return cpus;
}

/* What processes of others had of a card is not the job's. */
static struct own own_of_card(const struct gpu_use *use, double gross_j, double net_j)
{
    const bool is_known = use && use->reported == GPU_ATTRIBUTED;

    if (isnan(net_j) || (use && use->reported == GPU_UNDIVIDED))
        return own_unknown(NAN, gross_j);
    if (!is_known || (use->used_uj && use->own_uj == use->used_uj))
        return own_known(net_j, OWN_NET);
    return own_known(use->used_uj ? net_j * ((double)use->own_uj / (double)use->used_uj) : 0, OWN_SHARE);
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
    return own_better(&profile, own);
}

/* By the 95 % interval of what was learnt. */
static struct own own_learnt(struct learnt_table *table, const struct run *run, size_t domain)
{
    struct learnt_figure figure;
    double off_j;

    if (!table)
        return own_unknown(NAN, NAN);
    figure = learnt_own(table, &run->window, &run->usage, domain);
    off_j = student_quantile((1 + STATISTICS_CONFIDENCE) / 2, figure.freedom) * figure.deviation_j;
    if (!isfinite(off_j) || !isfinite(figure.own_j))
        return own_unknown(NAN, NAN);
    return (struct own){ figure.own_j, figure.own_j - off_j, figure.own_j + off_j, figure.idle_j, OWN_PROFILE };
}

/* Its ticks are too few: nothing of it says what others did. */
static bool has_lost(const struct window *window)
{
    return window && window->machine_lost_ns > 0;
}

/* What windows and strides say of a metered domain; of a part of a run it is less. */
static struct own_seen seen_of(const struct measurement *measurement, const struct run *run,
                               const struct own_part *part, struct learnt_table *table, bool whole)
{
    const struct learnt_from from = learnt_from_of(measurement);
    const struct neighbours neighbours = neighbours_of(measurement, &run->window);
    struct own_seen seen = {
        .apart = powers_apart(measurement->meter->domains[part->domain].domain->component),
        .learnt = own_unknown(NAN, NAN),
        .possible_low_j = NAN,
        .possible_high_j = NAN,
        .changed = true,
        .net_off_j = NAN,
    };
    struct constancy constancy;

    if (has_lost(&run->window) || has_lost(neighbours.before) || has_lost(neighbours.after))
        return seen;
    constancy = constancy_of(&from, &run->window, part->domain);
    seen.changed = constancy.changed;
    if (whole) {
        const struct window *const windows[BOUND_WINDOWS] = { &run->window, neighbours.before, neighbours.after };
        const struct possible_range possible = bounds_of(&from, windows, &run->usage, part->domain);
        seen.possible_low_j = possible.low_j;
        seen.possible_high_j = possible.high_j;
        seen.learnt = own_learnt(table, run, part->domain);
        seen.net_off_j = student_quantile(BOUND_CONFIDENCE, constancy.freedom) * constancy.deviation_j;
    }
    return seen;
}

/* Of a part of a run, or of all of it. */
static struct own own_by(const struct measurement *measurement, const struct own_basis *basis, const struct run *run,
                         const struct own_cpus *cpus, const struct own_part *part, struct learnt_table *table,
                         bool whole)
{
    const struct domain *of = measurement->meter->domains[part->domain].domain;
    const double slope_w = basis->slope_w[part->domain];
    struct own_seen seen;
    struct own own;

    if (isnan(part->gross_j))
        return own_unknown(NAN, NAN);
    if (of->quality == QUALITY_MODELLED)
        return own_by_slope(of, slope_w, part);
    if (own_is_net(cpus, part->net_j))
        return own_known(part->net_j, OWN_NET);
    if (of->component == COMPONENT_GPU)
        return own_of_card(gpu_use_of(run, part->domain), part->gross_j, part->net_j);
    if (own_is_undisturbed(cpus, part->net_j))
        return own_known(part->net_j, OWN_NET);
    seen = seen_of(measurement, run, part, table, whole);
    own = own_of_meter(cpus, part->gross_j, part->net_j, &seen);
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

static struct own own_of_domain(const struct measurement *measurement, const struct own_basis *basis,
                                const struct run *run, struct learnt_table *table, size_t domain)
{
    const struct neighbours neighbours = neighbours_of(measurement, &run->window);
    const struct own_cpus cpus = cpus_of_run(basis, &neighbours, run);
    const struct energies energies = domain_energies(measurement, &neighbours, &run->window, domain);
    const struct own_part whole = {
        .domain = domain,
        .gross_j = run->window.unknown_ns[domain] ? NAN : energies.gross_j,
        .net_j = energies.net_j,
        .cpu_s = run->usage.cpu_ns.known ? s_from_ns(run->usage.cpu_ns.value) : NAN,
    };
    struct own own = own_by(measurement, basis, run, &cpus, &whole, table, true);

    own.idle_j = idle_j_of(&own, basis, run, &whole, energies.idle_j);
    return own;
}

static void take_run(const struct measurement *measurement, const struct own_basis *basis, const struct run *run,
                     struct learnt_table *table, struct own *owns)
{
    const size_t domains = measurement->meter->domain_count;
    struct own *total = &owns[domains];
    bool any = false;

    *total = own_unknown(NAN, NAN);
    for (size_t i = 0; i < domains; i++) {
        owns[i] = own_of_domain(measurement, basis, run, table, i);
        if (!measurement->counting->is_counted[i] || !window_has_figure(measurement, &run->window, i))
            continue;
        *total = any ? own_add(total, &owns[i]) : owns[i];
        any = true;
    }
}

void own_of_runs(const struct measurement *measurement, const struct own_basis *basis, const size_t *runs, size_t count,
                 struct own *owns)
{
    const struct learnt_from from = learnt_from_of(measurement);
    struct learnt_table *table = learnt_open(&from, &basis->learnt);

    for (size_t r = 0; r < count; r++)
        take_run(measurement, basis, &measurement->runs[runs[r]], table,
                 owns + r * (measurement->meter->domain_count + 1));
    learnt_close(table);
}

struct own own_of_run(const struct measurement *measurement, const struct own_basis *basis, const struct run *run)
{
    const struct learnt_from from = learnt_from_of(measurement);
    struct learnt_table *table = learnt_open(&from, &basis->learnt);
    struct own owns[ENERGY_MAX_DOMAINS + 1];

    take_run(measurement, basis, run, table, owns);
    learnt_close(table);
    return owns[measurement->meter->domain_count];
}

struct own own_of_part(const struct measurement *measurement, const struct own_basis *basis, const struct run *run,
                       const struct own_part *part)
{
    const struct neighbours neighbours = neighbours_of(measurement, &run->window);
    struct own_cpus cpus = cpus_of_run(basis, &neighbours, run);
    struct own own;

    cpus.job = part->duration_s > 0 ? part->cpu_s / part->duration_s : 0;
    own = own_by(measurement, basis, run, &cpus, part, NULL, false);
    return isnan(own.own_j) && own.method != OWN_UNKNOWN ? own_unknown(NAN, part->gross_j) : own;
}

double own_slope_w(const struct measurement *measurement, const struct own_basis *basis)
{
    double sum_w = 0;

    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        if (measurement->counting->is_counted[i])
            sum_w += measurement->meter->domains[i].domain->quality == QUALITY_MODELLED ? basis->slope_w[i] : NAN;
    return sum_w;
}
