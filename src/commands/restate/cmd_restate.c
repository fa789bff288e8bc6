/* SPDX-License-Identifier: MIT
 * carbon restate: what a measurement that is over emits by another factor, PUE or duty, or by the hour. */
#include "app/options/command.h"

#include "app/ledger_options.h"
#include "app/options/emission_options.h"
#include "app/options/hourly_options.h"
#include "app/options/live_options.h"
#include "app/options/sci_options.h"
#include "app/session.h"
#include "app/style.h"
#include "app/terminal.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "commands/restate/sample_slices.h"
#include "form/output.h"
#include "form/shown.h"
#include "result/page/html_record.h"
#include "run/privileges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char with_yearly[] = "yearly";

/* Below this part of the energy nobody asks where it lies. */
#define INTERPOLATED_SHARE 0.001

static const struct option_spec option_with =
    OPTION(FILE, "Live grid data", "with", .alias = "live", .argument = "<what>", .cli_only = true,
           .help = "recalculate by the hour with this service or table (CSV) of intensities; yearly: by the year");
static const struct option_spec option_series =
    OPTION(FILE, "Measuring", "samples", .argument = "<file>", .cli_only = true,
           .help = "take the record's time series for its slices of time");

/* As everywhere, but that the record says what the command line does not. */
static const struct option_spec option_stored_zone =
    OPTION(TEXT, "Carbon", "zone", .short_name = 'z', .alias = "country", .argument = "<code>",
           .help = "whose electricity: FR, US-CA, aws:eu-west-3 ...; the record's own when not given");
static const struct option_spec option_stored_pue =
    OPTION(NUMBER, "Carbon", "pue", .argument = "<ratio>", .min = 1, .max = 10,
           .help = "power usage effectiveness (default: the record's own)");
static const struct option_spec option_stored_basis =
    OPTION(CHOICE, "Carbon", "basis", .argument = "<basis>", .choices = factor_bases,
           .help = "basis of the emission factor (default: the record's own)");
static const struct option_spec option_stored_duty = OPTION(
    TEXT, "Carbon", "duty", .argument = "<time>", .check = option_check_duty, .sample = "8h/d",
    .help = "how long the work goes on in a year: 8h/d, '8h/d x 250', 2000h, 50%; the record's own when not given");

/* What one call works with. */
struct restating {
    struct loaded_record loaded;
    struct hourly_wanted hourly;
};

/* The record says everything that the command line does not: no configuration changes what was. */
static bool is_given(const struct settings *settings, const struct option_spec *option)
{
    return settings_origin(settings, option) == ORIGIN_LINE;
}

static bool changes_factor(const struct settings *settings)
{
    return is_given(settings, &option_zone) || is_given(settings, &option_year) || is_given(settings, &option_basis) ||
           is_given(settings, &option_intensity) || is_given(settings, &option_factors) ||
           is_given(settings, &option_share_alike) || is_given(settings, &option_factor_set);
}

/* New notices stand where those about the same stood before; what is reported behind them moves. */
static void replace_notices(struct notices *notices, size_t *first, size_t *count, const struct notices *new,
                            size_t *first_behind)
{
    AUTO_NOTICES struct notices old = *notices; /* taken over */
    const bool behind = *count && *first_behind >= *first + *count;

    if (!*count)
        *first = old.count;
    *notices = (struct notices){ .left_out = old.left_out };
    for (size_t i = 0; i < *first; i++)
        notice_copy(notices, &old.item[i]);
    notices_copy(notices, new);
    if (behind)
        *first_behind = *first_behind - *count + (notices->count - *first);
    for (size_t i = *first + *count; i < old.count; i++)
        notice_copy(notices, &old.item[i]);
    *count = new->count;
    if (*first + *count > notices->count)
        *count = notices->count - *first;
}

static void replace_factor_notices(struct report *report, const struct notices *new)
{
    replace_notices(&report->own_notices, &report->factor_query.first_notice, &report->factor_query.notice_count, new,
                    &report->by_hour.first_notice);
}

/* Of another factor's zone and year. A rate or contracts of the user's own stay: they are not of a zone. */
static bool change_market(struct report *report, int year, struct notices *notices, struct error *err)
{
    static const struct contracts none = { .count = 0 };
    const struct market_query query = {
        .location = &report->factor,
        .year = year,
        .given = NAN,
        .contracts = &none,
    };

    if (!isnan(report->supplementary.market.kgco2eq_per_kwh) &&
        strcmp(report->supplementary.market.table, "residual_mix.csv") != 0)
        return supplementary_set_location(&report->factor, &report->supplementary, err);
    return market_factor(&query, &report->supplementary.market, notices, err) &&
           supplementary_set_location(&report->factor, &report->supplementary, err);
}

