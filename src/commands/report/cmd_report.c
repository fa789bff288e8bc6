/* SPDX-License-Identifier: MIT
 * carbon report: the figures of a year, from the ledger or from the counters of a fleet. */
#include "app/options/command.h"

#include "app/caught.h"
#include "app/ledger_options.h"
#include "app/options/machines_made.h"
#include "app/options/naming_options.h"
#include "app/options/sci_options.h"
#include "app/terminal.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "commands/report/annual.h"
#include "commands/report/fleet_accounts.h"
#include "commands/report/fleet_options.h"
#include "emissions/factor.h"
#include "form/output.h"
#include "io/local_time.h"
#include "ledger/accounts.h"
#include "run/privileges.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* STATUS_NOTHING: there is no result, for nothing is known of the period. */
enum { DAY_TEXT = 10, STATUS_NOTHING = 1 };
#define DAY_S (24.0 * 3600)

static bool check_duty(const char *text, struct error *err)
{
    double hours;

    return duty_hours_of(text, 366, &hours, err);
}

static const struct option_spec option_of_year =
    OPTION(COUNT, "Period", "year", .argument = "<year>", .line_only = true, .least = 1971, .most = 2200,
           .help = "a year of UTC; the one that we have when neither this nor --from is given");
static const struct option_spec option_from =
    OPTION(TEXT, "Period", "from", .argument = "<time>", .check = option_check_time, .line_only = true,
           .help = "another period, from this time on: 2026-04-01, 2026-04-01T13:00Z");
static const struct option_spec option_to =
    OPTION(TEXT, "Period", "to", .argument = "<time>", .check = option_check_time, .line_only = true,
           .help = "and before this one; a day is meant with all its hours");
static const struct option_spec option_local_time =
    OPTION(FLAG, "Period", "local-time", .line_only = true,
           .help = "the year and its months are those of the local time (TZ)");
static const struct option_spec option_restated =
    OPTION(FLAG, "What is told", "restated", .line_only = true,
           .help = "records that 'carbon restate' has worked out anew count as they are now, not as they were");
static const struct option_spec option_at_least =
    OPTION(NUMBER, "What is told", "at-least", .argument = "<energy>", .quantity = QUANTITY_ENERGY, .line_only = true,
           .help = "leave out records of less energy (gross): 1Wh leaves short trial runs out");
static const char *const boundaries[] = { "own", "cloud", "colocation", NULL };
static const struct option_spec option_boundary =
    OPTION(CHOICE, "What is told", "boundary", .choices = boundaries, .argument = "<whose>",
           .help = "whose machines they are: it says which scope the emissions belong to");
static const struct option_spec option_entity =
    OPTION(TEXT, "What is told", "entity", .argument = "<text>",
           .help = "whose report it is: the organisation, the site, who answers for it");
static const struct option_spec option_duty_declared =
    OPTION(TEXT, "Extrapolation", "duty", .argument = "<hours>", .check = check_duty, .line_only = true,
           .help = "beside the sums: mean power for so much of the year: 8h/d, 8h/d x 250, 2000h, 50%");
static const struct option_spec option_runs_per_year =
    OPTION(NUMBER, "Extrapolation", "runs-per-year", .argument = "<n>", .line_only = true, .least = 0, .most = 1e12,
           .help = "beside the sums: energy of a mean run, so often");
static const struct option_spec option_idle_between =
    OPTION(FLAG, "Extrapolation", "idle-between", .line_only = true,
           .help = "and idle power for the other hours: the machine stands there all the time");
static const struct option_spec option_markdown =
    OPTION(FILE, "Output", "markdown", .argument = "<file>", .line_only = true,
           .help = "write it as Markdown, with every digit at its end; - is standard output");

