/* SPDX-License-Identifier: MIT
 * Runs the loads of `carbon probe` as one series, and shows what came of it. */
#include "commands/probe/probe_work.h"

#include "app/command_work.h"
#include "app/csv_file.h"
#include "app/quiet.h"
#include "app/result_file.h"
#include "app/style.h"
#include "app/terminal.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Not closed on exec: each load knows it by its own /proc/self/fd, whatever user it is run as and whatever can be
 * written to, and nothing of it is left however carbon ends. */
static bool open_done(struct probe *probe, struct error *err)
{
    probe->done_fd = memfd_create("carbon-probe", 0);
    if (probe->done_fd < 0)
        return error_errno(err, "no file for the results of the loads");
    snprintf(probe->done_path, sizeof probe->done_path, "/proc/self/fd/%d", probe->done_fd);
    return true;
}

static const char *component_of(enum breakdown_domain domain, bool platform)
{
    switch (domain) {
    case BREAKDOWN_PACKAGE: return "package";
    case BREAKDOWN_MEMORY: return "memory";
    case BREAKDOWN_GPU: return "gpu";
    case BREAKDOWN_MACHINE: return platform ? "platform" : "machine";
    case BREAKDOWN_DOMAINS: break;
    }
    return "";
}

static void name_meter(struct probe *probe)
{
    const struct meter *meter = &probe->campaign.session.meter;
    struct probe_result *result = &probe->result;

    breakdown_meter_of(meter, &result->meter);
    for (enum breakdown_domain domain = 0; domain < BREAKDOWN_DOMAINS; domain++) {
        struct probe_domain *reported = &result->domains[domain];
        breakdown_meter_name(&result->meter, meter, domain, reported->names, sizeof reported->names);
        reported->component = component_of(domain, result->meter.platform);
        reported->quality = result->meter.quality[domain];
    }
}

static void begin_result(struct probe *probe)
{
    const struct session *session = &probe->campaign.session;
    const struct report *report = &session->report;
    struct probe_result *result = &probe->result;

    memcpy(result->id, report->id, sizeof result->id);
    memcpy(result->cpus, report->cpus, sizeof result->cpus);
    result->started_realtime_ns = report->started_realtime_ns;
    result->machine = &session->machine;
    result->recorded_tree = report->recorded_tree;
    result->load_s = probe->options.seconds;
    result->baseline_s = settings_number(session->settings, &option_baseline);
    result->runs = probe->options.runs;
    result->entries = probe->entries;
    result->entry_count = probe->plan.count;
    result->pue = report->pue;
    result->pue_quality = report->pue_quality;
    result->hours_per_year = report->hours_per_year;
    result->hours_quality = report->hours_quality;
    result->factor = report->factor;
    name_meter(probe);
}

static bool make_entries(struct probe *probe, struct error *err)
{
    const size_t runs = probe->options.runs;

    probe->runs = calloc(probe->plan.count * runs, sizeof *probe->runs);
    if (!probe->runs)
        return error_errno(err, "no memory for %zu runs", runs);
    for (size_t i = 0; i < probe->plan.count; i++) {
        const struct probe_load *load = &probe->plan.loads[i];
        const char *kind = load_kind_name(load->kind);
        if (load->threads)
            snprintf(probe->names[i], sizeof probe->names[i], "%s × %u", kind, load->threads);
        else
            snprintf(probe->names[i], sizeof probe->names[i], "%s", kind);
        probe->items[i] = (struct campaign_item){ .name = probe->names[i], .argv = load->command.argv };
        probe->entries[i] = (struct probe_entry){
            .name = probe->names[i],
            .kind = load->kind,
            .threads = load->threads,
            .runs = probe->runs + i * runs,
        };
    }
    probe->campaign.items = probe->items;
    probe->campaign.item_count = probe->plan.count;
    return true;
}

static bool open_probe(struct probe *probe, const struct settings *settings, struct error *err)
{
    const struct probe_options *options = &probe->options;
    char threads[128];

    if (!session_open(&probe->campaign.session, settings, err) || !open_done(probe, err))
        return false;
    probe_plan_threads((unsigned)probe->campaign.session.report.job_cpus, threads, sizeof threads);
    if (!probe_plan_make(&probe->plan, options->loads, options->threads ? options->threads : threads, options->seconds,
                         options->folder, probe->done_path, err) ||
        !make_entries(probe, err) ||
        !schedule_make(&probe->campaign.schedule, probe->plan.count, 0, options->runs, ORDER_INTERLEAVED, 0, err))
        return false;
    begin_result(probe);
    return result_file_open(&probe->json, options->json, err) && csv_file_open(settings, &option_csv, &probe->csv, err);
}

