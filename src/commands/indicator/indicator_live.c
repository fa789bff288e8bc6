/* SPDX-License-Identifier: MIT
 * A performance indicator, run and measured. */
#include "commands/indicator/indicator.h"

#include "app/ci_options.h"
#include "app/command_work.h"
#include "app/options/naming_options.h"
#include "app/options/sci_options.h"
#include "app/style.h"
#include "app/terminal.h"
#include "base/auto.h"
#include "base/text.h"
#include "io/json_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All outputs together may be four times as long as one, or this. */
#define STORED_MIN ((size_t)64 << 20)

static bool before_run(struct campaign *campaign, const struct workload_place *place, struct error *err)
{
    struct indicator_work *work = campaign->context;

    (void)err;
    campaign->commands[place->command].capture = &work->capture;
    if (work->spec)
        campaign->commands[place->command].environment = work->spec->environment;
    return true;
}

static char *take_bytes(struct captured *captured)
{
    char *bytes = captured->bytes;

    captured->bytes = NULL;
    captured->size = captured->length = 0;
    return bytes;
}

static bool fits(struct indicator_work *work, size_t more)
{
    const size_t max = work->capture.max > STORED_MIN / 4 ? 4 * work->capture.max : STORED_MIN;

    work->stored_bytes += more;
    work->too_much |= work->stored_bytes > max;
    return !work->too_much;
}

static bool after_run(struct campaign *campaign, const struct workload_place *place, const struct run *run)
{
    struct indicator_work *work = campaign->context;
    struct captured *out = &work->capture.streams[CAPTURE_OUT], *error = &work->capture.streams[CAPTURE_ERROR];
    struct indicator_run *taken = &work->result.runs[work->result.run_count];

    (void)place;
    if (!run || run->warmup || work->result.run_count == work->room)
        return true;
    *taken = (struct indicator_run){
        .index = campaign->measurement.run_count - 1,
        .length = out->length,
        .over = out->over,
        .said_over = error->over,
    };
    if (!out->over)
        taken->text = take_bytes(out);
    taken->said = take_bytes(error);
    indicator_read(taken, &work->result.options);
    if (taken->said_over)
        notice_add(&taken->notices, NOTICE_TOO_MANY, "the rest was passed on, and is not in the report",
                   "raise --most-output", "more than %zu bytes of its messages came", work->capture.max);
    work->result.run_count++;
    return fits(work, taken->length);
}

static void on_progress(struct campaign *campaign, const struct workload_place *place)
{
    (void)place;
    indicator_files_progress(campaign->context);
}

static bool open_base(struct indicator_work *work, const struct settings *settings, struct error *err)
{
    const char *base = settings_text(settings, &option_compare);

    if (!base)
        return true;
    indicator_gate_open(&work->gate, settings, "this measurement");
    work->gated = true;
    return indicator_read_stored(base, &work->base, err);
}

/* Environment of the jobs. */
static char *const *variables_of(const struct indicator_work *work)
{
    char *const *own = work->campaign.session.environment.variables;

    if (work->spec && work->spec->environment)
        return work->spec->environment;
    return own ? own : environ;
}

/* The command of the command line, else the script of a specification. */
static bool open_spec(struct indicator_work *work, const struct command_line *line, char *const **argv,
                      struct error *err)
{
    struct indicator_spec *spec = work->spec;

    *argv = line->operands;
    if (!spec)
        return true;
    if (!indicator_spec_environment(spec, variables_of(work), err) ||
        (!line->dashed && !indicator_spec_place(spec, err)))
        return false;
    if (!line->dashed)
        *argv = spec->argv;
    indicator_spec_note(spec, &work->campaign.session.report.own_notices);
    return true;
}

static void find_script(struct indicator_work *work, char *const *argv)
{
    char *const *variables = variables_of(work);
    struct error ignored;
    const char *slash;

    indicator_script_of(argv, environment_value(variables, "PATH"), work->script, sizeof work->script);
    if (!work->script[0] || !sha256_of_file(work->script, work->sha256, &ignored))
        work->sha256[0] = '\0';
    if (work->spec && argv == work->spec->argv && work->spec->is_inline)
        text_copy(work->script, sizeof work->script, work->spec->path);
    slash = strrchr(work->script[0] ? work->script : argv[0], '/');
    text_copy(work->label, sizeof work->label, slash ? slash + 1 : work->script[0] ? work->script : argv[0]);
}

