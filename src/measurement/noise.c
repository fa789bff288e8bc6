/* SPDX-License-Identifier: MIT
 * What makes a number doubtful. Each notice says what was seen, why it matters and what helps. */
#include "measurement/noise.h"

#include "base/auto.h"
#include "base/c_locale.h"
#include "base/units.h"
#include "measurement/cpu_share.h"
#include "measurement/domain_notices.h"
#include "measurement/gpu_notices.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHORT_WINDOW_S 0.1 /* edges of up to 2 ms are 2 % of it (P39) */
#define DRIFT 0.05         /* between neighbouring baselines */

/* The counted domain of which this window knows least; it has a hole. */
static size_t min_known(const struct measurement *measurement, const struct window *window)
{
    size_t min = ENERGY_MAX_DOMAINS;

    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        if (window_has_hole(measurement, window, i) &&
            (min == ENERGY_MAX_DOMAINS || window->unknown_ns[i] > window->unknown_ns[min]))
            min = i;
    return min;
}

static void hole_notice(const struct measurement *measurement, size_t number, struct notices *notices)
{
    const struct run *run = &measurement->runs[number];
    const struct window *window = &run->window;
    const size_t domain = min_known(measurement, window);
    const char *name = measurement->meter->domains[domain].domain->name;
    const char *cause = hole_cause((enum hole)window->hole[domain]);
    const enum notice_kind kind = hole_kind((enum hole)window->hole[domain]);
    char energy[UNITS_SIZE], known[UNITS_SIZE], all[UNITS_SIZE];

    units_energy(window_counted_j(measurement, window), energy);
    units_duration(s_from_ns(window_known_ns(window, domain)), known);
    units_duration(s_from_ns(window->duration_ns), all);
    if (run_is_counted(run))
        notice_add(notices, kind, cause, "measure again without interruption; with --runs, undisturbed runs count",
                   "run %zu used at least %s: %s is known for %s of %s, so that net is unknown", number + 1, energy,
                   name, known, all);
    else
        notice_add(notices, kind, cause, "", "run %zu is left out: of %s only %s of %s is known, at least %s in all",
                   number + 1, name, known, all, energy);
}

static void hole_notices(const struct measurement *measurement, struct notices *notices)
{
    for (size_t i = 0; i < measurement->run_count; i++)
        if (!measurement->runs[i].warmup && window_is_at_least(measurement, &measurement->runs[i].window))
            hole_notice(measurement, i, notices);
}

/* What one run says of its net: there is no interval, only what the baseline and the meter leave open. */
static void single_run_notice(const struct summary *summary, struct notices *notices)
{
    char net[UNITS_SIZE], noise[UNITS_SIZE];

    if (fabs(summary->total.net_j.mean) < 2 * summary->net_noise_j)
        notice_add(notices, NOTICE_NOISE, "it cannot be distinguished from idle",
                   "a longer command, a longer --baseline, or more --runs",
                   "net energy %s is within the baseline noise (± %s)", units_energy(summary->total.net_j.mean, net),
                   units_energy(2 * summary->net_noise_j, noise));
}

static void noise_notice(const struct summary *summary, struct notices *notices)
{
    const struct net_verdict *verdict = &summary->verdict;
    char net[UNITS_SIZE], min[UNITS_SIZE], fix[96] = "a longer command, a longer --baseline, or a quieter machine";

    if (verdict->runs_needed)
        snprintf(fix, sizeof fix, "--runs %zu would resolve a net energy of this size", verdict->runs_needed);
    notice_add(notices, NOTICE_NOISE, "its 95 % confidence interval includes 0", fix,
               "net energy %s is below the noise; minimum detectable %s", units_energy(verdict->net_j.mean, net),
               units_energy(verdict->detectable_j, min));
}

static void verdict_notice(const struct summary *summary, struct notices *notices)
{
    const double net_j = summary->total.net_j.mean;

    if (isnan(net_j))
        return;
    switch (summary->verdict.verdict) {
    case VERDICT_NOT_MEASURABLE:
        notice_add(notices, NOTICE_NOISE,
                   "its reading did not change although more CPUs were busy during the run than in the baseline",
                   "'carbon sources' shows what else this machine has",
                   "net energy is not measurable: the source reports constant power");
        return;
    case VERDICT_NO_IDLE_BASELINE: return; /* idle_notice says so */
    case VERDICT_NOISE: noise_notice(summary, notices); break;
    case VERDICT_ONE_RUN: single_run_notice(summary, notices); break;
    default: break;
    }
    if (net_j < 0)
        notice_add(notices, NOTICE_BUSY_BASELINE,
                   "the machine was busier during the baseline than during the run, or the difference is noise",
                   "stop other load, or use --baseline 30", "net energy is negative");
}

static bool nothing_moved(const struct measurement *measurement)
{
    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        if (measurement->counting->is_counted[i] && measurement->meter->domains[i].moved)
            return false;
    return true;
}

