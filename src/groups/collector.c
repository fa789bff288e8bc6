/* SPDX-License-Identifier: MIT
 * One collection: the meter, then the control groups, then the energy of the interval laid on them. */
#include "groups/collector.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/units.h"
#include "groups/group_titles.h"
#include "power/power_curve.h"
#include "usage/usage.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

bool collector_knows(const struct collector *collector, size_t domain)
{
    return collector->meter->domains[domain].started &&
           collector->meter->domains[domain].domain->problem.kind == ERROR_NONE;
}

uint64_t collector_total_uj(const struct collector *collector, size_t domain)
{
    return collector->base_uj[domain] + collector->sample.energy_uj[domain] - collector->above_uj[domain];
}

/* Since the collection before. */
static double gained_j(const struct collector *collector, size_t domain)
{
    return j_from_uj(collector_total_uj(collector, domain) - collector->before_uj[domain]);
}

uint64_t collector_gaps(const struct collector *collector, size_t domain)
{
    return collector->gaps[domain] + meter_domain_holes(&collector->meter->domains[domain]);
}

uint64_t collector_hole_ns(const struct collector *collector, size_t domain, enum hole hole)
{
    return collector->hole_ns[domain][hole] + collector->meter->domains[domain].hole_ns[hole];
}

bool collector_counts(const struct collector *collector, size_t domain)
{
    return collector->counting->is_counted[domain] && !collector->meter->domains[domain].doubted;
}

static bool is_counted(const struct collector *collector, size_t domain)
{
    return collector_counts(collector, domain) && collector_knows(collector, domain);
}

uint64_t collector_counted_uj(const struct collector *collector)
{
    uint64_t sum_uj = 0;

    /* one that cannot be read (yet) has what was kept of it: it comes and goes without a step */
    for (size_t i = 0; i < collector->meter->domain_count; i++)
        if (collector_counts(collector, i))
            sum_uj += collector_total_uj(collector, i);
    return sum_uj;
}

double collector_kgco2eq(const struct collector *collector)
{
    const uint64_t now_uj = collector_counted_uj(collector), since_uj = collector->emitted.at_uj;
    const double new_j = now_uj > since_uj ? j_from_uj(now_uj - since_uj) : 0;

    return collector->emitted.kgco2eq + footprint_of(new_j, collector->pue, collector->factor.kgco2eq_per_kwh).kgco2eq;
}

enum quality collector_quality(const struct collector *collector)
{
    enum quality worst = QUALITY_UNKNOWN;

    for (size_t i = 0; i < collector->meter->domain_count; i++)
        if (is_counted(collector, i) && collector->meter->domains[i].domain->quality > worst)
            worst = collector->meter->domains[i].domain->quality;
    return worst;
}

static int cpus_online(const struct collector *collector)
{
    const int known = collector->meter->machine->cpus_online;
    const long now = collector->root->live ? sysconf(_SC_NPROCESSORS_ONLN) : known;

    return now > 0 ? (int)now : known;
}

/* A card's energy follows from its own work, which CPU time says nothing of: gpu_shares.h. */
static bool is_for_groups(const struct collector *collector, size_t domain)
{
    return is_counted(collector, domain) && collector->meter->domains[domain].domain->component != COMPONENT_GPU;
}

/* What a component draws idle where a model tells all of it; else NAN. */
static double modelled_idle_w(const struct collector *collector, enum component component)
{
    double sum_w = 0;
    bool any = false;

    for (size_t i = 0; i < collector->meter->domain_count; i++) {
        const struct domain *domain = collector->meter->domains[i].domain;
        if (domain->component != component || !is_for_groups(collector, i))
            continue;
        if (domain->quality != QUALITY_MODELLED || !domain->curve)
            return NAN;
        sum_w += domain_figure_ratio(domain) * domain->curve_factor * curve_w(domain->curve, 0);
        any = true;
    }
    return any ? sum_w : NAN;
}

