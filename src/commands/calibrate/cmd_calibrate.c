/* SPDX-License-Identifier: MIT
 * carbon calibrate: learns once what this machine draws idle and busy, and keeps it. */
#include "app/options/command.h"

#include "app/load_command.h"
#include "app/options/machine_options.h"
#include "app/result_file.h"
#include "app/terminal.h"
#include "base/cores.h"
#include "base/units.h"
#include "commands/calibrate/calibrate.h"
#include "run/cpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool check_wall(const char *text, struct error *err)
{
    struct wall_reading reading;

    if (wall_reading_of(text, &reading))
        return true;
    error_set(err, ERROR_USAGE, "not a power");
    return error_fix(err, "38, 38.2 or 0.382kW");
}

static const struct option_spec option_time =
    OPTION(NUMBER, "Loads", "time", .short_name = 't', .argument = "<s>", .quantity = QUANTITY_SECONDS,
           .help = "how long each load runs", .default_text = "5", .min = 0.1, .max = S_PER_DAY, .cli_only = true);
static const struct option_spec option_calibrate_runs =
    OPTION(COUNT, "Loads", "runs", .short_name = 'r', .argument = "<n>", .help = "run each load n times, in turns",
           .default_text = "5", .min = 2, .max = 1000, .cli_only = true);
static const struct option_spec option_anyway =
    OPTION(FLAG, "Loads", "anyway", .help = "calibrate although other processes keep CPUs busy", .cli_only = true);
static const struct option_spec option_busy =
    OPTION(NUMBER, "Without a meter", "busy", .argument = "<s>", .quantity = QUANTITY_SECONDS, .min = 1,
           .max = S_PER_DAY, .cli_only = true,
           .help = "only keep all CPUs busy, while a plug, PDU or BMC is read by hand");
static const struct option_spec option_wall_idle =
    OPTION(TEXT, "Without a meter", "wall-idle", .argument = "<W>", .quantity = QUANTITY_POWER, .check = check_wall,
           .sample = "38", .cli_only = true, .help = "idle power of the machine, read by hand");
static const struct option_spec option_wall_full =
    OPTION(TEXT, "Without a meter", "wall-full", .argument = "<W>", .quantity = QUANTITY_POWER, .check = check_wall,
           .sample = "121", .cli_only = true, .help = "its power with all CPUs busy");
static const struct option_spec option_show =
    OPTION(FLAG, "Profile", "show", .help = "show the machine profile that is kept", .cli_only = true);
static const struct option_spec option_export =
    OPTION(FILE, "Profile", "export", .file = FILE_WRITTEN, .argument = "<file>", .cli_only = true,
           .help = "write it to a file, for the guests of this machine; '-' is standard output");
static const struct option_spec option_import =
    OPTION(FILE, "Profile", "import", .argument = "<file>", .cli_only = true,
           .help = "keep this profile: of this machine, or in a guest of its host");

static const struct option_spec option_no_progress =
    OPTION(FLAG, "Output", "quiet", .short_name = 'q', .help = "show no progress");

/* The machine that is meant, and its profile. */
struct calibrate_place {
    struct root root;
    struct machine machine;
};

static bool find_machine(const struct settings *settings, struct calibrate_place *place, struct error *err)
{
    if (!root_open(&place->root, settings_text(settings, &option_root), err))
        return false;
    machine_read(&place->machine, &place->root);
    return true;
}

/* The one that is kept, be it of this machine or not. */
static bool find_stored(const struct settings *settings, const struct calibrate_place *place,
                        struct machine_profile *profile, struct error *err)
{
    bool found;

    if (!machine_profile_find(&place->root, &place->machine, settings_text(settings, &option_profile), profile, &found,
                              err))
        return false;
    if (!found) {
        error_set(err, ERROR_ABSENT, "no machine profile");
        error_why(err, "none was made, or --profile is none");
        return error_fix(err, "carbon calibrate");
    }
    if (profile->id[0])
        return true;
    *err = profile->refused;
    return false;
}

static bool print_profile(const struct settings *settings, const struct calibrate_place *place,
                          struct machine_profile *profile, struct error *err)
{
    if (!find_stored(settings, place, profile, err))
        return false;
    calibrate_show(profile, stdout);
    printf("kept in %s\n", profile->path);
    if (profile->refused.kind != ERROR_NONE)
        printf("not used: %s; %s\n", profile->refused.what, profile->refused.why);
    return true;
}

static bool write_profile(struct machine_profile *profile, FILE *out, struct error *err)
{
    return machine_profile_write(profile, out) || error_errno(err, "cannot write the machine profile");
}

static bool export_to(const struct settings *settings, const struct calibrate_place *place,
                      struct machine_profile *profile, struct error *err)
{
    struct output output;

    return find_stored(settings, place, profile, err) &&
           output_open(&output, settings_text(settings, &option_export), err) &&
           output_end(&output, write_profile(profile, output.file, err), err);
}

static bool store_profile(struct output *output, struct machine_profile *profile, struct error *err)
{
    char path[PROFILE_PATH_SIZE];

    snprintf(path, sizeof path, "%s", output->path);
    if (!output_end(output, write_profile(profile, output->file, err), err))
        return false;
    calibrate_show(profile, stdout);
    printf("kept in %s\n", path);
    return true;
}

