/* SPDX-License-Identifier: MIT
 * carbon slurm: what jobs have used and emit, from Slurm's accounting. */
#include "commands/slurm/slurm_work.h"

#include "app/command_work.h"
#include "app/ledger_options.h"
#include "app/options/naming_options.h"
#include "app/result_forms.h"
#include "app/terminal.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "form/notices_text.h"
#include "form/shown.h"
#include "io/content_id.h"
#include "run/privileges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct option_spec option_keep =
    OPTION(FLAG, "Ledger", "keep", .cli_only = true,
           .help = "put each job into the ledger, where 'carbon report' sums it as an estimate");

static bool is_asked(const struct sacct_row *row, const struct command_line *line)
{
    for (int i = 0; i < line->operand_count; i++)
        if (slurm_is_of(row, line->operands[i]))
            return true;
    return line->operand_count == 0;
}

/* It was run again under the same number. */
static bool is_again(const struct sacct_row *row)
{
    return sacct_is(row, "REQUEUED") || sacct_is(row, "NODE_FAIL") || sacct_is(row, "PREEMPTED") ||
           sacct_is(row, "BOOT_FAIL") || sacct_is(row, "RESIZING");
}

static bool same(const struct sacct_row *a, const struct sacct_row *b)
{
    return strcmp(a->id, b->id) == 0 && strcmp(a->cluster, b->cluster) == 0;
}

/* Of rows of one number the last counts, and those before it that Slurm ran again, in whatever order they are. */
static bool is_counted(const struct slurm_work *work, size_t at, struct notices *notices)
{
    const struct sacct_row *row = &work->list.rows[at];

    for (size_t i = 0; i < work->list.count; i++) {
        const struct sacct_row *later = &work->list.rows[i];

        if (i == at || !same(row, later) || later->start_s < row->start_s || (later->start_s == row->start_s && i < at))
            continue;
        if (later->start_s == row->start_s && strcmp(later->submit, row->submit) == 0)
            return false;
        if (!is_again(row)) {
            notice_add(notices, NOTICE_LEFT_OUT, "job numbers restart when a cluster is set up again", "",
                       "an earlier job with the number %.40s (%.40s) is left out", row->id, row->state);
            return false;
        }
    }
    return true;
}

static void add_result(struct slurm_work *work, size_t at)
{
    struct slurm_result *result = &work->results[work->count++];

    result->row = &work->list.rows[at];
    result->steps = result->row + 1;
    result->running = sacct_is(result->row, "RUNNING") || sacct_is(result->row, "COMPLETING") ||
                      sacct_is(result->row, "SUSPENDED") || sacct_is(result->row, "STOPPED");
    result->requeued = is_again(result->row);
    while (at + 1 + result->step_count < work->list.count && sacct_is_job(result->row) &&
           !sacct_is_job(&result->steps[result->step_count]))
        result->step_count++;
    slurm_job_energy(result->row, result->steps, result->step_count, &result->measured);
    if (!sacct_is_job(result->row) && *result->measured.from)
        result->measured.from = "step";
    if (result->running)
        notice_add(&work->notices, NOTICE_UNFINISHED, "Slurm has a step's figures when it has ended",
                   "run 'carbon slurm' again when it has ended",
                   "job %.40s is still going on: these are the figures so far", result->row->id);
}

static bool step_asked(const struct command_line *line)
{
    for (int i = 0; i < line->operand_count; i++)
        if (strchr(line->operands[i], '.'))
            return true;
    return false;
}

static bool find_results(struct slurm_work *work, const struct command_line *line, struct error *err)
{
    const bool steps = step_asked(line);

    work->results = calloc(work->list.count + 1, sizeof *work->results);
    if (!work->results)
        return error_errno(err, "no memory for the jobs");
    for (size_t i = 0; i < work->list.count; i++) {
        const struct sacct_row *row = &work->list.rows[i];

        if (is_asked(row, line) && (sacct_is_job(row) || steps) && is_counted(work, i, &work->notices)) {
            add_result(work, i);
            i += work->results[work->count - 1].step_count;
        }
    }
    if (work->count)
        return true;
    error_set(err, ERROR_ABSENT, "Slurm's accounting knows no such job%s%.100s", line->operand_count ? ": " : "",
              line->operand_count ? line->operands[0] : "");
    error_why(err, "its number is another, it is another user's, or it has been removed since");
    return error_fix(err, "sacct --starttime=now-7days lists your jobs of a week");
}

