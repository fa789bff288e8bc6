/* SPDX-License-Identifier: MIT
 * A comparison as a page: the sentences first, then the energies of all, and each difference. */
#include "config.h"

#include "commands/compare/comparison.h"

#include "base/auto.h"
#include "base/clock.h"
#include "form/html.h"
#include "form/shell.h"

#include <math.h>
#include <stdlib.h>

static const struct sample_stats *energy_of(const struct comparison *comparison, const struct candidate *candidate)
{
    switch (comparison->compared) {
    case FIGURE_OWN_J: return &candidate->own_j;
    case FIGURE_NET_J: return &candidate->net_j;
    default: return &candidate->gross_j;
    }
}

/* Each mean with its own 95 % confidence interval; the interval of a difference is in the sentence. */
static void write_bars(FILE *out, const struct comparison *comparison)
{
    const size_t count = comparison->candidate_count;
    AUTO_FREE struct html_bar *items = calloc(count, sizeof *items);
    AUTO_FREE char(*shown)[UNITS_SIZE] = calloc(count, sizeof *shown);
    bool doubted = false;

    if (!items || !shown)
        return;
    for (size_t i = 0; i < count; i++) {
        const struct sample_stats *energy_j = energy_of(comparison, &comparison->candidates[i]);
        const struct interval ci = mean_interval(energy_j);

        items[i] = (struct html_bar){
            comparison->candidates[i].name, units_energy(energy_j->mean, shown[i]), energy_j->mean, NAN, ci.low, ci.high
        };
        doubted = doubted || isfinite(ci.low);
    }
    html_bars(out, &(struct html_bars){ .title = "energy of a run",
                                        .value = figure_name(comparison->compared),
                                        .doubt = doubted ? "95 % CI of the mean" : NULL,
                                        .bars = items,
                                        .count = count,
                                        .units = units_energy });
}

static void write_spread(FILE *out, html_units *units, const struct sample_stats *spread)
{
    char mean[UNITS_SIZE], deviation[UNITS_SIZE], cell[3 * UNITS_SIZE];

    if (spread->count > 1)
        snprintf(cell, sizeof cell, "%s ± %s", units(spread->mean, mean), units(spread->deviation, deviation));
    else
        snprintf(cell, sizeof cell, "%s", units(spread->mean, mean));
    html_cell_number(out, cell);
}

static void write_result(FILE *out, const void *subject)
{
    static const char *const columns[] = { "name", "runs", "duration", "energy", "emission", "command", NULL };
    const struct comparison *comparison = subject;

    for (size_t i = 0; i < comparison->pair_count; i++)
        html_conclusion(out, comparison->pairs[i].sentence ? comparison->pairs[i].sentence : "");
    write_bars(out, comparison);
    html_table(out, "a run of each, mean ± standard deviation", columns, 4);
    for (size_t i = 0; i < comparison->candidate_count; i++) {
        const struct candidate *candidate = &comparison->candidates[i];
        char runs[TEXT_NUMBER_SIZE];
        struct text command;

        snprintf(runs, sizeof runs, "%zu", candidate->series.count);
        html_row(out, candidate->name);
        html_cell_number(out, runs);
        write_spread(out, units_duration, &candidate->duration_s);
        write_spread(out, units_energy, energy_of(comparison, candidate));
        html_cell_figure(out, units_mass, candidate->kgco2eq.mean, "results.%zu.kgco2eq", i);
        text_open(&command, SIZE_MAX);
        shell_command(candidate->command, &command);
        html_cell(out, text_ok(&command) ? command.data : "");
        text_close(&command);
        html_row_end(out);
    }
    html_table_end(out);
    html_terms(out);
    html_term(out, "figure", figure_name(comparison->compared));
    html_term(out, "quality", quality_name(comparison_quality(comparison)));
    html_term(out, "order", comparison->order);
    html_terms_end(out);
}

static const char *probability(double p, char out[UNITS_SIZE])
{
    char digits[UNITS_SIZE];

    snprintf(out, UNITS_SIZE, "%.20s", p < 0.0001 ? "< 0.0001" : units_digits(p, 2, digits));
    return out;
}

static void write_difference(FILE *out, const char *what, html_units *units, const struct mean_difference *difference,
                             size_t i, const char *key)
{
    char percent[UNITS_SIZE + 2], digits[UNITS_SIZE];

    html_row(out, what);
    html_cell_figure(out, units, difference->welch.difference, "comparisons.%zu.%s.difference", i, key);
    html_cell_figure(out, units, difference->welch.low, "comparisons.%zu.%s.low", i, key);
    html_cell_figure(out, units, difference->welch.high, "comparisons.%zu.%s.high", i, key);
    if (isfinite(difference->percent))
        snprintf(percent, sizeof percent, "%.24s %%", units_digits(difference->percent, 3, digits));
    else
        snprintf(percent, sizeof percent, "n/a");
    html_cell_number(out, percent);
    html_cell_figure(out, probability, difference->welch.p, "comparisons.%zu.%s.p", i, key);
    html_cell_figure(out, units, difference->welch.detectable, "comparisons.%zu.%s.detectable", i, key);
    html_row_end(out);
}

static void write_differences(FILE *out, const void *subject)
{
    static const char *const columns[] = { "figure",  "difference", "95 % CI low",        "95 % CI high",
                                           "percent", "p",          "minimum detectable", NULL };
    const struct comparison *comparison = subject;

    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct pair *pair = &comparison->pairs[i];
        char caption[256];

        snprintf(caption, sizeof caption, "'%.100s' less '%.100s' (Welch's t test)", pair->b->name, pair->a->name);
        html_table(out, caption, columns, 6);
        write_difference(out, "energy", units_energy, &pair->energy_j, i, "energy_j");
        write_difference(out, "power", units_power, &pair->power_w, i, "power_w");
        write_difference(out, "duration", units_duration, &pair->duration_s, i, "duration_s");
        write_difference(out, "emission", units_mass, &pair->kgco2eq, i, "kgco2eq");
        html_table_end(out);
    }
}

static bool has_notices(const void *subject)
{
    return ((const struct comparison *)subject)->doubts.count > 0;
}

static void write_notices(FILE *out, const void *subject)
{
    html_notices(out, &((const struct comparison *)subject)->doubts);
}

bool comparison_html_write(const struct comparison *comparison, FILE *out, struct error *err)
{
    static const struct html_section sections[] = {
        { "result", "Result", NULL, write_result },
        { "differences", "Differences", NULL, write_differences },
        { "notices", "Notices", has_notices, write_notices },
    };
    char about[CLOCK_TEXT_SIZE + 64] = "", started[CLOCK_TEXT_SIZE];
    const struct html_head head = {
        .title = "Comparison",
        .kind = "carbon comparison",
        .about = about,
        .made = "written by carbon " PACKAGE_VERSION,
    };

    if (comparison->started_realtime_ns)
        snprintf(about, sizeof about, "measured from %s on", clock_text(comparison->started_realtime_ns, started));
    html_page(out, &head, sections, sizeof sections / sizeof sections[0], comparison);
    return !ferror(out) || error_errno(err, "cannot write the page");
}
