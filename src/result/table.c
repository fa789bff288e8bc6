/* SPDX-License-Identifier: MIT
 * The result for people: at most 100 columns, no tabs, and the sum that anyone can redo. */
#include "result/report.h"

#include "base/c_locale.h"
#include "base/units.h"
#include "form/cells.h"
#include "form/notices_text.h"
#include "form/paragraph.h"
#include "form/shell.h"
#include "form/utf8.h"
#include "measurement/share.h"
#include "result/beside_text.h"
#include "result/hourly_text.h"
#include "result/own_text.h"
#include "result/phases_text.h"
#include "result/sci_text.h"
#include "result/sum.h"
#include "result/terms.h"
#include "result/usage_text.h"
#include "result/verdict_text.h"

#include <math.h>

enum {
    NAME_WIDTH = 18,
    SPREAD_WIDTH = 19, /* "1.13 kJ ± 26.7 J" */
    CELL_WIDTH = 10,
    OTHERS_SHOWN = 6, /* rows of domains that do not count */
};

/* What the parts below share. */
struct table {
    const struct report *report;
    FILE *out;
    bool colour;
    bool spread; /* more than one run: energies with their deviation */
};

static const char *bold(const struct table *table)
{
    return table->colour ? "\033[1m" : "";
}

static const char *plain(const struct table *table)
{
    return table->colour ? "\033[0m" : "";
}

static int energy_width(const struct table *table)
{
    return table->spread ? SPREAD_WIDTH : CELL_WIDTH;
}

static void print_energies(const struct table *table, const struct spread *spread)
{
    cell_spread(table->out, energy_width(table), spread, table->spread, units_energy);
}

/* What could be worked out, and says nothing. */
static void print_net(const struct table *table, const struct domain_energy *energy)
{
    if (net_is_void(&table->report->summary))
        cell_write(table->out, energy_width(table), "n/a");
    else
        print_energies(table, &energy->net_j);
}

static void print_row(const struct table *table, const char *name, const struct domain_energy *energy, bool at_least)
{
    char cell[UNITS_SIZE];

    cell_name(table->out, NAME_WIDTH, name);
    if (isnan(energy->gross_j.mean)) {
        fprintf(table->out, "  %s\n", table->report->summary.below_resolution ? "below resolution" : "unknown");
        return;
    }
    cell_spread_bound(table->out, energy_width(table), at_least, &energy->gross_j, table->spread, units_energy);
    cell_write(table->out, CELL_WIDTH, units_energy(energy->idle_j.mean, cell));
    print_net(table, energy);
    cell_write(table->out, CELL_WIDTH, units_power(energy->gross_w, cell));
    cell_write(table->out, CELL_WIDTH, units_power(energy->idle_w, cell));
    cell_write(table->out, CELL_WIDTH, net_is_void(&table->report->summary) ? "n/a" : units_power(energy->net_w, cell));
    fputc('\n', table->out);
}

static void print_energy_head(const struct table *table)
{
    cell_name(table->out, NAME_WIDTH, "");
    cell_write(table->out, energy_width(table), "gross");
    cell_write(table->out, CELL_WIDTH, "idle");
    cell_write(table->out, energy_width(table), "net");
    cell_write(table->out, CELL_WIDTH, "gross");
    cell_write(table->out, CELL_WIDTH, "idle");
    cell_write(table->out, CELL_WIDTH, "net");
    fputc('\n', table->out);
}

static void print_counted(const struct table *table)
{
    const struct report *report = table->report;
    const struct measurement *measurement = report->measurement;

    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        const struct domain *domain = measurement->meter->domains[i].domain;
        char name[sizeof domain->name + 16];
        if (!measurement->counting->counts[i])
            continue;
        if (domain->quality == report->summary.quality || isnan(report->summary.domains[i].gross_j.mean))
            snprintf(name, sizeof name, "%s", domain->name);
        else
            snprintf(name, sizeof name, "%s (%s)", domain->name, quality_name(domain->quality));
        print_row(table, name, &report->summary.domains[i], domain_is_at_least(measurement, i));
    }
}

/* What is seen, and of which one would ask where it is: a card that cannot be read; the platform, and what lies in a
 * package beside its cores, whose counter never moves. */
static bool is_shown_empty(const struct measurement *measurement, size_t index)
{
    const struct domain *domain = measurement->meter->domains[index].domain;
    bool too_short;

    switch (domain->component) {
    case COMPONENT_GPU: return domain->problem.kind != ERROR_NONE && !domain->not_counted[0];
    case COMPONENT_PLATFORM:
    case COMPONENT_UNCORE:
        return domain->problem.kind == ERROR_NONE && domain_is_still(measurement, index, &too_short) && !too_short;
    default: return false;
    }
}

