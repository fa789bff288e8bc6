/* SPDX-License-Identifier: MIT
 * From a measurement to a finished result: emissions, usage, notices. */
#include "result/report.h"

#include "base/units.h"
#include "measurement/idle.h"
#include "measurement/noise.h"
#include "measurement/own_runs.h"
#include "result/answer.h"
#include "result/by_hour.h"

#include <math.h>
#include <string.h>

static bool is_counted(const struct run *run)
{
    return run->ended && run_is_counted(run);
}

/* What a kilowatt-hour emits: by the year, and of just these hours. */
struct rate {
    double yearly, hourly;
};

static struct emission emission_of(const struct report *report, const struct rate *by, double energy_j, double power_w,
                                   double low_j, double high_j)
{
    const double pue = report->pue, factor = by->hourly;
    const double yearly_kgco2eq = footprint_of(energy_j, pue, by->yearly).kgco2eq;
    struct emission emission = {
        .kgco2eq_per_kwh = factor,
        .footprint = footprint_of(energy_j, pue, factor),
        .kgco2eq_low = footprint_of(low_j, pue, factor).kgco2eq,
        .kgco2eq_high = footprint_of(high_j, pue, factor).kgco2eq,
    };

    /* where the window is too short for a power, it is too short for these rates */
    emission.kgco2eq_per_h =
        isnan(power_w) ? NAN : emission.footprint.kgco2eq / report->summary.duration_s.mean * S_PER_H;
    emission.kgco2eq_per_year =
        isnan(power_w) ? NAN : yearly_kgco2eq / report->summary.duration_s.mean * S_PER_H * report->hours_per_year;
    emission.facility_kwh_per_h =
        isnan(power_w) ? NAN : emission.footprint.facility_kwh / report->summary.duration_s.mean * S_PER_H;
    emission.facility_kwh_per_year = emission.facility_kwh_per_h * report->hours_per_year;
    return emission;
}

static struct emission gross_of(const struct report *report, const struct rate *by)
{
    const struct domain_energy *total = &report->summary.total;

    return emission_of(report, by, total->gross_j.mean, total->gross_w, total->gross_low_j, total->gross_high_j);
}

static struct emission net_of(const struct report *report, const struct rate *by)
{
    const struct domain_energy *total = &report->summary.total;

    return emission_of(report, by, total->net_j.mean, total->net_w, total->net_low_j, total->net_high_j);
}

static struct emission share_of(const struct report *report, const struct rate *by)
{
    return emission_of(report, by, report->summary.share_j.mean, report->summary.total.net_w, NAN, NAN);
}

static struct emission own_of(const struct report *report, const struct rate *by)
{
    const struct domain_energy *total = &report->summary.total;

    return emission_of(report, by, total->own_j.mean, total->own_w, total->own_low_j, total->own_high_j);
}

/* By the hour it lies in time as net does, of which it is a part; by CPU time as gross does. */
static double own_hourly(const struct report *report)
{
    const struct by_hour *by_hour = &report->by_hour;

    return report->summary.total.own_method == OWN_CPU_TIME ? by_hour->gross_kgco2eq_per_kwh
                                                            : by_hour->net_kgco2eq_per_kwh;
}

static struct added added_of(const struct report *report, double kgco2eq_per_kwh)
{
    return (struct added){
        .kgco2eq_per_kwh = kgco2eq_per_kwh,
        .gross_kgco2eq = report->gross.footprint.facility_kwh * kgco2eq_per_kwh,
        .net_kgco2eq = report->net.footprint.facility_kwh * kgco2eq_per_kwh,
    };
}

