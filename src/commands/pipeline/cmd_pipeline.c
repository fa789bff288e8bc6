/* SPDX-License-Identifier: MIT
 * carbon pipeline: measures the steps of a pipeline one at a time, and suggests a request for each. */
#include "commands/pipeline/pipeline_work.h"

#include "app/command_work.h"
#include "app/ledger_options.h"
#include "app/options/command.h"
#include "app/options/naming_options.h"
#include "app/style.h"
#include "app/terminal.h"
#include "base/units.h"
#include "commands/pipeline/failure_policy.h"
#include "container/engine_open.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const runners[] = { "auto", "docker", "podman", "process", NULL };

const struct option_spec option_metrics = OPTION(
    FILE, "Output", "metrics-dir", .file = FILE_FOLDER, .alias = "metrics_dir", .argument = "<dir>",
    .help = "write the time series of each step there as STEP_final_result.csv, and its output", .cli_only = true);
const struct option_spec option_runner =
    OPTION(CHOICE, "Steps", "runner", .argument = "<who>",
           .help = "auto: an engine that answers for steps with an image, else a process", .default_text = "auto",
           .choices = runners);
const struct option_spec option_timeout =
    OPTION(NUMBER, "Steps", "timeout", .argument = "<time>", .quantity = QUANTITY_SECONDS, .min = 0.001,
           .max = LONGEST_S, .help = "end a step that takes longer (30s, 5m, 2h), unless the file says");
static const struct option_spec option_step_baseline =
    OPTION(NUMBER, "Measuring", "baseline", .short_name = 'b', .argument = "<s>", .quantity = QUANTITY_SECONDS,
           .help = "baseline before the first step, in seconds", .default_text = "5", .min = 0, .max = S_PER_DAY);
const struct option_spec option_step_output =
    OPTION(FLAG, "Output", "verbose", .short_name = 'v', .help = "leave what the steps say on the terminal");
const struct option_spec option_repeat =
    OPTION(COUNT, "Steps", "repeat", .short_name = 'r', .alias = "runs", .argument = "<n>",
           .help = "run the whole pipeline n times; the largest requests count", .default_text = "1", .min = 1,
           .max = PIPELINE_MAX_ROUNDS);
const struct option_spec option_headroom =
    OPTION(NUMBER, "Steps", "headroom", .argument = "<%>", .quantity = QUANTITY_PERCENT,
           .help = "headroom added to the requests, in percent", .default_text = "0", .min = 0, .max = 1000);
const struct option_spec option_write_requests =
    OPTION(FILE, "Output", "write-requests", .file = FILE_WRITTEN, .argument = "<file>",
           .help = "the pipeline's file with the requests filled in", .cli_only = true);
static const struct option_spec option_pipeline_interval =
    OPTION(NUMBER, "Steps", "interval", .short_name = 'i', .argument = "<s>", .quantity = QUANTITY_SECONDS,
           .help = "sampling interval of a step, in seconds", .default_text = "0.2", .min = 0.01, .max = S_PER_H);
static const struct option_spec option_set =
    OPTION(TEXT, "Steps", "set", .argument = "<name=value>",
           .help = "the value of a parameter of the file; may be repeated", .repeated = true, .cli_only = true);
/* as of other commands, but for --set */
static const struct option_spec option_steps_factor_set =
    OPTION(CHOICE, "Carbon", "factor-set", .argument = "<set>", .choices = factor_set_names,
           .help = "an official national set of factors alone: desnz, epa, ...; official takes the zone's");
static const struct option_spec option_work_dir =
    OPTION(FILE, "Steps", "work-dir", .file = FILE_FOLDER, .argument = "<dir>",
           .help = "keep what the steps leave for one another there, in a new folder", .cli_only = true);
const struct option_spec option_models =
    OPTION(FILE, "Servers", "models-dir", .file = FILE_FOLDER, .alias = "models_dir", .argument = "<dir>",
           .help = "folder of the models of the inference server (Triton) that steps need", .cli_only = true);
const struct option_spec option_triton_image =
    OPTION(TEXT, "Servers", "triton-image", .argument = "<image>",
           .help = "image of that server; else the one image of the engine called tritonserver");
const struct option_spec option_server_timeout =
    OPTION(NUMBER, "Servers", "server-timeout", .argument = "<time>", .quantity = QUANTITY_SECONDS, .min = 0.1,
           .max = LONGEST_S, .help = "maximum time until a server is ready (30s, 5m)", .default_text = "5m");
