/* SPDX-License-Identifier: MIT
 * Several commands measured in one series. */
#include "app/campaign.h"

#include "app/captured_output.h"
#include "app/ledger_options.h"
#include "app/terminal.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/units.h"
#include "measurement/idle.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Baselines of a modelled run: long enough for ticks to resolve a tenth of a core. */
#define MODEL_BASELINE_NS (NS_PER_S_INT / 2)

static void on_progress(void *context, const struct workload_place *place, const struct measurement *so_far)
{
    struct campaign *campaign = context;

    (void)so_far; /* the number is in campaign->measurement */
    campaign->on_progress(campaign, place);
}

static bool before_run(void *context, const struct workload_place *place, struct error *err)
{
    struct campaign *campaign = context;

    if (campaign->messages_fd && ftruncate(campaign->messages_fd, 0) != 0)
        return error_errno(err, "cannot keep the messages of '%s'", campaign->items[place->command].name);
    return !campaign->before_run || campaign->before_run(campaign, place, err);
}

static bool after_run(void *context, const struct workload_place *place, const struct run *run)
{
    struct campaign *campaign = context;

    if (campaign->messages_fd && run && run->end.exit_status != 0 && !place->interrupted) {
        terminal_progress_done();
        print_captured_output(campaign->messages_fd, campaign->items[place->command].name, NULL);
    }
    return !campaign->after_run || campaign->after_run(campaign, place, run);
}

static bool is_enough(void *context, size_t behind)
{
    struct campaign *campaign = context;

    return campaign->is_enough(campaign, behind);
}

static void on_sample(void *context, const struct workload_place *place, const struct sample *sample,
                      const struct target_now *used)
{
    struct campaign *campaign = context;

    campaign->on_sample(campaign, place, sample, used);
}

static void running_progress(const struct campaign *campaign, const struct workload_place *place)
{
    char left[UNITS_SIZE] = "";

    if (place->left_ns)
        units_duration(s_from_ns(place->left_ns), left);
    terminal_progress("run %zu of %zu: %.60s, %.0f s%s%s%s%s", place->step + 1, campaign->schedule.count,
                      campaign->items[place->command].name, floor(s_from_ns(clock_monotonic_ns() - place->since_ns)),
                      campaign->running ? campaign->running : "", left[0] ? "; about " : "", left,
                      left[0] ? " left" : "");
}

static void on_tick(void *context, const struct workload_place *place)
{
    const struct campaign *campaign = context;
    char what[160] = "; the last baseline";

    if (campaign->silent && (place->phase == PHASE_RUN || place->phase == PHASE_WARMUP)) {
        running_progress(campaign, place);
        return;
    }
    if (place->step < campaign->schedule.count)
        snprintf(what, sizeof what, "; next: run %zu of %zu: %.60s", place->step + 1, campaign->schedule.count,
                 campaign->items[place->command].name);
    session_progress(place, what);
}

static struct workload_command command_of(const struct campaign *campaign, const struct campaign_item *item)
{
    struct workload_command command = session_command(&campaign->session, item->argv);

    command.made_later = campaign->made_later;
    if (item->pinned)
        command.cpus = &item->cpus.set;
    return command;
}

static bool is_modelled(const struct session *session)
{
    for (size_t i = 0; i < session->meter.domain_count; i++)
        if (session->counting.is_counted[i] && session->meter.domains[i].domain->quality != QUALITY_MODELLED)
            return false;
    return true;
}

/* If no length was given. A model goes by CPU time, and needs no idle machine; with a meter they are as long as is
 * useful for the runs. */
static void shorten_baselines(const struct session *session, struct workload_options *options)
{
    const bool settles = isnan(settings_number(session->settings, &option_settle));

    if (settings_origin(session->settings, &option_baseline) != ORIGIN_STANDARD)
        return;
    if (!is_modelled(session)) {
        options->baseline_fits = settles;
        return;
    }
    options->baseline_ns = clock_earlier_ns(options->baseline_ns, MODEL_BASELINE_NS);
    if (settles)
        options->settle_ns = 0;
}

static bool run(struct campaign *campaign, struct command_end *ends, struct error *err)
{
    const bool progress = campaign->session.progress;
    struct workload_options options = {
        .commands = campaign->commands,
        .command_count = campaign->item_count,
        .schedule = campaign->schedule,
        .failure = campaign->failure,
        .interval_ns = campaign->interval_ns,
        .baseline_once = campaign->baseline_once,
    };
    const struct workload_watch watch = {
        .context = campaign,
        .on_progress = campaign->on_progress ? on_progress : NULL,
        .before_run = campaign->before_run || campaign->messages_fd ? before_run : NULL,
        .after_run = campaign->after_run || campaign->messages_fd ? after_run : NULL,
        .is_enough = campaign->is_enough ? is_enough : NULL,
        .on_sample = campaign->on_sample ? on_sample : NULL,
        .looks = campaign->on_sample != NULL,
        .on_tick = progress ? on_tick : NULL,
        .tick_ns = progress ? NS_PER_S_INT / 4 : 0,
    };
    bool done;

    session_windows(&campaign->session, &options);
    if (campaign->by_own)
        shorten_baselines(&campaign->session, &options);
    done = workload_run(&campaign->session.meter, &campaign->session.counting, &options, &watch, &campaign->measurement,
                        ends, err);
    signal(SIGPIPE, SIG_IGN);
    if (progress)
        terminal_progress_done();
    return done;
}

