/* SPDX-License-Identifier: MIT
 * Bar charts of a batch: the throughput of each module, and its energy in a year. */
#include "commands/batch/batch.h"

#include "base/auto.h"
#include "form/bars.h"
#include "form/gnuplot.h"

#include <math.h>

const char *batch_chart_name(enum batch_chart chart)
{
    return chart == BATCH_THROUGHPUT ? "throughput" : "dif";
}

bool batch_has_chart(const struct batch *batch, enum batch_chart chart)
{
    if (chart != BATCH_THROUGHPUT)
        return batch->module_count > 0;
    for (size_t i = 0; i < batch->module_count; i++)
        if (isfinite(batch->modules[i].items))
            return true;
    return false;
}

/* Theirs has the mean and its standard deviation over the loops. */
static struct bar throughput_bar(const struct batch_module *module)
{
    const struct sample_stats *rate = &module->items_per_s;
    const double doubt = rate->count > 1 ? rate->deviation : NAN;

    return (struct bar){ .value = rate->mean, .low = rate->mean - doubt, .high = rate->mean + doubt };
}

static struct bar dif_bar(const struct report *session, const struct batch_module *module)
{
    const bool own = module->dif == FIGURE_OWN_J;
    const struct interval *dif_j = own ? &module->own_interval_j : &module->verdict.net_j_interval;
    const double duration_s = module->duration_s.mean;

    if (batch_dif_unknown(module) || !module->rates)
        return (struct bar){ .value = NAN, .low = NAN, .high = NAN };
    return (struct bar){
        .value = (own ? &module->own : &module->net)->kgco2eq_per_year,
        .low = batch_kgco2eq_per_year(session, dif_j->low, duration_s),
        .high = batch_kgco2eq_per_year(session, dif_j->high, duration_s),
    };
}

/* A module without items has no throughput, and no bar of it. */
static struct bar *bars_of(const struct batch *batch, enum batch_chart chart, size_t *count)
{
    struct bar *bars = calloc(batch->module_count + batch->reference_count + 1, sizeof *bars);

    *count = 0;
    for (size_t i = 0; bars && i < batch->module_count; i++) {
        const struct batch_module *module = &batch->modules[i];
        if (chart == BATCH_THROUGHPUT && isnan(module->items))
            continue;
        bars[*count] = chart == BATCH_THROUGHPUT ? throughput_bar(module) : dif_bar(batch->session, module);
        text_copy(bars[*count].label, sizeof bars[*count].label, module->name);
        (*count)++;
    }
    return bars;
}

static bool any_own(const struct batch *batch)
{
    for (size_t i = 0; i < batch->module_count; i++)
        if (batch->modules[i].dif == FIGURE_OWN_J)
            return true;
    return false;
}

/* References as bars: in a terminal no line goes across. */
static void add_references(const struct batch *batch, struct bar *bars, size_t *count)
{
    for (size_t i = 0; i < batch->reference_count; i++) {
        bars[*count] = (struct bar){ .value = batch->references[i].items_per_s, .low = NAN, .high = NAN };
        text_copy(bars[(*count)++].label, sizeof bars->label, batch->references[i].name);
    }
}

static struct bars_style style_of(const struct batch *batch, enum batch_chart chart, char *caption, size_t size)
{
    const struct report *session = batch->session;
    char hours[TEXT_NUMBER_SIZE], pue[TEXT_NUMBER_SIZE], factor[UNITS_SIZE];

    if (chart == BATCH_THROUGHPUT) {
        snprintf(caption, size, "mean of %zu loops", batch->loops);
        return (struct bars_style){
            .title = "",
            .quantity = "throughput",
            .unit = "items/s",
            .caption = caption,
            .doubt = "standard deviation",
            .log = true,
        };
    }
    snprintf(caption, size, "%s h a year, PUE %s, %s; scope %s", text_number(session->hours_per_year, hours),
             text_number(session->pue, pue), units_intensity(session->factor.kgco2eq_per_kwh, factor),
             scope_name(session->scope));
    return (struct bars_style){
        .title = "",
        .quantity = any_own(batch) ? "DIF (own) of a year" : "DIF (net) of a year",
        .unit = "kgCO2eq",
        .caption = caption,
        .doubt = "95 % interval",
    };
}

bool batch_draw(const struct batch *batch, enum batch_chart chart, FILE *out, struct error *err)
{
    char caption[256];
    struct bars_style style = style_of(batch, chart, caption, sizeof caption);
    size_t count;
    AUTO_FREE struct bar *bars = bars_of(batch, chart, &count);
    AUTO_FREE char *script = NULL;
    size_t length;
    FILE *memory = open_memstream(&script, &length);

    if (bars && chart == BATCH_THROUGHPUT) {
        style.lines = bars + count;
        add_references(batch, bars + count, &style.line_count);
    }
    if (memory && bars)
        bars_script(memory, bars, count, &style);
    if (!memory || fclose(memory) != 0 || !bars)
        return error_errno(err, "cannot draw");
    return gnuplot_draw(script, CHART_SVG, out, err);
}

void batch_show(const struct batch *batch, enum batch_chart chart, const struct batch_style *style, FILE *out)
{
    char caption[256];
    struct bars_style bars_style = style_of(batch, chart, caption, sizeof caption);
    size_t count;
    AUTO_FREE struct bar *bars = bars_of(batch, chart, &count);

    bars_style.width = style->width;
    bars_style.utf8 = style->utf8;
    bars_style.colour = style->colour;
    if (bars && chart == BATCH_THROUGHPUT)
        add_references(batch, bars, &count);
    if (bars)
        bars_write(out, bars, count, &bars_style);
}
