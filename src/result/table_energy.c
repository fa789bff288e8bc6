/* SPDX-License-Identifier: MIT
 * The energies of the result for people: by domain, with their uncertainty, own and the verdict. */
#include "result/table_energy.h"

#include "base/c_locale.h"
#include "base/units.h"
#include "form/cells.h"
#include "form/paragraph.h"
#include "measurement/cpu_share.h"
#include "result/own_text.h"
#include "result/verdict_text.h"

#include <math.h>

enum {
    NAME_WIDTH = 18,
    SPREAD_WIDTH = 19, /* "1.13 kJ ± 26.7 J" */
    CELL_WIDTH = 10,
    OTHERS_SHOWN = 6, /* rows of domains that do not count */
};

static int energy_width(const struct result_table *table)
{
    return table->spread ? SPREAD_WIDTH : CELL_WIDTH;
}

static void print_energies(const struct result_table *table, const struct sample_stats *spread)
{
    cell_spread(table->out, energy_width(table), spread, table->spread, units_energy);
}

/* Calculated, but without meaning. */
static void print_net(const struct result_table *table, const struct domain_energy *energy)
{
    if (net_is_void(&table->report->summary))
        cell_write(table->out, energy_width(table), "n/a");
    else
        print_energies(table, &energy->net_j);
}

static void print_row(const struct result_table *table, const char *name, const struct domain_energy *energy,
                      bool at_least)
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

static void print_energy_head(const struct result_table *table)
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

static void print_counted(const struct result_table *table)
{
    const struct report *report = table->report;
    const struct measurement *measurement = report->measurement;

    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        const struct domain *domain = measurement->meter->domains[i].domain;
        char name[sizeof domain->name + 16];
        if (!measurement->counting->is_counted[i])
            continue;
        if (domain->quality == report->summary.quality || isnan(report->summary.domains[i].gross_j.mean))
            snprintf(name, sizeof name, "%s", domain->name);
        else
            snprintf(name, sizeof name, "%s (%s)", domain->name, quality_name(domain->quality));
        print_row(table, name, &report->summary.domains[i], domain_is_at_least(measurement, i));
    }
}

/* Visible domains that a user would miss: a card that cannot be read; the platform, and parts of a package other than
 * its cores, with a counter that never moves. */
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

static void print_empty(const struct result_table *table, const char *name)
{
    cell_name(table->out, NAME_WIDTH, name);
    fputs("  no data\n", table->out);
}

/* Cores and uncore are inside a package; other uncounted domains are outside the total. */
static void print_others(const struct result_table *table)
{
    const struct measurement *measurement = table->report->measurement;
    size_t shown = 0, left_out = 0;

    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        const struct domain *domain = measurement->meter->domains[i].domain;
        const struct domain_energy *energy = &table->report->summary.domains[i];
        const bool within = domain->component == COMPONENT_CORES || domain->component == COMPONENT_UNCORE;
        char name[sizeof domain->name + 16];
        const bool empty = isnan(energy->gross_j.mean);
        if (measurement->counting->is_counted[i] || (empty && !is_shown_empty(measurement, i)))
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
        fprintf(table->out, "  %zu more domains, not in the total (--json - lists them)\n", left_out);
}

/* "measured by powercap; scope compute" */
static void print_origin(const struct result_table *table)
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
        if (measurement->counting->is_counted[i] && measurement->meter->domains[i].source != last) {
            text_add(&text, "%s %s", last ? "," : "", measurement->meter->domains[i].source->driver->name);
            last = measurement->meter->domains[i].source;
        }
    text_add(&text, "; scope %s", scope_name(table->report->scope));
    if (table->spread)
        text_add(&text, "; ± is the standard deviation over %zu runs", table->report->summary.runs);
    paragraph_write(table->out, "  ", text.data ? text.data : "");
    text_close(&text);
}

static void print_doubt(const struct result_table *table)
{
    const struct summary *summary = &table->report->summary;
    const struct domain_energy *total = &summary->total;
    char a[UNITS_SIZE], b[UNITS_SIZE], c[UNITS_SIZE], d[UNITS_SIZE];

    if (summary->at_least)
        fprintf(table->out, "  gross is at least %s: %s of the run is not known; net is unknown\n",
                units_energy(total->gross_j.mean, a), units_duration(summary->unknown_s, b));
    if (isfinite(total->gross_low_j))
        fprintf(table->out, "  gross %s (modelled, range %s to %s)\n", units_energy(total->gross_j.mean, a),
                units_energy(total->gross_low_j, b), units_energy(total->gross_high_j, c));
    if (isfinite(total->net_low_j) && !net_is_void(summary))
        fprintf(table->out, "  net %s (modelled: %s to %s)\n", units_energy(total->net_j.mean, a),
                units_energy(total->net_low_j, b), units_energy(total->net_high_j, c));
    if (summary->resolution_j >= total->gross_j.mean)
        fprintf(table->out, "  below the meter's resolution (%s)\n",
                units_energy(total->gross_j.mean + summary->resolution_j, a));
    else if (isfinite(summary->resolution_j))
        fprintf(table->out, "  resolution %s\n", units_energy(summary->resolution_j, a));
    if (isfinite(summary->net_noise_j))
        fprintf(table->out, "  baseline %s, %s ± %s; adds ± %s to net\n", units_duration(summary->baseline_s, a),
                units_power(total->idle_w, b), units_power(summary->idle_deviation_w, c),
                units_energy(summary->net_noise_j, d));
}

static void print_busy(const struct result_table *table)
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

/* Of a running target: it needs no baseline, and no meter has measured it. */
static void print_attributed(const struct result_table *table)
{
    const struct summary *summary = &table->report->summary;
    char energy[UNITS_SIZE], percent[UNITS_SIZE];

    if (isfinite(summary->attributed_j.mean))
        fprintf(table->out, "  attributed %s of gross by CPU time (%s %% of the machine's busy time%s)\n",
                units_energy(summary->attributed_j.mean, energy),
                units_digits(100 * summary->machine_share.mean, 3, percent),
                isfinite(summary->total.gpu_own_j.mean) ? "; GPUs by their processors' time" : "");
}

/* The job's part of each card; no meter measures it. */
static void print_gpus(const struct result_table *table)
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

static void print_own(const struct result_table *table)
{
    struct text text;

    text_open(&text, 4096);
    if (own_text(table->report, &text))
        paragraph_write(table->out, "  own    ", text.data ? text.data : "");
    text_close(&text);
}

static void print_verdict(const struct result_table *table)
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
    if (isfinite(summary->share_j.mean) && summary->background_cores.mean > SHARE_OTHERS_CORES)
        c_fprintf(table->out, "  share %s of net by CPU time%s: others kept %.2f cores busy beyond the baselines\n",
                  units_energy(summary->share_j.mean, share),
                  isfinite(summary->total.gpu_own_j.mean) ? ", of GPUs by their processors' time" : "",
                  summary->background_cores.mean);
    print_gpus(table);
    print_attributed(table);
    text_close(&text);
}

void table_energy(const struct result_table *table)
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
