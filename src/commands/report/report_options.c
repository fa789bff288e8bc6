/* SPDX-License-Identifier: MIT
 * Converts the options of `carbon report` to the request for a period. */
#include "commands/report/report_options.h"

#include "app/options/machines_made.h"
#include "app/options/naming_options.h"
#include "app/options/sci_options.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "commands/report/fleet_options.h"
#include "emissions/factor.h"
#include "io/local_time.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DAY_TEXT = 10 };
#define DAY_S (24.0 * 3600)

static bool check_duty(const char *text, struct error *err)
{
    double hours;

    return duty_hours_of(text, 366, &hours, err);
}

const struct option_spec option_report_year =
    OPTION(COUNT, "Period", "year", .argument = "<year>", .cli_only = true, .min = 1971, .max = 2200,
           .help = "a year of UTC; the one that we have when neither this nor --from is given");
const struct option_spec option_report_from =
    OPTION(TEXT, "Period", "from", .argument = "<time>", .check = option_check_time, .sample = "2026-01-01",
           .cli_only = true, .help = "another period, from this time on: 2026-04-01, 2026-04-01T13:00Z");
const struct option_spec option_report_to =
    OPTION(TEXT, "Period", "to", .argument = "<time>", .check = option_check_time, .sample = "2026-12-31",
           .cli_only = true, .help = "and before this one; a day is meant with all its hours");
const struct option_spec option_report_local_time = OPTION(
    FLAG, "Period", "local-time", .cli_only = true, .help = "the year and its months are those of the local time (TZ)");
const struct option_spec option_restated =
    OPTION(FLAG, "Contents", "restated", .cli_only = true, .help = "use restated records instead of their originals");
const struct option_spec option_at_least =
    OPTION(NUMBER, "Contents", "at-least", .argument = "<energy>", .quantity = QUANTITY_ENERGY, .cli_only = true,
           .help = "leave out records of less energy (gross): 1Wh leaves short trial runs out");
static const char *const boundaries[] = { "own", "cloud", "colocation", NULL };
const struct option_spec option_report_boundary =
    OPTION(CHOICE, "Contents", "boundary", .choices = boundaries, .argument = "<whose>",
           .help = "whose machines they are: it says which scope the emissions belong to");
const struct option_spec option_report_entity =
    OPTION(TEXT, "Contents", "entity", .argument = "<text>",
           .help = "whose report it is: the organisation, the site, who answers for it");
const struct option_spec option_duty_declared =
    OPTION(TEXT, "Extrapolation", "duty", .argument = "<hours>", .check = check_duty, .sample = "8h/d",
           .cli_only = true, .help = "extrapolation of the mean power to hours per year: 8h/d, 8h/d x 250, 2000h, 50%");
const struct option_spec option_runs_per_year =
    OPTION(NUMBER, "Extrapolation", "runs-per-year", .argument = "<n>", .cli_only = true, .min = 0, .max = 1e12,
           .help = "extrapolation of the mean run to a number of runs");
const struct option_spec option_idle_between = OPTION(FLAG, "Extrapolation", "idle-between", .cli_only = true,
                                                      .help = "add idle power for the other hours of --duty");
/* As everywhere, but that records have their own. */
const struct option_spec option_report_zone = OPTION(
    TEXT, "Carbon", "zone", .short_name = 'z', .alias = "country", .argument = "<code>",
    .help = "grid zone instead of the records', and of a fleet: FR, US-CA, aws:eu-west-3 (fleet default: world)");
const struct option_spec option_report_basis =
    OPTION(CHOICE, "Carbon", "basis", .argument = "<basis>", .default_text = "lifecycle", .choices = factor_bases,
           .help = "basis of the emission factor instead of the records', and of a fleet");
const struct option_spec option_report_pue =
    OPTION(NUMBER, "Carbon", "pue", .argument = "<ratio>", .default_text = "1", .min = 1, .max = 10,
           .help = "power usage effectiveness (PUE) instead of the records', and of a fleet");
const struct option_spec option_report_markdown =
    OPTION(FILE, "Output", "markdown", .file = FILE_WRITTEN, .argument = "<file>", .cli_only = true,
           .help = "write it as Markdown, with every digit at its end; - is standard output");

const char *report_given(const struct settings *settings, const struct option_spec *option)
{
    return settings_origin(settings, option) == ORIGIN_LINE ? settings_text(settings, option) : NULL;
}

/* A day is meant from its beginning, or as its end with all its hours; without a zone of its own it is local where that
 * is wanted. */
static uint64_t time_of(const char *text, bool local_time, bool end)
{
    const bool day = strlen(text) == DAY_TEXT;
    char from[64];
    uint64_t realtime_s = 0;

    snprintf(from, sizeof from, "%.40s%s", text, day ? "T00:00" : "");
    if (local_time && day && end)
        return local_time_of(text, 0, &realtime_s) ? realtime_s * NS_PER_S_INT : 0;
    if (!(local_time ? local_time_of(from, 0, &realtime_s) : clock_of_iso_text(from, &realtime_s)))
        return 0;
    return (realtime_s + (day && end ? (uint64_t)DAY_S : 0)) * NS_PER_S_INT;
}