static void finish_emissions(struct report *report)
{
    const struct by_hour *by_hour = &report->by_hour;
    const double yearly = report->factor.kgco2eq_per_kwh, bought = report->supplementary.market.kgco2eq_per_kwh;
    const double bought_supplementary = isnan(bought) ? NAN : report->supplementary.market_location.kgco2eq_per_kwh;
    const struct rate market = { bought, bought },
                      supplementary_market = { bought_supplementary, bought_supplementary };
    const bool losses_within = by_hour->enabled && strcmp(by_hour->source.td_losses, "included") == 0;

    report->gross =
        gross_of(report, &(struct rate){ yearly, by_hour->enabled ? by_hour->gross_kgco2eq_per_kwh : yearly });
    report->net = net_of(report, &(struct rate){ yearly, by_hour->enabled ? by_hour->net_kgco2eq_per_kwh : yearly });
    report->share =
        share_of(report, &(struct rate){ yearly, by_hour->enabled ? by_hour->share_kgco2eq_per_kwh : yearly });
    report->own = own_of(report, &(struct rate){ yearly, by_hour->enabled ? own_hourly(report) : yearly });
    report->gross_market = gross_of(report, &market);
    report->net_market = net_of(report, &market);
    report->share_market = share_of(report, &market);
    report->own_market = own_of(report, &market);
    report->gross_market_location = gross_of(report, &supplementary_market);
    report->net_market_location = net_of(report, &supplementary_market);
    report->td_losses = added_of(report, losses_within ? NAN : report->factor.td_losses_kgco2eq_per_kwh);
    report->upstream = added_of(report, report->factor.upstream_kgco2eq_per_kwh);
    /* WUE is litres for each kWh of IT energy, so that the PUE has no part in it */
    report->gross_water_l = report->gross.footprint.it_kwh * report->supplementary.wue.value;
    report->net_water_l = report->net.footprint.it_kwh * report->supplementary.wue.value;
}

static bool any_counts(const struct measurement *measurement, enum component component)
{
    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        if (measurement->counting->is_counted[i] && measurement->meter->domains[i].domain->component == component)
            return true;
    return false;
}

/* Domains that are not in the total may hide one another (a second source, the MMIO twin, a register
 * of one core): then only the first source that knows the component speaks. */
static struct component_energy component_energy_of(const struct report *report, enum component component)
{
    const struct measurement *measurement = report->measurement;
    const bool counted = any_counts(measurement, component);
    const struct energy_source *first = NULL;
    struct component_energy sum = { NAN, NAN, NAN };

    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        const struct meter_domain *state = &measurement->meter->domains[i];
        const struct domain *domain = state->domain;
        const struct domain_energy *energy = &report->summary.domains[i];
        if (domain->component != component)
            continue;
        if (counted ? !measurement->counting->is_counted[i]
                    : isnan(energy->gross_j.mean) || domain->access == ACCESS_MMIO || domain->not_counted[0] ||
                          (first && state->source != first))
            continue;
        if (!first)
            sum = (struct component_energy){ 0, 0, 0 };
        first = state->source;
        sum.gross_j += energy->gross_j.mean;
        sum.idle_j += energy->idle_j.mean;
        sum.net_j += energy->net_j.mean;
    }
    return sum;
}

/* A figure of all counted runs together; known only if each run knows it. */
static struct usage_value total_of(const struct measurement *measurement, size_t offset, bool highest)
{
    struct usage_value total = { .known = false };

    for (size_t i = 0; i < measurement->run_count; i++) {
        const struct run *run = &measurement->runs[i];
        const struct usage_value *figure = (const void *)((const char *)&run->usage + offset);
        if (!is_counted(run))
            continue;
        if (!figure->known)
            return (struct usage_value){ .known = false };
        total.known = true;
        total.value = !highest                      ? total.value + figure->value
                      : figure->value > total.value ? figure->value
                                                    : total.value;
        total.from = figure->from;
    }
    return total;
}

static size_t counted_runs(const struct measurement *measurement)
{
    size_t count = 0;

    for (size_t i = 0; i < measurement->run_count; i++)
        count += is_counted(&measurement->runs[i]);
    return count;
}

/* The mean, or the highest, of one figure over the counted runs. */
static struct usage_figure figure_of(const struct measurement *measurement, size_t offset, double unit, bool highest)
{
    const struct usage_value total = total_of(measurement, offset, highest);
    const double over = highest ? 1 : (double)counted_runs(measurement);

    if (!total.known)
        return (struct usage_figure){ NAN, NULL };
    return (struct usage_figure){ (double)total.value / over / unit, total.from };
}

/* The mean of a time over the counted runs, in seconds. */
static double mean_s(const struct measurement *measurement, size_t offset)
{
    double sum_s = 0;
    size_t count = 0;

    for (size_t i = 0; i < measurement->run_count; i++)
        if (is_counted(&measurement->runs[i])) {
            sum_s += s_from_ns(*(const uint64_t *)(const void *)((const char *)&measurement->runs[i] + offset));
            count++;
        }
    return count ? sum_s / (double)count : NAN;
}

