/* SPDX-License-Identifier: MIT
 * The energy in a page: by domain, run by run, by phase. */
#include "base/c_locale.h"
#include "result/page/html_sections.h"

#include "base/text.h"
#include "result/own_text.h"
#include "result/verdict_text.h"

#include <math.h>

static void cell_energy(FILE *out, const struct sample_stats *spread, const char *place)
{
    html_cell_open(out);
    html_spread(out, units_energy, spread, place);
    html_cell_end(out);
}

static void cell_gross(FILE *out, const struct sample_stats *spread, bool at_least, const char *place)
{
    html_cell_open(out);
    fputs(at_least ? "at least " : "", out);
    html_spread(out, units_energy, spread, place);
    html_cell_end(out);
}

/* prefix: "domains.0.", or "" for the total. */
static void write_energies(FILE *out, const struct domain_energy *energy, bool at_least, const char *prefix)
{
    char place[48];

    snprintf(place, sizeof place, "%sgross_j", prefix);
    cell_gross(out, &energy->gross_j, at_least, place);
    html_cell_figure(out, units_energy, energy->idle_j.mean, "%sidle_j.mean", prefix);
    snprintf(place, sizeof place, "%snet_j", prefix);
    cell_energy(out, &energy->net_j, place);
    html_cell_figure(out, units_power, energy->gross_w, "%sgross_w", prefix);
    html_cell_figure(out, units_power, energy->idle_w, "%sidle_w", prefix);
    html_cell_figure(out, units_power, energy->net_w, "%snet_w", prefix);
}

static void write_domain(FILE *out, const struct report *report, size_t i)
{
    const struct meter_domain *state = &report->measurement->meter->domains[i];
    char prefix[32];

    snprintf(prefix, sizeof prefix, "domains.%zu.", i);
    html_row(out, state->domain->name);
    write_energies(out, &report->summary.domains[i], domain_is_at_least(report->measurement, i), prefix);
    html_cell(out, state->source->driver->name);
    html_cell(out, quality_name(state->domain->quality));
    html_cell(out, report->measurement->counting->reason[i]);
    html_row_end(out);
}

static void write_total(FILE *out, const struct report *report)
{
    fputs("<tr class=\"total\"><th scope=\"row\">total</th>", out);
    write_energies(out, &report->summary.total, report->summary.at_least, "");
    html_cell(out, "");
    html_cell(out, quality_name(report->summary.quality));
    html_cell(out, "");
    html_row_end(out);
}

static void write_table(FILE *out, const struct report *report)
{
    const bool is_void = net_is_void(&report->summary);
    const char *const columns[] = { "domain",      "gross",         "idle",      is_void ? "net: " NET_IS_VOID : "net",
                                    "gross power", "idle power",    "net power", "source",
                                    "quality",     "in the total?", NULL };
    const struct measurement *measurement = report->measurement;

    html_table(out, report->summary.runs > 1 ? "energy by domain, mean run ± standard deviation" : "energy by domain",
               columns, 6);
    for (int counted = 1; counted >= 0; counted--) {
        for (size_t i = 0; i < measurement->meter->domain_count; i++)
            if (measurement->counting->is_counted[i] == counted)
                write_domain(out, report, i);
        if (counted)
            write_total(out, report);
    }
    html_table_end(out);
}

static void write_bars(FILE *out, const struct report *report)
{
    const struct measurement *measurement = report->measurement;
    struct html_bar items[ENERGY_MAX_DOMAINS + 1];
    char shown[ENERGY_MAX_DOMAINS + 1][UNITS_SIZE];
    struct html_bars bars = { "gross energy by domain", "gross", NULL, NULL, items, 0, units_energy };

    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        const struct domain_energy *energy = &report->summary.domains[i];
        if (!measurement->counting->is_counted[i] || isnan(energy->gross_j.mean))
            continue;
        if (isfinite(energy->idle_j.mean))
            bars.part = "of which idle";
        items[bars.count] = (struct html_bar){
            .label = measurement->meter->domains[i].domain->name,
            .shown = units_energy(energy->gross_j.mean, shown[bars.count]),
            .value = energy->gross_j.mean,
            .part = energy->idle_j.mean,
            .low = energy->gross_low_j,
            .high = energy->gross_high_j,
        };
        if (isfinite(energy->gross_low_j))
            bars.doubt = "range of the model";
        bars.count++;
    }
    if (bars.count)
        html_bars(out, &bars);
}

static const char *cpus_text(double cpus, char out[UNITS_SIZE])
{
    c_snprintf(out, UNITS_SIZE, "%.2f", cpus);
    return out;
}