/* "123", "123.0"; that of an array's part is another than its name says, and stands in a column of its own. */
static int64_t number_of(const char *raw)
{
    char text[TEXT_NUMBER_SIZE];
    uint64_t number;

    text_copy(text, sizeof text, raw);
    text[strcspn(text, ".")] = '\0';
    return text_to_u64(text, &number) && number <= INT64_MAX ? (int64_t)number : -1;
}

static void prepare(struct slurm_work *work, struct slurm_result *result)
{
    const char *const names[] = { "carbon slurm", result->row->cluster, result->row->raw, result->row->submit };
    struct estimate *estimate = &result->estimate;

    estimate->created_realtime_ns = clock_realtime_ns();
    if (result->row->start_s > 0)
        estimate->started_realtime_ns = (uint64_t)result->row->start_s * NS_PER_S_INT;
    estimate->label = settings_text(work->settings, &option_label);
    estimate->project = settings_text(work->settings, &option_project);
    if (!estimate->label)
        estimate->label = result->row->name;
    estimate->job = (struct estimate_job){
        .known = true,
        .id = number_of(result->row->raw),
        .cluster = result->row->cluster,
        .node_list = result->row->node_list,
        .nodes = result->row->nodes,
        .whole_nodes = estimate->energy_quality == QUALITY_MEASURED,
        .slices = result->slices,
        .slice_count = result->slice_count,
    };
    if (!settings_flag(work->settings, &option_keep) || isnan(estimate->energy_j) || result->running)
        return;
    if (result->row->start_s < 0) { /* it would be in no report */
        if (estimate->energy_j > 0)
            notice_add(&work->notices, NOTICE_LEFT_OUT, "a report would not know in which period it was",
                       "SLURM_TIME_FORMAT=%s sacct ...", "job %.40s is not kept: its start is not known",
                       result->row->id);
    } else
        content_id(names, sizeof names / sizeof names[0], estimate->id);
}

static enum quality worse(enum quality a, enum quality b)
{
    if (a == QUALITY_UNKNOWN || b == QUALITY_UNKNOWN)
        return QUALITY_UNKNOWN;
    return a > b ? a : b;
}

static void add_up(struct slurm_work *work, const struct estimate *estimate)
{
    if (estimate->energy_j != 0) { /* what was never run has no doubt to add */
        work->quality = work->judged ? worse(work->quality, estimate->energy_quality) : estimate->energy_quality;
        work->judged = true;
    }
    if (isnan(estimate->energy_j)) {
        work->unknown++;
        return;
    }
    work->energy_j += estimate->energy_j;
    work->low_j += isnan(estimate->low_j) ? estimate->energy_j : estimate->low_j;
    work->high_j += isnan(estimate->high_j) ? estimate->energy_j : estimate->high_j;
    work->facility_kwh += estimate->footprint.facility_kwh;
    work->kgco2eq += estimate->footprint.kgco2eq;
}

static bool work_out(struct slurm_work *work, struct error *err)
{
    for (size_t i = 0; i < work->count; i++) {
        struct slurm_result *result = &work->results[i];
        struct estimate *estimate = &result->estimate;

        if (!slurm_find_energy(work, result, err))
            return false;
        prepare(work, result);
        if (!estimate_factor(estimate, work->settings, err))
            return false;
        estimate_footprint(estimate);
        add_up(work, estimate);
        notices_copy(&work->notices, &estimate->notices);
    }
    if (work->unknown == work->count)
        work->energy_j = work->low_j = work->high_j = work->facility_kwh = work->kgco2eq = NAN;
    return true;
}

