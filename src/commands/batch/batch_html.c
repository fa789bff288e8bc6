/* SPDX-License-Identifier: MIT
 * A batch as a page: the module that uses most, all modules with their intervals, the yearly sums. */
#include "config.h"

#include "commands/batch/module_answer.h"

#include "base/auto.h"
#include "form/html.h"
#include "result/factor_text.h"

#include <math.h>
#include <stdlib.h>

/* Each with its interval: of a model its range. */
static void write_energies(FILE *out, const struct batch *batch)
{
    AUTO_FREE struct html_bar *items = calloc(batch->module_count + 1, sizeof *items);
    AUTO_FREE char(*shown)[UNITS_SIZE] = calloc(batch->module_count + 1, sizeof *shown);
    const char *doubt = NULL;

    if (!items || !shown)
        return;
    for (size_t i = 0; i < batch->module_count; i++) {
        const struct module_answer answer = module_answer_of(&batch->modules[i]);
        const double energy_j = batch->modules[i].counted ? answer.energy_j->mean : NAN;

        items[i] = (struct html_bar){
            batch->modules[i].name, units_energy(energy_j, shown[i]), energy_j, NAN, answer.interval.low,
            answer.interval.high
        };
        if (isfinite(answer.interval.low))
            doubt = answer.interval_name;
    }
    html_bars(out, &(struct html_bars){ .title = "energy of a run",
                                        .value = figure_name(batch_common_figure(batch)),
                                        .doubt = doubt,
                                        .bars = items,
                                        .count = batch->module_count,
                                        .units = units_energy });
}

static const char *rate(double value, char out[UNITS_SIZE])
{
    char digits[UNITS_SIZE];

    snprintf(out, UNITS_SIZE, "%.20s/s", units_digits(value, 3, digits));
    return out;
}

static bool has_items(const void *subject)
{
    return batch_has_chart(subject, BATCH_THROUGHPUT);
}

/* The references are bars of their own. */
static void write_throughput(FILE *out, const void *subject)
{
    const struct batch *batch = subject;
    const size_t room = batch->module_count + batch->reference_count;
    AUTO_FREE struct html_bar *items = calloc(room + 1, sizeof *items);
    AUTO_FREE char(*shown)[UNITS_SIZE] = calloc(room + 1, sizeof *shown);
    size_t count = 0;

    if (!items || !shown)
        return;
    for (size_t i = 0; i < batch->module_count; i++) {
        const struct sample_stats *rate_of = &batch->modules[i].items_per_s;
        const double deviation = rate_of->count > 1 ? rate_of->deviation : NAN;

        if (isnan(batch->modules[i].items))
            continue;
        items[count] =
            (struct html_bar){ batch->modules[i].name,    rate(rate_of->mean, shown[count]), rate_of->mean, NAN,
                               rate_of->mean - deviation, rate_of->mean + deviation };
        count++;
    }
    for (size_t i = 0; i < batch->reference_count; i++, count++)
        items[count] = (struct html_bar){ batch->references[i].name,
                                          rate(batch->references[i].items_per_s, shown[count]),
                                          batch->references[i].items_per_s,
                                          NAN,
                                          NAN,
                                          NAN };
    html_bars(out, &(struct html_bars){ .title = "items per second",
                                        .value = batch->reference_count ? "mean, and references" : "mean",
                                        .doubt = batch->loops > 1 ? "standard deviation" : NULL,
                                        .bars = items,
                                        .count = count,
                                        .units = rate });
}

static void write_row(FILE *out, const struct batch *batch, size_t i)
{
    const struct batch_module *module = &batch->modules[i];
    const struct module_answer answer = module_answer_of(module);
    char runs[64];
    struct text verdict;

    snprintf(runs, sizeof runs, "%zu of %zu", module->counted, batch->loops);
    html_row(out, module->name);
    html_cell_figure(out, units_duration, module->duration_s.mean, "modules.%zu.duration_s.mean", i);
    html_cell_figure(out, units_energy, module->gross_j.mean, "modules.%zu.gross_j.mean", i);
    html_cell_figure(out, units_energy, module->idle_j.mean, "modules.%zu.idle_j.mean", i);
    html_cell_figure(out, units_energy, answer.energy_j->mean, "modules.%zu.%s_j.mean", i, figure_name(answer.figure));
    html_cell_figure(out, units_mass, answer.emission->footprint.kgco2eq, "modules.%zu.%s.kgco2eq", i,
                     figure_name(answer.figure));
    html_cell_figure(out, units_mass, answer.emission->kgco2eq_per_year, "modules.%zu.%s.kgco2eq_per_year", i,
                     figure_name(answer.figure));
    html_cell(out, runs);
    text_open(&verdict, 4096);
    batch_add_verdict(module, &verdict);
    html_cell(out, text_ok(&verdict) ? verdict.data : "");
    text_close(&verdict);
    html_row_end(out);
}

static void write_result(FILE *out, const void *subject)
{
    static const char *const columns[] = { "module",   "time",   "gross", "idle",    "own or net",
                                           "emission", "a year", "runs",  "verdict", NULL };
    const struct batch *batch = subject;
    const struct factor_terms terms = factor_terms_of(batch->session, 100);
    struct text text;

    text_open(&text, 4096);
    batch_add_sentence(batch, &text);
    if (text_ok(&text) && text.length)
        html_conclusion(out, text.data);
    text_close(&text);
    write_energies(out, batch);
    html_table(out, "energy and emissions of a run of each module", columns, 6);
    for (size_t i = 0; i < batch->module_count; i++)
        write_row(out, batch, i);
    html_table_end(out);
    html_terms(out);
    html_term(out, "quality", quality_name(batch_quality(batch)));
    text_open(&text, 4096);
    factor_terms_add(&terms, &text);
    html_term(out, "emission factor", text_ok(&text) ? text.data : "");
    text_close(&text);
    html_terms_end(out);
}

static void write_notices(FILE *out, const void *subject)
{
    const struct batch *batch = subject;
    AUTO_NOTICES struct notices all = { .count = 0 };

    batch_notices(batch, &all);
    html_notices(out, &all);
}

bool batch_html(const struct batch *batch, FILE *out, struct error *err)
{
    static const struct html_section sections[] = {
        { "result", "Result", NULL, write_result },
        { "throughput", "Throughput", has_items, write_throughput },
        { "notices", "Notices", NULL, write_notices },
    };
    struct html_head head = {
        .title = "Batch",
        .kind = "carbon batch",
        .about = "",
        .made = "written by carbon " PACKAGE_VERSION,
    };
    struct text about;

    text_open(&about, 4096);
    batch_add_head(batch, true, &about);
    head.about = text_ok(&about) ? about.data : "";
    html_page(out, &head, sections, sizeof sections / sizeof sections[0], batch);
    text_close(&about);
    return !ferror(out) || error_errno(err, "cannot write the page");
}
