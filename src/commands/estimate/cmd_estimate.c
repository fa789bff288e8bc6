/* SPDX-License-Identifier: MIT
 * carbon estimate: what a stated power, energy or processor emits, without measuring anything. */
#include "app/options/command.h"

#include "app/estimate_steps.h"
#include "app/ledger_options.h"
#include "app/options/naming_options.h"
#include "app/options/sci_options.h"
#include "app/result_forms.h"
#include "app/session.h"
#include "app/terminal.h"
#include "base/clock.h"
#include "base/parse_quantity.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct option_spec option_power =
    OPTION(NUMBER, "Energy", "power", .argument = "<W>", .quantity = QUANTITY_POWER, .cli_only = true, .min = 0,
           .max = 1e9, .help = "a mean power in watts");
static const struct option_spec option_energy =
    OPTION(NUMBER, "Energy", "energy", .argument = "<energy>", .quantity = QUANTITY_ENERGY, .cli_only = true, .min = 0,
           .max = INFINITY, .help = "an energy with its unit: 1.3kWh, 3.6e6J");
static const struct option_spec option_cpu = OPTION(TEXT, "Energy", "cpu", .argument = "<model>", .cli_only = true,
                                                    .help = "a processor of this model, by its published power");
static const struct option_spec option_instance =
    OPTION(TEXT, "Energy", "instance", .argument = "<type>", .cli_only = true,
           .help = "a cloud's instance of this type, by the processor of its host");
static const struct option_spec option_load =
    OPTION(NUMBER, "Energy", "load", .argument = "<0..1>", .quantity = QUANTITY_SHARE, .cli_only = true, .min = 0,
           .max = 1, .help = "how busy it is: 0 idle, 1 all its threads");
static const struct option_spec option_threads =
    OPTION(NUMBER, "Energy", "threads", .argument = "<n>", .cli_only = true, .min = 1, .max = 100000,
           .help = "number of its hardware threads (a cloud's vCPUs)");
static const struct option_spec option_cores = OPTION(NUMBER, "Energy", "cores", .argument = "<n>", .cli_only = true,
                                                      .min = 1, .max = 100000, .help = "number of its cores");
static const struct option_spec option_memory =
    OPTION(NUMBER, "Energy", "memory-gb", .argument = "<GB>", .quantity = QUANTITY_GIGABYTES, .cli_only = true,
           .min = 0, .max = 1e6, .help = "and memory of this size");
static const struct option_spec option_gpu = OPTION(TEXT, "Energy", "gpu", .argument = "<model>", .cli_only = true,
                                                    .help = "model of a graphics card, alone or with --cpu");
static const struct option_spec option_gpu_load =
    OPTION(NUMBER, "Energy", "gpu-load", .argument = "<0..1>", .quantity = QUANTITY_SHARE, .cli_only = true, .min = 0,
           .max = 1, .help = "how busy its processors are");
static const struct option_spec option_gpu_count =
    OPTION(NUMBER, "Energy", "gpu-count", .argument = "<n>", .cli_only = true, .min = 1, .max = 10000,
           .help = "number of GPUs; 1 when not given");
static const struct option_spec option_hours =
    OPTION(NUMBER, "Energy", "hours", .argument = "<h>", .quantity = QUANTITY_HOURS, .cli_only = true, .min = 0,
           .max = 1e7, .help = "for how long");

static const struct option_spec option_keep =
    OPTION(FLAG, "Ledger", "keep", .cli_only = true,
           .help = "put it into the ledger, where 'carbon report' sums it as an estimate");
static const struct option_spec option_at =
    OPTION(TEXT, "Ledger", "at", .argument = "<time>", .check = option_check_time, .sample = "2026-03-01",
           .cli_only = true, .help = "when what is estimated began; it ends now when not given");

static bool is_set(const struct settings *settings, const struct option_spec *option)
{
    return settings_text(settings, option) != NULL;
}

static bool missing(const char *what, const char *why, const char *options, struct error *err)
{
    error_set(err, ERROR_USAGE, "%s", what);
    error_why(err, "%s", why);
    return error_fix_adds(err, "%s", options);
}

static bool cannot_combine(const char *what, const char *why, struct error *err)
{
    error_set(err, ERROR_USAGE, "%s", what);
    error_why(err, "%s", why);
    return error_fix(err, "carbon estimate --power 100 --hours 8");
}