static void print_empty(const struct table *table, const char *name)
{
    cell_name(table->out, NAME_WIDTH, name);
    fputs("  no data\n", table->out);
}

/* Cores and uncore lie within a package; what else does not count lies beside the total. */
static void print_others(const struct table *table)
{
    const struct measurement *measurement = table->report->measurement;
    size_t shown = 0, left_out = 0;

    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        const struct domain *domain = measurement->meter->domains[i].domain;
        const struct domain_energy *energy = &table->report->summary.domains[i];
        const bool within = domain->component == COMPONENT_CORES || domain->component == COMPONENT_UNCORE;
        char name[sizeof domain->name + 16];
        const bool empty = isnan(energy->gross_j.mean);
        if (measurement->counting->counts[i] || (empty && !is_shown_empty(measurement, i)))
            continue;
        if (shown == OTHERS_SHOWN) {
            left_out++;
            continue;
        }
        snprintf(name, sizeof name, "%s %s", within ? "of which" : "beside", domain->name);
        if (empty)
            print_empty(table, name);
        else
            print_row(table, name, energy, domain_is_at_least(measurement, i));
        shown++;
    }
    if (left_out)
        fprintf(table->out, "  and %zu more, not in the total; --json has them all\n", left_out);
}

/* "measured by powercap; scope compute" */
static void print_origin(const struct table *table)
{
    const struct measurement *measurement = table->report->measurement;
    const struct energy_source *last = NULL;
    struct text text;

    text_open(&text, 4096);
    if (table->report->summary.quality == QUALITY_UNKNOWN)
        text_add(&text, "energy unknown;");
    else
        text_add(&text, "%s by", quality_name(table->report->summary.quality));
    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        if (measurement->counting->counts[i] && measurement->meter->domains[i].source != last) {
            text_add(&text, "%s %s", last ? "," : "", measurement->meter->domains[i].source->driver->name);
            last = measurement->meter->domains[i].source;
        }
    text_add(&text, "; scope %s", scope_name(table->report->scope));
    if (table->spread)
        text_add(&text, "; ± is the standard deviation over %zu runs", table->report->summary.runs);
    paragraph_write(table->out, "  ", text.data ? text.data : "");
    text_close(&text);
}

static void print_doubt(const struct table *table)
{
    const struct summary *summary = &table->report->summary;
    const struct domain_energy *total = &summary->total;
    char a[UNITS_SIZE], b[UNITS_SIZE], c[UNITS_SIZE], d[UNITS_SIZE];

    if (summary->at_least)
        fprintf(table->out, "  gross is at least %s: %s of the run is not known; net is unknown\n",
                units_energy(total->gross_j.mean, a), units_duration(summary->unknown_s, b));
    if (isfinite(total->gross_low_j))
        fprintf(table->out, "  gross %s (modelled: %s to %s)\n", units_energy(total->gross_j.mean, a),
                units_energy(total->gross_low_j, b), units_energy(total->gross_high_j, c));
    if (isfinite(total->net_low_j) && !net_is_void(summary))
        fprintf(table->out, "  net %s (modelled: %s to %s)\n", units_energy(total->net_j.mean, a),
                units_energy(total->net_low_j, b), units_energy(total->net_high_j, c));
    if (summary->resolution_j >= total->gross_j.mean)
        fprintf(table->out, "  below resolution (under %s)\n",
                units_energy(total->gross_j.mean + summary->resolution_j, a));
    else if (isfinite(summary->resolution_j))
        fprintf(table->out, "  resolution %s\n", units_energy(summary->resolution_j, a));
    if (isfinite(summary->net_noise_j))
        fprintf(table->out, "  baseline %s in all, %s ± %s within it: net ± %s by that\n",
                units_duration(summary->baseline_s, a), units_power(total->idle_w, b),
                units_power(summary->idle_deviation_w, c), units_energy(summary->net_noise_j, d));
}

static void print_busy(const struct table *table)
{
    const struct summary *summary = &table->report->summary;
    const int cpus = machine_stat_cpus(table->report->machine);

    if (isfinite(summary->baseline_busy_cpus))
        c_fprintf(table->out, "  in the baseline other processes kept %.2f of %d CPUs busy\n",
                  summary->baseline_busy_cpus, cpus);
    if (isfinite(summary->baseline_busy_mask_cpus) && (int)summary->mask_cpus != cpus)
        c_fprintf(table->out, "  of the %zu CPU%s that the command may use they kept %.2f busy\n", summary->mask_cpus,
                  summary->mask_cpus == 1 ? "" : "s", summary->baseline_busy_mask_cpus);
}