static void write_doubt(FILE *out, const struct report *report)
{
    const struct summary *summary = &report->summary;
    struct text text;

    html_terms(out);
    html_term(out, "scope", scope_name(report->scope));
    text_open(&text, 4096);
    verdict_text_net(summary, &text);
    html_term(out, "net against idle", text.data);
    text_close(&text);
    if (summary->at_least) {
        html_term_open(out, "not known, of the domain and run that are known least");
        html_figure(out, units_duration, summary->unknown_s, "unknown_s");
        html_term_end(out);
    }
    if (isfinite(summary->resolution_j)) {
        html_term_open(out, "resolution");
        html_figure(out, units_energy, summary->resolution_j, "resolution_j");
        html_term_end(out);
    }
    if (isfinite(summary->net_noise_j)) {
        html_term_open(out, "baseline, in all");
        html_figure(out, units_duration, summary->baseline_s, "baseline_s");
        fputs(" at ", out);
        html_figure(out, units_power, summary->total.idle_w, "idle_w");
        fputs(" ± ", out);
        html_figure(out, units_power, summary->idle_deviation_w, "idle_deviation_w");
        fputs(": net ± ", out);
        html_figure(out, units_energy, summary->net_noise_j, "net_noise_j");
        html_term_end(out);
    }
    text_open(&text, 4096);
    if (own_text(report, &text)) {
        html_term_open(out, "the job's own");
        html_figure(out, units_energy, summary->total.own_j.mean, "own_j.mean");
        html_term_end(out);
        html_term(out, "reported as", text.data);
    }
    text_close(&text);
    if (isfinite(summary->baseline_busy_cpus)) {
        html_term_open(out, "CPUs that other processes kept busy in the baseline");
        html_figure(out, cpus_text, summary->baseline_busy_cpus, "baseline_busy_cpus");
        html_term_end(out);
    }
    if (isfinite(summary->share_j.mean) && summary->background_cores.mean > 0) {
        html_term_open(out, "the job's share of net, by CPU time");
        html_figure(out, units_energy, summary->share_j.mean, "share_j.mean");
        html_term_end(out);
    }
    if (isfinite(summary->attributed_j.mean)) {
        html_term_open(out, "attributed by its part of the busy CPU time");
        html_figure(out, units_energy, summary->attributed_j.mean, "attributed_j.mean");
        html_term_end(out);
    }
    if (isfinite(summary->total.gpu_own_j.mean)) {
        html_term_open(out, "the job's part of the GPUs, attributed by the time of their processors");
        html_figure(out, units_energy, summary->total.gpu_own_j.mean, "gpu_own_j.mean");
        html_term_end(out);
    }
    html_terms_end(out);
}

void html_energy(FILE *out, const void *subject)
{
    const struct report *report = page_report(subject);

    write_bars(out, report);
    write_table(out, report);
    write_doubt(out, report);
}

bool html_has_runs(const void *subject)
{
    return page_report(subject)->measurement->run_count > 1;
}

static void write_run(FILE *out, const struct report *report, size_t i)
{
    const struct run *run = &report->measurement->runs[i];
    const struct run_summary summary = run_summary_of(report, i);
    char name[64];

    snprintf(name, sizeof name, "run %zu%s", i + 1,
             run->warmup     ? ", warm-up"
             : run->left_out ? ", left out"
             : !run->ended   ? ", going on"
                             : "");
    html_row(out, name);
    html_cell_figure(out, units_duration, s_from_ns(run->window.duration_ns), "windows.runs.%zu.duration_s", i);
    html_cell_figure(out, units_energy, summary.gross_j, "windows.runs.%zu.gross_j", i);
    html_cell_figure(out, units_energy, summary.idle_j, "windows.runs.%zu.idle_j", i);
    html_cell_figure(out, units_energy, summary.net_j, "windows.runs.%zu.net_j", i);
    html_row_end(out);
}

