/* SPDX-License-Identifier: MIT
 * A comparison as text: a table of the commands, then for each pair the verdict and its evidence. */
#include "commands/compare/comparison.h"

#include "base/units.h"
#include "form/cells.h"
#include "form/notices_text.h"
#include "form/paragraph.h"
#include "form/shell.h"
#include "form/text_columns.h"
#include "result/factor_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { NAME_WIDTH = 9, RUNS_WIDTH = 4, SPREAD_WIDTH = 17, COMMAND_SIZE = 4 * PARAGRAPH_WIDTH + 1 };

#define MIN_P 0.0001

struct comparison_text_table {
    const struct comparison *comparison;
    FILE *out;
    bool colour;
};

static void print_style(const struct comparison_text_table *table, const char *code)
{
    if (table->colour)
        fputs(code, table->out);
}

static void print_text(const struct comparison_text_table *table, const char *label, struct text *text)
{
    paragraph_write(table->out, label, text->data ? text->data : "");
    text_close(text);
}

static void print_name(const struct comparison_text_table *table, const char *name)
{
    char shown[COMMAND_SIZE];

    utf8_printable(shown, sizeof shown, name);
    cell_name(table->out, NAME_WIDTH, shown);
}

/* The column says what is emitted. */
static const char *mass_text(double mass_kgco2eq, char out[UNITS_SIZE])
{
    char *unit;

    units_mass(mass_kgco2eq, out);
    unit = strstr(out, "CO2eq");
    if (unit)
        *unit = '\0';
    return out;
}

static void print_spread(const struct comparison_text_table *table, const struct sample_stats *spread,
                         cell_units *units)
{
    cell_spread(table->out, SPREAD_WIDTH, spread, true, units);
}

static void print_commands(const struct comparison_text_table *table)
{
    for (size_t i = 0; i < table->comparison->candidate_count; i++) {
        const struct candidate *candidate = &table->comparison->candidates[i];
        char name[COMMAND_SIZE], shown[COMMAND_SIZE];
        struct text command;
        size_t room;

        text_open(&command, SIZE_MAX);
        shell_command(candidate->command, &command);
        utf8_printable(name, sizeof name, candidate->name);
        room = utf8_columns(name) + 2 < PARAGRAPH_WIDTH / 2 ? PARAGRAPH_WIDTH - utf8_columns(name) - 2
                                                            : PARAGRAPH_WIDTH / 2;
        utf8_fit(shown, sizeof shown, command.data ? command.data : "", room, "…");
        if (strcmp(shown, name) == 0)
            fprintf(table->out, "%s%s\n", name, candidate->complete ? "" : "  (partial)");
        else
            fprintf(table->out, "%s  %s%s\n", name, shown, candidate->complete ? "" : "  (partial)");
        text_close(&command);
    }
}

static void print_candidates(const struct comparison_text_table *table)
{
    static const char *const heads[] = { "duration", "gross", "idle", "net", "own" };
    const bool own = table->comparison->compared == FIGURE_OWN_J;
    char mass[32];

    fputc('\n', table->out);
    print_name(table, "");
    cell_write(table->out, RUNS_WIDTH, "runs");
    for (size_t i = 0; i < sizeof heads / sizeof heads[0] - !own; i++)
        cell_write(table->out, SPREAD_WIDTH, heads[i]);
    snprintf(mass, sizeof mass, "CO2eq of %s", figure_name(table->comparison->compared));
    cell_write(table->out, SPREAD_WIDTH, mass);
    fputc('\n', table->out);
    for (size_t i = 0; i < table->comparison->candidate_count; i++) {
        const struct candidate *candidate = &table->comparison->candidates[i];
        char runs[TEXT_NUMBER_SIZE];

        snprintf(runs, sizeof runs, "%zu", candidate->series.count);
        print_name(table, candidate->name);
        cell_write(table->out, RUNS_WIDTH, runs);
        print_spread(table, &candidate->duration_s, units_duration);
        print_spread(table, &candidate->gross_j, units_energy);
        print_spread(table, &candidate->idle_j, units_energy);
        print_spread(table, &candidate->net_j, units_energy);
        if (own)
            print_spread(table, &candidate->own_j, units_energy);
        print_spread(table, &candidate->kgco2eq, mass_text);
        fputc('\n', table->out);
    }
}

/* "measured by powercap; scope compute; runs interleaved; ± is the standard deviation" */
static void print_origin(const struct comparison_text_table *table)
{
    const struct comparison *comparison = table->comparison;
    const struct candidate *first = &comparison->candidates[0];
    const enum quality quality = comparison_quality(comparison);
    bool spread = false;
    char pue[TEXT_NUMBER_SIZE];
    struct text text;

    for (size_t i = 0; i < comparison->candidate_count; i++)
        spread |= comparison->candidates[i].series.count > 1;
    text_open(&text, 4096);
    if (quality == QUALITY_UNKNOWN)
        text_add(&text, "energy unknown");
    else
        text_add(&text, "%s by %s", quality_name(quality), first->sources);
    text_add(&text, "; scope %s; ", scope_name(first->scope));
    if (comparison->order)
        text_add(&text, "runs %s", comparison->order);
    else
        text_add(&text, "from records");
    if (comparison->seeded)
        text_add(&text, ", seed %" PRIu64, comparison->seed);
    if (spread)
        text_add(&text, "; ± is the standard deviation over the runs");
    print_text(table, "  ", &text);
    text_open(&text, 4096);
    text_add(&text, "PUE %s × ", text_number(first->pue, pue));
    factor_describe(first->factor, &text);
    print_text(table, "  CO2eq  ", &text);
}

