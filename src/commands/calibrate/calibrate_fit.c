/* SPDX-License-Identifier: MIT
 * Means over baselines and runs, with their intervals. */
#include "commands/calibrate/calibrate_fit.h"

#include "base/auto.h"
#include "base/units.h"
#include "measurement/idle.h"
#include "measurement/statistics.h"

#include <math.h>

static const enum breakdown_domain domain_of[PROFILE_PARTS] = {
    [PROFILE_PACKAGE] = BREAKDOWN_PACKAGE,
    [PROFILE_MEMORY] = BREAKDOWN_MEMORY,
    [PROFILE_MACHINE] = BREAKDOWN_MACHINE,
    [PROFILE_GPU] = BREAKDOWN_GPU,
};

/* A model's own words are no measurement, and the meter of a platform is not the plug's. */
static bool is_measured(const struct breakdown_meter *split, enum profile_part part)
{
    const enum quality quality = split->quality[domain_of[part]];

    return (quality == QUALITY_MEASURED || quality == QUALITY_VIRTUAL) && !(part == PROFILE_MACHINE && split->platform);
}

static double baseline_w(const struct measurement *measurement, const struct breakdown_meter *split, size_t baseline,
                         enum profile_part part)
{
    const struct window *window = &measurement->baselines[baseline];
    double sum_w = 0;

    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        if (split->in[domain_of[part]][i])
            sum_w += window_has_figure(measurement, window, i) && !window->unknown_ns[i] ? window_w(window, i) : NAN;
    return sum_w;
}

/* Mean of the known values. */
static void mean_of(const double *values, size_t count, double *mean, double *spread)
{
    const struct sample_stats of = sample_stats_of(values, count);
    const struct interval interval = mean_interval(&of);

    *mean = of.count ? of.mean : NAN;
    *spread = (interval.high - interval.low) / 2;
}

static void fit_idle(const struct measurement *measurement, const struct breakdown_meter *split, double *values,
                     struct profile_step *step)
{
    *step = (struct profile_step){ .work = PROFILE_IDLE };
    for (enum profile_part part = 0; part < PROFILE_PARTS; part++) {
        size_t count = 0;
        for (size_t i = 0; i < measurement->baseline_count; i++) {
            const double w = baseline_w(measurement, split, i, part);
            if (!isnan(w))
                values[count++] = w;
        }
        step->w[part] = step->spread_w[part] = NAN;
        if (is_measured(split, part))
            mean_of(values, count, &step->w[part], &step->spread_w[part]);
    }
}

static bool is_of(const struct run *run, size_t load)
{
    return run->command == load && run_is_counted(run) && run->ended && run->end.exit_status == 0 &&
           run->usage.cpu_ns.known;
}

static double busy_cpus_of(const struct run *run)
{
    return s_from_ns(run->usage.cpu_ns.value) / s_from_ns(run->window.duration_ns);
}

/* NAN: none ran to its end. */
static double mean_busy_cpus(const struct measurement *measurement, size_t load)
{
    double sum = 0;
    size_t runs = 0;

    for (size_t i = 0; i < measurement->run_count; i++)
        if (is_of(&measurement->runs[i], load)) {
            sum += busy_cpus_of(&measurement->runs[i]);
            runs++;
        }
    return sum / (double)runs;
}

/* Each net stands on the baselines beside it, so that a drift is in no step; and is that of as many busy CPUs as the
 * runs had in the mean, where one got fewer. False: none ran to its end. */
static bool fit_load(const struct measurement *measurement, const struct breakdown_meter *split, size_t load,
                     double *values, const struct profile_step *idle, struct profile_step *step)
{
    double gross_w[BREAKDOWN_DOMAINS], net_w[BREAKDOWN_DOMAINS];

    step->busy_cpus = mean_busy_cpus(measurement, load);
    for (enum profile_part part = 0; part < PROFILE_PARTS; part++) {
        size_t count = 0;
        for (size_t i = 0; i < measurement->run_count; i++) {
            const struct run *run = &measurement->runs[i];
            if (!is_of(run, load))
                continue;
            split_watts(split, measurement, run, gross_w, net_w);
            if (!isnan(net_w[domain_of[part]]))
                values[count++] = net_w[domain_of[part]] * step->busy_cpus / busy_cpus_of(run);
        }
        mean_of(values, count, &step->w[part], &step->spread_w[part]);
        step->w[part] = isnan(idle->w[part]) ? NAN : fmax(0, idle->w[part] + step->w[part]);
        step->spread_w[part] = isnan(step->w[part]) ? NAN : step->spread_w[part];
    }
    return step->busy_cpus > 0;
}

/* Of one work from few busy CPUs to many; where CPUs were taken from a load it may have been no busier than the one
 * before. */
static bool goes_up(const struct machine_profile *profile, const struct profile_step *step)
{
    const struct profile_step *before = &profile->steps[profile->step_count - 1];

    return step->busy_cpus > 0 && (step->work != before->work || step->busy_cpus > before->busy_cpus);
}

bool calibrate_fit(const struct measurement *measurement, const struct breakdown_meter *split,
                   const struct calibrate_plan *plan, struct machine_profile *profile, struct error *err)
{
    const size_t max = measurement->baseline_count + measurement->run_count + 1;
    AUTO_FREE double *values = calloc(max, sizeof *values);

    if (!values)
        return error_errno(err, "no memory for the profile");
    fit_idle(measurement, split, values, &profile->steps[0]);
    profile->step_count = 1;
    for (size_t i = 0; i < plan->count; i++) {
        struct profile_step *step = &profile->steps[profile->step_count];
        step->work = plan->loads[i].work;
        profile->step_count +=
            fit_load(measurement, split, i, values, &profile->steps[0], step) && goes_up(profile, step);
    }
    return true;
}
