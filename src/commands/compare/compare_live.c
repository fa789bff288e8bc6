/* SPDX-License-Identifier: MIT
 * Commands compared by measuring them now, round by round. */
#include "commands/compare/compare.h"

#include "app/campaign.h"
#include "app/ci_options.h"
#include "app/command_work.h"
#include "app/gate_status.h"
#include "app/options/sci_options.h"
#include "app/terminal.h"
#include "base/clock.h"
#include "base/units.h"
#include "commands/compare/candidates.h"

#include <math.h>
#include <stdlib.h>

struct live {
    struct campaign campaign;
    struct candidates candidates;
    struct compare_files files;
    enum order order;
    uint64_t seed;
    struct comparison_gate gate;
    bool gated;
    struct ci_files ci;
    uint64_t begun_ns; /* CLOCK_MONOTONIC, before the first window */
};

static bool make_comparison(struct live *work, struct comparison *comparison, struct error *err)
{
    const struct campaign *campaign = &work->campaign;

    if (!comparison_open(comparison, campaign->item_count, err))
        return false;
    comparison->gate = work->gated ? &work->gate : NULL;
    comparison->started_realtime_ns = campaign->session.report.started_realtime_ns;
    comparison->ended_realtime_ns = session_now_ns(&campaign->session);
    comparison->order = order_name(work->order);
    comparison->seeded = work->order == ORDER_SHUFFLED;
    comparison->seed = work->seed;
    for (size_t i = 0; i < campaign->item_count; i++) {
        comparison->candidates[i].name = campaign->items[i].name;
        comparison->candidates[i].report = &campaign->items[i].report;
    }
    return comparison_finish(comparison, err);
}

/* Brings the partial document up to date, so that a kill loses at most the last 10 s. */
static void on_progress(struct campaign *campaign, const struct workload_place *place)
{
    struct live *work = campaign->context;
    const uint64_t begun_ns = clock_monotonic_ns();
    struct comparison comparison = { .candidates = NULL };
    struct error ignored;

    (void)place;
    if (!compare_files_want_progress(&work->files))
        return;
    if (campaign_results(campaign, false, &ignored) && make_comparison(work, &comparison, &ignored))
        compare_files_progress(&work->files, &comparison, begun_ns);
    comparison_close(&comparison);
}

/* Rounds that are done when so many steps are behind; 0: one goes on, or the warm-ups do. */
static size_t rounds_of(const struct schedule *schedule, size_t behind)
{
    const struct step *last = &schedule->steps[behind - 1];
    const bool whole = behind == schedule->count || schedule->steps[behind].number != last->number;

    return whole && !last->warmup ? last->number : 0;
}

/* What ends the series at this place; NULL: nothing does. */
static const char *ending_of(const struct live *work)
{
    if (work->gate.verdict != GATE_UNDECIDED)
        return "answer";
    if (work->gate.is_hopeless)
        return "hopeless";
    return s_from_ns(clock_monotonic_ns() - work->begun_ns) >= work->gate.max_time_s ? "max-time" : NULL;
}

/* A look at the gate after each round. */
static bool is_enough(struct campaign *campaign, size_t behind)
{
    struct live *work = campaign->context;
    struct comparison comparison = { .candidates = NULL };
    const char *ending = NULL;
    struct error ignored;

    if (rounds_of(&campaign->schedule, behind) < work->gate.min_runs)
        return false;
    if (campaign_results(campaign, false, &ignored) && make_comparison(work, &comparison, &ignored))
        ending = ending_of(work);
    comparison_close(&comparison);
    if (ending)
        work->gate.ended_by = ending;
    return ending != NULL;
}

static bool make_order(struct live *work, const struct settings *settings, struct error *err)
{
    const double seed = settings_number(settings, &option_seed);

    work->order = order_of(settings_text(settings, &option_order));
    work->seed = isnan(seed) ? schedule_seed() : (uint64_t)seed;
    if (work->order == ORDER_SHUFFLED || settings_origin(settings, &option_seed) != ORIGIN_LINE)
        return true;
    error_set(err, ERROR_USAGE, "--seed cannot be used: the runs are %s", order_name(work->order));
    return error_fix(err, "--order shuffled --seed %.0f", seed);
}

/* One functional unit for all. */
static bool read_unit(struct live *work, const struct settings *settings, struct error *err)
{
    struct report *report = &work->campaign.session.report;

    report->command = work->campaign.items[0].argv;
    return sci_options_read(settings, ORIGIN_STANDARD, sci_share_of(report), &report->sci, err);
}

/* What is wrong with the command line costs nobody a run. */
static bool open_live(struct live *work, const struct command_line *line, struct error *err)
{
    const struct settings *settings = &line->settings;
    struct campaign *campaign = &work->campaign;

    if (!make_order(work, settings, err) || !candidates_of_line(&work->candidates, line, err) ||
        !comparison_gate_open(&work->gate, settings, work->candidates.count, &work->gated, err))
        return false;
    campaign->items = calloc(work->candidates.count, sizeof *campaign->items);
    if (!campaign->items)
        return error_errno(err, "no memory for %zu commands", work->candidates.count);
    campaign->item_count = work->candidates.count;
    for (size_t i = 0; i < campaign->item_count; i++) {
        campaign->items[i].name = work->candidates.items[i].name;
        campaign->items[i].argv = work->candidates.items[i].argv;
    }
    campaign->failure = settings_flag(settings, &option_ignore_failure) ? FAILURE_IGNORED : FAILURE_STOPS;
    campaign->by_own = true;
    campaign->hide_output = !settings_flag(settings, &option_show_output);
    campaign->on_progress = on_progress;
    campaign->is_enough = work->gated ? is_enough : NULL;
    campaign->context = work;
    work->begun_ns = clock_monotonic_ns();
    return session_open(&campaign->session, settings, err) &&
           schedule_make(&campaign->schedule, campaign->item_count,
                         (size_t)settings_number(settings, &option_compare_warmup),
                         work->gated ? work->gate.max_runs : (size_t)settings_number(settings, &option_compare_runs),
                         work->order, work->seed, err) &&
           read_unit(work, settings, err) && ci_options_open(&work->ci, settings, err) &&
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
    error_fix(
        &err,
        "its messages are above, the results of completed runs below; --ignore-failure continues after a failure");
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
    struct comparison comparison = { .candidates = NULL };
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
    if (work->gated && !work->gate.ended_by)
        work->gate.ended_by = status ? "failure" : "max-runs";
    if (campaign_results(&work->campaign, true, &err) && make_comparison(work, &comparison, &err)) {
        if (work->gated && status == 0)
            status = gate_status(work->gate.verdict);
        status = compare_print(&comparison, settings, status);
        status = campaign_keep(&work->campaign, compare_files_write(&work->files, &comparison, status));
        status = compare_ci_write(&work->ci, &comparison, status);
    } else {
        compare_files_keep(&work->files);
        status = terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    comparison_close(&comparison);
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
    candidates_close(&work->candidates);
    comparison_gate_close(&work->gate);
    ci_close(&work->ci);
}

int compare_live(const struct command_line *line)
{
    return command_run_with(sizeof(struct live), line, run_live, close_live);
}
