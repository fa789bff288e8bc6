/* SPDX-License-Identifier: MIT
 * A batch for people: at most 100 columns, and the sum of each module that anyone can redo. */
#include "commands/batch/batch.h"

#include "form/cells.h"
#include "form/notices_text.h"
#include "form/paragraph.h"
#include "result/factor_text.h"
#include "result/formula.h"
#include "result/own_text.h"
#include "result/verdict_text.h"

#include <math.h>

enum { NAME_WIDTH = 18, RUNS_WIDTH = 6, CELL_WIDTH = 11, SPREAD_WIDTH = 20, YEAR_DIGITS = 4 };

static const char *no_net_text(const struct batch_module *module)
{
    return module->verdict.verdict == VERDICT_NO_IDLE_BASELINE ? "no idle baseline" : "not measurable";
}

void batch_add_lack(const struct batch_module *module, struct text *text)
{
    switch (module->verdict.verdict) {
    case VERDICT_NO_IDLE_BASELINE: text_add(text, NET_IS_VOID ", other processes kept the CPUs busy"); break;
    case VERDICT_NOT_MEASURABLE: text_add(text, "the source reports constant power (carbon sources)"); break;
    default: text_add(text, "a baseline or a run has no energy (-v)"); break;
    }
}

static bool any_own(const struct batch *batch)
{
    for (size_t i = 0; i < batch->module_count; i++)
        if (batch->modules[i].dif == FIGURE_OWN_J)
            return true;
    return false;
}

static const struct emission *dif_of(const struct batch_module *module)
{
    return module->dif == FIGURE_OWN_J ? &module->own : &module->net;
}

static double dif_w(const struct batch_module *module)
{
    return module->dif == FIGURE_OWN_J ? module->own_w : module->net_w;
}

static bool any_items(const struct batch *batch)
{
    for (size_t i = 0; i < batch->module_count; i++)
        if (isfinite(batch->modules[i].items))
            return true;
    return false;
}

static void print_throughput(FILE *out, const struct batch_module *module)
{
    char mean[UNITS_SIZE], deviation[UNITS_SIZE], cell[3 * UNITS_SIZE];
    const struct sample_stats *rate = &module->items_per_s;

    units_digits(rate->mean, 4, mean);
    snprintf(cell, sizeof cell, rate->count > 1 ? "%s ± %s" : "%s", mean, units_digits(rate->deviation, 2, deviation));
    cell_write(out, SPREAD_WIDTH, isfinite(module->items) ? cell : "-");
}

static void print_runs(FILE *out, const struct batch *batch, const struct batch_module *module)
{
    char cell[64];

    snprintf(cell, sizeof cell, "%zu/%zu", module->counted, batch->loops);
    cell_write(out, RUNS_WIDTH, cell);
    cell_write(out, CELL_WIDTH, units_duration(module->duration_s.mean, cell));
}

/* What one run takes. */
static void print_per_run(FILE *out, const struct batch *batch)
{
    const bool items = any_items(batch);

    cell_name(out, NAME_WIDTH, "per run");
    cell_write(out, RUNS_WIDTH, "runs");
    cell_write(out, CELL_WIDTH, "time");
    cell_write(out, CELL_WIDTH, "RAW gross");
    cell_write(out, CELL_WIDTH, "BAS idle");
    cell_write(out, SPREAD_WIDTH, any_own(batch) ? "DIF own" : "DIF net");
    if (items)
        cell_write(out, SPREAD_WIDTH, "items/s");
    fputc('\n', out);
    for (size_t i = 0; i < batch->module_count; i++) {
        const struct batch_module *module = &batch->modules[i];
        cell_name(out, NAME_WIDTH, module->name);
        print_runs(out, batch, module);
        cell_spread(out, CELL_WIDTH, &module->gross_j, false, units_energy);
        cell_spread(out, CELL_WIDTH, &module->idle_j, false, units_energy);
        if (batch_dif_unknown(module))
            cell_write(out, SPREAD_WIDTH, no_net_text(module));
        else
            cell_spread(out, SPREAD_WIDTH, batch_dif_j(module), true, units_energy);
        if (items)
            print_throughput(out, module);
        fputc('\n', out);
    }
}

