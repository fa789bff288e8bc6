/* SPDX-License-Identifier: MIT
 * From the windows of a campaign to the steps of a pipeline. */
#include "commands/pipeline/pipeline_work.h"

#include "base/units.h"
#include "measurement/cpu_share.h"
#include "measurement/own_runs.h"

#include <math.h>
#include <stdlib.h>

#define BYTES_PER_MB 1e6

/* Field by field: both are large, and what has not been touched costs neither memory nor the fork of a step. */
static void describe(const struct pipeline_part *part, struct campaign_item *item, struct pipeline_step_report *step)
{
    const struct pipeline_requests *requests = &part->step->requests;

    item->name = part->label;
    item->argv = part->engine ? (char *const *)part->words : part->step->command;
    item->pinned = part->pinned;
    if (part->pinned)
        item->cpus = part->cpus;
    step->name = part->step->name;
    step->runner = part->engine ? engine_name(part->engine->kind) : "process";
    step->image = part->engine ? part->step->image : NULL;
    step->command = part->step->command;
    step->may_fail = part->step->allow_failure;
    step->requests_given.cpu = requests->cpu > 0 ? (unsigned)requests->cpu : 0;
    step->requests_given.memory_mb = requests->memory_mb > 0 ? (uint64_t)requests->memory_mb : 0;
    step->quality = QUALITY_UNKNOWN;
}

bool pipeline_result_open(struct pipeline_work *work, struct error *err)
{
    const struct session *session = &work->campaign.session;
    const struct settings *settings = work->settings;
    struct pipeline_report *report = &work->report;
    const size_t count = work->pipeline.count;

    report->session = &session->report;
    report->name = work->pipeline.name;
    report->file = work->pipeline.yaml.path;
    report->rounds = (size_t)settings_number(settings, &option_repeat);
    report->interval_s = settings_number(settings, &option_interval);
    report->headroom_percent = settings_number(settings, &option_headroom);
    report->baseline_s = settings_number(settings, &option_baseline);
    clock_text(session->report.started_realtime_ns, report->started_at);
    report->steps = calloc(count, sizeof *report->steps);
    work->campaign.items = calloc(count, sizeof *work->campaign.items);
    work->campaign.item_count = count;
    report->servers = calloc(work->companions.count + 1, sizeof *report->servers);
    report->server_count = work->companions.count;
    if (!report->steps || !work->campaign.items || !report->servers)
        return error_errno(err, "no memory for %zu steps", count);
    for (size_t i = 0; i < count; i++) {
        describe(&work->parts[i], &work->campaign.items[i], &report->steps[i]);
        report->steps[i].runs = calloc(report->rounds, sizeof *report->steps[i].runs);
        report->step_count = i + 1;
        work->parts[i].seen = calloc(report->rounds, sizeof *work->parts[i].seen);
        if (!report->steps[i].runs || !work->parts[i].seen)
            return error_errno(err, "no memory for %zu runs of '%s'", report->rounds, report->steps[i].name);
    }
    return true;
}

static double value_of(const struct usage_value *figure, double per)
{
    return figure->known ? (double)figure->value / per : NAN;
}

/* The whole run is one more row, of the counters of its group where it had one. */
static void size_whole_run(const struct run *run, struct pipeline_run *out)
{
    const double average = out->cpu_percent_of_core.average, waited_s = value_of(&run->usage.cpu_stall_ns, NS_PER_S);

    if (!run->ended)
        return;
    out->min_cpu_percent = fmax(out->min_cpu_percent, request_cpu_at_least(average, out->duration_s));
    if (!isfinite(waited_s))
        return;
    out->cpu_stall_s = waited_s;
    out->wanted_cpu_percent =
        fmax(out->wanted_cpu_percent,
             request_cpu_at_least(average + 100 * fmin(waited_s / out->duration_s, 1), out->duration_s));
}

/* As the step's record has it; that is there when all is done. */
static struct own own_of(const struct pipeline_work *work, const struct run *run, bool complete)
{
    const struct report *record = &work->campaign.items[run->command].report;

