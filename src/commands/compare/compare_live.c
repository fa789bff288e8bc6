/* SPDX-License-Identifier: MIT
 * Commands compared by measuring them now, round by round. */
#include "commands/compare/compare.h"

#include "app/campaign.h"
#include "app/command_work.h"
#include "app/terminal.h"
#include "base/clock.h"
#include "commands/compare/contenders.h"

#include <math.h>
#include <stdlib.h>

struct live {
    struct campaign campaign;
    struct contenders contenders;
    struct compare_files files;
    enum order order;
    uint64_t seed;
};

static bool make_contest(const struct live *work, struct contest *contest, struct error *err)
{
    const struct campaign *campaign = &work->campaign;

    if (!contest_open(contest, campaign->item_count, err))
        return false;
    contest->started_realtime_ns = campaign->session.report.started_realtime_ns;
    contest->ended_realtime_ns = session_now_ns(&campaign->session);
    contest->order = order_name(work->order);
    contest->seeded = work->order == ORDER_SHUFFLED;
    contest->seed = work->seed;
    for (size_t i = 0; i < campaign->item_count; i++) {
        contest->contenders[i].name = campaign->items[i].name;
        contest->contenders[i].report = &campaign->items[i].report;
    }
    return contest_finish(contest, err);
}

/* Brings the partial document up to date, so that a kill loses at most the last 10 s. */
static void on_progress(struct campaign *campaign, const struct workload_place *place)
{
    struct live *work = campaign->context;
    const uint64_t begun_ns = clock_monotonic_ns();
    struct contest contest = { .contenders = NULL };
    struct error ignored;

    (void)place;
    if (!compare_files_want_progress(&work->files))
        return;
    if (campaign_results(campaign, false, &ignored) && make_contest(work, &contest, &ignored))
        compare_files_progress(&work->files, &contest, begun_ns);
    contest_close(&contest);
}

static bool make_order(struct live *work, const struct settings *settings, struct error *err)
{
    const double seed = settings_number(settings, &option_seed);

    work->order = order_of(settings_text(settings, &option_order));
    work->seed = isnan(seed) ? schedule_seed() : (uint64_t)seed;
    if (work->order == ORDER_SHUFFLED || settings_origin(settings, &option_seed) != ORIGIN_LINE)
        return true;
    error_set(err, ERROR_USAGE, "--seed has no use: the runs are %s", order_name(work->order));
    return error_fix(err, "--order shuffled --seed %.0f", seed);
}

/* What is wrong with the command line costs nobody a run. */
static bool open_live(struct live *work, const struct command_line *line, struct error *err)
{
    const struct settings *settings = &line->settings;
    struct campaign *campaign = &work->campaign;

    if (!make_order(work, settings, err) || !contenders_of_line(&work->contenders, line, err))
        return false;
    campaign->items = calloc(work->contenders.count, sizeof *campaign->items);
    if (!campaign->items)
        return error_errno(err, "no memory for %zu commands", work->contenders.count);
    campaign->item_count = work->contenders.count;
    for (size_t i = 0; i < campaign->item_count; i++) {
        campaign->items[i].name = work->contenders.items[i].name;
        campaign->items[i].argv = work->contenders.items[i].argv;
    }
    campaign->failure = settings_flag(settings, &option_ignore_failure) ? FAILURE_IGNORED : FAILURE_STOPS;
    campaign->by_own = true;
    campaign->hide_output = !settings_flag(settings, &option_show_output);
    campaign->on_progress = on_progress;
    campaign->context = work;
    return session_open(&campaign->session, settings, err) &&
           schedule_make(&campaign->schedule, campaign->item_count,
                         (size_t)settings_number(settings, &option_compare_warmup),
                         (size_t)settings_number(settings, &option_compare_runs), work->order, work->seed, err) &&
           compare_files_open(&work->files, settings, err);
}

static void tell_failure(const struct campaign *campaign, const struct campaign_item *item)
{
    const struct measurement *measurement = &campaign->measurement;
    const bool warmup = measurement->run_count && measurement->runs[measurement->run_count - 1].warmup;
    struct error err;

    error_set(&err, ERROR_SYSTEM, "'%.100s' failed in %s %zu", item->name, warmup ? "warm-up" : "run",
              item->end.failed_number);
    error_why(&err, "exit status %d", item->end.exit_status);
    error_fix(&err, "its own messages are above; what was measured until then is reported below; --ignore-failure goes "
                    "on regardless");
    terminal_fail(&err, 0);
}

/* That of the command which ended the series; else of the first whose last run did not end with 0. */
static int status_of(const struct campaign *campaign)
{
    int status = 0;

    for (size_t i = 0; i < campaign->item_count; i++)
        if (campaign->items[i].end.failed && campaign->failure == FAILURE_STOPS)
            return campaign->items[i].end.exit_status;
    for (size_t i = 0; !status && i < campaign->item_count; i++)
        status = campaign->items[i].end.exit_status;
    return status;
}

/* Reports what was measured. Returns the status of the whole. */
static int conclude(struct live *work)
{
    const struct settings *settings = work->campaign.session.settings;
    struct contest contest = { .contenders = NULL };
    int status = status_of(&work->campaign);
    struct error err;

    if (!work->campaign.ran) {
        error_set(&err, ERROR_SYSTEM, "interrupted before a command was run");
        compare_files_keep(&work->files);
        return terminal_fail(&err, status);
    }
    for (size_t i = 0; i < work->campaign.item_count; i++)
        if (work->campaign.items[i].end.failed && !work->campaign.measurement.interrupted)
            tell_failure(&work->campaign, &work->campaign.items[i]);
    if (campaign_results(&work->campaign, true, &err) && make_contest(work, &contest, &err)) {
        status = compare_print(&contest, settings, status);
        status = campaign_keep(&work->campaign, compare_files_write(&work->files, &contest, status));
    } else {
        compare_files_keep(&work->files);
        status = terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    contest_close(&contest);
    return status;
}

static int run_live(void *context, const struct command_line *line)
{
    struct live *work = context;
    struct campaign *campaign = &work->campaign;
    int status = STATUS_CARBON_FAILED;
    struct error err;

    if (!open_live(work, line, &err)) {
        compare_files_discard(&work->files);
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    if (campaign_run(campaign, &err))
        return conclude(work);
    for (size_t i = 0; i < campaign->item_count; i++)
        if (campaign->items[i].end.cannot_run)
            status = campaign->items[i].end.exit_status;
    if (campaign->ran)
        compare_files_keep(&work->files);
    else
        compare_files_discard(&work->files);
    return terminal_fail(&err, status);
}

static void close_live(void *context)
{
    struct live *work = context;

    campaign_close(&work->campaign);
    free(work->campaign.items);
    contenders_close(&work->contenders);
}

int compare_live(const struct command_line *line)
{
    return command_run_with(sizeof(struct live), line, run_live, close_live);
}