static void print_year(FILE *out, double kgco2eq)
{
    char cell[UNITS_SIZE];

    cell_write(out, CELL_WIDTH, units_digits(kgco2eq, YEAR_DIGITS, cell));
}

/* The power, and the energy of a year at that power. */
static void print_rates(FILE *out, const struct batch *batch)
{
    static const char *const names[] = { "RAW", "BAS", "DIF", "RAW", "BAS", "DIF" };
    char cell[UNITS_SIZE], year[80], hours[TEXT_NUMBER_SIZE];

    snprintf(year, sizeof year, "kgCO2eq in a year of %s h", text_number(batch->session->hours_per_year, hours));
    cell_name(out, NAME_WIDTH, "");
    cell_write(out, 3 * CELL_WIDTH, "mean power");
    cell_write(out, 3 * CELL_WIDTH, year);
    fputc('\n', out);
    cell_name(out, NAME_WIDTH, "");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        cell_write(out, CELL_WIDTH, names[i]);
    fputc('\n', out);
    for (size_t i = 0; i < batch->module_count; i++) {
        const struct batch_module *module = &batch->modules[i];
        cell_name(out, NAME_WIDTH, module->name);
        cell_write(out, CELL_WIDTH, units_power(module->gross_w, cell));
        cell_write(out, CELL_WIDTH, units_power(module->idle_w, cell));
        cell_write(out, CELL_WIDTH, batch_dif_unknown(module) ? "-" : units_power(dif_w(module), cell));
        print_year(out, module->gross.kgco2eq_per_year);
        print_year(out, module->idle.kgco2eq_per_year);
        if (batch_dif_unknown(module))
            cell_write(out, CELL_WIDTH, "-");
        else
            print_year(out, dif_of(module)->kgco2eq_per_year);
        fputc('\n', out);
    }
}

static void add_failures(const struct batch_module *module, struct text *text)
{
    if (module->problem.kind != ERROR_NONE)
        text_add(text, "; %s%s%s", module->problem.what, module->problem.why[0] ? ": " : "", module->problem.why);
    for (size_t i = 0; i < module->run_count; i++)
        if (batch_run_has_failed(&module->runs[i]))
            text_add(text, "; failed in loop %zu with status %d, and was not run again", module->runs[i].loop,
                     module->runs[i].exit_status);
}

/* DIF where something can be said of it, else RAW. */
static void add_sum(const struct report *session, const struct batch_module *module, struct text *text)
{
    const bool dif = !batch_dif_unknown(module) && isfinite(dif_of(module)->kgco2eq_per_year);
    const double power_w = dif ? dif_w(module) : module->gross_w;
    struct formula formula;

    if (!isfinite(power_w))
        return;
    formula = formula_of(power_w / 1000 * session->hours_per_year, session->pue, session->factor.kgco2eq_per_kwh, 4);
    text_add(text, "; %s of a year %s = %s", dif ? "DIF" : "RAW", formula.result, formula.terms);
}

static void add_throughput(const struct batch_module *module, struct text *text)
{
    char rate[UNITS_SIZE];

    if (module->pinned_cpus && isfinite(module->items_per_s.mean))
        text_add(text, "; %s items/s per CPU, on %s",
                 units_digits(module->items_per_s.mean / (double)module->pinned_cpus, 4, rate), module->cpus);
}

static void add_range(const struct batch_module *module, struct text *text)
{
    char low[UNITS_SIZE], high[UNITS_SIZE];

    text_add(text, ", range %s to %s", units_energy(module->range_j.low, low),
             units_energy(module->range_j.high, high));
}

static void add_own(const struct batch_module *module, struct text *text)
{
    char own[UNITS_SIZE], low[UNITS_SIZE], high[UNITS_SIZE];

    text_add(text, "own %s%s: %s", own_manner(module->own_method),
             module->own_method == OWN_CPU_TIME ? ", modelled" : "", units_energy(module->own_j.mean, own));
    if (isfinite(module->range_j.low))
        add_range(module, text);
    else if (isfinite(module->own_interval_j.low))
        text_add(text, ", 95 %% CI %s to %s", units_energy(module->own_interval_j.low, low),
                 units_energy(module->own_interval_j.high, high));
}