/* What a configuration says of results to come does not choose among those that are there. */
static const char *given(const struct settings *settings, const struct option_spec *option)
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
    const char *from = settings_text(settings, &option_from), *to = settings_text(settings, &option_to);
    const char *year = settings_text(settings, &option_of_year);

    annual->local_time = settings_flag(settings, &option_local_time);
    if ((from || to) && year) {
        error_set(err, ERROR_USAGE, "--year is a period, and --from and --to are another");
        return error_fix(err, "give one of the two");
    }
    if (to && !from) {
        error_set(err, ERROR_USAGE, "--to ends a period that begins nowhere");
        return error_fix(err, "add --from");
    }
    if (!from)
        return annual_set_year(annual,
                               year ? (int)settings_number(settings, &option_of_year)
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
    const char *zone = given(settings, &option_zone), *basis = given(settings, &option_basis);

    if (fleet_options_given(settings))
        return true;
    text_copy(restating->zone, sizeof restating->zone, zone ? zone : "");
    restating->has_basis = basis != NULL;
    if (basis && !factor_basis_of(basis, &restating->basis))
        return error_set(err, ERROR_USAGE, "unknown basis");
    if (given(settings, &option_factor_set)) {
        text_copy(restating->set, sizeof restating->set, given(settings, &option_factor_set));
        if (basis && restating->basis != FACTOR_DIRECT) {
            error_set(err, ERROR_USAGE, "official sets have direct factors alone");
            return error_fix(err, "leave --basis out, or --set");
        }
        restating->has_basis = true;
        restating->basis = FACTOR_DIRECT;
    }
    if (given(settings, &option_pue))
        restating->pue = settings_number(settings, &option_pue);
    return true;
}

/* Of a year that part of the lifetime, of another period by its hours. */
static bool set_machines(struct annual *annual, const struct settings *settings, struct error *err)
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

