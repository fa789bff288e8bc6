/* SPDX-License-Identifier: MIT
 * From the windows of a campaign to the runs of a batch. */
#include "commands/batch/batch_work.h"

#include "base/units.h"
#include "measurement/cpu_share.h"
#include "measurement/own_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void describe(struct batch_module *module, const struct batch_entry *entry, const struct session *session)
{
    module->name = entry->name;
    module->command = batch_entry_command(entry);
    module->items = isnan(entry->items) ? settings_number(session->settings, &option_items) : entry->items;
    module->quality = QUALITY_UNKNOWN;
    if (entry->pinned) {
        cpus_list(&entry->cpus, module->cpus, sizeof module->cpus);
        module->pinned_cpus = (size_t)CPU_COUNT_S(CPUS_SIZE, &entry->cpus.set);
    } else if (settings_text(session->settings, &option_cpus)) {
        text_copy(module->cpus, sizeof module->cpus, session->report.cpus);
        module->pinned_cpus = (size_t)CPU_COUNT_S(CPUS_SIZE, &session->job_cpus.set);
    } else {
        text_copy(module->cpus, sizeof module->cpus, session->report.cpus);
    }
}

static void add_sources(struct batch *batch, const struct session *session)
{
    const struct energy_source *last = NULL;

    for (size_t i = 0; i < session->meter.domain_count && batch->source_count < BATCH_SOURCES; i++)
        if (session->counting.is_counted[i] && session->meter.domains[i].source != last) {
            last = session->meter.domains[i].source;
            batch->sources[batch->source_count++] = last->driver->name;
        }
}

bool batch_result_open(struct batch_work *work, struct error *err)
{
    const struct session *session = &work->campaign.session;
    const struct settings *settings = &work->settings;
    struct batch *batch = &work->batch;
    const size_t count = work->list.count;

    batch->session = &session->report;
    batch->loops = (size_t)settings_number(settings, &option_loops);
    batch->warmups = (size_t)settings_number(settings, &option_warmup);
    batch->baseline_s = settings_number(settings, &option_baseline);
    batch->order = order_of(settings_text(settings, &option_order));
    clock_text(session->report.started_realtime_ns, batch->started_at);
    add_sources(batch, session);
    batch->modules = calloc(count, sizeof *batch->modules);
    work->pasts = calloc(count, sizeof *work->pasts);
    work->campaign.items = calloc(count, sizeof *work->campaign.items);
    if (!batch->modules || !work->pasts || !work->campaign.items)
        return error_errno(err, "no memory for %zu modules", count);
    batch->module_count = work->campaign.item_count = count;
    for (size_t i = 0; i < count; i++) {
        const struct batch_entry *entry = &work->list.entries[i];
        describe(&batch->modules[i], entry, session);
        batch->modules[i].runs = calloc(batch->loops, sizeof *batch->modules[i].runs);
        if (!batch->modules[i].runs)
            return error_errno(err, "no memory for %zu loops", batch->loops);
        work->campaign.items[i] = (struct campaign_item){
            .name = entry->name,
            .argv = entry->argv,
            .cpus = entry->cpus,
            .pinned = entry->pinned,
        };
    }
    return true;
}

/* The loop that the next run of this module was: runs are done in the order of the schedule. */
static size_t next_loop(const struct schedule *schedule, size_t module, size_t *step)
{
    while (*step < schedule->count && (schedule->steps[*step].command != module || schedule->steps[*step].warmup))
        (*step)++;
    return *step < schedule->count ? schedule->steps[(*step)++].number : 0;
}

/* The baseline after the run, which is half of what lies between two runs, has been watched. */
static bool is_whole(const struct batch_work *work, const struct neighbours *neighbours, const struct window *window)
{
    const bool same = isnan(work->batch.baseline_s), single = work->campaign.schedule.count == 1;
    const uint64_t wanted_ns = same ? window->duration_ns : (uint64_t)(work->batch.baseline_s * NS_PER_S);

    if (!wanted_ns || (single && !same))
        return true;
    return neighbours->after && neighbours->after->duration_ns >= wanted_ns / 2;
}

static struct batch_run run_of(const struct batch_work *work, const struct campaign_item *item, const struct run *run)
{
    const struct measurement *all = &work->campaign.measurement;
    const struct neighbours neighbours = neighbours_of(&item->measurement, &run->window);
    const struct energies energies = total_energies(&item->measurement, &neighbours, &run->window);
    const struct own own = own_of_run(&item->measurement, &item->report.summary.own_basis, run);
    const bool last = all->run_count && all->runs[all->run_count - 1].window.start_ns == run->window.start_ns;
    struct batch_run out = {
        .figures = {
            .duration_s = s_from_ns(run->window.duration_ns),
            .gross_j = energies.gross_j,
            .idle_j = energies.idle_j,
            .net_j = energies.net_j,
            .items = NAN,
            .own_j = own.own_j,
        },
        .own_method = own.method,
        .gpu_own_j = gpus_own_j(&item->measurement, run),
        .exit_status = run->end.exit_status,
        .ended = run->ended,
        .cut_short = all->interrupted && last && run->end.exit_status != 0,
        .whole = is_whole(work, &neighbours, &run->window),
    };

