/* SPDX-License-Identifier: MIT
 * carbon batch: modules in loops, each run with a baseline of its own. */
#include "base/units.h"
#include "commands/batch/batch_work.h"

#include "app/command_files.h"
#include "app/command_work.h"
#include "app/ledger_options.h"
#include "app/options/naming_options.h"
#include "app/style.h"
#include "app/terminal.h"
#include "base/c_locale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool check_items(const char *text, struct error *err)
{
    return c_strtod(text, NULL) > 0 || error_set(err, ERROR_USAGE, "it must be above 0");
}

const struct option_spec option_loops =
    OPTION(COUNT, "Measuring", "loops", .short_name = 'r', .alias = "runs", .argument = "<n>",
           .help = "run each module n times, round by round", .default_text = "2", .min = 1, .max = 10000);
static const struct option_spec option_batch_baseline =
    OPTION(NUMBER, "Measuring", "baseline", .short_name = 'b', .argument = "<s>", .quantity = QUANTITY_SECONDS,
           .keyword = "same", .help = "seconds of baseline; same: as the run before it", .default_text = "same",
           .min = 0, .max = S_PER_DAY);
static const struct option_spec option_module = OPTION(
    TEXT, "Modules", "module", .short_name = 'm', .argument = "<name=command>", .check = batch_list_is_entry,
    .repeated = true, .cli_only = true, .help = "a module, its command by sh; may be repeated, with a file or without");
const struct option_spec option_items =
    OPTION(NUMBER, "Modules", "items", .argument = "<n>", .check = check_items, .min = 0, .max = INFINITY,
           .help = "number of inputs of one run, for a throughput (if the file has none)");
static bool is_reference(const char *text, struct error *err)
{
    const char *equals = strchr(text, '=');
    char *end;

    if (equals && equals != text && c_strtod(equals + 1, &end) > 0 && !*end && end != equals + 1)
        return true;
    error_set(err, ERROR_USAGE, "it must be a name and a number above 0");
    return error_fix(err, "--reference 'survey=75'");
}

static const struct option_spec option_reference =
    OPTION(TEXT, "Output", "reference", .argument = "<name=n>", .check = is_reference, .sample = "name=75",
           .repeated = true, .help = "a line in the chart of throughput, in items per second");
static const struct option_spec option_resume =
    OPTION(FLAG, "Output", "resume", .cli_only = true, .help = "continue an interrupted batch from its --json file");
static const struct option_spec option_fink =
    OPTION(FLAG, "Output", "fink", .help = "also print RAW, BAS and DIF of each loop as fink-science-perf does");
static const struct option_spec option_charts =
    OPTION(FILE, "Output", "charts", .file = FILE_FOLDER, .argument = "<dir>",
           .help = "draw throughput.svg and dif.svg there, with gnuplot");

static bool read_modules(struct batch_work *work, const struct command_line *line, struct error *err)
{
    const char *const *modules = settings_texts(&line->settings, &option_module);

    if (line->operand_count == 0 && !modules[0]) {
        error_set(err, ERROR_USAGE, "'carbon batch' needs a module");
        error_why(err, "no file of modules and no --module is given");
        return error_fix(err, "carbon batch --loops 1 --module 'short=sleep 1' --module 'long=sleep 2'");
    }
    if (line->operand_count && !batch_list_read(&work->list, line->operands[0], line->command, &work->settings, err)) {
        if (!err->fix[0] && err->kind != ERROR_USAGE)
            error_fix(err, "name a file of modules; carbon-batch(1) has an example");
        return false;
    }
    for (size_t i = 0; modules[i]; i++)
        if (!batch_list_add(&work->list, modules[i], err))
            return false;
    if (!command_files_check(line, &work->settings, NULL, err))
        return false;
    for (size_t i = 0; i < work->list.count; i++)
        if (!command_files_add_command(&work->settings, work->list.entries[i].argv[2], err))
            return false;
    return true;
}

