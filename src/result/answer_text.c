/* SPDX-License-Identifier: MIT
 * The answer for people in a few lines. What it leaves out is in record_text.c (--verbose). */
#include "result/answer.h"

#include "base/units.h"
#include "form/cells.h"
#include "form/notices_text.h"
#include "form/paragraph.h"
#include "form/shell.h"
#include "form/text_columns.h"
#include "measurement/idle.h"
#include "result/factor_text.h"
#include "result/phases_text.h"
#include "result/sci_text.h"
#include "result/supplementary_text.h"

#include <math.h>
#include <string.h>

struct answer_text_page {
    const struct report *report;
    const struct table_style *style;
    struct answer answer;
    FILE *out;
};

static const char *per_run(const struct answer_text_page *page)
{
    return page->report->summary.runs > 1 ? " per run" : "";
}

/* "label  text", broken at the width of the page. */
static void print_line(const struct answer_text_page *page, const char *label, struct text *text)
{
    paragraph_write_within(page->out, page->style->width, label, text_ok(text) ? text->data : "");
    text_close(text);
}

/* "12.4 s ± 60.0 ms, 1.00 of 8 CPUs, peak 1.9 MiB" */
static void describe_use(const struct report *report, struct text *text)
{
    const struct sample_stats *duration_s = &report->summary.duration_s;
    const struct usage_summary *usage = &report->usage;
    const int cpus = report->job_cpus ? report->job_cpus : machine_stat_cpus(report->machine);
    char mean[UNITS_SIZE], deviation[UNITS_SIZE], peak[UNITS_SIZE];

    text_add(text, "%s", report->summary.runs ? units_duration(duration_s->mean, mean) : "no run");
    if (report->summary.runs > 1)
        text_add(text, " ± %s", units_duration(duration_s->deviation, deviation));
    if (isfinite(usage->cpu_percent_of_core.value))
        text_add(text, ", %.2f of %d CPU%s", usage->cpu_percent_of_core.value / 100, cpus, cpus == 1 ? "" : "s");
    if (isfinite(usage->memory_peak_bytes.value))
        text_add(text, ", peak %s", units_bytes(usage->memory_peak_bytes.value, peak));
}

/* The command, shortened so that its usage fits on the line. */
static void print_head(const struct answer_text_page *page)
{
    enum { COMMAND_WIDTH = 24 };
    const size_t width = (size_t)page->style->width;
    struct text command, use;
    char shown[4 * PARAGRAPH_WIDTH + sizeof "…"];
    size_t room;

    text_open(&command, SIZE_MAX);
    text_open(&use, 4096);
    if (page->report->target)
        text_add(&command, "%s%s", page->report->target, page->report->command[0] ? ", client " : "");
    shell_command(page->report->command, &command);
    describe_use(page->report, &use);
    if (text_ok(&command) && text_ok(&use)) {
        const size_t taken = utf8_columns(use.data) + 2;
        room = width > taken + COMMAND_WIDTH ? width - taken : width;
        utf8_fit(shown, sizeof shown, command.data ? command.data : "", room > PARAGRAPH_WIDTH ? PARAGRAPH_WIDTH : room,
                 "…");
        fprintf(page->out, "%s%s%s\n", shown, utf8_columns(shown) + taken > width ? "\n  " : "  ", use.data);
    }
    text_close(&command);
    text_close(&use);
}

/* Gross and idle, of which the answer is a part. */
static void add_whole(const struct report *report, bool gross, struct text *text)
{
    const struct domain_energy *total = &report->summary.total;
    char energy[UNITS_SIZE], power[UNITS_SIZE];

    if (gross)
        text_add(text, "; gross %s%s", lower_bound_text(report), units_energy(total->gross_j.mean, energy));
    if (isfinite(total->idle_j.mean))
        text_add(text, "%s idle %s at %s", gross ? "," : ";", units_energy(total->idle_j.mean, energy),
                 units_power(total->idle_w, power));
}