static bool change_factor(struct report *report, const struct settings *settings, struct error *err)
{
    AUTO_NOTICES struct notices notices = { .count = 0 };
    struct factor_asked *asked = &report->factor_query;
    struct factor_query query = {
        .zone = is_given(settings, &option_zone) ? settings_text(settings, &option_zone)
                : asked->zone[0]                 ? asked->zone
                                                 : NULL,
        .year = is_given(settings, &option_year) ? (int)settings_number(settings, &option_year)
                : asked->year                    ? asked->year
                                                 : clock_year(report->started_realtime_ns),
        .basis = report->factor.basis,
        .intensity = NAN,
        .tables = is_given(settings, &option_factors) ? settings_texts(settings, &option_factors) : NULL,
        .share_alike = asked->share_alike || is_given(settings, &option_share_alike),
        .set = is_given(settings, &option_factor_set) ? settings_text(settings, &option_factor_set)
               : asked->set[0]                        ? asked->set
                                                      : NULL,
    };
    bool found;

    if (is_given(settings, &option_intensity)) {
        query.intensity = emission_options_intensity(settings, &notices);
        query.basis = FACTOR_NO_BASIS;
        query.set = NULL;
    } else if (query.set && is_given(settings, &option_factor_set)) {
        query.basis = FACTOR_DIRECT;
    } else if (query.basis == FACTOR_NO_BASIS) {
        query.basis = FACTOR_LIFECYCLE;
    }
    if (is_given(settings, &option_factors) || is_given(settings, &option_share_alike))
        query.set = NULL;
    found =
        (!is_given(settings, &option_basis) || factor_basis_of(settings_text(settings, &option_basis), &query.basis)) &&
        factor_lookup(&query, &report->factor, &notices, err) && change_market(report, query.year, &notices, err);
    if (found) {
        char zone[sizeof asked->zone], set[sizeof asked->set];
        text_copy(zone, sizeof zone, query.zone && isnan(query.intensity) ? query.zone : "");
        memcpy(asked->zone, zone, sizeof zone);
        asked->year = query.year;
        asked->share_alike = query.share_alike;
        text_copy(set, sizeof set, query.set ? query.set : "");
        memcpy(asked->set, set, sizeof set);
        replace_factor_notices(report, &notices);
    }
    return found;
}

/* Works the hours out anew where other ones are asked for; what is told of them stays in its place. False: nothing
 * could be had, and the record is left as it is. */
static bool change_hours(struct restating *work, const struct settings *settings, struct error *err)
{
    struct report *report = &work->loaded.report;
    struct by_hour *by_hour = &report->by_hour;
    const char *with = settings_text(settings, &option_with);
    AUTO_NOTICES struct notices old = { .count = 0 };
    const size_t count = report->own_notices.count, first = by_hour->notice_count ? by_hour->first_notice : count;
    const size_t behind = first + by_hour->notice_count;

    if (!with)
        return true;
    if (strcmp(with, with_yearly) != 0 && !hourly_want(with, settings, report, &work->hourly, err))
        return false;
    notices_set(&old, &report->own_notices);
    by_hour->first_notice = first;
    notices_cut(&report->own_notices, first);
    by_hour->notice_count = 0;
    by_hour->enabled = false;
    if (work->hourly.wanted) {
        if (!hourly_fetch(&work->hourly, report, err))
            return false;
        hourly_apply(&work->hourly, report, NULL);
    }
    if (report->factor_query.first_notice >= behind)
        report->factor_query.first_notice = report->factor_query.first_notice - behind + report->own_notices.count;
    for (size_t i = behind; i < old.count; i++)
        notice_copy(&report->own_notices, &old.item[i]);
    return true;
}

/* The hours of one zone are not those of another. */
static bool check_hours(const struct report *report, const struct settings *settings, struct error *err)
{
    const bool other =
        is_given(settings, &option_zone) || is_given(settings, &option_basis) || is_given(settings, &option_intensity);

    if (!report->by_hour.enabled || !other || settings_text(settings, &option_with))
        return true;
    error_set(err, ERROR_USAGE, "the record is by the hours of %s",
              *report->by_hour.source.zone ? report->by_hour.source.zone : report->by_hour.source.title);
    error_why(err, "they are not those of another zone, basis or factor");
    return error_fix(err, "add --with SERVICE, --with FILE or --with %s", with_yearly);
}

/* Finer slices than the record has, from its time series. */
static bool change_slices(struct restating *work, const struct settings *settings, struct error *err)
{
    const char *samples = settings_text(settings, &option_series);
    struct sample_cut cut;

    if (!samples)
        return true;
    if (!sample_slices(samples, &work->loaded, (uint64_t)settings_number(settings, &option_slice) * NS_PER_S_INT, &cut,
                       err))
        return false;
    if (cut.interpolated >= INTERPOLATED_SHARE)
        notice_add(&work->loaded.report.own_notices, NOTICE_ASSUMED, "there it is taken to come evenly", "",
                   "%.2g %% of the energy lies between two samples with an edge of a slice between them",
                   100 * cut.interpolated);
    return true;
}