/* carbon keeps off the CPUs of every module, as of those of --cpus. */
static bool place_modules(struct batch_work *work, struct error *err)
{
    struct session *session = &work->campaign.session;
    struct cpus pinned = { .words = { 0 } };
    bool any = false;

    for (size_t i = 0; i < work->list.count; i++) {
        const struct batch_entry *entry = &work->list.entries[i];
        if (!entry->pinned)
            continue;
        if (!cpus_are_online(&entry->cpus, &session->root, err)) {
            if (!err->why[0])
                error_why(err, "module '%s' is to be held to it", entry->name);
            return false;
        }
        for (size_t word = 0; word < sizeof pinned.words / sizeof pinned.words[0]; word++)
            pinned.words[word] |= entry->cpus.words[word];
        any = true;
    }
    if (any && !settings_text(&work->settings, &option_cpus) && cpus_keep_off(&pinned, &session->root))
        session->pins_job = true;
    return true;
}

static bool plan(struct batch_work *work, struct error *err)
{
    struct batch *batch = &work->batch;
    const double seed = settings_number(&work->settings, &option_seed);
    struct schedule *schedule = &work->campaign.schedule;

    if (!batch->break_count)
        batch->seed = isnan(seed) ? schedule_seed() : (uint64_t)seed;
    if (!schedule_make(schedule, batch->module_count, batch->warmups, batch->loops, batch->order, batch->seed, err))
        return false;
    batch_resume_schedule(work, schedule);
    work->campaign.failure = FAILURE_DROPS;
    return true;
}

static bool resume(struct batch_work *work, struct batch_earlier *earlier, struct error *err)
{
    const char *json = settings_text(&work->settings, &option_json);

    if (!settings_flag(&work->settings, &option_resume))
        return true;
    if (!json || strcmp(json, "-") == 0) {
        error_set(err, ERROR_USAGE, "--resume needs the file that the batch was to be written to");
        return error_fix(err, "--json FILE, as the interrupted batch had it");
    }
    return batch_resume(work, json, earlier, err);
}

/* Rates are held against rates: some module has to have items. */
static bool read_references(struct batch_work *work, struct error *err)
{
    const char *const *texts = settings_texts(&work->settings, &option_reference);
    struct batch *batch = &work->batch;
    size_t count = 0;

    while (texts[count])
        count++;
    if (count && !batch_has_chart(batch, BATCH_THROUGHPUT)) {
        error_set(err, ERROR_USAGE, "--reference cannot be used: no module has items");
        return error_fix(err, "--items 1000, or 'items = 1000' in the module's section");
    }
    batch->references = calloc(count + 1, sizeof *batch->references);
    if (!batch->references)
        return error_errno(err, "no memory for %zu references", count);
    for (size_t i = 0; i < count; i++) {
        const size_t length = (size_t)(strchr(texts[i], '=') - texts[i]), room = sizeof batch->references->name;

        snprintf(batch->references[i].name, room, "%.*s", (int)(length < room ? length : room - 1), texts[i]);
        batch->references[i].items_per_s = c_strtod(texts[i] + length + 1, NULL);
    }
    batch->reference_count = count;
    return true;
}

static bool open_files(struct batch_work *work, const struct batch_earlier *earlier, struct error *err)
{
    const struct batch_paths paths = {
        .json = settings_text(&work->settings, &option_json),
        .charts = settings_text(&work->settings, &option_charts),
        .settings = &work->settings,
        .resumed = earlier->path[0],
        .earlier = earlier->partial ? earlier->path : NULL,
    };

    return batch_files_open(&work->files, &paths, &work->batch, err);
}

static bool open_work(struct batch_work *work, const struct command_line *line, struct error *err)
{
    struct batch_earlier earlier = { "", false };

    work->settings = line->settings;
    work->settings.files = NULL; /* batch's own options, and those that the module file sets */
    return read_modules(work, line, err) && session_open(&work->campaign.session, &work->settings, err) &&
           place_modules(work, err) && batch_result_open(work, err) && read_references(work, err) &&
           resume(work, &earlier, err) && (work->complete || (plan(work, err) && open_files(work, &earlier, err)));
}

static void on_progress(struct campaign *campaign, const struct workload_place *place)
{
    struct batch_work *work = campaign->context;
    struct error ignored;
    const uint64_t begun_ns = clock_monotonic_ns();

    (void)place;
    if (batch_files_want_progress(&work->files) && batch_result_collect(work, false, &ignored))
        batch_files_progress(&work->files, &work->batch, begun_ns);
}