/* The first notice of what kept a meter from having a figure. NULL: there is none. */
static const struct notice *meter_failure(const struct report *report)
{
    for (size_t i = 0; i < report->all_notices.count; i++)
        switch (report->all_notices.item[i].kind) {
        case NOTICE_BELOW_RESOLUTION:
        case NOTICE_DENIED:
        case NOTICE_ERROR_VALUE:
        case NOTICE_FAILED:
        case NOTICE_FROZEN:
        case NOTICE_GAPS:
        case NOTICE_IMPLAUSIBLE:
        case NOTICE_KERNEL_TOO_OLD:
        case NOTICE_MASKED:
        case NOTICE_NOT_MOVING:
        case NOTICE_VANISHED:
        case NOTICE_WRAP_UNKNOWN:
        case NOTICE_ZERO_POWER: return &report->all_notices.item[i];
        default: break;
        }
    return NULL;
}

static const char *unknown_energy(const struct report *report)
{
    const struct notice *failure = meter_failure(report);

    if (!report->summary.runs)
        return "no run was completed";
    return failure ? failure->what : "no domain has a figure";
}

/* Where own is unknown it may have bounds. */
static void add_own_bounds(const struct report *report, struct text *text)
{
    const struct domain_energy *total = &report->summary.total;
    char low[UNITS_SIZE], high[UNITS_SIZE];

    if (isfinite(total->own_j.mean) || isnan(total->own_high_j))
        return;
    if (isnan(total->own_low_j))
        text_add(text, "; own unknown, at most %s", units_energy(total->own_high_j, high));
    else
        text_add(text, "; own unknown, %s to %s", units_energy(total->own_low_j, low),
                 units_energy(total->own_high_j, high));
}

/* "660 J per run (95 % CI 627 to 693 J)". For a value not significantly above 0 only the upper bound is useful. */
static void add_figure(const struct answer_text_page *page, double value, double scale, cell_units *units,
                       struct text *text)
{
    const struct answer *answer = &page->answer;
    const char *bound = answer->figure == FIGURE_GROSS_J ? lower_bound_text(page->report) : "";
    char figure[INTERVAL_TEXT_SIZE];

    if (!answer->distinct && answer->high_j > 0) {
        text_add(text, "at most %s%s", units(answer->high_j * scale, figure), per_run(page));
        return;
    }
    text_add(text, "%s%s%s", bound, units(value, figure), per_run(page));
    if (*answer->interval)
        text_add(
            text, "%s",
            strchr(interval_text(value, answer->low_j * scale, answer->high_j * scale, answer->interval, units, figure),
                   '(') -
                1);
}

static void print_energy(const struct answer_text_page *page)
{
    const struct report *report = page->report;
    const struct answer *answer = &page->answer;
    const bool gross = answer->figure == FIGURE_GROSS_J;
    char energy[UNITS_SIZE];
    struct text text;

    text_open(&text, 4096);
    if (isnan(answer->energy_j)) {
        text_add(&text, "unknown: %s", unknown_energy(report));
        print_line(page, "  energy  ", &text);
        return;
    }
    add_figure(page, answer->energy_j, 1, units_energy, &text);
    text_add(&text, " %s, %s%s", figure_name(answer->figure), quality_name(report->summary.quality),
             report->summary.quality == QUALITY_MODELLED && report->profile.id[0] ? " by the machine profile" : "");
    if (!answer->distinct)
        text_add(&text, ", not distinguishable from idle");
    if (*answer_lacks(report))
        text_add(&text, "; net unknown: %s", answer_lacks(report));
    add_own_bounds(report, &text);
    if (gross && isfinite(report->summary.attributed_j.mean))
        text_add(&text, "; attributed by CPU time %s", units_energy(report->summary.attributed_j.mean, energy));
    add_whole(report, !gross, &text);
    print_line(page, "  energy  ", &text);
}