/* In a container with a /proc/stat of its own nothing tells of a meter who else was busy. */
static void take_busy(struct collector *collector, struct group_interval *interval)
{
    const bool reported = !collector->meter->machine->cpus_ours || collector_quality(collector) == QUALITY_MODELLED;
    const bool known_before = collector->busy_known;
    const uint64_t before_ns = collector->busy_ns;
    struct machine_time now = { .busy_ns = 0 };
    AUTO_CLOSE int fd = -1;

    collector->busy_known = reported && machine_time_read(&fd, collector->root, NULL, &now);
    collector->busy_ns = now.busy_ns;
    interval->busy_known = known_before && collector->busy_known;
    interval->busy_ns = interval->busy_known && now.busy_ns > before_ns ? now.busy_ns - before_ns : 0;
}

static void take_own(struct collector *collector, struct group_interval *interval)
{
    take_busy(collector, interval);
    for (enum component component = 0; component < COMPONENT_COUNT; component++)
        own_idle_take(&collector->idle, component, modelled_idle_w(collector, component), interval);
}

static struct group_interval interval_of(const struct collector *collector, uint64_t interval_ns)
{
    struct group_interval interval = { .interval_ns = interval_ns,
                                       .cpus = cpus_online(collector),
                                       .pue = collector->pue,
                                       .kgco2eq_per_kwh = collector->factor.kgco2eq_per_kwh };

    for (size_t i = 0; i < COMPONENT_COUNT; i++)
        interval.energy_j[i] = interval.power_w[i] = NAN;
    for (size_t i = 0; i < collector->meter->domain_count; i++) {
        const enum component component = collector->meter->domains[i].domain->component;
        const bool first = isnan(interval.energy_j[component]);
        if (!is_for_groups(collector, i))
            continue;
        interval.energy_j[component] = (first ? 0 : interval.energy_j[component]) + gained_j(collector, i);
        interval.power_w[component] = (first ? 0 : interval.power_w[component]) + collector->update.domains[i].w;
    }
    return interval;
}

static size_t cards_of(const struct collector *collector, struct gpu_used used[ENERGY_MAX_DOMAINS])
{
    size_t count = 0;

    for (size_t i = 0; i < collector->meter->domain_count; i++)
        if (is_counted(collector, i) && collector->meter->domains[i].domain->component == COMPONENT_GPU)
            used[count++] = (struct gpu_used){ i, gained_j(collector, i), collector->update.domains[i].w };
    return count;
}

static void add_whole(struct collector *collector)
{
    struct collector_whole *whole = &collector->whole;

    whole->power_w = NAN;
    whole->unknown = 0;
    for (size_t i = 0; i < collector->meter->domain_count; i++) {
        const double w = collector->update.domains[i].w;
        if (!is_counted(collector, i))
            continue;
        whole->energy_j += gained_j(collector, i);
        whole->unknown += isnan(w);
        if (!isnan(w))
            whole->power_w = isnan(whole->power_w) ? w : whole->power_w + w;
    }
}

static bool any_wanted(const struct groups *groups, enum group_kind first, enum group_kind last)
{
    for (enum group_kind kind = first; kind <= last; kind++)
        if (groups->wanted[kind])
            return true;
    return false;
}

bool collector_open_groups(struct collector *collector, struct error *err)
{
    collector->scan = (struct group_scan){ .roots = { -1, -1 } };
    collector->has_groups = true;
    return (!any_wanted(&collector->groups, GROUP_CGROUP, GROUP_SLURM) ||
            group_scan_open(&collector->scan, collector->root, err)) &&
           (!any_wanted(&collector->groups, GROUP_USER, GROUP_PROCESS) ||
            process_scan_open(&collector->processes, collector->root, err));
}

static void walk(struct collector *collector, uint64_t at_most_ns)
{
    struct groups *groups = &collector->groups;

    groups_begin(groups, collector->sample.time_ns);
    group_scan_walk(&collector->scan, groups, at_most_ns);
    if (collector->processes.folder)
        process_scan_walk(&collector->processes, groups, at_most_ns);
    groups_end(groups);
}