static void total_notices(const struct measurement *measurement, const struct summary *summary, struct notices *notices)
{
    if (summary->counted_unknown && !isnan(summary->total.gross_j.mean))
        notice_add(notices, NOTICE_LEFT_OUT, "domains without a reading are excluded from the total", "",
                   INCOMPLETE "%zu of %zu domains have no figure", summary->counted_unknown,
                   measurement->counting->counted);
    if (summary->below_resolution && nothing_moved(measurement))
        notice_add(notices, NOTICE_BELOW_RESOLUTION, "no counter was refreshed while the command ran",
                   "repeat the job within one run: carbon measure -- sh -c 'for i in 1 2 3 4 5; do ./job; done'",
                   "the run is below the meter's resolution");
    else if (summary->runs && summary->duration_s.mean < SHORT_WINDOW_S && !isnan(summary->total.gross_j.mean))
        notice_add(notices, NOTICE_BELOW_RESOLUTION,
                   "the counter updates about every 1 ms, so each end is off by up to 1 ms", "use a job of 1 s or more",
                   "the run is shorter than 100 ms");
    verdict_notice(summary, notices);
}

/* Of each counted domain both know a power, or neither does. */
static bool know_the_same(const struct measurement *measurement, const struct window *a, const struct window *b)
{
    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        if (measurement->counting->is_counted[i] &&
            window_has_figure(measurement, a, i) != window_has_figure(measurement, b, i))
            return false;
    return true;
}

void baseline_busy_text(const struct measurement *measurement, char text[BUSY_TEXT_SIZE])
{
    const double everywhere = baseline_busy_cpus(measurement), within = baseline_busy_mask_cpus(measurement);
    const int cpus = machine_stat_cpus(measurement->meter->machine);
    const unsigned mask_cpus = baseline_mask_cpus(measurement);

    if (isnan(everywhere))
        c_snprintf(text, BUSY_TEXT_SIZE, "%.2f of the %u CPU%s busy that the command may use", within, mask_cpus,
                   mask_cpus == 1 ? "" : "s");
    else if (!mask_cpus || (int)mask_cpus == cpus)
        c_snprintf(text, BUSY_TEXT_SIZE, "%.2f of %d CPUs busy", everywhere, cpus);
    else
        c_snprintf(text, BUSY_TEXT_SIZE, "%.2f of the %u CPU%s busy that the command may use, and %.2f of all %d",
                   within, mask_cpus, mask_cpus == 1 ? "" : "s", everywhere, cpus);
}

static void idle_notice(const struct measurement *measurement, struct notices *notices)
{
    const enum idleness idleness = baseline_idleness(measurement);
    const bool all = (int)baseline_mask_cpus(measurement) == machine_stat_cpus(measurement->meter->machine);
    char busy[BUSY_TEXT_SIZE];

    if (idleness != IDLENESS_BUSY && idleness != IDLENESS_FULL)
        return;
    baseline_busy_text(measurement, busy);
    if (idleness == IDLENESS_FULL)
        notice_add(notices, NOTICE_BUSY_BASELINE,
                   "no CPU was to spare: the command took CPU time from others, and net does not contain its energy",
                   all ? "stop other load ('top' shows it), then measure again"
                       : "stop other load ('top' shows it), or run the command on idle CPUs with --cpus",
                   "the baseline was not idle: other processes kept %s", busy);
    else
        notice_add(notices, NOTICE_BUSY_BASELINE,
                   "idle includes their energy; net is right only if they were as busy during the run",
                   "stop other load ('top' shows it), then measure again",
                   "the baseline was not idle: other processes kept %s", busy);
}

static void drift_notice(const struct measurement *measurement, struct notices *notices)
{
    double worst = 0;

    for (size_t i = 1; i < measurement->baseline_count; i++) {
        const struct window *before = &measurement->baselines[i - 1], *after = &measurement->baselines[i];
        const double before_w = window_counted_w(measurement, before), after_w = window_counted_w(measurement, after);
        if (before_w > 0 && know_the_same(measurement, before, after))
            worst = fmax(worst, fabs(after_w / before_w - 1));
    }
    if (worst > DRIFT)
        notice_add(notices, NOTICE_BUSY_BASELINE, "the machine was not equally idle between the runs",
                   "stop other load, or use --baseline 30", "baselines vary by up to %.0f %%", worst * 100);
}

/* Flags runs far from the median; they stay in the result. Two lie equally far from it, so that it takes three. */
static void outlier_notices(const struct measurement *measurement, const struct summary *summary,
                            struct notices *notices)
{
    const size_t runs = summary->runs;
    AUTO_FREE double *energy_j = calloc(2 * runs + 1, sizeof *energy_j);
    AUTO_FREE bool *outlier = calloc(runs + 1, sizeof *outlier);
    double median_j;
    size_t number = 0;