static struct usage_summary usage_summary_of(const struct measurement *measurement, int cpus)
{
#define MEAN(field, unit) figure_of(measurement, offsetof(struct usage, field), unit, false)
    struct usage_summary usage = {
        .cpu_s = MEAN(cpu_ns, NS_PER_S),
        .user_s = MEAN(user_ns, NS_PER_S),
        .system_s = MEAN(system_ns, NS_PER_S),
        .memory_peak_bytes = figure_of(measurement, offsetof(struct usage, memory_peak_bytes), 1, true),
        .memory_bytes = MEAN(memory_bytes, 1),
        .working_set_bytes = MEAN(working_set_bytes, 1),
        .read_bytes = MEAN(read_bytes, 1),
        .written_bytes = MEAN(written_bytes, 1),
        .received_bytes = MEAN(received_bytes, 1),
        .sent_bytes = MEAN(sent_bytes, 1),
        .voluntary_switches = MEAN(voluntary_switches, 1),
        .involuntary_switches = MEAN(involuntary_switches, 1),
        .minor_faults = MEAN(minor_faults, 1),
        .major_faults = MEAN(major_faults, 1),
        .cpu_stall_s = MEAN(cpu_stall_ns, NS_PER_S),
        .memory_stall_s = MEAN(memory_stall_ns, NS_PER_S),
        .io_stall_s = MEAN(io_stall_ns, NS_PER_S),
        .cycles = MEAN(cycles, 1),
        .instructions = MEAN(instructions, 1),
        .cache_misses = MEAN(cache_misses, 1),
        .touched_bytes = figure_of(measurement, offsetof(struct usage, touched_bytes), 1, true),
        .cache_bytes = MEAN(cache_bytes, 1),
    };
#undef MEAN
    const double duration_s = mean_s(measurement, offsetof(struct run, window.duration_ns));

    usage.cpu_percent_of_core = (struct usage_figure){
        duration_s > 0 ? 100 * usage.cpu_s.value / duration_s : NAN,
        usage.cpu_s.from,
    };
    usage.cpu_percent_of_machine = (struct usage_figure){
        usage.cpu_percent_of_core.value / cpus,
        usage.cpu_s.from,
    };
    return usage;
}

static struct bottleneck_verdict bottleneck_of_runs(const struct measurement *measurement, int cpus)
{
#define TOTAL(field) .field = total_of(measurement, offsetof(struct usage, field), false)
#define HIGHEST(field) .field = total_of(measurement, offsetof(struct usage, field), true)
    const struct usage usage = {
        TOTAL(cpu_ns),          TOTAL(user_ns),       TOTAL(system_ns),          HIGHEST(memory_peak_bytes),
        TOTAL(read_bytes),      TOTAL(written_bytes), TOTAL(cpu_stall_ns),       TOTAL(memory_stall_ns),
        TOTAL(io_stall_ns),     TOTAL(cycles),        TOTAL(instructions),       TOTAL(cache_misses),
        HIGHEST(touched_bytes), HIGHEST(cache_bytes), TOTAL(voluntary_switches), TOTAL(involuntary_switches),
    };
#undef TOTAL
#undef HIGHEST
    uint64_t duration_ns = 0;

    for (size_t i = 0; i < measurement->run_count; i++)
        if (is_counted(&measurement->runs[i]))
            duration_ns += measurement->runs[i].window.duration_ns;
    return bottleneck_of(&usage, duration_ns, cpus);
}

static int job_cpus(const struct report *report)
{
    return report->job_cpus > 0 ? report->job_cpus : report->machine->cpus_online;
}

/* What a baseline means where something runs that carbon did not start. */
static void target_notices(struct report *report)
{
    if (report->command[0])
        notice_add(&report->all_notices, NOTICE_NO_BASELINE, "it ran in the baselines too", "",
                   "net is the energy of %s above its use before and after the command", report->target);
    else if (!report->measurement->baseline_count)
        notice_add(&report->all_notices, NOTICE_NO_BASELINE,
                   "it is still running, so the idle power without it is unknown",
                   "omit --for to measure until it ends, or give a command that is its client",
                   "no baseline: %s was running all the time", report->target);
    else
        notice_add(&report->all_notices, NOTICE_DRIFT, "there is none before: a drift of idle power does not cancel",
                   "", "the baseline was taken after %s had ended", report->target);
}