static void collect_groups(struct collector *collector, uint64_t interval_ns)
{
    struct group_interval interval = interval_of(collector, interval_ns);
    struct groups *groups = &collector->groups;
    const uint64_t now_ns = collector->sample.time_ns;
    const struct gpu_walks walks = { &collector->scan, &collector->processes };
    struct gpu_used used[ENERGY_MAX_DOMAINS];
    size_t count;

    take_own(collector, &interval);
    walk(collector, (uint64_t)interval.cpus * interval_ns);
    groups_attribute(groups, &interval);
    if ((count = cards_of(collector, used)))
        gpu_shares_attribute(groups, &walks, collector->meter, collector->cards, used, count, &interval);
    collector->interval = interval;
    add_whole(collector);
    groups_forget(groups, now_ns);
    if (collector->ask_fd >= 0 && !group_titles_take(groups, collector->ask_fd))
        collector->ask_fd = -1; /* whose it is closes it */
    group_titles_find(groups, collector->root, collector->ask_fd);
}

static void take_sample(struct collector *collector)
{
    meter_sample(collector->meter, &collector->sample);
}

static void keep_totals(struct collector *collector)
{
    for (size_t i = 0; i < collector->meter->domain_count; i++)
        collector->before_uj[i] = collector_total_uj(collector, i);
}

/* Of what was gained since the collection before; what was told by then stays, for a total is not taken back. */
static void limit(struct collector *collector)
{
    for (size_t i = 0; i < collector->meter->domain_count; i++) {
        const uint64_t gained_uj = collector_total_uj(collector, i) - collector->before_uj[i];
        const double ratio = domain_figure_ratio(collector->meter->domains[i].domain);
        if (ratio < 1)
            collector->above_uj[i] += (uint64_t)((1 - ratio) * (double)gained_uj);
    }
}

/* What was emitted until the collection before stays, likewise. */
static void judge(struct collector *collector, double until_then_kg)
{
    AUTO_NOTICES struct notices reported = { .count = 0 };
    const bool changed = cross_steps_take(&collector->steps, collector->meter, collector->counting, &collector->sample);

    limit(collector);
    if (!changed)
        return;
    IGNORED(scope_count(collector->meter, collector->scope, collector->counting, &reported, NULL),
            "a machine without a figure has none");
    collector->emitted = (struct emitted){ .kgco2eq = until_then_kg };
    for (size_t i = 0; i < collector->meter->domain_count; i++)
        if (collector_counts(collector, i))
            collector->emitted.at_uj += collector->before_uj[i];
}

void collector_begin(struct collector *collector)
{
    take_sample(collector);
    power_begin(&collector->power, collector->meter, &collector->sample);
    cross_steps_begin(&collector->steps, &collector->sample, CROSS_STEP_NS);
    power_update(&collector->power, &collector->update);
    keep_totals(collector);
    if (collector->has_groups)
        collect_groups(collector, 0);
}

void collector_keep_alive(struct collector *collector)
{
    struct sample sample;

    meter_sample(collector->meter, &sample);
    power_take(&collector->power, &sample);
}

void collector_collect(struct collector *collector)
{
    const uint64_t begun_ns = clock_monotonic_ns(), last_ns = collector->sample.time_ns;
    const double until_then_kg = collector_kgco2eq(collector);

    take_sample(collector);
    power_take(&collector->power, &collector->sample);
    judge(collector, until_then_kg);
    power_update(&collector->power, &collector->update);
    if (collector->has_groups)
        collect_groups(collector, collector->sample.time_ns - last_ns);
    keep_totals(collector);
    collector->collections++;
    collector->collect_s = s_from_ns(clock_monotonic_ns() - begun_ns);
}

void collector_close(struct collector *collector)
{
    groups_close(&collector->groups);
    if (collector->has_groups)
        group_scan_close(&collector->scan);
    process_scan_close(&collector->processes);
}