    if (!energy_j || !outlier || summary->at_least) /* lower bounds are not more or less than others */
        return;
    for (size_t i = 0; i < measurement->run_count; i++)
        if (run_is_counted(&measurement->runs[i]))
            energy_j[number++] = window_counted_j(measurement, &measurement->runs[i].window);
    memcpy(energy_j + runs, energy_j, runs * sizeof *energy_j);
    median_j = median_of(energy_j + runs, runs);
    if (!outliers_of(energy_j, runs, outlier))
        return;
    for (size_t i = 0; i < runs; i++)
        if (outlier[i])
            notice_add(notices, NOTICE_OUTLIER,
                       i == 0 ? "the machine may still have been warming up" : "something else may have run",
                       i == 0 ? "--warmup 1" : "check the load with 'top', then measure again",
                       "run %zu used %.0f %% %s the median run", i + 1, fabs(energy_j[i] / median_j - 1) * 100,
                       energy_j[i] > median_j ? "more than" : "less than");
}

static void others_notice(const struct summary *summary, struct notices *notices)
{
    if (summary->background_cores.count && summary->background_cores.max > SHARE_OTHERS_CORES)
        notice_add(notices, NOTICE_SHARED, "net includes their energy; 'own' is the job's share by CPU time",
                   "measure on a quieter machine",
                   "other processes used %.0f %% of a core more during the run than during the baselines",
                   summary->background_cores.max * 100);
}

static void settling_notice(const struct measurement *measurement, struct notices *notices)
{
    const struct settling *settling = &measurement->settling;

    if (!settling->asked || settling->steady || measurement->interrupted)
        return;
    if (isnan(settling->variation))
        notice_add(notices, NOTICE_UNKNOWN, "--settle is shorter than a look at it takes", "a longer --settle",
                   "whether the idle machine was steady is not known");
    else
        notice_add(notices, NOTICE_BUSY_BASELINE,
                   "other processes are running, or the machine is still warming up or cooling down",
                   "stop other load, or use a longer --settle",
                   "idle power did not settle within %.0f s (varied by %.1f %%)", settling->waited_s,
                   settling->variation * 100);
}

static void run_notices(const struct measurement *measurement, struct notices *notices)
{
    char adopting[128], gap[UNITS_SIZE];

    snprintf(adopting, sizeof adopting, "the kernel does not let carbon adopt them (PR_SET_CHILD_SUBREAPER): %s",
             c_strerror(measurement->adopt_error));
    hole_notices(measurement, notices);
    for (size_t i = 0; i < measurement->run_count; i++) {
        const struct run *run = &measurement->runs[i];
        if (run->window.suspended_ns)
            notice_add(notices, NOTICE_SUSPEND, "energy counters may restart after a suspend",
                       "run again without a suspend", "the machine was suspended for %.0f s while the command ran",
                       s_from_ns(run->window.suspended_ns));
        if (run->end_gap_ns > NS_PER_S_INT)
            notice_add(notices, NOTICE_GAPS, "carbon did not run meanwhile: it was stopped, or its machine was",
                       "do not stop carbon while it measures",
                       "run %zu may have ended up to %s before its closing sample", i + 1,
                       units_duration(s_from_ns(run->end_gap_ns), gap));
        if (run->orphans_unseen)
            notice_add(notices, NOTICE_USAGE, adopting, "make the command wait for its children",
                       "processes that the command left behind are unknown, and their CPU time is not in its own");
        if (run->usage.oom_kills.known && run->usage.oom_kills.value)
            notice_add(notices, NOTICE_OUT_OF_MEMORY,
                       "its control group reached its limit of memory, or the machine had none left",
                       "let it have more memory, or use less",
                       "the kernel killed %" PRIu64 " of its processes: out of memory", run->usage.oom_kills.value);
        if (run->orphans)
            notice_add(notices, NOTICE_LEFT_OUT, "energy after the command's end is not included",
                       "make the command wait for them", "%zu processes outlived the command: %s", run->orphans,
                       run->orphan_names);
    }
    for (size_t i = 0; i < measurement->baseline_count; i++)
        if (measurement->baselines[i].suspended_ns)
            notice_add(notices, NOTICE_SUSPEND, "energy counters may restart after a suspend",
                       "run again without a suspend", "the machine was suspended during the baseline");
}

void series_notices(const struct measurement *measurement, struct notices *notices)
{
    domains_notices(measurement, notices);
    idle_notice(measurement, notices);
    drift_notice(measurement, notices);
    settling_notice(measurement, notices);
    run_notices(measurement, notices);
    notices_copy(notices, &measurement->meter->findings);
}

void noise_notices(const struct measurement *measurement, const struct summary *summary, struct notices *notices)
{
    domains_notices(measurement, notices);
    total_notices(measurement, summary, notices);
    idle_notice(measurement, notices);
    drift_notice(measurement, notices);
    outlier_notices(measurement, summary, notices);
    others_notice(summary, notices);
    gpu_notices(measurement, notices);
    settling_notice(measurement, notices);
    run_notices(measurement, notices);
    notices_copy(notices, &measurement->meter->findings);
}