/* Brings the partial result up to date, so that a kill loses at most the last 10 s. */
static void on_progress(struct campaign *campaign, const struct workload_place *place)
{
    struct probe *probe = campaign->context;
    const uint64_t begun_ns = clock_monotonic_ns();
    struct error ignored; /* the final write reports errors */

    (void)place;
    if (!result_file_is_due(&probe->json, probe->next_progress_ns))
        return;
    probe_result_make(probe, false);
    IGNORED(output_rewrite(&probe->json,
                           output_begin_rewrite(&probe->json) &&
                               probe_write_json(&probe->result, probe->json.anew, &ignored),
                           &ignored),
            "the final write reports a failure");
    probe->next_progress_ns = result_file_next(begun_ns);
}

/* How long it takes is to be known before it is begun. */
static void tell_plan(const struct probe *probe)
{
    const struct probe_result *result = &probe->result;
    const double baseline_s = isnan(result->baseline_s) ? result->load_s : result->baseline_s;
    const double runs = (double)(result->entry_count * result->runs);
    char each[UNITS_SIZE], all[UNITS_SIZE];

    terminal_say("%zu loads, %zu run%s of %s each, with baselines between: about %s\n", result->entry_count,
                 result->runs, result->runs == 1 ? "" : "s", units_duration(result->load_s, each),
                 units_duration(runs * (result->load_s + baseline_s) + 2 * baseline_s, all));
}

typedef bool write_function(const struct probe_result *result, FILE *out, struct error *err);

static int write_file(struct probe *probe, struct output *output, write_function *write, int status)
{
    struct error err;
    const bool written =
        output_rewrite(output, output_begin_rewrite(output) && write(&probe->result, output->anew, &err), &err);

    return result_file_end(output, written, &err, status);
}

static void keep_files(struct probe *probe)
{
    result_file_keep(&probe->json);
    result_file_keep(&probe->csv);
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

static void print_plan(const struct probe *probe, const struct settings *settings, FILE *out)
{
    const struct table_style style = style_of(settings, out);
    const struct probe_style whole = { style.colour, terminal_utf8(), terminal_width(out) };

    if (is_stdout(probe->options.json) || is_stdout(probe->options.csv))
        return;
    switch (style.detail) {
    case DETAIL_LINE: probe_write_line(&probe->result, out); break;
    case DETAIL_ANSWER: probe_write_short(&probe->result, &style, out); break;
    case DETAIL_ALL: probe_write(&probe->result, &whole, out); break;
    }
}

/* The worst that happened. */
static int status_of(const struct probe *probe)
{
    if (probe->result.interrupted)
        return 128 + probe->campaign.measurement.interrupted;
    return probe->result.complete ? EXIT_SUCCESS : STATUS_IN_PART;
}

static int conclude(struct probe *probe, const struct settings *settings, FILE *out)
{
    int status;
    size_t measured = 0;

    name_meter(probe); /* by all that was measured something else may count */
    probe_result_make(probe, true);
    status = status_of(probe);
    for (size_t i = 0; i < probe->result.entry_count; i++)
        measured += probe->entries[i].run_count;
    if (!measured) {
        struct error err;
        result_file_discard(&probe->json);
        result_file_discard(&probe->csv);
        if (probe->result.interrupted)
            error_set(&err, ERROR_SYSTEM, "interrupted before a load was run to its end");
        else
            err = probe->entries[0].error;
        return terminal_fail(&err, probe->result.interrupted ? status : STATUS_CARBON_FAILED);
    }
    print_plan(probe, settings, out);
    if (probe->json.file)
        status = write_file(probe, &probe->json, probe_write_json, status);
    if (probe->csv.file)
        status = write_file(probe, &probe->csv, probe_write_csv, status);
    return terminal_finish_stdout(status);
}

static int run_probe(struct probe *probe, const struct settings *settings, FILE *out)
{
    struct error err;

    if (!open_probe(probe, settings, &err) ||
        (!probe->options.anyway && !session_wait_for_idle(&probe->campaign.session, &err))) {
        keep_files(probe);
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    if (probe->campaign.session.progress)
        tell_plan(probe);
    if (!campaign_run(&probe->campaign, &err)) {
        keep_files(probe);
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    return conclude(probe, settings, out);
}

int probe_measure(const struct settings *settings, const struct probe_options *options, FILE *out)
{
    struct probe *probe = calloc(1, sizeof *probe);
    int status;

    if (!probe)
        return command_cannot_start();
    probe->options = *options;
    probe->done_fd = -1;
    probe->campaign.failure = FAILURE_DROPS;
    probe->campaign.silent = true;
    probe->campaign.context = probe;
    probe->campaign.on_progress = on_progress;
    status = run_probe(probe, settings, out);
    campaign_close(&probe->campaign);
    if (probe->done_fd >= 0)
        close(probe->done_fd);
    free(probe->runs);
    notices_clear(&probe->result.notices);
    free(probe);
    return status;
}