    return complete ? own_of_run(record->measurement, &record->summary.own_basis, run)
                    : (struct own){ NAN, NAN, NAN, NAN, OWN_UNKNOWN };
}

/* The same run as the servers beside it had it: their CPU time and their part of the cards. */
static bool take_place(const struct pipeline_seen *seen, struct run *run)
{
    run->usage = (struct usage){ .cpu_ns = { .known = isfinite(seen->concurrent_cpu_s), .from = "servers" } };
    if (run->usage.cpu_ns.known)
        run->usage.cpu_ns.value = (uint64_t)(seen->concurrent_cpu_s * NS_PER_S);
    for (size_t i = 0; i < run->gpu_count; i++)
        run->gpus[i].own_uj = run->gpus[i].concurrent_uj;
    return run->usage.cpu_ns.known;
}

/* By the rules of any job's own energy, of the same windows. What is learnt of strides is the step's, and not used. */
static struct own own_concurrent(const struct pipeline_work *work, size_t part, size_t round, double *gpu_own_j)
{
    const struct measurement *whole = work->campaign.items[part].report.measurement;
    struct own own = { NAN, NAN, NAN, NAN, OWN_UNKNOWN };
    struct measurement apart = *whole;
    struct own_basis basis = { .slope_w = { 0 } };
    bool known = true;

    *gpu_own_j = NAN;
    apart.runs = calloc(whole->run_count, sizeof *apart.runs);
    apart.strides = NULL;
    for (size_t i = 0; apart.runs && i < whole->run_count; i++) {
        apart.runs[i] = whole->runs[i];
        known = take_place(&work->parts[part].seen[i], &apart.runs[i]) && known;
    }
    if (apart.runs && known && round <= whole->run_count) {
        own_basis_fill(&apart, &basis);
        own = own_of_run(&apart, &basis, &apart.runs[round - 1]);
        *gpu_own_j = gpus_own_j(&apart, &apart.runs[round - 1]);
    }
    free(apart.runs);
    return own;
}

static void read_supplementary(const struct pipeline_work *work, size_t part, bool complete, struct pipeline_run *out)
{
    const struct pipeline_seen *seen = &work->parts[part].seen[out->round - 1];
    struct own own;

    out->servers = (struct pipeline_concurrent){ seen->with_servers, NAN, NAN, NAN, NAN, OWN_UNKNOWN };
    if (!seen->with_servers)
        return;
    out->servers.cpu_s = seen->concurrent_cpu_s;
    out->servers.memory_mb = seen->concurrent_memory_mb;
    if (!complete)
        return;
    own = own_concurrent(work, part, out->round, &out->servers.gpu_own_j);
    out->servers.own_j = own.own_j;
    out->servers.own_method = own.method;
}