static bool set_period(struct annual *annual, const struct settings *settings, struct error *err)
{
    const char *from = settings_text(settings, &option_report_from), *to = settings_text(settings, &option_report_to);
    const char *year = settings_text(settings, &option_report_year);

    annual->local_time = settings_flag(settings, &option_report_local_time);
    if ((from || to) && year) {
        error_set(err, ERROR_USAGE, "--year is a period, and --from and --to are another");
        error_why(err, "a report is of one period");
        return option_omit(&option_report_year, err);
    }
    if (to && !from) {
        error_set(err, ERROR_USAGE, "--to ends a period that begins nowhere");
        return error_fix(err, "add --from");
    }
    if (!from)
        return annual_set_year(annual,
                               year ? (int)settings_number(settings, &option_report_year)
                                    : clock_year(annual->made_realtime_ns),
                               err) &&
               annual_set_months(annual, err);
    annual->from_ns = time_of(from, annual->local_time, false);
    annual->to_ns = to ? time_of(to, annual->local_time, true) : annual->made_realtime_ns;
    return annual_set_months(annual, err);
}

/* What a configuration says of runs to come restates none that was. */
static bool set_restating(struct annual_restating *restating, const struct settings *settings, struct error *err)
{
    const char *zone = report_given(settings, &option_zone), *basis = report_given(settings, &option_basis);

    if (fleet_options_given(settings))
        return true;
    text_copy(restating->zone, sizeof restating->zone, zone ? zone : "");
    restating->has_basis = basis != NULL;
    if (basis && !factor_basis_of(basis, &restating->basis))
        return error_set(err, ERROR_USAGE, "unknown basis");
    if (report_given(settings, &option_factor_set)) {
        text_copy(restating->set, sizeof restating->set, report_given(settings, &option_factor_set));
        if (basis && restating->basis != FACTOR_DIRECT) {
            error_set(err, ERROR_USAGE, "official sets have direct factors alone");
            return error_fix(err, "leave --basis out, or --set");
        }
        restating->has_basis = true;
        restating->basis = FACTOR_DIRECT;
    }
    if (report_given(settings, &option_pue))
        restating->pue = settings_number(settings, &option_pue);
    return true;
}

/* Of a year that part of the lifetime, of another period by its hours. */
bool report_machines_read(struct annual *annual, const struct settings *settings, struct error *err)
{
    const struct machines_made *made = settings->machines;
    const double years = annual->year ? 1 : annual->period_hours / HOURS_PER_YEAR;

    if (!made)
        return true;
    annual->machines_made = calloc(made->count, sizeof *annual->machines_made);
    if (!annual->machines_made)
        return error_errno(err, "no memory for the machines");
    for (size_t i = 0; i < made->count; i++) {
        struct annual_machine *item = &annual->machines_made[annual->machine_made_count++];
        text_copy(item->name, sizeof item->name, made->items[i].name);
        item->kgco2eq = made->items[i].kgco2eq;
        item->lifetime_years = made->items[i].lifetime_years;
        item->period_kgco2eq = item->kgco2eq * years / item->lifetime_years;
    }
    return true;
}

bool report_options_read(struct annual *annual, const struct settings *settings, struct error *err)
{
    const char *boundary = settings_text(settings, &option_report_boundary),
               *entity = settings_text(settings, &option_report_entity);
    const char *project = report_given(settings, &option_project), *label = report_given(settings, &option_label);

    annual->made_realtime_ns = clock_realtime_ns();
    for (size_t i = 0; boundary && boundaries[i]; i++)
        if (strcmp(boundary, boundaries[i]) == 0)
            annual->boundary = (enum annual_boundary)i;
    annual->boundary_given = boundary != NULL;
    annual->restated = settings_flag(settings, &option_restated);
    annual->at_least_j = fmax(0, settings_number(settings, &option_at_least)); /* NAN: not given */
    if (!set_restating(&annual->restating, settings, err) ||
        !equivalents_option_read(settings, &annual->equivalents, err))
        return false;
    text_copy(annual->entity, sizeof annual->entity, entity ? entity : "");
    text_copy(annual->project, sizeof annual->project, project ? project : "");
    text_copy(annual->label, sizeof annual->label, label ? label : "");
    return set_period(annual, settings, err);
}

bool report_extrapolate(const struct settings *settings, const struct annual *annual, const struct annual_sum *sum,
                        struct error *err)
{
    const char *duty = settings_text(settings, &option_duty_declared);
    const double runs = settings_number(settings, &option_runs_per_year);
    const bool idle_between = settings_flag(settings, &option_idle_between);
    double hours = NAN;

    if (!duty && isnan(runs) && !idle_between)
        return true;
    if (duty && !isnan(runs))
        return options_clash(&option_duty_declared, &option_runs_per_year, err);
    if ((duty || !isnan(runs)) && !annual->year) {
        error_set(err, ERROR_USAGE, "--duty and --runs-per-year are of a year");
        return error_fix(err, "give --year in place of --from and --to");
    }
    if (duty && !duty_hours_of(duty, annual->period_hours / 24, &hours, err))
        return false;
    return annual_extrapolate(sum,
                              duty          ? RULE_DUTY
                              : isnan(runs) ? RULE_IDLE
                                            : RULE_RUNS,
                              hours, runs, idle_between, err);
}