static const char *const networks[] = { "engine", "host", NULL };
const struct option_spec option_network =
    OPTION(CHOICE, "Servers", "network", .argument = "<which>",
           .help = "network of servers and steps: the engine's, or this machine's own", .default_text = "engine",
           .choices = networks);
static const struct option_spec option_dry_run =
    OPTION(FLAG, "Steps", "dry-run", .help = "show the order and the commands, without running them", .cli_only = true);
static const struct option_spec option_clean =
    OPTION(FLAG, "Steps", "clean", .help = "remove stopped containers left by an interrupted carbon", .cli_only = true);

static bool read_file(struct pipeline_work *work, const struct command_line *line, struct error *err)
{
    const char *const *sets = settings_texts(work->settings, &option_set);
    size_t count = 0;

    while (sets[count])
        count++;
    return pipeline_read(&work->pipeline, line->operands[0], sets, count, err);
}

static bool find_payload(struct pipeline_work *work, const struct command_line *line, struct error *err)
{
    struct stat status;

    if (line->operand_count < 2)
        return true;
    if (work->dry) {
        text_copy(work->payload, sizeof work->payload, line->operands[1]);
        return true;
    }
    if (!realpath(line->operands[1], work->payload))
        return error_errno(err, "cannot use the input folder '%.200s'", line->operands[1]);
    if (stat(work->payload, &status) != 0 || !S_ISDIR(status.st_mode)) {
        error_set(err, ERROR_USAGE, "'%.200s' cannot be the input", line->operands[1]);
        error_why(err, "not a folder");
        return error_fix(err, "name the folder that the first step reads");
    }
    return true;
}

static bool open_work(struct pipeline_work *work, const struct command_line *line, struct error *err)
{
    struct campaign *campaign = &work->campaign;

    if (!read_file(work, line, err) || !find_payload(work, line, err) ||
        !session_open(&campaign->session, work->settings, err) ||
        !work_folders_open(&work->folders, settings_text(work->settings, &option_work_dir), err) ||
        !pipeline_parts_open(work, err) || !pipeline_companions_open(work, err) || !pipeline_result_open(work, err) ||
        !pipeline_files_open(work, err) || !pipeline_companions_begin(work, err))
        return false;
    if (work->engine_count > 0 && !work_folders_share(&work->folders, err))
        return false;
    campaign->failure = FAILURE_DROPS;
    campaign->interval_ns = (uint64_t)(settings_number(work->settings, &option_pipeline_interval) * NS_PER_S);
    campaign->baseline_once = true;
    campaign->silent = !settings_flag(work->settings, &option_step_output);
    campaign->context = work;
    campaign->made_later = true;
    campaign->before_run = pipeline_before_step;
    campaign->after_run = pipeline_after_step;
    campaign->on_sample = pipeline_on_sample;
    return schedule_make(&campaign->schedule, work->pipeline.count, 0, work->report.rounds, ORDER_INTERLEAVED, 0, err);
}

static void on_progress(struct campaign *campaign, const struct workload_place *place)
{
    (void)place;
    pipeline_files_progress(campaign->context);
}

static bool write_result(const void *report, const struct table_style *style, FILE *out, struct error *err)
{
    if (style->detail == DETAIL_ANSWER)
        return pipeline_report_answer(report, style, out, err);
    if (style->detail == DETAIL_ALL)
        return pipeline_report_table(report, style->colour, out, err);
    pipeline_report_brief(report, out);
    return true;
}

static int status_of(const struct pipeline_work *work)
{
    if (work->status)
        return work->status;
    if (work->report.interrupted)
        return 128 + work->report.signal;
    return work->report.failed || work->report.stopped_by ? STATUS_IN_PART : 0;
}