/* Of what was watched: no baseline is needed for it, and no meter has told it. */
static void print_attributed(const struct table *table)
{
    const struct summary *summary = &table->report->summary;
    char energy[UNITS_SIZE], percent[UNITS_SIZE];

    if (isfinite(summary->attributed_j.mean))
        fprintf(table->out, "  attributed %s of gross, not measured: %s %% of the machine's busy CPU time was its%s\n",
                units_energy(summary->attributed_j.mean, energy),
                units_digits(100 * summary->machine_share.mean, 3, percent),
                isfinite(summary->total.gpu_own_j.mean) ? "; GPUs by their processors' time" : "");
}

/* What the job had of each card; no meter tells it. */
static void print_gpus(const struct table *table)
{
    const struct measurement *measurement = table->report->measurement;
    char own[UNITS_SIZE], gross[UNITS_SIZE];

    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        const struct domain_energy *energy = &table->report->summary.domains[i];
        if (isfinite(energy->gpu_own_j.mean))
            fprintf(table->out, "  own   %s of %s's %s, attributed by the time of its processors\n",
                    units_energy(energy->gpu_own_j.mean, own), measurement->meter->domains[i].domain->name,
                    units_energy(energy->gross_j.mean, gross));
    }
}

static void print_own(const struct table *table)
{
    struct text text;

    text_open(&text, 4096);
    if (own_text(table->report, &text))
        paragraph_write(table->out, "  own    ", text.data ? text.data : "");
    text_close(&text);
}

static void print_verdict(const struct table *table)
{
    const struct summary *summary = &table->report->summary;
    char share[UNITS_SIZE];
    struct text text;

    text_open(&text, 4096);
    if (summary->verdict.verdict != VERDICT_UNKNOWN && summary->verdict.verdict != VERDICT_ONE_RUN) {
        text_add(&text, "net ");
        verdict_text_net(summary, &text);
        paragraph_write(table->out, "  ", text.data ? text.data : "");
    }
    if (isfinite(summary->share_j.mean) && summary->others_cores.mean > SHARE_OTHERS_CORES)
        c_fprintf(table->out, "  share %s of net by CPU time%s: others kept %.2f cores busy beyond the baselines\n",
                  units_energy(summary->share_j.mean, share),
                  isfinite(summary->total.gpu_own_j.mean) ? ", of GPUs by their processors' time" : "",
                  summary->others_cores.mean);
    print_gpus(table);
    print_attributed(table);
    text_close(&text);
}

static void print_energy(const struct table *table)
{
    fputc('\n', table->out);
    print_energy_head(table);
    print_counted(table);
    print_row(table, "total", &table->report->summary.total, table->report->summary.at_least);
    print_others(table);
    print_origin(table);
    print_doubt(table);
    print_busy(table);
    print_own(table);
    print_verdict(table);
}

static void print_emission(const struct table *table, const char *label, const struct emission *emission, bool answer)
{
    const struct report *report = table->report;
    const struct sum sum = sum_of(emission->footprint.it_kwh, report->pue, emission->kgco2eq_per_kwh, 3);
    const bool year = report->hours_quality == QUALITY_GIVEN;
    char a[UNITS_SIZE], b[UNITS_SIZE], hours[TEXT_NUMBER_SIZE];

    if (isnan(emission->footprint.kgco2eq)) {
        const bool only_net = isfinite(report->gross.footprint.kgco2eq);
        fprintf(table->out, "  %-6s %s%s\n", label,
                report->summary.below_resolution && !only_net ? "below resolution" : "unknown",
                only_net && report->summary.baseline_s == 0 ? ": there was no baseline to compare with" : "");
        return;
    }
    fprintf(table->out, "  %-6s %s%s%s%s%s = %s\n", label, terms_bound(report), answer ? bold(table) : "", sum.result,
            answer ? plain(table) : "", report->summary.runs > 1 ? " per run" : "", sum.terms);
    if (isfinite(emission->kgco2eq_low))
        fprintf(table->out, "         %s%s to %s\n",
                table->report->summary.quality == QUALITY_MODELLED ? "modelled: " : "",
                units_mass(emission->kgco2eq_low, a), units_mass(emission->kgco2eq_high, b));
    if (isnan(emission->kgco2eq_per_h))
        fprintf(table->out, "         per hour%s unknown: %s\n", year ? " and year" : "",
                report->summary.at_least ? "a part of the run is not known" : "the run is too short to tell a rate");
    else if (!year)
        fprintf(table->out, "         %s/h\n", units_mass(emission->kgco2eq_per_h, a));
    else
        fprintf(table->out, "         %s/h, %s/year at %s h a year (%s)%s\n", units_mass(emission->kgco2eq_per_h, a),
                units_mass(emission->kgco2eq_per_year, b), text_number(report->hours_per_year, hours),
                quality_name(report->hours_quality), report->by_hour.asked ? ", at the yearly factor" : "");
}

