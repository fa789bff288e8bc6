/* SPDX-License-Identifier: MIT
 * From the runs of a pipeline's steps to what each comes to, and all together. */
#include "commands/pipeline/pipeline_report.h"

#include <math.h>
#include <stddef.h>

bool pipeline_run_has_failed(const struct pipeline_run *run)
{
    return run->ended && !run->cut_short && run->exit_status != 0;
}

/* As a shell tells it, 128 + the signal. */
bool pipeline_run_was_killed(const struct pipeline_run *run)
{
    return run->ended && (run->timed_out || run->cut_short || (run->exit_status > 128 && run->exit_status <= 128 + 64));
}

/* Of one figure of the runs that have ended; those that do not know it are left out. */
static struct sample_stats spread_of_runs(const struct pipeline_step_report *step, size_t offset, bool whole)
{
    double values[PIPELINE_MAX_ROUNDS];
    size_t count = 0;

    for (size_t i = 0; i < step->run_count && count < PIPELINE_MAX_ROUNDS; i++) {
        const double *value = (const void *)((const char *)&step->runs[i] + offset);

        if (step->runs[i].ended && isfinite(*value) && !(whole && pipeline_run_was_killed(&step->runs[i])))
            values[count++] = *value;
    }
    return sample_stats_of(values, count);
}

static struct sample_stats spread_at(const struct pipeline_step_report *step, size_t offset)
{
    return spread_of_runs(step, offset, false);
}

/* Of those that were not killed: what one was killed for, it may have wanted more of. */
static double max_of_whole(const struct pipeline_step_report *step, size_t offset)
{
    return spread_of_runs(step, offset, true).max;
}

static struct step_figures figures_at(const struct pipeline_step_report *step, size_t offset)
{
    return (struct step_figures){
        .average = spread_at(step, offset + offsetof(struct step_figures, average)).mean,
        .maximum = spread_at(step, offset + offsetof(struct step_figures, maximum)).max,
    };
}

/* Unknown where one of the two is. */
static double larger(double a, double b)
{
    if (!isfinite(a))
        return b;
    return isfinite(b) && b > a ? b : a;
}

static void size_requests(const struct pipeline_report *report, struct pipeline_step_report *step)
{
    const double memory_mb = larger(max_of_whole(step, offsetof(struct pipeline_run, memory_mb.maximum)),
                                    max_of_whole(step, offsetof(struct pipeline_run, memory_peak_mb)));
    const double min = max_of_whole(step, offsetof(struct pipeline_run, min_cpu_percent));

    step->wanted_cpu_percent = max_of_whole(step, offsetof(struct pipeline_run, wanted_cpu_percent));
    step->requests = size_request(min, memory_mb, report->headroom_percent);
    step->request_cpu_at_least =
        step->requests.cpu &&
        size_request(step->wanted_cpu_percent, memory_mb, report->headroom_percent).cpu > step->requests.cpu;
}

static void finish_step(const struct pipeline_report *report, struct pipeline_step_report *step)
{
    const struct report *session = report->session;
    const double kgco2eq_per_kwh = session->factor.kgco2eq_per_kwh;

    step->counted = 0;
    step->own_method = OWN_NET;
    step->failed = step->problem.kind != ERROR_NONE;
    for (size_t i = 0; i < step->run_count; i++) {
        step->counted += step->runs[i].ended;
        if (step->runs[i].ended)
            step->own_method = own_method_worst(step->own_method, step->runs[i].own_method);
        step->failed |= pipeline_run_has_failed(&step->runs[i]);
    }
    step->duration_s = spread_at(step, offsetof(struct pipeline_run, duration_s));
    step->gross_j = spread_at(step, offsetof(struct pipeline_run, gross_j));
    step->idle_j = spread_at(step, offsetof(struct pipeline_run, idle_j));
    step->net_j = spread_at(step, offsetof(struct pipeline_run, net_j));
    step->own_j = spread_at(step, offsetof(struct pipeline_run, own_j));
    step->servers_own_j = spread_at(step, offsetof(struct pipeline_run, servers.own_j));
    step->gpu_own_j = spread_at(step, offsetof(struct pipeline_run, gpu_own_j));
    step->cpu_s = spread_at(step, offsetof(struct pipeline_run, cpu_s));
    step->cpu_percent_of_core = figures_at(step, offsetof(struct pipeline_run, cpu_percent_of_core));
    step->memory_mb = figures_at(step, offsetof(struct pipeline_run, memory_mb));
    step->memory_peak_mb = spread_at(step, offsetof(struct pipeline_run, memory_peak_mb)).max;
    size_requests(report, step);
    step->gross = footprint_of(step->gross_j.mean, session->pue, kgco2eq_per_kwh);
    step->net = footprint_of(step->net_j.mean, session->pue, kgco2eq_per_kwh);
    step->own = footprint_of(step->own_j.mean, session->pue, kgco2eq_per_kwh);
    step->servers_own = footprint_of(step->servers_own_j.mean, session->pue, kgco2eq_per_kwh);
}

static bool has_servers(const struct pipeline_step_report *step)
{
    for (size_t i = 0; i < step->run_count; i++)
        if (step->runs[i].ended && step->runs[i].servers.any)
            return true;
    return false;
}

void pipeline_report_finish(struct pipeline_report *report)
{
    const struct report *session = report->session;
    bool any_server = false;

    report->failed = report->not_run = 0;
    report->duration_s = report->gross_j = report->idle_j = report->net_j = report->own_j = 0;
    report->servers_own_j = NAN;
    report->own_method = OWN_NET;
    report->quality = QUALITY_MEASURED;
    for (size_t i = 0; i < report->step_count; i++) {
        struct pipeline_step_report *step = &report->steps[i];

        finish_step(report, step);
        report->failed += step->failed && !step->may_fail;
        if (!step->counted) {
            report->not_run++;
            continue;
        }
        report->duration_s += step->duration_s.mean;
        report->gross_j += step->gross_j.mean;
        report->idle_j += step->idle_j.mean;
        report->net_j += step->net_j.mean;
        report->own_j += step->own_j.mean;
        if (has_servers(step))
            report->servers_own_j = step->servers_own_j.mean + (any_server ? report->servers_own_j : 0);
        any_server |= has_servers(step);
        report->own_method = own_method_worst(report->own_method, step->own_method);
        if (step->quality > report->quality)
            report->quality = step->quality;
    }
    if (report->not_run == report->step_count) {
        report->duration_s = report->gross_j = report->idle_j = report->net_j = report->own_j = NAN;
        report->own_method = OWN_UNKNOWN;
        report->quality = QUALITY_UNKNOWN;
    }
    report->gross = footprint_of(report->gross_j, session->pue, session->factor.kgco2eq_per_kwh);
    report->net = footprint_of(report->net_j, session->pue, session->factor.kgco2eq_per_kwh);
    report->own = footprint_of(report->own_j, session->pue, session->factor.kgco2eq_per_kwh);
    report->servers_own = footprint_of(report->servers_own_j, session->pue, session->factor.kgco2eq_per_kwh);
}
