/* SPDX-License-Identifier: MIT
 * carbon model: what Ersilia's `performance` does: a model fetched, served, run and closed, and its run measured. */
#include "commands/model/model_work.h"

#include "app/command_work.h"
#include "app/ledger_options.h"
#include "app/options/naming_options.h"
#include "app/pending_signals.h"
#include "app/style.h"
#include "app/terminal.h"
#include "base/shipped.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_INPUTS 1000000000

const struct option_spec option_model_samples =
    OPTION(COUNT, "Model", "samples", .short_name = 'n', .argument = "<n>", .help = "number of inputs of the model",
           .default_text = "100", .min = 1, .max = MAX_INPUTS, .cli_only = true);

/* The next number of a list "1,10,100" and where it goes on; 0: it is none. */
static size_t next_size(const char **list)
{
    char *end;
    const unsigned long long size = **list >= '0' && **list <= '9' ? strtoull(*list, &end, 10) : 0;

    if (!size || size > MAX_INPUTS || (*end && *end != ',') || (*end == ',' && !end[1]))
        return 0;
    *list = *end ? end + 1 : end;
    return (size_t)size;
}

static bool check_sizes(const char *text, struct error *err)
{
    size_t last = 0, count = 0;

    do {
        const size_t size = next_size(&text);
        if (!size || size <= last || ++count > MODEL_MAX_SIZES) {
            error_set(err, ERROR_USAGE, "not a list of rising numbers");
            return error_fix(err, "as in --sizes 1,10,100,1000,10000; at most %d", MODEL_MAX_SIZES);
        }
        last = size;
    } while (*text);
    return true;
}

const struct option_spec option_model_sizes = OPTION(
    TEXT, "Model", "sizes", .argument = "<list>", .help = "numbers of inputs, one after the other: 1,10,100,1000,10000",
    .check = check_sizes, .sample = "1,10", .cli_only = true);
const struct option_spec option_model_timeout =
    OPTION(NUMBER, "Model", "timeout", .argument = "<time>", .quantity = QUANTITY_SECONDS, .min = 0.001,
           .max = LONGEST_S, .help = "end a run that takes longer (30s, 30m, 2h); larger sizes are then not run");
const struct option_spec option_no_container = OPTION(
    FLAG, "Model", "no-container", .help = "watch no container: measure the run command itself", .cli_only = true);
const struct option_spec option_model_verbose =
    OPTION(FLAG, "Output", "verbose", .short_name = 'v', .help = "leave what the other steps say on the terminal");
static const struct option_spec option_recipe =
    OPTION(FILE, "Model", "recipe", .argument = "<file>",
           .help = "how a model is fetched, served, run and closed (default: by the program ersilia)");

static void take_sizes(struct model_work *work)
{
    const char *list = settings_text(work->settings, &option_model_sizes);

    work->scaling = list != NULL;
    if (!list)
        work->rows[work->size_count++].inputs = (size_t)settings_number(work->settings, &option_model_samples);
    while (list && *list)
        work->rows[work->size_count++].inputs = next_size(&list);
}

static bool check_line(const struct model_work *work, struct error *err)
{
    const struct settings *settings = work->settings;

    if (!*work->model || *work->model == '-')
        return error_set(err, ERROR_USAGE, "'%.100s' is not a model", work->model);
    if (work->scaling && settings_origin(settings, &option_model_samples) == ORIGIN_LINE) {
        error_set(err, ERROR_USAGE, "--samples and --sizes cannot go together");
        return error_fix(err, "name the one number of inputs, or all of them with --sizes");
    }
    if (settings_flag(settings, &option_no_container) && settings_text(settings, &option_container))
        return options_clash(&option_no_container, &option_container, err);
    return true;
}

static bool read_recipe(struct model_work *work, struct error *err)
{
    const char *given = settings_text(work->settings, &option_recipe);
    char shipped[4096];

    if (!given && !data_path("recipes/ersilia.yaml", shipped, sizeof shipped, err))
        return false;
    return recipe_read(&work->recipe, given ? given : shipped, err);
}