static void add_p(struct text *text, double p)
{
    if (isfinite(p))
        text_add(text, p < MIN_P ? "p < %g" : "p %.2g", p < MIN_P ? MIN_P : p);
}

/* "; minimum detectable 1.20 J (5.6 %)" */
static void add_detectable(struct text *text, const struct mean_difference *difference)
{
    char min[UNITS_SIZE];

    if (!(difference->welch.detectable > 0))
        return;
    text_add(text, "; minimum detectable %s", units_energy(difference->welch.detectable, min));
    if (isfinite(difference->detectable_percent))
        text_add(text, " (%.1f %%)", difference->detectable_percent);
}

/* What the verdict stands on; the difference itself is in the verdict. */
static void print_energy(const struct comparison_text_table *table, const struct pair *pair)
{
    const struct welch *welch = &pair->energy_j.welch;
    struct text text;

    text_open(&text, 4096);
    text_add(&text, "%s", figure_name(pair->verdict.compared));
    if (isfinite(welch->p)) {
        text_add(&text, "; ");
        add_p(&text, welch->p);
    }
    if (isfinite(welch->freedom))
        text_add(&text, " (Welch, %.1f degrees of freedom)", welch->freedom);
    if (table->comparison->pair_count > 1 && isfinite(pair->p_holm)) {
        text_add(&text, ", with all %zu comparisons ", table->comparison->pair_count);
        add_p(&text, pair->p_holm);
    }
    if (isfinite(welch->hedges_g))
        text_add(&text, ", Hedges' g %.2f", welch->hedges_g);
    if (pair->verdict.verdict != VERDICT_NOISE) /* its sentence says so */
        add_detectable(&text, &pair->energy_j);
    print_text(table, "    energy    ", &text);
}

static void print_difference(const struct comparison_text_table *table, const char *label,
                             const struct mean_difference *difference, cell_units *units)
{
    const struct welch *welch = &difference->welch;
    char value[UNITS_SIZE], low[UNITS_SIZE], high[UNITS_SIZE];
    struct text text;

    text_open(&text, 4096);
    text_add(&text, "%s", units(welch->difference, value));
    if (isfinite(difference->percent))
        text_add(&text, " (%+.1f %%)", difference->percent);
    if (isfinite(welch->low))
        text_add(&text, ", 95 %% CI %s to %s", units(welch->low, low), units(welch->high, high));
    if (isfinite(welch->p)) {
        text_add(&text, ", ");
        add_p(&text, welch->p);
    }
    print_text(table, label, &text);
}

/* Where net says nothing the time alone is worth a line. */
static void print_pair(const struct comparison_text_table *table, const struct pair *pair)
{
    const enum verdict said = pair->verdict.verdict;
    const bool energy = said != VERDICT_UNKNOWN && verdict_has_net(said);

    fputc('\n', table->out);
    print_style(table, "\033[1m");
    paragraph_write(table->out, "  ", pair->sentence ? pair->sentence : "");
    print_style(table, "\033[0m");
    if (energy) {
        print_energy(table, pair);
        print_difference(table, "    power     ", &pair->power_w, units_power);
    }
    print_difference(table, "    duration  ", &pair->duration_s, units_duration);
    if (energy)
        print_difference(table, "    emission  ", &pair->kgco2eq, units_mass);
    comparison_gate_line(pair->gate, PARAGRAPH_WIDTH, table->out);
}

static void print_notices(const struct comparison_text_table *table)
{
    const struct notices *notices = &table->comparison->doubts;

    if (notices->count)
        fputc('\n', table->out);
    notices_text(table->out, notices, "", table->colour);
}

bool comparison_text_write(const struct comparison *comparison, const struct table_style *style, FILE *out,
                           struct error *err)
{
    const struct comparison_text_table table = { .comparison = comparison, .out = out, .colour = style->colour };

    print_commands(&table);
    print_candidates(&table);
    print_origin(&table);
    for (size_t i = 0; i < comparison->pair_count; i++)
        print_pair(&table, &comparison->pairs[i]);
    print_notices(&table);
    return !ferror(out) || error_errno(err, "cannot write the comparison");
}

bool comparison_brief_write(const struct comparison *comparison, FILE *out, struct error *err)
{
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct pair *pair = &comparison->pairs[i];
        char line[COMMAND_SIZE * 4];

        utf8_printable(line, sizeof line, pair->sentence ? pair->sentence : "");
        fprintf(out, "%s%s\n", line, pair->a->complete && pair->b->complete ? "" : " (partial)");
        comparison_gate_line(pair->gate, 0, out);
    }
    return !ferror(out) || error_errno(err, "cannot write the comparison");
}
