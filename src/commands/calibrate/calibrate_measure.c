/* SPDX-License-Identifier: MIT
 * Runs the loads of `carbon calibrate` as one series. */
#include "commands/calibrate/calibrate.h"

#include "app/campaign.h"
#include "app/quiet.h"
#include "app/terminal.h"
#include "base/auto.h"
#include "base/c_locale.h"
#include "base/clock.h"
#include "base/cores.h"
#include "base/units.h"
#include "commands/calibrate/calibrate_fit.h"
#include "measurement/idle.h"
#include "measurement/noise.h"
#include "measurement/statistics.h"

#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the CPUs that a load wants it gets no less on a quiet machine. */
#define MIN_BUSY 0.9

struct calibration {
    const struct calibrate_options *options;
    struct campaign campaign;
    struct campaign_item items[CALIBRATE_MAX_LOADS];
    struct calibrate_plan plan;
    struct breakdown_meter split;
};

static bool is_measured(const struct breakdown_meter *split)
{
    return (split->quality[BREAKDOWN_PACKAGE] != QUALITY_UNKNOWN &&
            split->quality[BREAKDOWN_PACKAGE] < QUALITY_MODELLED) ||
           (split->quality[BREAKDOWN_MACHINE] != QUALITY_UNKNOWN &&
            split->quality[BREAKDOWN_MACHINE] < QUALITY_MODELLED && !split->platform);
}

/* What can be done where nothing measures. */
static bool no_meter(const struct meter *meter, struct error *err)
{
    const struct error *denied = NULL;

    for (size_t i = 0; i < meter->refusal_count && !denied; i++)
        if (meter->refusals[i].error.kind == ERROR_DENIED)
            denied = &meter->refusals[i].error;
    error_set(err, ERROR_ABSENT, "no meter of this machine can be read");
    if (denied)
        error_why(err, "%s: %s", denied->what, denied->why);
    else
        error_why(err, "'carbon sources' lists what was looked for");
    return error_fix(err,
                     "%sread a plug, a PDU or a BMC while the machine is idle, and while 'carbon calibrate --busy 60' "
                     "keeps all its CPUs busy; then: carbon calibrate --wall-idle 38 --wall-full 121",
                     denied ? "run it as root; or " : "");
}

static bool open_calibration(struct calibration *calibration, const struct settings *settings, struct error *err)
{
    struct campaign *campaign = &calibration->campaign;
    struct session *session = &campaign->session;
    const struct calibrate_options *options = calibration->options;
    unsigned threads, cores;

    if (!session_open_machine(session, settings, err))
        return session->meter.domain_count == 0 && err->kind == ERROR_ABSENT ? no_meter(&session->meter, err) : false;
    breakdown_meter_of(&session->meter, &calibration->split);
    if (!is_measured(&calibration->split))
        return no_meter(&session->meter, err);
    threads = (unsigned)session->report.job_cpus;
    if (threads > (unsigned)session->machine.cpus_online)
        threads = (unsigned)session->machine.cpus_online;
    cores = (unsigned)cores_online(&session->root);
    calibrate_plan_make(&calibration->plan, cores ? cores : threads, threads, options->seconds);
    for (size_t i = 0; i < calibration->plan.count; i++)
        calibration->items[i] = (struct campaign_item){ .name = calibration->plan.loads[i].name,
                                                        .argv = calibration->plan.loads[i].command.argv };
    campaign->items = calibration->items;
    campaign->item_count = calibration->plan.count;
    return schedule_make(&campaign->schedule, calibration->plan.count, 0, options->runs, ORDER_INTERLEAVED, 0, err);
}

/* How long it takes is to be known before it is begun. */
static void tell_plan(const struct calibration *calibration)
{
    const struct calibrate_options *options = calibration->options;
    const double baseline_s = settings_number(calibration->campaign.session.settings, &option_baseline);
    const double runs = (double)(calibration->plan.count * options->runs);
    char each[UNITS_SIZE], all[UNITS_SIZE];

    terminal_say("%zu loads, %zu runs of %s each, with baselines between: about %s; leave the machine alone\n",
                 calibration->plan.count, options->runs, units_duration(options->seconds, each),
                 units_duration(runs * (options->seconds + baseline_s) + baseline_s, all));
}

static void tell_limits(const struct calibration *calibration)
{
    const struct session *session = &calibration->campaign.session;
    const unsigned threads = calibration->plan.loads[calibration->plan.count - 1].threads;
    AUTO_NOTICES struct notices notices = { .count = 0 };

    if (threads >= (unsigned)session->machine.cpus_online)
        return;
    notice_add(&notices, NOTICE_ASSUMED, "the power of more CPUs is extrapolated linearly",
               "calibrate without taskset or --cpus, outside of containers", "the loads may use %u of %d CPUs", threads,
               session->machine.cpus_online);
    terminal_tell(session->settings, &notices.item[0]);
}

static bool was_not_quiet(const char *stored, struct error *err)
{
    error_set(err, ERROR_SYSTEM, "the machine was not idle while it was calibrated");
    error_why(err, "%s; its power is then unknown", stored);
    return error_fix(err, "stop other load ('top' shows it) and calibrate again; or keep the profile with --anyway");
}

/* The step of the CPUs' work with the most of them; NULL: it did not run. */
static const struct profile_step *full_step(const struct machine_profile *profile)
{
    const struct profile_step *full = NULL;

    for (size_t i = 0; i < profile->step_count; i++)
        if (profile->steps[i].work == PROFILE_CPU)
            full = &profile->steps[i];
    return full;
}