/* Before anything is run: where no engine answers there will be no container. */
static bool choose_container(struct model_work *work, struct error *err)
{
    const struct recipe_values values = { .model = work->model, .input = "", .output = "", .n = 0 };
    const char *given = settings_text(work->settings, &option_container);

    if (settings_flag(work->settings, &option_no_container) || !(given || work->recipe.container))
        return true;
    work->container = given ? given : recipe_fill(&work->recipe.store, work->recipe.container, &values);
    if (!work->container)
        return error_errno(err, "no memory for the recipe");
    work->engine_count = attach_options_engines(work->engines, work->settings, err);
    if (!work->engine_count && !err->fix[0])
        error_fix(err, "start it, or give --no-container: then the run command itself is measured");
    return work->engine_count > 0;
}

static bool open_work(struct model_work *work, int *status, struct error *err)
{
    struct campaign *campaign = &work->campaign;
    const double timeout_s = settings_number(work->settings, &option_model_timeout);

    take_sizes(work);
    if (!check_line(work, err) || !session_open(&campaign->session, work->settings, err) || !read_recipe(work, err) ||
        !work_folders_open(&work->folders, NULL, err))
        return false;
    if (isfinite(timeout_s))
        work->limit_ns = (uint64_t)(timeout_s * NS_PER_S);
    snprintf(work->input, sizeof work->input, "%s/input.csv", work->folders.work);
    snprintf(work->output, sizeof work->output, "%s/output.csv", work->folders.work);
    campaign->failure = settings_flag(work->settings, &option_ignore_failure) ? FAILURE_IGNORED : FAILURE_STOPS;
    campaign->baseline_once = work->scaling && isfinite(settings_number(work->settings, &option_baseline));
    campaign->context = work;
    campaign->made_later = true;
    campaign->before_run = model_before_run;
    campaign->after_run = model_after_run;
    campaign->on_progress = model_files_progress;
    return model_result_open(work, err) && model_steps_check(work, status, err) && choose_container(work, err) &&
           model_files_open(work, err);
}

/* Of the last run that was done. */
static const struct command_end *last_end(const struct model_work *work)
{
    const struct command_end *last = &work->campaign.items[0].end;

    for (size_t i = 0; i < work->size_count; i++)
        if (work->campaign.items[i].end.ran || work->campaign.items[i].end.cannot_run)
            last = &work->campaign.items[i].end;
    return last;
}

static bool has_timed_out(const struct model_work *work)
{
    for (size_t i = 0; i < work->size_count; i++)
        if (work->sizes[i].timed_out)
            return true;
    return false;
}

static int status_of(const struct model_work *work)
{
    const struct command_end *end = last_end(work);

    if (work->interrupted)
        return 128 + work->interrupted;
    if (work->scaling && has_timed_out(work))
        return STATUS_IN_PART;
    if (work->campaign.ran && !end->cannot_run && end->exit_status != 0)
        return end->exit_status;
    return work->status;
}

/* A program that reads Ersilia's output reads its six lines there, unless a form of the result is asked for there. */
static bool lines_to_stdout(const struct settings *settings)
{
    const struct option_spec *const forms[] = { &option_json, &option_csv, &option_html };

    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const char *path = settings_text(settings, forms[i]);
        if (path && strcmp(path, "-") == 0)
            return false;
    }
    return !isatty(STDOUT_FILENO);
}

static bool write_result(const void *of, const struct table_style *style, FILE *out, struct error *err)
{
    const struct model_work *work = of;
    const bool quiet = style->detail == DETAIL_LINE;
    const struct report *record = work->rows[0].record;

    if (work->scaling && !quiet)
        return model_report_table(&work->report, style->colour, out, err);
    if (work->scaling) {
        model_report_brief(&work->report, out);
        return true;
    }
    if (!quiet) {
        model_report_lines(work->model, record, lines_to_stdout(work->settings) ? stdout : out);
        fflush(stdout);
    }
    return report_write_text(record, style, out, err);
}