static struct pipeline_run run_of(const struct pipeline_work *work, size_t i, const struct run *run, size_t round,
                                  bool complete)
{
    const struct measurement *all = &work->campaign.measurement;
    const struct pipeline_seen *seen = &work->parts[i].seen[round - 1];
    const struct neighbours neighbours = neighbours_of(all, &run->window);
    const struct energies energies = total_energies(all, &neighbours, &run->window);
    const struct own own = own_of(work, run, complete);
    const bool last = all->run_count && all->runs[all->run_count - 1].window.start_ns == run->window.start_ns;
    struct pipeline_run out = {
        .round = round,
        .ended = run->ended,
        .timed_out = run->timed_out,
        .cut_short = all->interrupted && last && run->end.exit_status != 0,
        .is_short = seen->is_short,
        .exit_status = run->end.exit_status,
        .duration_s = s_from_ns(run->window.duration_ns),
        .cpu_s = value_of(&run->usage.cpu_ns, NS_PER_S),
        .cpu_percent_of_core = run->ended ? seen->cpu_percent_of_core : (struct step_figures){ NAN, NAN },
        .memory_mb = run->ended ? seen->memory_mb : (struct step_figures){ NAN, NAN },
        .min_cpu_percent = run->ended ? seen->min_cpu_percent : NAN,
        .wanted_cpu_percent = run->ended ? seen->wanted_cpu_percent : NAN,
        .cpu_stall_s = run->ended ? seen->cpu_stall_s : NAN,
        .memory_peak_mb = value_of(&run->usage.memory_peak_bytes, BYTES_PER_MB),
        .memory_peak_from = run->usage.memory_peak_bytes.known ? run->usage.memory_peak_bytes.from : NULL,
        .read_bytes = value_of(&run->usage.read_bytes, 1),
        .written_bytes = value_of(&run->usage.written_bytes, 1),
        .gross_j = energies.gross_j,
        .idle_j = energies.idle_j,
        .net_j = energies.net_j,
        .own_j = own.own_j,
        .own_method = own.method,
        .gpu_own_j = gpus_own_j(all, run),
    };

    clock_text(run->window.realtime_ns, out.started_at);
    /* counters at both ends are exact; the looks between them need not fill the window */
    if (run->ended && isfinite(out.cpu_s) && out.duration_s > 0)
        out.cpu_percent_of_core.average = out.cpu_s / out.duration_s * 100;
    if (out.cpu_percent_of_core.average > out.cpu_percent_of_core.maximum)
        out.cpu_percent_of_core.maximum = out.cpu_percent_of_core.average;
    size_whole_run(run, &out);
    read_supplementary(work, i, complete, &out);
    return out;
}

static void take_servers(struct pipeline_work *work)
{
    for (size_t i = 0; i < work->report.server_count; i++) {
        const struct companion *companion = &work->companions.items[i];
        struct pipeline_server *server = &work->report.servers[i];

        *server = (struct pipeline_server){
            .name = companion->name,
            .runner = companion->engine ? engine_name(companion->engine->kind) : "process",
            .image = companion->image,
            .command = companion->argv,
            .models = (char *const *)companion->models,
            .starts = companion->starts,
            .ready_s = companion->waited_s,
            .cpu_s = companion->watched_s > 0 ? companion->cpu_s : NAN,
            .cpu_percent_of_core = companion->cpu_percent_of_core,
            .memory_mb = companion->memory_mb,
            .memory_peak_mb = companion->memory_peak_mb,
            .requests =
                size_request(companion->min_cpu_percent, fmax(companion->memory_mb.maximum, companion->memory_peak_mb),
                             work->report.headroom_percent),
        };
    }
}

static void note_memory(struct pipeline_work *work, size_t i)
{
    for (size_t round = 0; round < work->report.steps[i].run_count; round++)
        if (work->parts[i].seen[round].lacked_memory)
            notice_add(&work->report.steps[i].notices, NOTICE_OUT_OF_MEMORY, "it exceeded the container's memory limit",
                       "give it more memory, or let it use less", "killed by the kernel: out of memory");
}

static void take_runs(struct pipeline_work *work, bool complete)
{
    const struct measurement *all = &work->campaign.measurement;

    for (size_t i = 0; i < work->report.step_count; i++)
        work->report.steps[i].run_count = 0;
    for (size_t j = 0; j < all->run_count; j++) {
        struct pipeline_step_report *step = &work->report.steps[all->runs[j].command];

        step->runs[step->run_count] = run_of(work, all->runs[j].command, &all->runs[j], step->run_count + 1, complete);
        step->run_count++;
    }
}

static void note_killed(struct pipeline_step_report *step)
{
    size_t killed = 0;

    for (size_t i = 0; i < step->run_count; i++)
        killed += pipeline_run_was_killed(&step->runs[i]);
    if (killed)
        notice_add(&step->notices, NOTICE_UNFINISHED, "it may have needed more than it used until then",
                   "run the pipeline again where the step ends by itself",
                   step->requests.cpu || step->requests.memory_mb
                       ? "%zu of %zu runs were killed: the request is of the others"
                       : "%zu of %zu runs were killed: no request is suggested",
                   killed, step->counted);
}