static void print_carbon(const struct answer_text_page *page)
{
    const struct report *report = page->report;
    const struct answer *answer = &page->answer;
    const double kgco2eq = answer->emission->footprint.kgco2eq, per_kwh = answer->emission->kgco2eq_per_kwh;
    const struct factor_terms terms = factor_terms_of(report, page->style->width);
    char mass[UNITS_SIZE], hours[TEXT_NUMBER_SIZE];
    struct text text;

    text_open(&text, 4096);
    if (isfinite(kgco2eq))
        add_figure(page, kgco2eq, report->pue * per_kwh / J_PER_KWH, units_mass, &text);
    else
        text_add(&text, "%s", units_mass(kgco2eq, mass));
    if (report->hours_quality == QUALITY_GIVEN && isfinite(answer->emission->kgco2eq_per_year))
        text_add(&text, ", %s/year at %s h a year", units_mass(answer->emission->kgco2eq_per_year, mass),
                 text_number(report->hours_per_year, hours));
    text_add(&text, "; ");
    if (report->by_hour.enabled)
        text_add(&text, "hourly %s gCO2eq/kWh; yearly ", units_digits(per_kwh * G_PER_KG, 4, mass));
    factor_terms_add(&terms, &text);
    print_line(page, "  carbon  ", &text);
}

static bool was_busy(const struct report *report)
{
    const enum idleness idleness = baseline_idleness(report->measurement);

    return idleness == IDLENESS_BUSY || idleness == IDLENESS_FULL;
}

static void add_baseline(const struct report *report, struct text *text)
{
    const struct summary *summary = &report->summary;
    char length[UNITS_SIZE];

    if (summary->baseline_s == 0) {
        text_add(text, "; no baseline");
        return;
    }
    text_add(text, "; baseline %s", units_duration(summary->baseline_s, length));
    if (was_busy(report))
        text_add(text, ", not idle: others used %.2f of %d CPUs", summary->baseline_busy_cpus,
                 machine_stat_cpus(report->machine));
    else if (isfinite(summary->baseline_busy_cpus))
        text_add(text, ", idle");
}

static void add_verdict(const struct answer_text_page *page, struct text *text)
{
    const struct net_verdict *verdict = &page->report->summary.verdict;
    char min[UNITS_SIZE];

    if (page->answer.figure == FIGURE_GROSS_J)
        return;
    switch (verdict->verdict) {
    case VERDICT_MORE:
    case VERDICT_LESS: text_add(text, "; significant"); break;
    case VERDICT_NOISE:
        text_add(text, "; not distinguishable from idle");
        if (isfinite(verdict->detectable_j))
            text_add(text, ", minimum detectable %s", units_energy(verdict->detectable_j, min));
        if (verdict->runs_needed)
            text_add(text, " (--runs %zu would do)", verdict->runs_needed);
        break;
    case VERDICT_ONE_RUN:
        if (strcmp(page->answer.interval, "95 % CI") != 0)
            text_add(text, "; --runs 5 adds a confidence interval");
        break;
    default: break;
    }
}

static void print_runs(const struct answer_text_page *page)
{
    const size_t runs = page->report->summary.runs;
    struct text text;

    text_open(&text, 4096);
    text_add(&text, "%zu", runs);
    series_end_text(page->report, &text);
    add_baseline(page->report, &text);
    add_verdict(page, &text);
    print_line(page, "  runs    ", &text);
}

/* By the lines above, or it is about what is not on this page. */
static bool is_said(const void *context, const struct notice *notice, size_t i)
{
    const struct answer_text_page *page = context;
    const struct report *report = page->report;
    const bool of_factor = i >= report->factor_query.first_notice &&
                           i < report->factor_query.first_notice + report->factor_query.notice_count;

    if (isnan(page->answer.energy_j) && notice == meter_failure(report))
        return true;
    switch (notice->kind) {
    case NOTICE_MODELLED: return report->summary.quality == QUALITY_MODELLED;
    case NOTICE_BUSY_BASELINE: return was_busy(report);
    case NOTICE_NOISE: return page->answer.figure != FIGURE_GROSS_J || *answer_lacks(report);
    case NOTICE_NO_BASELINE: return report->summary.baseline_s == 0;
    case NOTICE_SHARED: return page->answer.figure == FIGURE_OWN_J;
    /* only the year differs, which is shown with the factor */
    case NOTICE_STAND_IN: return of_factor && !notice->fix[0];
    default: return false;
    }
}

