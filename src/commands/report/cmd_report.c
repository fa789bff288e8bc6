/* SPDX-License-Identifier: MIT
 * carbon report: the figures of a year, from the ledger or from the counters of a fleet. */
#include "app/options/command.h"

#include "app/csv_file.h"
#include "app/ledger_options.h"
#include "app/options/naming_options.h"
#include "app/options/sci_options.h"
#include "app/pending_signals.h"
#include "app/style.h"
#include "app/terminal.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "commands/report/annual.h"
#include "commands/report/fleet_contributions.h"
#include "commands/report/fleet_options.h"
#include "commands/report/report_options.h"
#include "form/output.h"
#include "ledger/contributions.h"
#include "run/privileges.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* STATUS_NOTHING: there is no result, for nothing is known of the period. */
enum { STATUS_NOTHING = 1 };

static bool on_contribution(const struct contribution *contribution, int64_t basis, bool restated, void *context,
                            struct error *err)
{
    return annual_sum_contribution(context, contribution, basis, restated, err);
}

static bool on_basis(int64_t number, const char *basis, void *context, struct error *err)
{
    return annual_sum_basis(context, number, basis, err);
}

/* What one call works with. */
struct report_work {
    const struct settings *settings;
    struct environment environment;
    struct ledger *ledger;
};

static bool sum_up(const struct report_work *work, struct annual *annual, struct annual_sum *sum, struct error *err)
{
    const struct contribution_filter filter = {
        .from_ns = annual->from_ns,
        .to_ns = annual->to_ns,
        .project = report_given(work->settings, &option_project),
        .label = report_given(work->settings, &option_label),
        .restated = settings_flag(work->settings, &option_restated),
    };
    bool reported;

    if (fleet_options_given(work->settings))
        return fleet_contributions_sum(work->settings, annual, sum, err);
    if (!ledger_has_reported(work->ledger, &reported, err))
        return false;
    if (reported)
        annual_sum_expect_reported(sum);
    return ledger_bases(work->ledger, on_basis, sum, err) &&
           ledger_contributions(work->ledger, &filter, on_contribution, sum, err) && annual_sum_finish(sum, err);
}