/* What Slurm has measured is, in a ledger, what somebody has stated. */
static bool store_records(struct slurm_work *work, struct error *err)
{
    for (size_t i = 0; i < work->count; i++) {
        struct estimate *estimate = &work->results[i].estimate;
        const enum quality quality = estimate->energy_quality;
        bool stored;

        estimate->energy_quality =
            quality == QUALITY_MEASURED || quality == QUALITY_ATTRIBUTED ? QUALITY_GIVEN : quality;
        stored = estimate_keep(estimate, work->settings, err);
        estimate->energy_quality = quality;
        if (!stored)
            return false;
    }
    return true;
}

/* Each is listed; the record has their number. */
static void tell_faults(struct slurm_work *work)
{
    const struct line_faults *faults = &work->list.faults;
    const char *path = settings_text(work->settings, &option_sacct);

    for (size_t i = 0; i < faults->count; i++)
        shown_print(stderr, "carbon: %s line %zu left out: %s\n", path ? path : "sacct", faults->items[i].line,
                    faults->items[i].why);
    if (faults->count)
        notice_add(&work->notices, NOTICE_LEFT_OUT, faults->items[0].why, "",
                   "%zu line%s of sacct's output excluded, the first is line %zu", faults->count,
                   faults->count == 1 ? " is" : "s are", faults->items[0].line);
}

static bool print_jobs(const struct slurm_work *work, struct error *err)
{
    struct result_forms forms = { .settings = work->settings };

    RESULT_FORMS_WRITE(forms, slurm_json, slurm_csv, work, err);
    if (forms.failed)
        return false;
    if (!forms.on_stdout)
        slurm_text(work, stdout);
    notices_text(stderr, &work->notices, "", terminal_colour(work->settings, stderr));
    return true;
}

static bool read_jobs(struct slurm_work *work, const struct command_line *line, struct error *err)
{
    work->settings = &line->settings;
    if (!privileges_drop(&work->environment, err) || !slurm_ask(line, &work->list, err))
        return false;
    tell_faults(work);
    return slurm_read_times(work, err) && slurm_read_bounds(work, err) && slurm_find_watts(work, err) &&
           find_results(work, line, err) && work_out(work, err) && store_records(work, err) && print_jobs(work, err);
}

static int run(void *context, const struct command_line *line)
{
    struct error err;

    return terminal_finish_stdout(read_jobs(context, line, &err) ? EXIT_SUCCESS
                                                                 : terminal_fail(&err, STATUS_CARBON_FAILED));
}

static void close_work(void *context)
{
    struct slurm_work *work = context;

    sacct_close(&work->list);
    free(work->node_w);
    for (size_t i = 0; i < work->count; i++) {
        free(work->results[i].slices);
        notices_clear(&work->results[i].estimate.notices);
    }
    notices_clear(&work->notices);
    free(work->results);
    environment_close(&work->environment);
}

static int run_slurm(const struct command_line *line)
{
    return command_run_with(sizeof(struct slurm_work), line, run, close_work);
}

COMMAND(cmd_slurm) = {
    .name = "slurm",
    .purpose = "energy and emissions of Slurm jobs, from sacct",
    .synopsis = "[options] [job ...]",
    .options = OPTIONS(&option_sacct, &option_sacct_date, &option_slurm_doubted, &option_slurm_cpu, &option_gpu_power,
                       SITE_OPTIONS, WATER_OPTIONS, &option_year, MARKET_OPTIONS, BASIS_OPTIONS, &option_duty,
                       &option_keep, LEDGER_OPTIONS, RESULT_OPTIONS, COLOR_OPTIONS),
    .common = COMMON("sacct", "zone", "pue", "cpu", "gpu-power", "keep", "output"),
    .examples = EXAMPLES("carbon slurm 4711",
                         "carbon slurm --zone DE --pue 1.2 --cpu 'AMD EPYC 7763' --json job.json 4711",
                         "carbon slurm --sacct accounts.txt --csv jobs.csv"),
    .schemas = SCHEMAS(&slurm_schema),
    .run = run_slurm,
    .prints_page = true,
    OPERANDS(0, -1, OPERAND_TEXT),
    .about = "Energy of jobs from Slurm's accounting where Slurm has measured it, else modelled from CPU time, and its "
             "emissions.",
};