static bool write_batch(const struct batch *batch, const struct table_style *style, FILE *out, struct error *err)
{
    const struct batch_style bars = { .colour = style->colour, .utf8 = terminal_utf8(), .width = style->width };

    if (style->detail == DETAIL_ANSWER)
        return batch_answer(batch, style, out, err);
    if (style->detail == DETAIL_ALL)
        return batch_table(batch, &bars, out, err);
    batch_brief(batch, out);
    return true;
}

static bool write_result(const void *of, const struct table_style *style, FILE *out, struct error *err)
{
    const struct batch_work *work = of;

    if (!write_batch(&work->batch, style, out, err))
        return false;
    if (settings_flag(&work->settings, &option_fink))
        batch_fink(&work->batch, out);
    return true;
}

static int status_of(const struct batch_work *work)
{
    const struct measurement *measurement = &work->campaign.measurement;

    if (measurement->interrupted)
        return 128 + measurement->interrupted;
    return batch_has_failed(&work->batch) ? STATUS_IN_PART : 0;
}

static bool any_run(const struct batch *batch)
{
    for (size_t i = 0; i < batch->module_count; i++)
        if (batch->modules[i].run_count || batch->modules[i].problem.kind != ERROR_NONE)
            return true;
    return false;
}

static int conclude(struct batch_work *work)
{
    struct error err;
    int status;

    if (!batch_result_collect(work, true, &err)) {
        batch_files_keep(&work->files, false);
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    status = status_of(work);
    if (!any_run(&work->batch)) {
        error_set(&err, ERROR_SYSTEM, "interrupted before any module was run");
        batch_files_keep(&work->files, true);
        return terminal_fail(&err, status);
    }
    return campaign_keep(&work->campaign, batch_files_write(&work->files, &work->batch,
                                                            style_print(&work->settings, write_result, work, status)));
}

static int measure_batch(void *context, const struct command_line *line)
{
    struct batch_work *work = context;
    struct error err = { .kind = ERROR_NONE };

    if (!open_work(work, line, &err)) {
        batch_files_keep(&work->files, true);
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    if (work->complete) { /* who asks again and again until it is done has it done */
        terminal_say("carbon: '%s' is complete; nothing was run\n", settings_text(&work->settings, &option_json));
        return 0;
    }
    work->campaign.on_progress = on_progress;
    work->campaign.hide_output = !settings_flag(&work->settings, &option_show_output);
    work->campaign.context = work;
    if (!campaign_run(&work->campaign, &err)) {
        batch_files_keep(&work->files, !work->campaign.ran && !work->batch.break_count);
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    return conclude(work);
}

static void close_work(void *context)
{
    struct batch_work *work = context;

    campaign_close(&work->campaign);
    batch_result_close(work);
    batch_list_close(&work->list);
    file_register_close(work->settings.files);
}

static int run_batch(const struct command_line *line)
{
    return command_run_with(sizeof(struct batch_work), line, measure_batch, close_work);
}

const struct command cmd_batch = {
    .name = "batch",
    .purpose = "measure modules in loops, each run against a baseline of its own",
    .synopsis = "[options] [file]",
    .options =
        OPTIONS(&option_module, &option_items, &option_loops, &option_warmup, ORDER_OPTIONS, &option_batch_baseline,
                PACE_OPTIONS, METER_OPTIONS, CARBON_OPTIONS, KEEPING_OPTIONS, RESULT_OPTIONS, &option_html,
                &option_charts, &option_reference, &option_resume, &option_fink, &option_show_output, DETAIL_OPTIONS),
    .common = COMMON("module", "loops", "baseline", "warmup", "items", "duty", "zone", "pue", "output", "charts",
                     "resume", "show-output", "verbose", "quiet", "project"),
    .examples = EXAMPLES("carbon batch --zone FR --duty 8h/d modules.ini",
                         "carbon batch --loops 5 --module 'old=./parse-1' --module 'new=./parse-2'",
                         "carbon batch --json night.json --resume modules.ini"),
    .schemas = SCHEMAS(&batch_schema),
    .run = run_batch,
    OPERANDS(0, 1, OPERAND_FILE),
    .about = "Run the modules of a file (and of --module) in loops, with a baseline around each run; report gross "
             "energy (RAW), idle energy (BAS) and net energy (DIF) of each.",
};