/* Reports what was measured, if anything was. */
static int conclude(struct model_work *work)
{
    struct error err;
    int status = status_of(work);

    attach_options_note(&work->attach, &work->campaign.session.report.own_notices);
    work_folders_close(&work->folders, &work->campaign.session.report.own_notices);
    if (!work->campaign.ran) {
        model_files_keep(work, true);
        if (!work->interrupted)
            return status;
        error_set(&err, ERROR_SYSTEM, "interrupted before the model was run");
        return terminal_fail(&err, status);
    }
    if (!model_result_collect(work, true, &err)) {
        model_files_keep(work, false);
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    return campaign_keep(&work->campaign,
                         model_files_write(work, style_print(work->settings, write_result, work, status)));
}

static void measure(struct model_work *work)
{
    struct error err = { .kind = ERROR_NONE };
    const bool done = campaign_run(&work->campaign, &err);

    if (!work->interrupted)
        work->interrupted = work->campaign.measurement.interrupted;
    work->campaign.measurement.interrupted = work->interrupted;
    if (done || work->status || work->interrupted)
        return;
    work->status = terminal_fail(&err, last_end(work)->cannot_run ? last_end(work)->exit_status : STATUS_CARBON_FAILED);
}

static int run_steps(void *context, const struct command_line *line)
{
    struct model_work *work = context;
    struct pending_signals pending;
    struct error err;
    int status = STATUS_CARBON_FAILED;

    work->settings = &line->settings;
    work->model = line->operands[0];
    if (!open_work(work, &status, &err)) {
        model_files_keep(work, true);
        return terminal_fail(&err, status);
    }
    inherited_signals_read(&work->signals);
    pending_signals_open(&pending);
    if (model_steps_begin(work))
        measure(work);
    model_steps_end(work);
    status = conclude(work);
    pending_signals_close(&pending);
    return status;
}

static void close_work(void *context)
{
    struct model_work *work = context;

    work_folders_close(&work->folders, &work->campaign.session.report.own_notices);
    attach_options_close(&work->attach);
    campaign_close(&work->campaign);
    model_result_close(work);
    recipe_close(&work->recipe);
}

static int run_model(const struct command_line *line)
{
    return command_run_with(sizeof(struct model_work), line, run_steps, close_work);
}

const struct command cmd_model = {
    .name = "model",
    .purpose = "fetch, serve, run and close a model, and measure its run",
    .synopsis = "[options] model",
    .options =
        OPTIONS(&option_model_samples, &option_model_sizes, &option_model_timeout, &option_recipe, &option_no_container,
                &option_container, &option_engine, RUN_OPTIONS, PACE_OPTIONS, &option_ignore_failure, METER_OPTIONS,
                SITE_OPTIONS, WIDER_OPTIONS, FACTOR_OPTIONS, &option_duty, RECORD_OPTIONS, &option_label,
                KEEPING_OPTIONS, &option_color, &option_model_verbose, &option_details, &option_quiet, HELP_OPTIONS),
    .common = COMMON("samples", "sizes", "timeout", "recipe", "no-container", "runs", "baseline", "zone", "output",
                     "details", "quiet", "project"),
    .examples = EXAMPLES("carbon model eos4e40 --samples 100",
                         "carbon model --sizes 1,10,100,1000 --timeout 30m --json scaling.json eos4e40",
                         "carbon model --recipe mine.yaml --no-container my-model"),
    .schemas = SCHEMAS(&model_schema),
    .run = run_model,
    OPERANDS(1, 1, OPERAND_TEXT),
    .about = "Fetch and serve a model, make inputs for it, watch its container while it runs on them, close it, and "
             "report what the run used and emitted.",
};