static bool check_gpu(const struct settings *settings, struct error *err)
{
    const bool gpu = is_set(settings, &option_gpu);

    if (gpu && !is_set(settings, &option_gpu_load))
        return missing("--gpu needs a load", "the power of a GPU depends on its load: 0.7 is busy 70 % of the time",
                       "--gpu-load 0.7", err);
    if (!gpu && (is_set(settings, &option_gpu_load) || is_set(settings, &option_gpu_count)))
        return missing("--gpu-load and --gpu-count need --gpu", "no GPU is named", "--gpu A100", err);
    return true;
}

/* One of --power, --energy and --cpu or --gpu, with what it needs. */
static bool check_options(const struct settings *settings, struct error *err)
{
    static const struct option_spec *const only_cpu[] = {
        &option_load,
        &option_threads,
        &option_cores,
        &option_memory,
    };
    const bool instance = is_set(settings, &option_instance), cpu = is_set(settings, &option_cpu) || instance;
    const int ways =
        is_set(settings, &option_power) + is_set(settings, &option_energy) + (cpu || is_set(settings, &option_gpu));

    if (ways != 1)
        return cannot_combine(ways ? "--power, --energy and --cpu or --gpu cannot be combined"
                                   : "'carbon estimate' needs a power, an energy or a processor",
                              "usage: --power W --hours H, --energy 1.3kWh, or --cpu MODEL, --gpu MODEL or both", err);
    if (instance &&
        (is_set(settings, &option_cpu) || is_set(settings, &option_threads) || is_set(settings, &option_cores)))
        return cannot_combine("--instance cannot be combined with --cpu, --threads and --cores",
                              "the type of the instance determines its processor and threads", err);
    if (!check_gpu(settings, err))
        return false;
    if (!is_set(settings, &option_energy) && !is_set(settings, &option_hours))
        return missing("--hours is missing", "energy is power × time", "--hours 1", err);
    if (cpu && !is_set(settings, &option_load))
        return missing("--cpu needs a load", "the power of a processor depends on its load: 0.5 is half busy",
                       "--load 0.5", err);
    if (is_set(settings, &option_threads) && is_set(settings, &option_cores))
        return cannot_combine("--threads and --cores cannot be combined", "each sets the part of the processor", err);
    if (is_set(settings, &option_at) && !settings_flag(settings, &option_keep))
        return missing("--at needs --keep", "the estimate is not saved, so it has no time", "--keep", err);
    for (size_t i = 0; i < sizeof only_cpu / sizeof only_cpu[0] && !cpu; i++)
        if (is_set(settings, only_cpu[i])) {
            error_set(err, ERROR_USAGE, "--%s needs --cpu", only_cpu[i]->name);
            error_why(err, "no processor is named; --power and --energy do not depend on it");
            return error_fix(err, "carbon estimate --cpu 'AMD EPYC 7763' --load 0.5 --hours 1");
        }
    return true;
}

static bool find_energy(struct estimate *estimate, const struct settings *settings, struct error *err)
{
    const bool instance = is_set(settings, &option_instance), gpu = is_set(settings, &option_gpu);
    const bool cpu = is_set(settings, &option_cpu) || instance;
    const struct option_spec *from = instance                          ? &option_instance
                                     : cpu                             ? &option_cpu
                                     : gpu                             ? &option_gpu
                                     : is_set(settings, &option_power) ? &option_power
                                                                       : &option_energy;
    double seconds;

    estimate->from = from->name;
    estimate->typed = settings_text(settings, from);
    estimate->gpu_typed = settings_text(settings, &option_gpu);
    estimate->gpu_load = settings_number(settings, &option_gpu_load);
    estimate->gpus = settings_number(settings, &option_gpu_count);
    estimate->hours = settings_number(settings, &option_hours);
    estimate->load = settings_number(settings, &option_load);
    estimate->threads = settings_number(settings, &option_threads);
    estimate->cores = settings_number(settings, &option_cores);
    estimate->memory_gb = settings_number(settings, &option_memory);
    estimate->energy_quality = cpu || gpu ? QUALITY_MODELLED : QUALITY_GIVEN;
    estimate->power = (struct estimate_power){ settings_number(settings, &option_power), NAN, NAN };
    estimate->wall.w = NAN;
    if (gpu)
        estimate->power = (struct estimate_power){ 0, 0, 0 };
    seconds = estimate->hours * S_PER_H;
    if (is_set(settings, &option_energy)) {
        estimate->energy_j = settings_number(settings, &option_energy);
        estimate->power.w = seconds > 0 ? estimate->energy_j / seconds : NAN;
    } else {
        if ((cpu && !estimate_cpu(estimate, err)) || (gpu && !estimate_gpu(estimate, err)))
            return false;
        estimate->energy_j = estimate->power.w * seconds;
    }
    estimate->low_j = estimate->power.low_w * seconds;
    estimate->high_j = estimate->power.high_w * seconds;
    return true;
}