void report_work_out(struct report *report)
{
    const struct measurement *measurement = report->measurement;

    summarize(measurement, &report->summary);
    report->complete &= !report->summary.at_least;
    if (!report->target)
        report->summary.machine_share = report->summary.attributed_j = sample_stats_of(NULL, 0);
    by_hour_work_out(report);
    finish_emissions(report);
    for (size_t i = 0; i < COMPONENT_COUNT; i++)
        report->components[i] = component_energy_of(report, (enum component)i);
    report->usage = usage_summary_of(measurement, report->machine->cpus_online);
    report->bottleneck = bottleneck_of_runs(measurement, job_cpus(report));
    phases_summarize(measurement, &report->summary, &report->phases);
    report->warmups = 0;
    report->exit_known = false;
    for (size_t i = 0; i < measurement->run_count; i++) {
        report->warmups += measurement->runs[i].warmup;
        if (measurement->runs[i].ended && report->command[0]) {
            report->exit_known = true;
            report->exit_status = measurement->runs[i].end.exit_status;
        }
    }
    report->start_gap_s = report->command[0] ? mean_s(measurement, offsetof(struct run, start_gap_ns)) : NAN;
    report->end_gap_s = report->command[0] ? mean_s(measurement, offsetof(struct run, end_gap_ns)) : NAN;
    sci_work_out(&report->sci, report->gross.footprint.kgco2eq, report->summary.duration_s.mean);
    equivalents_work_out(&report->equivalents, report->gross.footprint.kgco2eq);
    answer_judge_budget(&report->budget, report);
}

void report_copy(struct report *to, const struct report *from)
{
    struct notices own = to->own_notices, all = to->all_notices;

    notices_set(&own, &from->own_notices);
    notices_set(&all, &from->all_notices);
    *to = *from;
    to->own_notices = own;
    to->all_notices = all;
}

void report_close(struct report *report)
{
    notices_clear(&report->own_notices);
    notices_clear(&report->all_notices);
}

void report_finish(struct report *report)
{
    const struct measurement *measurement = report->measurement;

    report_work_out(report);
    notices_set(&report->all_notices, &report->own_notices);
    if (report->recorded_tree)
        notice_add(&report->all_notices, NOTICE_RECORDED,
                   "the command ran here, but the energy was read from a recorded machine",
                   "omit --root to measure this machine", "the counters are those of a recorded machine");
    if (report->target)
        target_notices(report);
    noise_notices(measurement, &report->summary, &report->all_notices);
    phases_notices(measurement, &report->phases, &report->all_notices);
}

/* A series of this one run between its own baselines. */
struct run_summary run_summary_of(const struct report *report, size_t i)
{
    struct measurement alone = *report->measurement;
    const struct neighbours neighbours = neighbours_of(&alone, &alone.runs[i].window);
    const struct own own = own_of_run(report->measurement, &report->summary.own_basis, &alone.runs[i]);
    struct window baselines[2];
    struct run run = alone.runs[i];
    struct summary summary;

    run.warmup = run.left_out = false;
    alone.strides = NULL;
    alone.runs = &run;
    alone.run_count = 1;
    alone.baselines = baselines;
    alone.baseline_count = 0;
    if (neighbours.before)
        baselines[alone.baseline_count++] = *neighbours.before;
    if (neighbours.after)
        baselines[alone.baseline_count++] = *neighbours.after;
    summarize(&alone, &summary);
    return (struct run_summary){
        .gross_j = summary.total.gross_j.mean,
        .idle_j = summary.total.idle_j.mean,
        .net_j = summary.total.net_j.mean,
        .own_j = own.own_j,
        .own_idle_j = own.idle_j,
        .own_others_j = summary.total.gross_j.mean - own.own_j - own.idle_j,
        .share_j = summary.share_j.mean,
        .background_cores = summary.background_cores.mean,
        .machine_share = report->target ? summary.machine_share.mean : NAN,
        .attributed_j = report->target ? summary.attributed_j.mean : NAN,
        .gpu_own_j = summary.total.gpu_own_j.mean,
        .usage = usage_summary_of(&alone, report->machine->cpus_online),
        .bottleneck = bottleneck_of_runs(&alone, job_cpus(report)),
    };
}