    clock_text(run->window.realtime_ns, out.started_at);
    return out;
}

/* What was measured now, behind what was before. */
static void take_runs(struct batch_work *work, size_t i)
{
    const struct campaign_item *item = &work->campaign.items[i];
    struct batch_module *module = &work->batch.modules[i];
    size_t step = 0;

    module->run_count = work->pasts[i].runs;
    for (size_t j = 0; j < item->measurement.run_count && module->run_count < work->batch.loops; j++) {
        const struct run *run = &item->measurement.runs[j];
        if (run->warmup)
            continue;
        module->runs[module->run_count] = run_of(work, item, run);
        module->runs[module->run_count++].loop = next_loop(&work->campaign.schedule, i, &step);
    }
}

static enum quality worse(enum quality a, enum quality b)
{
    if (a == QUALITY_UNKNOWN || b == QUALITY_UNKNOWN)
        return QUALITY_UNKNOWN;
    return a > b ? a : b;
}

/* Where there is an earlier part, both must say so of what is claimed of the whole. */
static void take_properties(struct batch_work *work, size_t i)
{
    const struct campaign_item *item = &work->campaign.items[i];
    const struct batch_stored *stored = &work->pasts[i];
    struct batch_module *module = &work->batch.modules[i];
    const bool now = module->run_count > stored->runs;

    if (now) {
        module->constant = measurement_is_constant(&item->measurement) && (!stored->runs || stored->constant);
        module->no_idle = baseline_idleness(&item->measurement) == IDLENESS_FULL || (stored->runs && stored->no_idle);
        module->rates = isfinite(item->report.summary.total.gross_w) && (!stored->runs || stored->rates);
        module->quality = item->report.summary.quality;
        if (stored->runs)
            module->quality = worse(module->quality, stored->quality);
    } else {
        module->constant = stored->constant;
        module->no_idle = stored->no_idle;
        module->rates = stored->rates;
        module->quality = stored->runs ? stored->quality : QUALITY_UNKNOWN;
    }
    if (item->end.cannot_run)
        module->problem = item->end.error;
    if (now)
        campaign_doubts(&work->campaign, i, &work->batch.notices, &module->notices);
}

/* What the model may be off, of the runs of now; those before are of the same model. */
static void take_range(const struct batch_work *work, size_t i)
{
    const struct domain_energy *total = &work->campaign.items[i].report.summary.total;
    struct batch_module *module = &work->batch.modules[i];
    const double scale = module->own_j.mean / total->own_j.mean;

    if (module->quality != QUALITY_MODELLED)
        return;
    if (module->dif == FIGURE_OWN_J && total->own_j.mean > 0 && isfinite(total->own_low_j))
        module->range_j = (struct interval){ total->own_low_j * scale, total->own_high_j * scale };
    else if (module->dif == FIGURE_NET_J && !work->pasts[i].runs)
        module->range_j = (struct interval){ total->net_low_j, total->net_high_j };
}

static bool is_done(const struct batch_module *module, size_t loops)
{
    return module->failed || module->problem.kind != ERROR_NONE || module->counted == loops;
}

static void note_breaks(struct batch *batch)
{
    for (size_t i = 0; i < batch->break_count; i++)
        notice_add(&batch->notices, NOTICE_DRIFT, "drift between them does not cancel out",
                   "measure all loops in one go where the difference is small",
                   "interrupted at %s with %zu runs done, resumed at %s: the two parts are separate in time",
                   batch->breaks[i].interrupted_at, batch->breaks[i].runs_before, batch->breaks[i].resumed_at);
}

bool batch_result_collect(struct batch_work *work, bool complete, struct error *err)
{
    struct batch *batch = &work->batch;

    if (!campaign_results(&work->campaign, complete, err))
        return false;
    notices_set(&batch->notices, &work->campaign.session.report.own_notices);
    for (size_t i = 0; i < batch->module_count; i++) {
        take_runs(work, i);
        take_properties(work, i);
    }
    note_breaks(batch);
    clock_text(session_now_ns(&work->campaign.session), batch->ended_at);
    if (!batch_finish(batch, err))
        return false;
    for (size_t i = 0; i < batch->module_count; i++)
        take_range(work, i);
    batch->interrupted = work->campaign.measurement.interrupted;
    batch->complete = complete && !batch->interrupted;
    for (size_t i = 0; i < batch->module_count; i++)
        batch->complete = batch->complete && is_done(&batch->modules[i], batch->loops) &&
                          !work->campaign.items[i].report.summary.at_least;
    return true;
}

void batch_result_close(struct batch_work *work)
{
    for (size_t i = 0; i < work->batch.module_count; i++) {
        free(work->batch.modules[i].runs);
        notices_clear(&work->batch.modules[i].notices);
    }
    notices_clear(&work->batch.notices);
    free(work->batch.modules);
    free(work->batch.breaks);
    free(work->batch.references);
    free(work->pasts);
    free(work->campaign.items);
}