static void note_requests(struct pipeline_work *work)
{
    for (size_t i = 0; i < work->report.step_count; i++) {
        struct pipeline_step_report *step = &work->report.steps[i];
        note_killed(step);
        if (step->request_cpu_at_least)
            notice_add(&step->notices, NOTICE_USAGE,
                       "it waited for CPUs that other processes, or its own tasks, kept busy",
                       "stop other load ('top' shows it), then run the pipeline again",
                       "its CPU request, %u, is a lower bound", step->requests.cpu);
    }
}

/* What is told of a step when all is done. */
static void conclude_step(struct pipeline_work *work, size_t i)
{
    const struct campaign_item *item = &work->campaign.items[i];
    struct pipeline_step_report *step = &work->report.steps[i];

    if (item->end.cannot_run)
        step->problem = item->end.error;
    if (!step->run_count)
        return;
    step->quality = item->report.summary.quality;
    campaign_doubts(&work->campaign, i, &work->report.notices, &step->notices);
    note_memory(work, i);
}

static bool is_done(const struct pipeline_step_report *step, size_t rounds)
{
    return step->counted == rounds || step->failed;
}

static void note_warnings(struct pipeline_work *work)
{
    if (work->pipeline.warnings_left_out)
        notice_add(&work->report.notices, NOTICE_NOT_UNDERSTOOD, "no more of them are looked at", "",
                   "of keys that carbon does not know, %zu more are in the description",
                   work->pipeline.warnings_left_out);
    for (size_t i = 0; i < work->pipeline.warning_count; i++) {
        const struct pipeline_warning *warning = &work->pipeline.warnings[i];
        char fix[160] = "";

        if (!warning->near)
            continue;
        snprintf(fix, sizeof fix, "did you mean '%.100s'?", warning->near);
        notice_add(&work->report.notices, NOTICE_NOT_UNDERSTOOD, "a step has no such key, and carbon did not heed it",
                   fix, "'%.100s' line %zu: '%.80s' means nothing here", warning->path, warning->line, warning->key);
    }
}

/* What the model of the steps may be off, all in one direction; where any step has no range, there is none. */
static void take_range(struct pipeline_work *work)
{
    struct pipeline_report *report = &work->report;

    report->own_range_j = (struct interval){ 0, 0 };
    for (size_t i = 0; i < report->step_count; i++) {
        const struct domain_energy *total = &work->campaign.items[i].report.summary.total;
        const double scale = report->steps[i].own_j.mean / total->own_j.mean;

        if (!report->steps[i].counted)
            continue;
        report->own_range_j.low += total->own_low_j * scale;
        report->own_range_j.high += total->own_high_j * scale;
    }
}

bool pipeline_result_collect(struct pipeline_work *work, bool complete, struct error *err)
{
    struct pipeline_report *report = &work->report;

    if (complete && !campaign_results(&work->campaign, complete, err))
        return false;
    notices_set(&report->notices, &work->campaign.session.report.own_notices);
    note_warnings(work);
    take_runs(work, complete);
    take_servers(work);
    for (size_t i = 0; complete && i < report->step_count; i++)
        conclude_step(work, i);
    clock_text(session_now_ns(&work->campaign.session), report->ended_at);
    pipeline_report_finish(report);
    if (complete) {
        note_requests(work);
        take_range(work);
    }
    report->signal =
        work->campaign.measurement.interrupted ? work->campaign.measurement.interrupted : work->interrupted;
    report->interrupted = report->signal != 0;
    report->complete = complete && !report->interrupted;
    for (size_t i = 0; i < report->step_count; i++)
        report->complete = report->complete && is_done(&report->steps[i], report->rounds);
    return true;
}

void pipeline_result_close(struct pipeline_work *work)
{
    for (size_t i = 0; i < work->report.step_count; i++) {
        free(work->report.steps[i].runs);
        notices_clear(&work->report.steps[i].notices);
        free(work->parts[i].seen);
    }
    free(work->report.steps);
    notices_clear(&work->report.notices);
    free(work->report.servers);
    free(work->campaign.items);
}
