/* SPDX-License-Identifier: MIT
 * A batch that was written before, as bars. */
#include "commands/plot/plot.h"

#include "base/text.h"
#include "io/json_read.h"

#include <math.h>
#include <stdlib.h>

/* The interval is reported in joules; the interval of a year is in proportion. */
static struct bar bar_of(const struct cJSON *module)
{
    const struct cJSON *interval = json_member(module, "net_interval_j");
    const double net_j = json_number_of(json_member(module, "net_j"), "mean");
    struct bar bar = { .value = json_number_of(json_member(module, "net"), "kgco2eq_per_year") };
    const double per_j = net_j != 0 ? bar.value / net_j : NAN;

    bar.low = json_number_of(interval, "low") * per_j;
    bar.high = json_number_of(interval, "high") * per_j;
    text_copy(bar.label, sizeof bar.label, json_text_of(module, "name"));
    return bar;
}

static void describe(const struct cJSON *document, struct plot *plot)
{
    char hours[TEXT_NUMBER_SIZE];

    plot->style.quantity = "DIF: net kgCO2eq in a year";
    plot->style.unit = "kgCO2eq";
    plot->style.text = units_mass;
    plot->style.doubt = "95 % interval of the mean";
    snprintf(plot->caption, sizeof plot->caption, "scope %.20s; at %s h a year; error bars: %s%s",
             json_text_of(document, "scope"),
             text_number(json_number_of(json_member(document, "hours_per_year"), "value"), hours), plot->style.doubt,
             json_is_true(document, "complete") ? "" : "; not complete");
    text_copy(plot->title, sizeof plot->title, "What each module adds to a year");
}

bool plot_batch(const struct cJSON *document, const char *path, struct plot *plot, struct error *err)
{
    const struct cJSON *modules = json_member(document, "modules");
    bool known = false;

    if (plot->bars)
        return error_set(err, ERROR_USAGE, "one batch is drawn at a time");
    plot->bars = calloc(json_count(modules) + 1, sizeof *plot->bars);
    if (!plot->bars)
        return error_set(err, ERROR_SYSTEM, "no memory to draw");
    for (const struct cJSON *module = json_first(modules); module; module = json_next(module)) {
        plot->bars[plot->bar_count++] = bar_of(module);
        known |= !isnan(plot->bars[plot->bar_count - 1].value);
    }
    describe(document, plot);
    if (known)
        return true;
    error_set(err, ERROR_BAD_DATA, "there is nothing to draw");
    error_why(err, "no module of '%.200s' has a net power", path);
    return error_fix(err, "see its notices, and 'carbon sources'");
}