void batch_add_verdict(const struct batch_module *module, struct text *text)
{
    if (module->dif == FIGURE_OWN_J)
        add_own(module, text);
    else
        verdict_text_of_net(&module->verdict, text);
    if (module->dif == FIGURE_NET_J && isfinite(module->range_j.low))
        add_range(module, text);
}

static void print_module(FILE *out, const struct report *session, const struct batch_module *module)
{
    char label[128];
    struct text text;

    text_open(&text, 1 << 16);
    text_add(&text, "DIF ");
    batch_add_verdict(module, &text);
    add_failures(module, &text);
    add_sum(session, module, &text);
    add_throughput(module, &text);
    snprintf(label, sizeof label, "  %.100s: ", module->name);
    paragraph_write(out, label, text_ok(&text) ? text.data : "");
    text_close(&text);
}

static void print_terms(FILE *out, const struct batch *batch)
{
    const struct report *session = batch->session;
    struct text text;

    text_open(&text, 4096);
    factor_describe(&session->factor, &text);
    text_add(&text, "; PUE %s; hours %s", quality_name(session->pue_quality), quality_name(session->hours_quality));
    paragraph_write(out, "  factor ", text_ok(&text) ? text.data : "");
    text_close(&text);
    text_open(&text, 4096);
    for (size_t i = 0; i < batch->source_count; i++)
        text_add(&text, "%s%s", i ? ", " : "", batch->sources[i]);
    text_add(&text, "; scope %s; ± is the standard deviation over the runs", scope_name(session->scope));
    paragraph_write(out, "  sources ", text_ok(&text) ? text.data : "");
    text_close(&text);
}

static size_t counted_runs(const struct batch *batch)
{
    size_t counted = 0;

    for (size_t i = 0; i < batch->module_count; i++)
        counted += batch->modules[i].counted;
    return counted;
}

static void add_baseline(const struct batch *batch, struct text *text)
{
    char baseline[UNITS_SIZE];

    if (isnan(batch->baseline_s))
        text_add(text, "; a baseline as long as the run");
    else if (batch->baseline_s > 0)
        text_add(text, "; a baseline of %s", units_duration(batch->baseline_s, baseline));
    else
        text_add(text, "; no baseline");
}

void batch_add_head(const struct batch *batch, bool baselines, struct text *text)
{
    const size_t planned = batch->module_count * batch->loops;

    text_add(text, "%zu module%s, %zu loop%s, %s", batch->module_count, batch->module_count == 1 ? "" : "s",
             batch->loops, batch->loops == 1 ? "" : "s", order_name(batch->order));
    if (batch->order == ORDER_SHUFFLED)
        text_add(text, " (seed %llu)", (unsigned long long)batch->seed);
    if (baselines)
        add_baseline(batch, text);
    text_add(text, "; %zu of %zu runs count", counted_runs(batch), planned);
    if (batch->interrupted)
        text_add(text, ", interrupted");
    if (!batch->complete)
        text_add(text, ", partial");
}

bool batch_table(const struct batch *batch, const struct batch_style *style, FILE *out, struct error *err)
{
    struct text head;

    text_open(&head, 4096);
    batch_add_head(batch, true, &head);
    paragraph_write(out, "", text_ok(&head) ? head.data : "");
    text_close(&head);
    fputc('\n', out);
    print_per_run(out, batch);
    fputc('\n', out);
    print_rates(out, batch);
    fputc('\n', out);
    for (size_t i = 0; i < batch->module_count; i++)
        print_module(out, batch->session, &batch->modules[i]);
    print_terms(out, batch);
    for (size_t i = 0; i < BATCH_CHARTS && batch->module_count > 1; i++)
        if (batch_has_chart(batch, (enum batch_chart)i)) {
            fputc('\n', out);
            batch_show(batch, (enum batch_chart)i, style, out);
        }
    fputc('\n', out);
    notices_text(out, &batch->notices, "", style->colour);
    for (size_t i = 0; i < batch->module_count; i++)
        notices_text(out, &batch->modules[i].notices, batch->modules[i].name, style->colour);
    return !ferror(out) || error_errno(err, "cannot write the result");
}
