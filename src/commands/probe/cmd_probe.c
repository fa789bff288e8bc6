/* SPDX-License-Identifier: MIT
 * carbon probe: loads of its own, one part of the machine each, to tell what draws how much.
 *
 * Each load runs as a job of its own: this program again with the hidden option --load. */
#include "app/options/command.h"

#include "app/terminal.h"
#include "base/auto.h"
#include "base/units.h"
#include "commands/probe/probe_work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = { "idle", "cpu", "memory", "disk-write", "disk-read", "mixed", NULL };

static const struct option_spec option_time =
    OPTION(NUMBER, "Loads", "time", .short_name = 't', .argument = "<s>", .quantity = QUANTITY_SECONDS,
           .help = "how long each load runs", .default_text = "5", .min = 0.1, .max = S_PER_DAY, .cli_only = true);
static const struct option_spec option_probe_runs =
    OPTION(COUNT, "Loads", "runs", .short_name = 'r', .argument = "<n>", .help = "run each load n times, in turns",
           .default_text = "3", .min = 1, .max = PROBE_MAX_RUNS, .cli_only = true);
static const struct option_spec option_loads = OPTION(
    TEXT, "Loads", "loads", .argument = "<list>", .help = "which: of idle, cpu, memory, disk-write, disk-read, mixed",
    .default_text = "idle,cpu,memory,disk-write,disk-read,mixed", .check = probe_check_loads, .cli_only = true);
static const struct option_spec option_threads =
    OPTION(TEXT, "Loads", "threads", .argument = "<list>", .help = "numbers of threads (default: 1 and all CPUs)",
           .check = probe_check_threads, .cli_only = true);
static const struct option_spec option_folder =
    OPTION(FILE, "Loads", "folder", .file = FILE_FOLDER, .argument = "<dir>",
           .help = "where the disk loads make their file", .default_text = ".", .cli_only = true);
static const struct option_spec option_anyway =
    OPTION(FLAG, "Loads", "anyway", .help = "run the loads although other processes keep CPUs busy", .cli_only = true);
static const struct option_spec option_load =
    OPTION(CHOICE, "Loads", "load", .argument = "<load>", .help = "be this load, and nothing else", .choices = kinds,
           .hidden = true, .cli_only = true);
static const struct option_spec option_done =
    OPTION(FILE, "Loads", "done", .file = FILE_ADDED, .argument = "<file>",
           .help = "add to this file what the load did", .default_text = "-", .hidden = true, .cli_only = true);

static bool add_line(const char *path, const char *line, struct error *err)
{
    AUTO_FCLOSE FILE *file = fopen(path, "ae");

    if (!file || fprintf(file, "%s\n", line) < 0 || fflush(file) != 0)
        return error_errno(err, "cannot write '%.200s'", path);
    return true;
}

/* Who asked for a file reads there what became of the load, whatever that is. */
static int be_load(const struct settings *settings, enum load_kind kind)
{
    const char *threads = settings_text(settings, &option_threads), *path = settings_text(settings, &option_done);
    const struct load_options options = {
        .kind = kind,
        .threads = threads ? (unsigned)strtoul(threads, NULL, 10) : 1, /* checked: a list of one, as --load has it */
        .seconds = settings_number(settings, &option_time),
        .folder = settings_text(settings, &option_folder),
    };
    const bool to_file = strcmp(path, "-") != 0;
    struct load_done done;
    struct error err;
    char line[LOAD_LINE_SIZE];

    if (!load_run(&options, &done, &err)) {
        load_failed_text(kind, &err, line);
        return to_file && add_line(path, line, NULL) ? STATUS_CARBON_FAILED : terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    load_done_text(kind, &done, line);
    if (!to_file)
        puts(line);
    else if (!add_line(path, line, &err))
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    return terminal_finish_stdout(EXIT_SUCCESS);
}

static int probe_run(const struct command_line *line)
{
    const struct settings *settings = &line->settings;
    const char *load = settings_text(settings, &option_load);
    const struct probe_options options = {
        .loads = settings_text(settings, &option_loads),
        .threads = settings_text(settings, &option_threads),
        .seconds = settings_number(settings, &option_time),
        .runs = (size_t)settings_number(settings, &option_probe_runs),
        .anyway = settings_flag(settings, &option_anyway),
        .folder = settings_text(settings, &option_folder),
        .json = settings_text(settings, &option_json),
        .csv = settings_text(settings, &option_csv),
    };

    return load ? be_load(settings, load_kind_of(load)) : probe_measure(settings, &options, stdout);
}

const struct command cmd_probe = {
    .name = "probe",
    .purpose = "power of CPU, memory, disk and the idle machine",
    .synopsis = "[options]",
    .options = OPTIONS(&option_time, &option_probe_runs, &option_loads, &option_threads, &option_folder, &option_anyway,
                       &option_load, &option_done, &option_baseline, PACE_OPTIONS, METER_OPTIONS, CARBON_OPTIONS,
                       RESULT_OPTIONS, DETAIL_OPTIONS),
    .common = COMMON("loads", "threads", "time", "runs", "baseline", "folder", "anyway", "zone", "output", "verbose",
                     "quiet"),
    .examples =
        EXAMPLES("carbon probe --loads cpu,memory --threads 1,4", "carbon probe --runs 5 --time 10 --folder /var/tmp"),
    .schemas = SCHEMAS(&probe_schema),
    .run = probe_run,
    .prints_page = true,
    .about = "Run loads of its own, each of one part of the machine, and say what that part draws.",
};