/* Chooses one of the ways of calibration. */
static bool make(const struct settings *settings, const struct calibrate_place *place, struct machine_profile *profile,
                 struct error *err)
{
    const char *import = settings_text(settings, &option_import);
    const char *idle = settings_text(settings, &option_wall_idle), *full = settings_text(settings, &option_wall_full);
    const struct calibrate_options options = {
        .seconds = settings_number(settings, &option_time),
        .runs = (size_t)settings_number(settings, &option_calibrate_runs),
        .anyway = settings_flag(settings, &option_anyway),
    };
    struct wall_reading idle_w, full_w;

    if (import)
        return machine_profile_read(import, profile, err) &&
               machine_profile_adopt(profile, &place->machine, cores_online(&place->root), err);
    if (!idle)
        return calibrate_apart(settings, &options, profile, err);
    if (wall_reading_of(idle, &idle_w) && wall_reading_of(full, &full_w) && full_w.w > idle_w.w) {
        calibrate_by_wall(&place->root, &place->machine, &idle_w, &full_w, profile);
        return true;
    }
    error_set(err, ERROR_USAGE, "a machine draws more with all CPUs busy than idle");
    error_why(err, "--wall-idle is %.20s%s, --wall-full %.20s%s", idle, quantity_is_bare(idle) ? " W" : "", full,
              quantity_is_bare(full) ? " W" : "");
    return error_fix(err, "read both again; 'carbon calibrate --busy 60' keeps all CPUs busy meanwhile");
}

/* That it can be kept is known before the work. */
static bool make_and_keep(const struct settings *settings, const struct calibrate_place *place,
                          struct machine_profile *profile, struct error *err)
{
    struct output output = { .file = NULL };

    if (!calibrate_store_open(&place->root, &output, err))
        return false;
    result_file_discard(&output);
    return make(settings, place, profile, err) && calibrate_store_open(&place->root, &output, err) &&
           store_profile(&output, profile, err);
}

/* Becomes the load. */
static bool be_busy(const struct settings *settings, struct error *err)
{
    struct load_command command;
    struct cpus cpus;

    if (!cpus_inherited(&cpus, err))
        return false;
    load_command_make(&command, "cpu", (unsigned)CPU_COUNT_S(CPUS_SIZE, &cpus.set),
                      settings_text(settings, &option_busy), ".", "/dev/null");
    terminal_say("all CPUs are busy for %s s: read the plug, PDU or BMC now\n", settings_text(settings, &option_busy));
    execv(command.argv[0], command.argv);
    return error_errno(err, "cannot run the load");
}

static bool missing(const char *given, const char *other, struct error *err)
{
    error_set(err, ERROR_USAGE, "%s needs %s", given, other);
    return error_fix(err, "carbon calibrate --wall-idle 38 --wall-full 121");
}

/* One of the ways. */
static bool check_options(const struct settings *settings, struct error *err)
{
    const bool idle = settings_text(settings, &option_wall_idle), full = settings_text(settings, &option_wall_full);
    const int ways = settings_flag(settings, &option_show) + (settings_text(settings, &option_export) != NULL) +
                     (settings_text(settings, &option_import) != NULL) +
                     (settings_text(settings, &option_busy) != NULL) + (idle || full);

    if (ways > 1) {
        error_set(err, ERROR_USAGE, "--show, --export, --import, --busy and --wall-idle cannot be combined");
        return error_fix(err, "carbon calibrate --show");
    }
    if (idle && !full)
        return missing("--wall-idle", "--wall-full, the power with all CPUs busy", err);
    return idle || !full || missing("--wall-full", "--wall-idle, the power of the idle machine", err);
}

static bool calibrate(const struct settings *settings, struct error *err)
{
    struct calibrate_place *place = calloc(1, sizeof *place);
    struct machine_profile *profile = calloc(1, sizeof *profile);
    bool done = false;

    if (!place || !profile)
        error_errno(err, "cannot start");
    else if (check_options(settings, err) && find_machine(settings, place, err)) {
        done = settings_text(settings, &option_busy)     ? be_busy(settings, err)
               : settings_flag(settings, &option_show)   ? print_profile(settings, place, profile, err)
               : settings_text(settings, &option_export) ? export_to(settings, place, profile, err)
                                                         : make_and_keep(settings, place, profile, err);
        root_close(&place->root);
    }
    free(place);
    free(profile);
    return done;
}

static int run(const struct command_line *line)
{
    struct error err;

    if (!calibrate(&line->settings, &err))
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    return terminal_finish_stdout(EXIT_SUCCESS);
}

COMMAND(cmd_calibrate) = {
    .name = "calibrate",
    .purpose = "learn once what this machine draws idle and busy",
    .synopsis = "[options]",
    .options = OPTIONS(&option_time, &option_calibrate_runs, &option_anyway, &option_busy, &option_wall_idle,
                       &option_wall_full, &option_show, &option_export, &option_import, &option_baseline, PACE_OPTIONS,
                       &option_source, &option_scope, &option_root, &option_profile, &option_color, &option_no_progress,
                       HELP_OPTIONS),
    .common = COMMON("time", "runs", "anyway", "wall-idle", "wall-full", "show", "export", "import"),
    .examples = EXAMPLES("carbon calibrate", "carbon calibrate --wall-idle 38 --wall-full 121",
                         "carbon calibrate --import host.csv"),
    .run = run,
    .prints_page = true,
    .about =
        "Run loads on a quiet machine, and keep what it draws as its machine profile: by its meters, by readings of "
        "a plug, or, in a guest, from its host. Where nothing measures, carbon models by it.",
};
