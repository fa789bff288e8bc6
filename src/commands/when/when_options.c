/* SPDX-License-Identifier: MIT
 * What `carbon when` is asked: the options, and what their texts mean. */
#include "commands/when/when.h"

#include "app/options/live_options.h"
#include "base/parse_quantity.h"
#include "base/units.h"
#include "io/local_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* No service forecasts further; a day before is asked for, too, to see how good its forecasts were. */
#define MAX_S (7 * 86400.0)
#define MIN_J 1e-3

static bool until_of(const char *text, uint64_t now_s, uint64_t *deadline_s)
{
    double duration_s;

    if (!quantity_duration(text, &duration_s))
        return local_time_of(text, now_s, deadline_s);
    *deadline_s = now_s + (uint64_t)fmin(duration_s, 1e9);
    return true;
}

static bool check_until(const char *text, struct error *err)
{
    uint64_t deadline_s;

    if (until_of(text, clock_realtime_ns() / NS_PER_S_INT, &deadline_s))
        return true;
    error_set(err, ERROR_USAGE, "'%.60s' is not a deadline", text);
    return error_fix(err, "12h, 18:00, tomorrow, 2026-01-20 or 2026-01-20T12:00, local time");
}

/* As --zone of the other commands, which have a factor for all the world. */
const struct option_spec option_when_zone =
    OPTION(TEXT, "Carbon", "zone", .short_name = 'z', .alias = "country", .argument = "<code>", .sample = "GB",
           .help = "whose electricity: GB, GB:RG10, DK1, DE, aws:eu-west-3");
const struct option_spec option_zones =
    OPTION(TEXT, "Carbon", "zones", .argument = "<list>", .cli_only = true,
           .help = "where it might run, the first being where it runs now: GB,DE,FR");
const struct option_spec option_duration =
    OPTION(NUMBER, "Job", "duration", .argument = "<time>", .quantity = QUANTITY_DURATION, .min = 0.001, .max = MAX_S,
           .cli_only = true, .help = "how long it runs: 90m, 2h, 1d");
const struct option_spec option_energy =
    OPTION(NUMBER, "Job", "energy", .argument = "<energy>", .quantity = QUANTITY_ENERGY, .min = MIN_J, .max = INFINITY,
           .cli_only = true, .help = "its energy: 1.3kWh, 400Wh, 5MJ; without it only intensities are shown");
const struct option_spec option_like =
    OPTION(FILE, "Job", "like", .argument = "<record>", .cli_only = true,
           .help = "duration, energy and profile of an earlier run, from its record");
const struct option_spec option_until =
    OPTION(TEXT, "Job", "until", .argument = "<time>", .default_text = "24h", .check = check_until, .cli_only = true,
           .help = "when it must have ended: 12h from now, 18:00, tomorrow, 2026-01-20T12:00; local");
const struct option_spec option_wait =
    OPTION(FLAG, "Job", "wait", .cli_only = true, .help = "wait for the best start, and run the command then");

/* Two options of the command line that say the same, or one that has no meaning beside the other. */
static bool check_pairs(const struct settings *settings, struct error *err)
{
    const struct option_spec *const pairs[][2] = {
        { &option_zones, &option_zone },           { &option_zones, &option_intensities },
        { &option_zones, &option_wait },           { &option_like, &option_duration },
        { &option_like, &option_energy },          { &option_live, &option_intensities },
        { &option_live_url, &option_intensities },
    };

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const struct option_spec *const a = pairs[i][0], *const b = pairs[i][1];
        if (settings_origin(settings, a) != ORIGIN_LINE || settings_origin(settings, b) != ORIGIN_LINE)
            continue;
        options_clash(a, b, err);
        if (b == &option_wait) {
            error_why(err, "the command is run here, and not in another zone");
            error_fix(err, "--zone of this machine in place of --zones");
        }
        return false;
    }
    return true;
}

static bool check_command(const struct command_line *line, struct error *err)
{
    const bool wait = settings_flag(&line->settings, &option_wait);

    if (wait == (line->operand_count > 0))
        return true;
    if (wait) {
        error_set(err, ERROR_USAGE, "--wait has no command to run");
        return error_fix(err, "carbon when --zone GB --duration 2h --wait -- command");
    }
    error_set(err, ERROR_USAGE, "nothing says that '%.80s' is to be run", line->operands[0]);
    error_why(err, "without --wait there is advice alone");
    return error_fix(err, "add --wait, or leave it out");
}

/* The list is cut at its commas in a copy. */
static bool take_zones(const struct settings *settings, struct when *when, char **names, struct error *err)
{
    const char *list = settings_text(settings, &option_zones);
    char *rest, *name;

    if (!list) {
        when->zones[when->count++].typed = settings_text(settings, &option_zone);
        return true;
    }
    *names = rest = strdup(list);
    if (!rest)
        return error_set(err, ERROR_SYSTEM, "no memory for the zones");
    while ((name = strsep(&rest, ","))) {
        if (!*name || when->count == WHEN_ZONES_MAX) {
            error_set(err, ERROR_USAGE, *name ? "--zones has more than %d zones" : "--zones has an empty name",
                      WHEN_ZONES_MAX);
            return error_fix(err, "--zones GB,DE,FR");
        }
        when->zones[when->count++].typed = name;
    }
    return true;
}

static bool take_job(const struct settings *settings, struct when *when, struct error *err)
{
    const char *duration = settings_text(settings, &option_duration), *like = settings_text(settings, &option_like);
    struct when_job *job = &when->job;

    *job = (struct when_job){ .energy_j = NAN, .pue = settings_number(settings, &option_pue), .like = like };
    if (like)
        return when_like(like, job, &when->notices, err);
    if (!duration) {
        error_set(err, ERROR_USAGE, "'carbon when' needs --duration or --like");
        error_why(err, "the best start depends on how long the job runs");
        return error_fix_adds(err, "--duration 2h");
    }
    job->duration_s = settings_number(settings, &option_duration);
    job->energy_j = settings_number(settings, &option_energy);
    job->profile = start_time_flat((uint64_t)(job->duration_s * NS_PER_S));
    return true;
}

static bool take_deadline(const struct settings *settings, struct when *when, struct error *err)
{
    const double job_s = ceil(when->job.duration_s);
    char now[CLOCK_TEXT_SIZE], until[CLOCK_TEXT_SIZE], text[UNITS_SIZE];

    IGNORED(until_of(settings_text(settings, &option_until), when->now_s, &when->deadline_s), "the option was checked");
    local_time_text(when->deadline_s, until);
    if ((double)when->deadline_s < (double)when->now_s + job_s) {
        error_set(err, ERROR_USAGE, "a job of %s cannot have ended by %s", units_duration(when->job.duration_s, text),
                  until);
        error_why(err, "it is %s now", local_time_text(when->now_s, now));
        return error_fix(err, "give a later --until");
    }
    if ((double)(when->deadline_s - when->now_s) <= MAX_S)
        return true;
    error_set(err, ERROR_USAGE, "%s is more than 7 days away", until);
    error_why(err, "no grid is forecast that far");
    return error_fix(err, "give an earlier --until");
}

bool when_read(const struct command_line *line, struct when *when, char **names, struct error *err)
{
    const struct settings *settings = &line->settings;

    when->now_s = clock_realtime_ns() / NS_PER_S_INT;
    return check_pairs(settings, err) && check_command(line, err) && take_zones(settings, when, names, err) &&
           take_job(settings, when, err) && take_deadline(settings, when, err);
}