static bool change(struct report *report, const struct settings *settings, struct error *err)
{
    const char *duty = settings_text(settings, &option_duty);

    if (changes_factor(settings) && !change_factor(report, settings, err))
        return false;
    if (is_given(settings, &option_pue)) {
        report->pue = settings_number(settings, &option_pue);
        report->pue_quality = QUALITY_GIVEN;
        report->supplementary.pue.source[0] = '\0'; /* nobody's but the user's */
    }
    if (is_given(settings, &option_duty)) {
        report->hours_quality = QUALITY_GIVEN;
        if (!duty_hours_per_year(duty, &report->hours_per_year, err))
            return false;
    }
    return sci_options_read(settings, ORIGIN_LINE, sci_share_of(report), &report->sci, err) &&
           equivalents_option_read(settings, &report->equivalents, err);
}

static void name_parent(struct report *report)
{
    struct parent *parent = &report->parent;

    text_copy(parent->id, sizeof parent->id, report->id);
    text_copy(parent->schema, sizeof parent->schema, REPORT_SCHEMA);
    parent->started_realtime_ns = report->started_realtime_ns;
    parent->restated_realtime_ns = clock_realtime_ns();
    session_make_id(report->id);
}

static bool write_table(const struct report *report, const struct settings *settings, struct error *err)
{
    const struct table_style style = style_of(settings, stdout);

    shown_print(stdout, "restated from record %s\n", report->parent.id);
    return report_write_text(report, &style, stdout, err);
}

/* path NULL: it was not asked for. */
static bool write_file(const struct report *report, const struct report_format *format, const char *path,
                       struct error *err)
{
    struct output out;

    return !path || (output_open(&out, path, err) && output_end(&out, format->write(report, out.file, err), err));
}

static bool restate(struct restating *work, const struct command_line *line, struct error *err)
{
    struct loaded_record *loaded = &work->loaded;
    const struct settings *settings = &line->settings;
    const char *json = settings_text(settings, &option_json), *html = settings_text(settings, &option_html);
    struct report *report = &loaded->report;

    if (!ledger_options_check(settings, err) || !record_load(line->operands[0], loaded, err) ||
        !check_hours(report, settings, err) || !change_slices(work, settings, err) || !change(report, settings, err) ||
        !change_hours(work, settings, err))
        return false;
    name_parent(report);
    loaded_record_note_newer(loaded, &report->own_notices);
    report_work_out(report);
    notices_set(&report->all_notices, &report->own_notices);
    if (!write_file(report, &json_format, json, err) || !write_file(report, &html_format, html, err))
        return false;
    return (json && strcmp(json, "-") == 0) || (html && strcmp(html, "-") == 0) || write_table(report, settings, err);
}

/* The new record beside the old one, wherever that is. */
static int store_restated(const struct loaded_record *loaded, const struct command_line *line,
                          const struct environment *environment)
{
    const struct report *const report = &loaded->report;

    return ledger_options_keep(&line->settings, environment, &report, 1, EXIT_SUCCESS);
}

static int run_restate(const struct command_line *line)
{
    struct restating *work = calloc(1, sizeof *work);
    int status = EXIT_SUCCESS;
    struct environment environment = { .variables = NULL };
    struct error err;
    bool done;

    if (!work) {
        error_errno(&err, "cannot restate");
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    done = privileges_drop(&environment, &err) && restate(work, line, &err);
    if (done)
        status = store_restated(&work->loaded, line, &environment);
    hourly_close(&work->hourly);
    loaded_record_close(&work->loaded);
    free(work);
    environment_close(&environment);
    return done ? terminal_finish_stdout(status) : terminal_fail(&err, STATUS_CARBON_FAILED);
}

const struct command cmd_restate = {
    .name = "restate",
    .purpose = "recalculate a record with another factor, PUE, duty or hours",
    .synopsis = "[options] record",
    .options = OPTIONS(&option_stored_zone, &option_stored_pue, &option_year, &option_stored_basis, &option_factor_set,
                       OWN_FACTOR_OPTIONS, &option_with, &option_live_zone, SERVICE_OPTIONS, &option_series,
                       &option_slice, &option_stored_duty, SCI_OPTIONS, &option_output, &option_json, &option_html,
                       &option_ledger, &option_no_ledger, &option_verbose, COLOR_OPTIONS),
    .common = COMMON("zone", "year", "basis", "intensity", "pue", "with", "samples", "duty", "sci", "output", "verbose",
                     "no-ledger"),
    .examples =
        EXAMPLES("carbon restate run.json --zone FR --year 2023 --json run-2023.json",
                 "carbon restate run.json --pue 1.3", "carbon restate run.json --with neso --json run-actual.json"),
    .run = run_restate,
    .prints_page = true,
    .example = "carbon measure --json result.json -- sleep 1 && carbon restate result.json",
    OPERANDS(1, 1, OPERAND_FILE),
    .about = "Recalculate a record (JSON): its energies stay, and values not given stay as in the record. The new "
             "record names the old one as its parent.",
};