static bool make_room(struct indicator_work *work, const struct settings *settings, struct error *err)
{
    work->room = (size_t)settings_number(settings, &option_runs);
    work->result.runs = calloc(work->room, sizeof *work->result.runs);
    return work->result.runs || error_errno(err, "no memory for %zu runs", work->room);
}

static bool open_work(struct indicator_work *work, const struct command_line *line, struct error *err)
{
    const struct settings *settings = &line->settings;
    struct campaign *campaign = &work->campaign;
    char *const *argv;
    const char *label;

    work->capture.max = work->result.options.max_bytes;
    work->capture.takes_error = settings_text(settings, &option_amun) != NULL;
    if (!session_open(&campaign->session, settings, err) || !open_base(work, settings, err) ||
        !make_room(work, settings, err) || !open_spec(work, line, &argv, err))
        return false;
    campaign->session.report.command = argv;
    if (!sci_options_read(settings, ORIGIN_STANDARD, sci_share_of(&campaign->session.report),
                          &campaign->session.report.sci, err))
        return false;
    find_script(work, argv);
    label = settings_text(settings, &option_label);
    if (!label && work->spec)
        label = work->spec->identifier;
    work->item.name = label ? label : work->label;
    work->item.argv = argv;
    work->result.report = &work->item.report;
    work->result.script = work->script;
    work->result.sha256 = work->sha256;
    campaign->items = &work->item;
    campaign->item_count = 1;
    campaign->failure = settings_flag(settings, &option_ignore_failure) ? FAILURE_IGNORED : FAILURE_STOPS;
    campaign->before_run = before_run;
    campaign->after_run = after_run;
    campaign->on_progress = on_progress;
    campaign->context = work;
    return schedule_make(&campaign->schedule, 1, (size_t)settings_number(settings, &option_warmup), work->room,
                         ORDER_INTERLEAVED, 0, err) &&
           ci_options_open(&work->ci, settings, err) && indicator_files_open(work, settings, err);
}

/* The finished report as anybody would read it later. */
static void judge(struct indicator_work *work)
{
    struct stored_record now = { .command = NULL };
    struct error err = { .kind = ERROR_NONE };
    AUTO_FREE char *record = json_record_string(&work->item.report, &err);
    struct cJSON *document = record ? json_parse(record, work->gate.now_name, &err) : NULL;

    if (document && stored_record_parse(document, work->gate.now_name, &now, &err)) {
        gate_judge(&work->gate, &work->base, &now);
    } else {
        work->gate.verdict = GATE_UNDECIDED;
        text_copy(work->gate.why, sizeof work->gate.why, err.what);
    }
    json_close(document);
    stored_record_close(&now);
    work->result.gate = &work->gate;
}

static bool write_report(const void *of, const struct table_style *style, FILE *out, struct error *err)
{
    const struct indicator_work *work = of;

    if (!report_write_text(&work->item.report, style, out, err))
        return false;
    if (work->result.gate)
        gate_text(work->result.gate, out);
    return true;
}

static int write_ci(struct indicator_work *work, int status)
{
    struct ci_row row;
    struct text text;

    if (!ci_is_wanted(&work->ci))
        return status;
    ci_row_of(&work->item.report, work->item.name, &row);
    text_open(&text, SIZE_MAX);
    gate_line(&work->gate, &text);
    if (work->gated)
        ci_row_judge(&row, work->gate.verdict, text_ok(&text) ? text.data : "");
    text_close(&text);
    return ci_options_write(&work->ci, "carbon indicator", &row, 1, status);
}

/* Each that differs is reported with its run; the status of the whole. */
static int tell_faults(const struct indicator_work *work, int status)
{
    const struct indicator_report *result = &work->result;
    struct error err;

    for (size_t i = 0; i < result->run_count; i++) {
        const struct indicator_run *run = &result->runs[i];

        for (size_t j = 0; j < run->notices.count; j++)
            terminal_tell_plain(&run->notices.item[j]);
        if (run->fault.kind == FAULT_NONE)
            continue;
        err = run->fault.error;
        if (work->room > 1) {
            error_set(&err, ERROR_BAD_DATA, "run %zu: %.220s", i + 1, run->fault.error.what);
            error_why(&err, "%s", run->fault.error.why);
        }
        status = terminal_fail(&err, status ? status : STATUS_BAD_OUTPUT);
    }
    if (work->too_much) {
        error_set(&err, ERROR_USAGE, "the outputs of all runs together are too long to be kept");
        error_fix(&err, "fewer runs, or scripts that print less; --most-output raises what is kept, too");
        status = terminal_fail(&err, status ? status : STATUS_BAD_OUTPUT);
    }
    return status;
}