/* An estimate is a what-if, and none of the user's work until the user says so. */
static void name_it(struct estimate *estimate, const struct settings *settings)
{
    const double before_ns = isnan(estimate->hours) ? 0 : estimate->hours * S_PER_H * NS_PER_S;
    const char *at = settings_text(settings, &option_at);
    uint64_t realtime_s;

    if (!settings_flag(settings, &option_keep))
        return;
    session_make_id(estimate->id);
    estimate->label = settings_text(settings, &option_label);
    estimate->project = settings_text(settings, &option_project);
    estimate->started_realtime_ns = estimate->created_realtime_ns;
    if (at && clock_of_iso_text(at, &realtime_s))
        estimate->started_realtime_ns = realtime_s * NS_PER_S_INT;
    else if (before_ns < (double)estimate->created_realtime_ns)
        estimate->started_realtime_ns -= (uint64_t)before_ns;
}

static bool print_estimate(const struct estimate *estimate, const struct settings *settings, struct error *err)
{
    struct result_forms forms = { .settings = settings };

    RESULT_FORMS_WRITE(forms, estimate_json, estimate_csv, estimate, err);
    if (forms.failed)
        return false;
    return forms.on_stdout || estimate_text(estimate, stdout, err);
}

static bool work_out(struct estimate *estimate, const struct settings *settings, struct error *err)
{
    if (!check_options(settings, err) || !find_energy(estimate, settings, err))
        return false;
    name_it(estimate, settings);
    if (!estimate_factor(estimate, settings, err) ||
        !sci_options_read(settings, ORIGIN_STANDARD, NAN, &estimate->sci, err) ||
        !equivalents_option_read(settings, &estimate->equivalents, err))
        return false;
    estimate_footprint(estimate);
    return estimate_keep(estimate, settings, err) && print_estimate(estimate, settings, err);
}

static int estimate_run(const struct command_line *line)
{
    struct estimate estimate = { .created_realtime_ns = clock_realtime_ns() };
    struct error err;
    const bool done = work_out(&estimate, &line->settings, &err);

    if (done)
        terminal_tell_all(&line->settings, &estimate.notices);
    notices_clear(&estimate.notices);
    return done ? terminal_finish_stdout(EXIT_SUCCESS) : terminal_fail(&err, STATUS_CARBON_FAILED);
}

COMMAND(cmd_estimate) = {
    .name = "estimate",
    .purpose = "emissions of a stated power, energy or processor",
    .synopsis = "[options]",
    .options = OPTIONS(&option_power, &option_energy, &option_cpu, &option_instance, &option_load, &option_threads,
                       &option_cores, &option_memory, &option_gpu, &option_gpu_load, &option_gpu_count, &option_hours,
                       SITE_OPTIONS, WIDER_OPTIONS, FACTOR_OPTIONS, &option_duty, SCI_OPTIONS, &option_keep, &option_at,
                       LEDGER_OPTIONS, RESULT_OPTIONS, COLOR_OPTIONS),
    .common = COMMON("power", "energy", "cpu", "load", "instance", "gpu", "hours", "zone", "year", "pue", "output",
                     "keep", "at", "project"),
    .examples = EXAMPLES("carbon estimate --power 100 --hours 8 --zone FR",
                         "carbon estimate --energy 1.3kWh --zone US-CA --pue 1.2",
                         "carbon estimate --cpu 'AMD EPYC 7763' --load 0.5 --threads 8 --hours 24",
                         "carbon estimate --instance m6i.large --load 0.5 --hours 720",
                         "carbon estimate --gpu 'H100 SXM' --gpu-load 0.7 --gpu-count 8 --hours 24"),
    .run = estimate_run,
    .prints_page = true,
    .schemas = SCHEMAS(&estimate_schema),
    .about = "Calculate the emissions of a known or modelled energy; nothing is measured.",
};