static bool set_asked(struct annual *annual, const struct settings *settings, struct error *err)
{
    const char *boundary = settings_text(settings, &option_boundary), *entity = settings_text(settings, &option_entity);
    const char *project = given(settings, &option_project), *label = given(settings, &option_label);

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

static bool on_account(const struct account *account, int64_t basis, bool restated, void *context, struct error *err)
{
    return annual_sum_account(context, account, basis, restated, err);
}

static bool on_basis(int64_t number, const char *basis, void *context, struct error *err)
{
    return annual_sum_basis(context, number, basis, err);
}

/* What one call works with. */
struct work {
    const struct settings *settings;
    struct environment environment;
    struct ledger *ledger;
};

static bool sum_up(const struct work *work, struct annual *annual, struct annual_sum *sum, struct error *err)
{
    const struct account_filter filter = {
        .from_ns = annual->from_ns,
        .to_ns = annual->to_ns,
        .project = given(work->settings, &option_project),
        .label = given(work->settings, &option_label),
        .restated = settings_flag(work->settings, &option_restated),
    };

    if (fleet_options_given(work->settings))
        return fleet_accounts_sum(work->settings, annual, sum, err);
    return ledger_bases(work->ledger, on_basis, sum, err) &&
           ledger_accounts(work->ledger, &filter, on_account, sum, err) && annual_sum_finish(sum, err);
}

/* A year against the one before it. */
static bool look_back(const struct work *work, struct annual *annual, struct error *err)
{
    struct annual before = { .made_realtime_ns = annual->made_realtime_ns, .local_time = annual->local_time };
    struct annual_sum *sum;
    bool good;

    if (!annual->year)
        return true;
    before.restating = annual->restating;
    before.at_least_j = annual->at_least_j;
    text_copy(before.project, sizeof before.project, annual->project);
    text_copy(before.label, sizeof before.label, annual->label);
    if (!annual_set_year(&before, annual->year - 1, err) || !annual_set_months(&before, err))
        return false;
    sum = annual_sum_open(&before, err);
    good = sum && sum_up(work, &before, sum, err);
    if (good) {
        annual_set_previous(annual, &before.total);
        annual->fleet.previous_covered_share = before.covered_share;
    }
    annual_sum_close(sum);
    annual_close(&before);
    return good;
}

static bool extrapolate(const struct settings *settings, const struct annual *annual, const struct annual_sum *sum,
                        struct error *err)
{
    const char *duty = settings_text(settings, &option_duty_declared);
    const double runs = settings_number(settings, &option_runs_per_year);
    const bool idle_between = settings_flag(settings, &option_idle_between);
    double hours = NAN;

    if (!duty && isnan(runs) && !idle_between)
        return true;
    if (duty && !isnan(runs)) {
        error_set(err, ERROR_USAGE, "--duty and --runs-per-year exclude each other");
        return error_fix(err, "give one of the two");
    }
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

static bool make(const struct work *work, struct annual *annual, struct error *err)
{
    struct annual_sum *sum = annual_sum_open(annual, err);
    bool good = sum && sum_up(work, annual, sum, err) && look_back(work, annual, err) &&
                extrapolate(work->settings, annual, sum, err) && annual_set_sources(annual, err) &&
                set_machines(annual, work->settings, err);

    annual_sum_close(sum);
    if (good) {
        equivalents_work_out(&annual->equivalents, annual->total.kgco2eq);
        annual_notices(annual);
    }
    return good;
}

typedef bool annual_form(const struct annual *annual, FILE *out, struct error *err);

static bool write_file(const struct annual *annual, const char *path, annual_form *form, struct error *err)
{
    struct output out;

    return !path || (output_open(&out, path, err) && output_end(&out, form(annual, out.file, err), err));
}

/* Standard output holds one form. */
static bool show(const struct annual *annual, const struct settings *settings, struct error *err)
{
    const char *json = given(settings, &option_json), *csv = given(settings, &option_csv);
    const char *markdown = settings_text(settings, &option_markdown);
    const char *html = given(settings, &option_html);
    const char *const paths[] = { json, csv, markdown, html };
    int taken = 0;

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        taken += paths[i] && strcmp(paths[i], "-") == 0;
    if (taken > 1) {
        error_set(err, ERROR_USAGE, "standard output holds one form");
        return error_fix(err, "name a file for the others");
    }
    return write_file(annual, json, annual_json, err) && write_file(annual, csv, annual_csv, err) &&
           write_file(annual, markdown, annual_markdown, err) && write_file(annual, html, annual_html, err) &&
           (json || csv || markdown || html || annual_text(annual, stdout, err));
}

/* Whoever reads a file sees in it what is wrong; who wrote it on the terminal has to see that, too. */
static void warn(const struct annual *annual, const struct settings *settings)
{
    const bool shown = !given(settings, &option_json) && !given(settings, &option_csv) &&
                       !given(settings, &option_html) && !settings_text(settings, &option_markdown);

    if (annual->scarce && !shown)
        terminal_tell(settings, &annual->notices.item[0]);
}

/* There is no result of a period of which nothing is known: no file is written either. */
static void tell_nothing(const struct annual *annual)
{
    const struct annual_gaps *gaps = &annual->gaps;
    const uint64_t left_out = gaps->small + gaps->unknown + gaps->recorded + gaps->restated;
    char from[CLOCK_TEXT_SIZE], to[CLOCK_TEXT_SIZE];

    fprintf(stderr, "carbon: nothing is known of %s to %s", clock_minute_text(annual->from_ns / NS_PER_S_INT, from),
            clock_minute_text(annual->to_ns / NS_PER_S_INT, to));
    if (left_out)
        fprintf(stderr, ": %" PRIu64 " record%s, %" PRIu64 " of them of too little energy, left out", left_out,
                left_out == 1 ? "" : "s", gaps->small);
    else
        fprintf(stderr, "; %s", annual_is_fleet(annual) ? "the server has no counter of energy in it that carbon knows"
                                                        : "'carbon history' lists what there is");
    fputc('\n', stderr);
}

static bool open_ledger(struct work *work, struct error *err)
{
    if (fleet_options_given(work->settings))
        return true;
    work->ledger = ledger_options_open(work->settings, &work->environment, LEDGER_READ, err);
    return work->ledger != NULL;
}

/* Reading a fleet takes long; who ends it gets an error, and no file. */
static bool make_noting_signals(const struct work *work, struct annual *annual, struct error *err)
{
    const bool fleet = fleet_options_given(work->settings);
    struct caught caught;
    bool done;

    if (fleet)
        caught_open(&caught);
    done = make(work, annual, err);
    if (done && fleet && caught_first())
        done = error_set(err, ERROR_SYSTEM, "interrupted");
    if (fleet)
        caught_close(&caught);
    return done;
}

static const struct option_spec *const of_ledger[] = {
    &option_restated,     &option_at_least, &option_duty_declared, &option_runs_per_year,
    &option_idle_between, &option_ledger,   NULL,
};
/* Those of a fleet alone. */
#define OF_FLEET                                                                                                       \
    &option_by, &option_project_label, &option_step, &option_fleet_exporter, &option_match, &option_bearer_file,       \
        &option_user, &option_password_file, &option_ca_file, &option_client_certificate, &option_client_key,          \
        &option_insecure_http, &option_fleet_timeout, &option_pue_of, &option_market_factor, &option_contract,         \
        &option_intensity, &option_factors, &option_share_alike
static const struct option_spec *const of_fleet[] = { OF_FLEET, NULL };

static int run_report(const struct command_line *line)
{
    struct work work = { .settings = &line->settings };
    struct annual *annual = calloc(1, sizeof *annual);
    struct error err;
    bool done, empty;

    if (!annual) {
        error_errno(&err, "no memory for the report");
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    done = fleet_options_check(work.settings, of_ledger, of_fleet, &err) && set_asked(annual, work.settings, &err) &&
           privileges_drop(&work.environment, &err) && open_ledger(&work, &err) &&
           make_noting_signals(&work, annual, &err);
    empty = done && !annual->total.records;
    done = done && (empty || show(annual, work.settings, &err));
    if (empty)
        tell_nothing(annual);
    else if (done)
        warn(annual, work.settings);
    ledger_close(work.ledger);
    environment_close(&work.environment);
    annual_close(annual);
    free(annual);
    return done ? terminal_finish_stdout(empty ? STATUS_NOTHING : EXIT_SUCCESS)
                : terminal_fail(&err, STATUS_CARBON_FAILED);
}

static const struct option_spec *const options[] = {
    &option_of_year,
    &option_from,
    &option_to,
    &option_local_time,
    &option_project,
    &option_label,
    &option_restated,
    &option_boundary,
    &option_entity,
    &option_duty_declared,
    &option_runs_per_year,
    &option_idle_between,
    &option_at_least,
    &option_equivalents,
    &option_zone,
    &option_basis,
    &option_factor_set,
    &option_pue,
    &option_ledger,
    &option_from_prometheus,
    OF_FLEET,
    &option_markdown,
    &option_html,
    &option_json,
    &option_csv,
    &option_color,
    &option_help,
    &option_version,
    NULL,
};

static const char *const examples[] = {
    "carbon report --year 2026 --boundary own",
    "carbon report --year 2026 --project thesis --markdown 2026.md --json 2026.json",
    "carbon report --year 2026 --duty '8h/d x 250' --idle-between",
    "carbon report --from-prometheus http://prometheus:9090 --by namespace",
    NULL,
};

extern const struct command cmd_report;
const struct command cmd_report = {
    .name = "report",
    .purpose = "energy and emissions of a year: the ledger's, or a fleet's",
    .synopsis = "[options]",
    .about = "Sum the records of a year: what was measured, modelled and stated apart, by which factors, with what "
             "doubt and what gaps; held against the year before. With --from-prometheus of the counters of a fleet.",
    .options = options,
    .examples = examples,
    .run = run_report,
};
