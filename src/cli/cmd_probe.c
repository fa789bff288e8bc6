/* SPDX-License-Identifier: MIT
 * carbon probe: loads of its own, one part of the machine each, to tell what draws how much.
 *
 * Each load runs as a job of its own: this program again with the hidden option --load. */
#include "cli/command.h"

#include "base/auto.h"
#include "cli/probe_plan.h"
#include "cli/terminal.h"
#include "run/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = { "idle", "cpu", "memory", "disk-write", "disk-read", "mixed", NULL };

static const struct option_spec option_time = {
    .name = "time",
    .letter = 't',
    .kind = OPTION_NUMBER,
    .argument = "<s>",
    .group = "Loads",
    .help = "how long each load runs",
    .standard = "5",
    .least = 0.1,
    .most = 86400,
    .line_only = true,
};
static const struct option_spec option_probe_runs = {
    .name = "runs",
    .letter = 'r',
    .kind = OPTION_COUNT,
    .argument = "<n>",
    .group = "Loads",
    .help = "run each load n times, in turns",
    .standard = "3",
    .least = 1,
    .most = 1000,
    .line_only = true,
};
static const struct option_spec option_loads = {
    .name = "loads",
    .kind = OPTION_TEXT,
    .argument = "<list>",
    .group = "Loads",
    .help = "which: of idle, cpu, memory, disk-write, disk-read, mixed",
    .standard = "idle,cpu,memory,disk-write,disk-read,mixed",
    .check = probe_check_loads,
    .line_only = true,
};
static const struct option_spec option_threads = {
    .name = "threads",
    .kind = OPTION_TEXT,
    .argument = "<list>",
    .group = "Loads",
    .help = "with so many threads each; 1 and all CPUs when not given",
    .check = probe_check_threads,
    .line_only = true,
};
static const struct option_spec option_folder = {
    .name = "folder",
    .kind = OPTION_FILE,
    .argument = "<dir>",
    .group = "Loads",
    .help = "where the disk loads make their file",
    .standard = ".",
    .line_only = true,
};
static const struct option_spec option_load = {
    .name = "load",
    .kind = OPTION_CHOICE,
    .argument = "<load>",
    .group = "Loads",
    .help = "be this load, and nothing else",
    .choices = kinds,
    .hidden = true,
    .line_only = true,
};
static const struct option_spec option_done = {
    .name = "done",
    .kind = OPTION_FILE,
    .argument = "<file>",
    .group = "Loads",
    .help = "add to this file what the load did",
    .standard = "-",
    .hidden = true,
    .line_only = true,
};

static bool tell_done(const char *path, enum load_kind kind, const struct load_done *done, struct error *err)
{
    AUTO_FCLOSE FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "ae");
    char line[LOAD_LINE_SIZE];

    load_done_text(kind, done, line);
    if (strcmp(path, "-") == 0)
        return puts(line) >= 0;
    if (!file || fprintf(file, "%s\n", line) < 0 || fflush(file) != 0)
        return error_errno(err, "cannot write '%.200s'", path);
    return true;
}

static bool be_load(const struct settings *settings, enum load_kind kind, struct error *err)
{
    const char *threads = settings_text(settings, &option_threads);
    const struct load_options options = {
        .kind = kind,
        .threads = threads ? (unsigned)strtoul(threads, NULL, 10) : 1, /* checked: a list of one, as --load has it */
        .seconds = settings_number(settings, &option_time),
        .folder = settings_text(settings, &option_folder),
    };
    struct load_done done;

    return load_run(&options, &done, err) && tell_done(settings_text(settings, &option_done), kind, &done, err);
}

static int probe_run(const struct command_line *line)
{
    const char *load = settings_text(&line->settings, &option_load);
    struct error err = { .kind = ERROR_NONE };

    if (!load) {
        error_set(&err, ERROR_USAGE, "no load is given");
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    return be_load(&line->settings, load_kind_of(load), &err) ? terminal_finish_stdout(EXIT_SUCCESS)
                                                              : terminal_fail(&err, STATUS_CARBON_FAILED);
}

static const struct option_spec *const options[] = {
    &option_time, &option_probe_runs, &option_loads, &option_threads, &option_folder,
    &option_load, &option_done, &option_help,  &option_version, NULL,
};

static const char *const examples[] = {
    "carbon probe --loads cpu,memory --threads 1,4",
    "carbon probe --runs 5 --time 10 --folder /var/tmp",
    NULL,
};

const struct command cmd_probe = {
    .name = "probe",
    .purpose = "tell what draws most here: CPU, memory, disk or standing there",
    .synopsis = "[options]",
    .about = "Run loads of its own, each of one part of the machine, and say what that part draws.",
    .options = options,
    .examples = examples,
    .run = probe_run,
};