/* Away from a terminal only: who sends an output somewhere wants it. */
static bool hide_output(struct campaign *campaign, int *nowhere_fd, struct error *err)
{
    if (isatty(STDOUT_FILENO)) {
        *nowhere_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (*nowhere_fd < 0)
            return error_errno(err, "cannot open '/dev/null'");
    }
    if (isatty(STDERR_FILENO)) {
        campaign->messages_fd = memfd_create("messages", MFD_CLOEXEC);
        if (campaign->messages_fd < 0 || fcntl(campaign->messages_fd, F_SETFL, O_APPEND) != 0)
            return error_errno(err, "cannot keep the messages of the commands");
    }
    for (size_t i = 0; i < campaign->item_count; i++) {
        campaign->commands[i].output_fd = *nowhere_fd;
        campaign->commands[i].error_fd = campaign->messages_fd;
    }
    campaign->silent = *nowhere_fd && campaign->messages_fd;
    return true;
}

bool campaign_run(struct campaign *campaign, struct error *err)
{
    const size_t count = campaign->item_count;
    int nowhere_fd = 0;
    AUTO_FREE struct workload_command *commands = calloc(count, sizeof *commands);
    AUTO_FREE struct command_end *ends = calloc(count, sizeof *ends);
    bool done;

    if (!commands || !ends)
        return error_errno(err, "no memory for %zu commands", count);
    for (size_t i = 0; i < count; i++)
        commands[i] = command_of(campaign, &campaign->items[i]);
    campaign->commands = commands;
    campaign->ends = ends;
    done = (!campaign->hide_output || hide_output(campaign, &nowhere_fd, err)) && run(campaign, ends, err);
    if (nowhere_fd > 0)
        close(nowhere_fd);
    if (campaign->messages_fd > 0)
        close(campaign->messages_fd);
    campaign->messages_fd = 0;
    campaign->commands = NULL;
    campaign->ends = NULL;
    /* a live view may have judged meanwhile: the baselines were added up before that */
    cross_check_forget(&campaign->session.meter);
    measurement_cross_check(&campaign->session.meter, &campaign->measurement, campaign->session.report.scope,
                            &campaign->session.counting, &campaign->session.report.own_notices);
    for (size_t i = 0; i < count; i++) {
        campaign->items[i].end = ends[i];
        campaign->ran |= ends[i].ran;
    }
    return done;
}

static void finish_item(const struct campaign *campaign, struct campaign_item *item, bool complete)
{
    struct report *report = &item->report;

    if (!report->id[0]) {
        report_copy(report, &campaign->session.report);
        session_make_id(report->id);
        report->label = item->name;
        report->command = item->argv;
        if (item->pinned) {
            cpus_list(&item->cpus, report->cpus, sizeof report->cpus);
            report->job_cpus = CPU_COUNT_S(CPUS_SIZE, &item->cpus.set);
            report->cpus_from = "--cpus";
        }
    }
    report->measurement = &item->measurement;
    session_end(&campaign->session, report);
    report->complete = complete && !campaign->measurement.interrupted && !item->end.failed && !item->end.cannot_run;
    report_finish(report);
}

bool campaign_results(struct campaign *campaign, bool complete, struct error *err)
{
    for (size_t i = 0; i < campaign->item_count; i++) {
        struct campaign_item *item = &campaign->items[i];

        measurement_close(&item->measurement);
        if (!measurement_of_command(&campaign->measurement, i, &item->measurement))
            return error_errno(err, "no memory for the result of '%s'", item->name);
        finish_item(campaign, item, complete);
    }
    return true;
}

/* Every item with runs has a notice with this text. */
static bool is_shared(const struct campaign *campaign, const char *what)
{
    for (size_t i = 0; i < campaign->item_count; i++) {
        const struct campaign_item *item = &campaign->items[i];
        bool found = item->measurement.run_count == 0;

        for (size_t j = 0; j < item->report.all_notices.count; j++)
            found = found || strcmp(item->report.all_notices.item[j].what, what) == 0;
        if (!found)
            return false;
    }
    return true;
}

static bool has_notice(const struct notices *notices, const char *what)
{
    for (size_t i = 0; i < notices->count; i++)
        if (strcmp(notices->item[i].what, what) == 0)
            return true;
    return false;
}

/* Notices of the whole series are among those of the first item with runs, so that only it is compared with the others.
 */
void campaign_doubts(const struct campaign *campaign, size_t i, struct notices *shared, struct notices *own)
{
    const struct notices *doubts = &campaign->items[i].report.all_notices;
    size_t first = 0;

    while (first < i && campaign->items[first].measurement.run_count == 0)
        first++;
    notices_clear(own);
    own->left_out = doubts->left_out;
    for (size_t j = 0; j < doubts->count; j++) {
        const char *what = doubts->item[j].what;
        const bool of_all = i == first ? is_shared(campaign, what) : has_notice(shared, what);

        notice_copy(of_all ? shared : own, &doubts->item[j]);
    }
}

int campaign_keep(const struct campaign *campaign, int status)
{
    AUTO_FREE const struct report **reports = calloc(campaign->item_count + 1, sizeof *reports);
    size_t count = 0;

    for (size_t i = 0; reports && i < campaign->item_count; i++)
        if (campaign->items[i].measurement.run_count)
            reports[count++] = &campaign->items[i].report;
    return ledger_options_keep(campaign->session.settings, &campaign->session.environment, reports, count, status);
}

void campaign_close(struct campaign *campaign)
{
    for (size_t i = 0; i < campaign->item_count; i++) {
        measurement_close(&campaign->items[i].measurement);
        report_close(&campaign->items[i].report);
    }
    measurement_close(&campaign->measurement);
    schedule_close(&campaign->schedule);
    session_close(&campaign->session);
}