/* Each run, and the mean with its interval. */
static void write_run_bars(FILE *out, const struct report *report)
{
    const struct domain_energy *total = &report->summary.total;
    const size_t count = report->measurement->run_count;
    const bool net = isfinite(total->net_j.mean), interval = net && isfinite(total->net_interval_j.low);
    const struct sample_stats *spread = net ? &total->net_j : &total->gross_j;
    struct html_bar items[HTML_ROWS_MAX / 4 + 1];
    char labels[HTML_ROWS_MAX / 4][32], shown[HTML_ROWS_MAX / 4 + 1][UNITS_SIZE];
    struct html_bars bars = { net ? "net energy, run by run" : "gross energy, run by run",
                              net ? "net" : "gross",
                              NULL,
                              interval ? "95 % interval of the mean" : NULL,
                              items,
                              0,
                              units_energy };

    for (size_t i = 0; i < count && bars.count < HTML_ROWS_MAX / 4; i++) {
        const struct run_summary summary = run_summary_of(report, i);
        const double energy_j = net ? summary.net_j : summary.gross_j;
        if (!run_is_counted(&report->measurement->runs[i]))
            continue;
        snprintf(labels[bars.count], sizeof labels[0], "run %zu", i + 1);
        items[bars.count] =
            (struct html_bar){ labels[bars.count], units_energy(energy_j, shown[bars.count]), energy_j, NAN, NAN, NAN };
        bars.count++;
    }
    items[bars.count] = (struct html_bar){ .label = "mean",
                                           .shown = units_energy(spread->mean, shown[bars.count]),
                                           .value = spread->mean,
                                           .part = NAN,
                                           .low = interval ? total->net_interval_j.low : NAN,
                                           .high = interval ? total->net_interval_j.high : NAN };
    bars.count++;
    html_bars(out, &bars);
}

void html_runs(FILE *out, const void *subject)
{
    static const char *const columns[] = { "run", "duration", "gross", "idle", "net", NULL };
    const struct report *report = page_report(subject);
    const size_t count = report->measurement->run_count, max = count < HTML_ROWS_MAX ? count : HTML_ROWS_MAX;

    if (report->summary.runs > 1)
        write_run_bars(out, report);
    html_table(out, "runs in the order in which they were made", columns, 4);
    for (size_t i = 0; i < max; i++)
        write_run(out, report, i);
    html_table_end(out);
    html_rows_left_out(out, count - max, "runs");
}

/* The time before the first mark is not a phase. */
bool html_has_phases(const void *subject)
{
    return page_report(subject)->phases.count > 1;
}

static void write_phase(FILE *out, const struct phase_summary *phase, size_t i)
{
    char place[48], part[UNITS_SIZE] = "unknown";

    html_row(out, phase->name);
    html_cell_figure(out, NULL, phase->times, "phases.%zu.times", i);
    html_cell_figure(out, units_duration, phase->duration_s.mean, "phases.%zu.duration_s.mean", i);
    html_cell_open(out);
    fputs(phase->at_least ? "at least " : "", out);
    html_figure(out, units_energy, phase->gross_j.mean, "phases.%zu.gross_j.mean", i);
    html_cell_end(out);
    html_cell_figure(out, units_energy, phase->idle_j.mean, "phases.%zu.idle_j.mean", i);
    snprintf(place, sizeof place, "phases.%zu.net_j", i);
    cell_energy(out, &phase->net_j, place);
    snprintf(place, sizeof place, "phases.%zu.own_j", i);
    cell_energy(out, &phase->own_j, place);
    html_cell_figure(out, units_power, phase->gross_w, "phases.%zu.gross_w", i);
    if (isfinite(phase->part))
        c_snprintf(part, sizeof part, "%.1f %%", 100 * phase->part);
    html_cell_number(out, part);
    html_row_end(out);
}

static void write_phase_bars(FILE *out, const struct phases_summary *phases)
{
    struct html_bar items[PHASES_MAX + 1];
    char shown[PHASES_MAX + 1][UNITS_SIZE];
    const struct html_bars bars = {
        "energy by phase", figure_name(phases->part_of), NULL, NULL, items, phases->count, units_energy,
    };

    for (size_t i = 0; i < phases->count; i++) {
        const struct phase_summary *phase = &phases->items[i];
        const double energy_j = phases->part_of == FIGURE_OWN_J   ? phase->own_j.mean
                                : phases->part_of == FIGURE_NET_J ? phase->net_j.mean
                                                                  : phase->gross_j.mean;
        items[i] = (struct html_bar){ phase->name, units_energy(energy_j, shown[i]), energy_j, NAN, NAN, NAN };
    }
    html_bars(out, &bars);
}

void html_phases(FILE *out, const void *subject)
{
    const struct phases_summary *phases = &page_report(subject)->phases;
    char part[16];
    const char *const columns[] = { "phase", "times", "duration",    "gross", "idle",
                                    "net",   "own",   "gross power", part,    NULL };

    snprintf(part, sizeof part, "of %s", figure_name(phases->part_of));
    write_phase_bars(out, phases);
    html_table(out, "phases of the mean run", columns, 8);
    for (size_t i = 0; i < phases->count; i++)
        write_phase(out, &phases->items[i], i);
    html_table_end(out);
}