/* Whether other processes were busy; an unknown load counts as not busy. */
static bool check_quiet(struct calibration *calibration, struct machine_profile *profile, struct error *err)
{
    const struct measurement *measurement = &calibration->campaign.measurement;
    const enum idleness idleness = baseline_idleness(measurement);
    const struct profile_step *full = full_step(profile);
    const unsigned threads = calibration->plan.loads[calibration->plan.count - 1].threads;
    char stored[BUSY_TEXT_SIZE], text[BUSY_TEXT_SIZE + 64];

    if (idleness == IDLENESS_BUSY || idleness == IDLENESS_FULL) {
        baseline_busy_text(measurement, stored);
        snprintf(text, sizeof text, "other processes kept %s in the baselines", stored);
        profile->busy = true;
    } else if (full && full->busy_cpus < MIN_BUSY * threads) {
        c_snprintf(text, sizeof text, "a load of %u threads got %.2f CPUs", threads, full->busy_cpus);
        profile->busy = true;
    }
    return !profile->busy || calibration->options->anyway || was_not_quiet(text, err);
}

static bool check_follows(const struct calibration *calibration, const struct machine_profile *profile,
                          struct error *err)
{
    const struct profile_step *idle = &profile->steps[0], *full = full_step(profile);
    bool rises = false;

    if (!full) {
        const struct command_end *end =
            &calibration->items[calibration->plan.count > 1 ? calibration->plan.count - 2 : 0].end;
        error_set(err, ERROR_SYSTEM, "the loads could not be run");
        error_why(err, "%s", end->cannot_run ? end->error.what : "each ended before its time");
        return error_fix(err, "'carbon probe --loads cpu' shows what went wrong");
    }
    for (enum profile_part part = 0; part < PROFILE_PARTS; part++) {
        const double added_w = full->w[part] - idle->w[part];
        if (part != PROFILE_PACKAGE && part != PROFILE_MACHINE)
            continue;
        rises |= added_w > 0;
        if (added_w > fmax(full->spread_w[part], 0))
            return true;
    }
    if (!rises || measurement_is_constant(&calibration->campaign.measurement)) {
        error_set(err, ERROR_BAD_DATA, "the meter did not follow the load");
        error_why(err, "with all CPUs busy it reported no more power than idle");
        return error_fix(err, "'carbon sources' shows what else this machine has; longer loads: --time 30");
    }
    error_set(err, ERROR_BAD_DATA, "the power of a busy CPU could not be determined");
    error_why(err, "the runs of one load differ by as much as it adds to idle power");
    return error_fix(err, "on a quiet machine, more and longer runs: carbon calibrate --runs 10 --time 15");
}

static void name_meter(const struct calibration *calibration, struct machine_profile *profile)
{
    static const enum breakdown_domain domain_of[PROFILE_PARTS] = { BREAKDOWN_PACKAGE, BREAKDOWN_MEMORY,
                                                                    BREAKDOWN_MACHINE, BREAKDOWN_GPU };
    size_t length = 0;

    for (enum profile_part part = 0; part < PROFILE_PARTS; part++) {
        char names[160];
        breakdown_meter_name(&calibration->split, &calibration->campaign.session.meter, domain_of[part], names,
                             sizeof names);
        if (profile_has(profile, part) && length < sizeof profile->meter)
            length += (size_t)snprintf(profile->meter + length, sizeof profile->meter - length, "%s%s",
                                       length ? ", " : "", names);
    }
}

static bool fit(struct calibration *calibration, struct machine_profile *profile, struct error *err)
{
    const struct session *session = &calibration->campaign.session;
    const struct measurement *measurement = &calibration->campaign.measurement;

    if (measurement->interrupted)
        return error_set(err, ERROR_SYSTEM, "interrupted before the machine was calibrated");
    *profile = (struct machine_profile){ .how = PROFILE_BY_METER };
    breakdown_meter_of(&session->meter, &calibration->split); /* by all that was measured something else may count */
    profile_hardware_of(&session->machine, cores_online(&session->root), &profile->hardware);
    clock_text(session->report.started_realtime_ns, profile->made_at);
    snprintf(profile->carbon_version, sizeof profile->carbon_version, "%s", PACKAGE_VERSION);
    if (!calibrate_fit(measurement, &calibration->split, &calibration->plan, profile, err))
        return false;
    name_meter(calibration, profile);
    return check_follows(calibration, profile, err) && check_quiet(calibration, profile, err);
}

static bool run(struct calibration *calibration, const struct settings *settings, struct machine_profile *profile,
                struct error *err)
{
    const struct campaign *campaign = &calibration->campaign;

    if (!open_calibration(calibration, settings, err) ||
        (!calibration->options->anyway && !session_wait_for_idle(&campaign->session, err)))
        return false;
    tell_limits(calibration);
    if (campaign->session.progress)
        tell_plan(calibration);
    return campaign_run(&calibration->campaign, err) && fit(calibration, profile, err);
}

bool calibrate_measure(const struct settings *settings, const struct calibrate_options *options,
                       struct machine_profile *profile, struct error *err)
{
    AUTO_FREE struct calibration *calibration = calloc(1, sizeof *calibration);
    bool done;

    if (!calibration)
        return error_errno(err, "cannot start");
    calibration->options = options;
    calibration->campaign.failure = FAILURE_DROPS;
    calibration->campaign.silent = true;
    done = run(calibration, settings, profile, err);
    campaign_close(&calibration->campaign);
    return done;
}