/* The most useful hint: for a missing figure, or a modelled one. */
static void print_hint(const struct answer_text_page *page)
{
    const struct report *report = page->report;
    const bool unknown = isnan(page->answer.energy_j) || *answer_lacks(report);
    const struct notice *about = unknown ? meter_failure(report) : NULL;
    struct text text;

    for (size_t i = 0; i < report->all_notices.count && !about; i++)
        if (report->all_notices.item[i].kind == (unknown ? NOTICE_NOISE : NOTICE_MODELLED))
            about = &report->all_notices.item[i];
    if (!about || !about->fix[0] || (!unknown && report->summary.quality != QUALITY_MODELLED))
        return;
    text_open(&text, 4096);
    text_add(&text, "%s", about->fix);
    print_line(page, "  hint    ", &text);
}

/* Figures requested by a separate option. */
static void print_asked(const struct answer_text_page *page)
{
    const struct report *report = page->report;
    char gross[UNITS_SIZE + 32], mass[UNITS_SIZE];

    phases_text(report, page->out);
    if ((isfinite(report->gross_market.footprint.kgco2eq) && !report->supplementary.market.zone[0]) ||
        isfinite(report->gross_water_l))
        supplementary_text(report, page->out);
    sci_text(&report->sci, report->summary.at_least, page->out);
    snprintf(gross, sizeof gross, "gross %s%s", lower_bound_text(report),
             units_mass(report->gross.footprint.kgco2eq, mass));
    equivalents_text(&report->equivalents, gross, page->out);
}

static bool write_answer(const struct report *report, const struct table_style *style, FILE *out, struct error *err)
{
    const struct answer_text_page page = { report, style, answer_of(report), out };

    print_head(&page);
    print_energy(&page);
    print_carbon(&page);
    print_runs(&page);
    print_asked(&page);
    notices_text_short(out, &report->all_notices, NOTES_SHOWN, style->width, style->colour, style->more, is_said,
                       &page);
    print_hint(&page);
    return !ferror(out) || error_errno(err, "cannot write the result");
}

void answer_sentence(const struct report *report, struct text *text)
{
    const struct table_style style = { .width = PARAGRAPH_WIDTH };
    const struct answer_text_page page = { report, &style, answer_of(report), NULL };
    const struct answer *answer = &page.answer;
    const double scale = report->pue * answer->emission->kgco2eq_per_kwh / J_PER_KWH;
    const char *what = answer->figure == FIGURE_OWN_J ? "of its own" : answer->figure == FIGURE_NET_J ? "net" : "gross";
    char shown[4 * 60 + sizeof "…"];
    struct text command;
    const char *name;

    text_open(&command, SIZE_MAX);
    shell_command(report->command, &command);
    name = report->label ? report->label : command.length ? command.data : report->target;
    utf8_fit(shown, sizeof shown, name ? name : "the job", 60, "…");
    text_close(&command);
    if (isnan(answer->energy_j)) {
        text_add(text, "The energy of '%s' is unknown: %s", shown, unknown_energy(report));
        return;
    }
    text_add(text, "'%s' used ", shown);
    add_figure(&page, answer->energy_j, 1, units_energy, text);
    text_add(text, " %s, %s, and emitted ", what, quality_name(report->summary.quality));
    if (isfinite(answer->emission->footprint.kgco2eq))
        add_figure(&page, answer->emission->footprint.kgco2eq, scale, units_mass, text);
    else
        text_add(text, "an unknown mass");
    if (!answer->distinct)
        text_add(text, ": not distinguishable from idle");
    if (*answer_lacks(report))
        text_add(text, "; net is unknown: %s", answer_lacks(report));
}

bool report_write_text(const struct report *report, const struct table_style *style, FILE *out, struct error *err)
{
    switch (style->detail) {
    case DETAIL_LINE: return brief_format.write(report, out, err);
    case DETAIL_ANSWER: return write_answer(report, style, out, err);
    case DETAIL_ALL: return table_write(report, style, out, err);
    }
    return true;
}

static bool answer_form(const struct report *report, FILE *out, struct error *err)
{
    const struct table_style style = { .width = PARAGRAPH_WIDTH, .more = "-v" };

    return write_answer(report, &style, out, err);
}

const struct report_format answer_format = { "answer", "the answer in a few lines", answer_form };