/* A year against the one before it. */
static bool look_back(const struct report_work *work, struct annual *annual, struct error *err)
{
    struct annual before = { .made_realtime_ns = annual->made_realtime_ns, .local_time = annual->local_time };
    struct annual_sum *sum;
    bool good;

    if (!annual->year)
        return true;
    before.restating = annual->restating;
    before.restating.notices = (struct notices){ .count = 0 }; /* those stay with the other year */
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

static bool make(const struct report_work *work, struct annual *annual, struct error *err)
{
    struct annual_sum *sum = annual_sum_open(annual, err);
    bool good = sum && sum_up(work, annual, sum, err) && look_back(work, annual, err) &&
                report_extrapolate(work->settings, annual, sum, err) && annual_set_sources(annual, err) &&
                report_machines_read(annual, work->settings, err);

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

static bool write_table(const struct annual *annual, const struct settings *settings, struct error *err)
{
    struct output out;

    return !report_given(settings, &option_csv) || (csv_file_open(settings, &option_csv, &out, err) &&
                                                    output_end(&out, annual_csv(annual, out.file, err), err));
}

static bool print_text(const struct annual *annual, const struct settings *settings, struct error *err)
{
    const struct table_style style = style_of(settings, stdout);

    switch (style.detail) {
    case DETAIL_LINE: return annual_line(annual, stdout, err);
    case DETAIL_ANSWER: return annual_answer(annual, &style, stdout, err);
    case DETAIL_ALL: return annual_text(annual, stdout, err);
    }
    return true;
}

/* Standard output holds one form. */
static bool print_report(const struct annual *annual, const struct settings *settings, struct error *err)
{
    const char *json = report_given(settings, &option_json), *csv = report_given(settings, &option_csv);
    const char *markdown = settings_text(settings, &option_report_markdown);
    const char *html = report_given(settings, &option_html);
    const char *const paths[] = { json, csv, markdown, html };
    int taken = 0;

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        taken += paths[i] && strcmp(paths[i], "-") == 0;
    if (taken > 1) {
        error_set(err, ERROR_USAGE, "standard output holds one form");
        return error_fix(err, "name a file for the others: --html report.html");
    }
    return write_file(annual, json, annual_json, err) && write_table(annual, settings, err) &&
           write_file(annual, markdown, annual_markdown, err) && write_file(annual, html, annual_html, err) &&
           (json || csv || markdown || html || print_text(annual, settings, err));
}

/* Whoever reads a file sees in it what is wrong; who wrote it on the terminal has to see that, too. */
static void warn(const struct annual *annual, const struct settings *settings)
{
    const bool shown = !report_given(settings, &option_json) && !report_given(settings, &option_csv) &&
                       !report_given(settings, &option_html) && !settings_text(settings, &option_report_markdown);

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
        fprintf(stderr, "; %s",
                annual_is_fleet(annual) ? "the server has no counter of energy in it that carbon knows"
                                        : "'carbon history' lists what there is");
    fputc('\n', stderr);
}

static bool open_ledger(struct report_work *work, struct error *err)
{
    if (fleet_options_given(work->settings))
        return true;
    work->ledger = ledger_options_open(work->settings, &work->environment, LEDGER_READ, err);
    return work->ledger != NULL;
}

/* Reading a fleet takes long; who ends it gets an error, and no file. */
static bool make_noting_signals(const struct report_work *work, struct annual *annual, struct error *err)
{
    const bool fleet = fleet_options_given(work->settings);
    struct pending_signals pending;
    bool done;

    if (fleet)
        pending_signals_open(&pending);
    done = make(work, annual, err);
    if (done && fleet && first_pending_signal())
        done = error_set(err, ERROR_SYSTEM, "interrupted");
    if (fleet)
        pending_signals_close(&pending);
    return done;
}

/* Those of a fleet alone. */
#define OF_FLEET                                                                                                       \
    &option_by, &option_project_label, &option_step, &option_fleet_exporter, &option_match, SERVER_OPTIONS,            \
        &option_fleet_timeout, &option_pue_of, MARKET_OPTIONS, OWN_FACTOR_OPTIONS

static int run_report(const struct command_line *line)
{
    struct report_work work = { .settings = &line->settings };
    struct annual *annual = calloc(1, sizeof *annual);
    struct error err;
    bool done, empty;

    if (!annual) {
        error_errno(&err, "no memory for the report");
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    done = fleet_options_check(work.settings,
                               OPTIONS(&option_restated, &option_at_least, &option_duty_declared, &option_runs_per_year,
                                       &option_idle_between, &option_ledger),
                               OPTIONS(OF_FLEET), &err) &&
           report_options_read(annual, work.settings, &err) && privileges_drop(&work.environment, &err) &&
           open_ledger(&work, &err) && make_noting_signals(&work, annual, &err);
    empty = done && !annual->total.records;
    done = done && (empty || print_report(annual, work.settings, &err));
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

COMMAND(cmd_report) = {
    .name = "report",
    .purpose = "energy and emissions of a year: the ledger's, or a fleet's",
    .synopsis = "[options]",
    .options = OPTIONS(&option_report_year, &option_report_from, &option_report_to, &option_report_local_time,
                       &option_of_project, &option_of_label, &option_restated, &option_report_boundary,
                       &option_report_entity, &option_duty_declared, &option_runs_per_year, &option_idle_between,
                       &option_at_least, &option_equivalents, &option_report_zone, &option_report_basis,
                       &option_factor_set, &option_report_pue, &option_ledger, &option_from_prometheus, OF_FLEET,
                       &option_report_markdown, &option_html, RESULT_OPTIONS, DETAIL_OPTIONS),
    .common = COMMON("year", "from", "to", "project", "boundary", "from-prometheus", "output", "markdown", "html",
                     "verbose", "quiet"),
    .examples = EXAMPLES("carbon report --year 2026 --boundary own",
                         "carbon report --year 2026 --project thesis --markdown 2026.md --json 2026.json",
                         "carbon report --year 2026 --duty '8h/d x 250' --idle-between",
                         "carbon report --from-prometheus http://prometheus:9090 --by namespace"),
    .schemas = SCHEMAS(&annual_schema),
    .run = run_report,
    .prints_page = true,
    .about = "Sum the records of a year: measured, modelled and stated energy separately, with factors, uncertainty "
             "and gaps, compared with the year before. With --from-prometheus from the counters of a fleet.",
};