/* A score that cannot be made. */
static void note_scores(struct indicator_work *work)
{
    struct indicator_report *result = &work->result;

    for (size_t i = 0; result->options.score && i < result->run_count; i++)
        if (result->runs[i].fault.kind == FAULT_NONE && isnan(indicator_score(result, i)))
            notice_add(&result->runs[i].notices, NOTICE_UNKNOWN,
                       "it is per joule of the command's own, and that energy is not known, or not above 0",
                       "a baseline (--baseline 5), or a longer job", "overall_score of run %zu is null", i + 1);
}

/* The first that did not end with 0. */
static int status_of(const struct indicator_work *work)
{
    const struct measurement *measurement = &work->campaign.measurement;

    for (size_t i = 0; i < measurement->run_count; i++)
        if (measurement->runs[i].ended && measurement->runs[i].end.exit_status != 0)
            return measurement->runs[i].end.exit_status;
    return measurement->interrupted && measurement->run_count < work->campaign.schedule.count
               ? 128 + measurement->interrupted
               : work->item.end.exit_status;
}

static bool any_good(const struct indicator_report *result)
{
    bool any = false;

    for (size_t i = 0; i < result->run_count; i++)
        any |= result->runs[i].fault.kind == FAULT_NONE;
    return any;
}

/* The objects, or the table that they would go into; nothing where there is none. */
static int print_objects(const struct indicator_work *work, int status)
{
    const struct indicator_report *result = &work->result;
    struct error err;
    bool good = true;

    if (!any_good(result))
        return status;
    if (settings_flag(work->campaign.session.settings, &option_schema))
        return indicator_table(result, work->out, &err) ? status
                                                        : terminal_fail(&err, status ? status : STATUS_BAD_OUTPUT);
    for (size_t i = 0; good && i < result->run_count; i++)
        if (result->runs[i].fault.kind == FAULT_NONE)
            good = indicator_write(result, i, work->room > 1, work->out, &err);
    return good || ferror(work->out) ? status : terminal_fail(&err, STATUS_CARBON_FAILED);
}

static int conclude(struct indicator_work *work)
{
    const struct settings *settings = work->campaign.session.settings;
    int status = status_of(work);
    struct error err;

    if (!work->campaign.ran) {
        error_set(&err, ERROR_SYSTEM, "interrupted before the script was run");
        indicator_files_discard(work);
        return terminal_fail(&err, status);
    }
    if (!campaign_results(&work->campaign, true, &err)) {
        indicator_files_keep(work);
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    if (work->too_much)
        work->item.report.complete = false;
    note_scores(work);
    if (work->gated)
        judge(work);
    status = style_print(work->campaign.session.settings, write_report, work, status);
    status = tell_faults(work, status);
    if (work->gated)
        status = indicator_gate_status(&work->gate, settings, status);
    status = print_objects(work, status);
    status = indicator_files_write(work, terminal_finish_stdout(write_ci(work, status)));
    return campaign_keep(&work->campaign, status);
}

static int run_live(struct indicator_work *work, const struct command_line *line)
{
    struct campaign *campaign = &work->campaign;
    struct error err = { .kind = ERROR_NONE };

    if (!open_work(work, line, &err)) {
        indicator_files_discard(work);
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    if (campaign_run(campaign, &err))
        return conclude(work);
    if (campaign->ran)
        indicator_files_keep(work);
    else
        indicator_files_discard(work);
    return terminal_fail(&err, work->item.end.cannot_run ? work->item.end.exit_status : STATUS_CARBON_FAILED);
}

int indicator_live(const struct command_line *line, const struct indicator_options *options,
                   struct indicator_spec *spec, FILE *out)
{
    struct indicator_work *work = calloc(1, sizeof *work);
    int status;

    if (!work)
        return command_cannot_start();
    work->result.options = *options;
    work->spec = spec;
    work->out = out;
    work->capture.streams[CAPTURE_OUT].fd = work->capture.streams[CAPTURE_ERROR].fd = -1;
    status = run_live(work, line);
    for (size_t i = 0; i < work->result.run_count; i++)
        indicator_run_close(&work->result.runs[i]);
    free(work->result.runs);
    capture_free(&work->capture);
    stored_record_close(&work->base);
    ci_close(&work->ci);
    campaign_close(&work->campaign);
    free(work);
    return status;
}