static void print_emissions(const struct table *table)
{
    const struct report *report = table->report;
    const bool own = own_is_apart(report), is_void = net_is_void(&report->summary);
    const bool net = isfinite(report->net.footprint.kgco2eq) && !is_void;
    char mass[UNITS_SIZE], gross[UNITS_SIZE + 16];
    struct text text;

    fputc('\n', table->out);
    if (own)
        print_emission(table, "own", &report->own, true);
    print_emission(table, "gross", &report->gross, !net && !own);
    if (is_void)
        fputs("  net    n/a: " NET_IS_VOID ", it says nothing of the command\n", table->out);
    else
        print_emission(table, "net", &report->net, net && !own);
    if (report->by_hour.asked)
        hourly_text(report, table->out);
    text_open(&text, 4096);
    terms_factor(&report->factor, &text);
    text_add(&text, "; PUE %s%s%s", quality_name(report->pue_quality), *report->beside.pue.source ? ": " : "",
             report->beside.pue.source);
    paragraph_write(table->out, report->by_hour.asked ? "  yearly factor " : "  factor ", text.data ? text.data : "");
    text_close(&text);
    beside_text(report, table->out);
    sci_text(&report->sci, report->summary.at_least, table->out);
    snprintf(gross, sizeof gross, "gross %s%s", terms_bound(report), units_mass(report->gross.footprint.kgco2eq, mass));
    equivalents_text(&report->equivalents, gross, table->out);
}

static void print_notices(const struct table *table)
{
    const struct notices *notices = &table->report->doubts;

    if (notices->count)
        fputc('\n', table->out);
    notices_text(table->out, notices, "", table->colour);
}

/* "5 runs, 12.4 s ± 60.0 ms each, 1 warm-up left out, exit status 7, interrupted" */
static void describe_series(const struct report *report, struct text *text)
{
    const struct spread *duration_s = &report->summary.duration_s;
    char mean[UNITS_SIZE], deviation[UNITS_SIZE];

    units_duration(duration_s->mean, mean);
    if (report->summary.runs > 1)
        text_add(text, "%zu runs, %s ± %s each", report->summary.runs, mean,
                 units_duration(duration_s->deviation, deviation));
    else if (report->summary.runs)
        text_add(text, "1 run, %s", mean);
    else
        text_add(text, "no run");
    terms_series_end(report, text);
}

/* The command, cut where it is too long, and how the series went. */
static void print_head(const struct table *table)
{
    struct text command, series;

    text_open(&command, SIZE_MAX);
    text_open(&series, 4096);
    text_add(&command, "%s", "");
    text_add(&series, "%s", "");
    if (table->report->target)
        text_add(&command, "%s%s", table->report->target, table->report->command[0] ? ", client " : "");
    shell_command(table->report->command, &command);
    describe_series(table->report, &series);
    if (text_ok(&command) && text_ok(&series)) {
        const size_t width = utf8_count(command.data);
        char shown[4 * PARAGRAPH_WIDTH + sizeof "…"];
        utf8_fit(shown, sizeof shown, command.data, PARAGRAPH_WIDTH, "…");
        fputs(shown, table->out);
        fputs(width + 4 + utf8_count(series.data) > PARAGRAPH_WIDTH ? "\n" : "  ", table->out);
        paragraph_write(table->out, "  ", series.data);
    }
    text_close(&command);
    text_close(&series);
}

bool table_write(const struct report *report, const struct table_style *style, FILE *out, struct error *err)
{
    const struct table table = {
        .report = report,
        .out = out,
        .colour = style->colour,
        .spread = report->summary.runs > 1,
    };

    print_head(&table);
    print_energy(&table);
    phases_text(report, out);
    print_emissions(&table);
    usage_text(report, out);
    print_notices(&table);
    return !ferror(out) || error_errno(err, "cannot write the result");
}

static bool table_form(const struct report *report, FILE *out, struct error *err)
{
    const struct table_style style = { .colour = false };

    return table_write(report, &style, out, err);
}

const struct report_format table_format = { "table", "the result for people", table_form };