static int conclude(struct pipeline_work *work)
{
    struct error err;
    int status;

    pipeline_companions_close(work);
    work_folders_close(&work->folders, &work->campaign.session.report.own_notices);
    if (!pipeline_result_collect(work, true, &err)) {
        pipeline_files_keep(work, false);
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    status = status_of(work);
    if (!work->campaign.ran && work->report.interrupted) {
        error_set(&err, ERROR_SYSTEM, "interrupted before any step was run");
        pipeline_files_keep(work, true);
        return terminal_fail(&err, status);
    }
    return campaign_keep(&work->campaign,
                         pipeline_files_write(work, style_print(work->settings, write_result, &work->report, status)));
}

static int run_dry(struct pipeline_work *work, const struct command_line *line)
{
    struct error err;

    text_copy(work->folders.work, sizeof work->folders.work, "WORK");
    if (!read_file(work, line, &err) || !find_payload(work, line, &err) || !pipeline_parts_open(work, &err) ||
        !pipeline_companions_open(work, &err) || !pipeline_dry_run(work, stdout, &err))
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    return terminal_finish_stdout(0);
}

static int run_steps(struct pipeline_work *work, const struct command_line *line)
{
    struct error err = { .kind = ERROR_NONE };

    if (!open_work(work, line, &err)) {
        pipeline_files_keep(work, true);
        return terminal_fail(&err, work->interrupted ? 128 + work->interrupted : STATUS_CARBON_FAILED);
    }
    work->campaign.on_progress = on_progress;
    if (!campaign_run(&work->campaign, &err)) {
        pipeline_files_keep(work, !work->campaign.ran);
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    return conclude(work);
}

static int run_clean(void)
{
    struct engine engines[ENGINE_KINDS];
    struct error err;
    const size_t count = engines_open(engines, &err);
    size_t removed, all = 0;

    if (!count)
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    for (size_t i = 0; i < count; i++) {
        if (!containers_clean(&engines[i], NULL, &removed, &err))
            return terminal_fail(&err, STATUS_CARBON_FAILED);
        all += removed;
    }
    printf("%zu container%s removed\n", all, all == 1 ? "" : "s");
    return terminal_finish_stdout(0);
}

static int run_work(void *context, const struct command_line *line)
{
    struct pipeline_work *work = context;

    work->settings = &line->settings;
    work->log = -1;
    work->dry = settings_flag(&line->settings, &option_dry_run);
    return work->dry ? run_dry(work, line) : run_steps(work, line);
}

static void close_work(void *context)
{
    struct pipeline_work *work = context;

    pipeline_companions_close(work);
    if (!work->dry)
        work_folders_close(&work->folders, &work->campaign.session.report.own_notices);
    if (work->log >= 0)
        close(work->log);
    campaign_close(&work->campaign);
    pipeline_result_close(work);
    pipeline_parts_close(work);
    pipeline_close(&work->pipeline);
}

static int run_pipeline(const struct command_line *line)
{
    struct error err;

    if (settings_flag(&line->settings, &option_clean))
        return run_clean();
    if (line->operand_count == 0) {
        error_set(&err, ERROR_USAGE, "'carbon pipeline' needs an argument");
        error_why(&err, "usage: carbon pipeline %s", line->command->synopsis);
        error_fix(&err, "carbon help pipeline");
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    return command_run_with(sizeof(struct pipeline_work), line, run_work, close_work);
}

const struct command cmd_pipeline = {
    .name = "pipeline",
    .purpose = "run pipeline steps one at a time; suggest CPU and memory requests",
    .synopsis = "[options] file [input]",
    .options = OPTIONS(&option_runner, &option_force, &option_set, &option_timeout, &option_repeat, &option_headroom,
                       &option_pipeline_interval, &option_work_dir, &option_dry_run, &option_clean, &option_models,
                       &option_triton_image, &option_network, &option_server_timeout, &option_step_baseline,
                       &option_settle, &option_cpus, &option_ready_fd, METER_OPTIONS, SITE_OPTIONS, &option_year,
                       &option_basis, &option_steps_factor_set, OWN_FACTOR_OPTIONS, &option_duty, KEEPING_OPTIONS,
                       &option_metrics, &option_write_requests, RESULT_OPTIONS, &option_color, &option_step_output,
                       &option_details, &option_quiet, HELP_OPTIONS),
    .common = COMMON("dry-run", "repeat", "force", "set", "timeout", "headroom", "write-requests", "metrics-dir",
                     "zone", "output", "verbose", "details", "quiet"),
    .examples = EXAMPLES("carbon pipeline --zone FR pipeline.yaml input/",
                         "carbon pipeline --force cont --metrics-dir metrics pipeline.yaml input/",
                         "carbon pipeline --models-dir models --metrics-dir metrics pipeline.yaml input/",
                         "carbon pipeline --repeat 3 --write-requests sized.yaml pipeline.yaml input/"),
    .schemas = SCHEMAS(&pipeline_schema),
    .run = run_pipeline,
    OPERANDS(0, 2, OPERAND_FILE),
    .about = "Run the steps of a file (NVIDIA Clara's operators, or plain commands) one at a time; report CPU, memory, "
             "suggested requests, energy and carbon of each.",
};
