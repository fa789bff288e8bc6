/* SPDX-License-Identifier: MIT
 * From the windows of a campaign to the sizes of a model's runs. */
#include "commands/model/model_work.h"

#include "app/options/naming_options.h"
#include "base/auto.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool fill_size(struct model_work *work, size_t i, struct error *err)
{
    struct model_size *size = &work->sizes[i];
    const char *label = settings_text(work->settings, &option_label);
    const struct recipe_values values = {
        .model = work->model, .input = work->input, .output = work->output, .n = work->rows[i].inputs
    };

    for (size_t step = 0; step < RECIPE_STEPS; step++) {
        if (!work->recipe.steps[step])
            continue;
        size->words[step] = recipe_fill_all(&work->recipe.store, work->recipe.steps[step], &values);
        if (!size->words[step])
            return error_errno(err, "no memory for the commands of the recipe");
    }
    snprintf(size->label, sizeof size->label, "%.200s", label ? label : work->model);
    if (work->scaling)
        snprintf(size->label + strlen(size->label), sizeof size->label - strlen(size->label), "/%zu",
                 work->rows[i].inputs);
    return true;
}

/* One size after the other, each with its warm-ups and runs. */
static bool make_schedule(struct model_work *work, struct error *err)
{
    struct schedule *schedule = &work->campaign.schedule;
    AUTO_FREE struct step *steps = NULL;
    size_t count = 0;

    if (!schedule_make(schedule, work->size_count, (size_t)settings_number(work->settings, &option_warmup),
                       (size_t)settings_number(work->settings, &option_runs), ORDER_INTERLEAVED, 0, err))
        return false;
    steps = calloc(schedule->count, sizeof *steps);
    if (!steps)
        return error_errno(err, "no memory for %zu runs", schedule->count);
    for (size_t i = 0; i < work->size_count; i++)
        for (size_t j = 0; j < schedule->count; j++)
            if (schedule->steps[j].command == i)
                steps[count++] = schedule->steps[j];
    memcpy(schedule->steps, steps, count * sizeof *steps);
    return true;
}

/* That the container was not watched is part of every result. */
static void note_target(struct model_work *work)
{
    if (!work->container)
        notice_add(&work->campaign.session.report.own_notices, NOTICE_LEFT_OUT,
                   settings_flag(work->settings, &option_no_container) ? "--no-container was given"
                                                                       : "the recipe names no container",
                   "CPU and memory of a container or server working for it are not included",
                   "the run command itself was measured, with its descendants");
}

bool model_result_open(struct model_work *work, struct error *err)
{
    struct campaign *campaign = &work->campaign;
    struct model_report *report = &work->report;

    campaign->items = calloc(work->size_count, sizeof *campaign->items);
    if (!campaign->items)
        return error_errno(err, "no memory for %zu sizes", work->size_count);
    campaign->item_count = work->size_count;
    for (size_t i = 0; i < work->size_count; i++) {
        if (!fill_size(work, i, err))
            return false;
        campaign->items[i] =
            (struct campaign_item){ .name = work->sizes[i].label, .argv = work->sizes[i].words[RECIPE_RUN] };
        work->rows[i].record = &campaign->items[i].report;
    }
    note_target(work);
    *report = (struct model_report){
        .session = &campaign->session.report,
        .model = work->model,
        .recipe = work->recipe.name,
        .label = settings_text(work->settings, &option_label),
        .runs = (size_t)settings_number(work->settings, &option_runs),
        .baseline_s = settings_number(work->settings, &option_baseline),
        .timeout_s = work->limit_ns ? s_from_ns(work->limit_ns) : NAN,
        .rows = work->rows,
        .row_count = work->size_count,
    };
    clock_text(campaign->session.report.started_realtime_ns, report->started_at);
    return make_schedule(work, err);
}

static enum model_state state_of(const struct model_work *work, size_t i)
{
    const struct model_size *size = &work->sizes[i];
    const struct campaign_item *item = &work->campaign.items[i];

    if (size->timed_out)
        return MODEL_TIMED_OUT;
    if (size->failed || item->end.cannot_run)
        return MODEL_FAILED;
    return item->report.summary.runs >= work->report.runs && item->report.exit_known ? MODEL_DONE : MODEL_NOT_RUN;
}

/* Doubts that all sizes have, once; those of one size under its name. */
static void take_doubts(struct model_work *work)
{
    struct notices *notices = &work->report.notices;

    for (size_t i = 0; i < work->size_count; i++) {
        AUTO_NOTICES struct notices own = { .count = 0 };

        if (!work->campaign.items[i].measurement.run_count)
            continue;
        campaign_doubts(&work->campaign, i, notices, &own);
        for (size_t j = 0; j < own.count; j++) {
            const struct notice *doubt = &own.item[j];

            notice_add(notices, doubt->kind, doubt->why, doubt->fix, "%zu inputs: %s", work->rows[i].inputs,
                       doubt->what);
        }
        notices->left_out += own.left_out;
    }
}

bool model_result_collect(struct model_work *work, bool complete, struct error *err)
{
    struct model_report *report = &work->report;

    /* what was noted since they were made first */
    for (size_t i = 0; i < work->size_count; i++)
        notices_set(&work->campaign.items[i].report.own_notices, &work->campaign.session.report.own_notices);
    if (!campaign_results(&work->campaign, complete, err))
        return false;
    notices_set(&report->notices, &work->campaign.session.report.own_notices);
    report->interrupted = work->interrupted;
    report->complete = complete && !report->interrupted;
    clock_text(session_now_ns(&work->campaign.session), report->ended_at);
    for (size_t i = 0; i < work->size_count; i++) {
        work->rows[i].state = state_of(work, i);
        report->complete = report->complete && work->rows[i].state == MODEL_DONE;
        if (work->interrupted)
            work->campaign.items[i].report.complete = false;
    }
    if (complete)
        take_doubts(work);
    return true;
}

void model_result_close(struct model_work *work)
{
    free(work->campaign.items);
    work->campaign.items = NULL;
    notices_clear(&work->report.notices);
}
