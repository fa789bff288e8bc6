/* SPDX-License-Identifier: MIT
 * The energy of records as bars. */
#include "commands/plot/plot.h"

#include "base/auto.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>

/* What the bars show of every record alike. */
struct choice {
    enum figure figure; /* own where all tell it by one method that is not net; net where all know it; else gross */
    bool interval;      /* each record of several runs has one; else their deviation is shown */
    bool same;          /* scope and quality */
};

static struct sample_stats spread_of_runs(const struct stored_record *stored, enum figure figure)
{
    const struct run_series series = stored_record_series(stored, "");

    return series_spread(&series, figure);
}

/* The record's own, else Student's over its runs. */
static struct interval interval_of(const struct stored_record *stored, enum figure figure)
{
    const struct sample_stats spread = spread_of_runs(stored, figure);

    return figure == FIGURE_NET_J && !isnan(stored->net_interval_j.low) ? stored->net_interval_j
                                                                        : mean_interval(&spread);
}

static enum figure figure_of_all(const struct plot *plot)
{
    const enum own_method method = plot->pasts[0]->own_method;
    bool own = method > OWN_NET, net = true;

    for (size_t i = 0; i < plot->stored_count; i++) {
        own &= plot->pasts[i]->own_method == method && spread_of_runs(plot->pasts[i], FIGURE_OWN_J).count > 0;
        net &= spread_of_runs(plot->pasts[i], FIGURE_NET_J).count > 0;
    }
    return own ? FIGURE_OWN_J : net ? FIGURE_NET_J : FIGURE_GROSS_J;
}

static struct choice choose(const struct plot *plot)
{
    struct choice choice = { .figure = figure_of_all(plot), .interval = true, .same = true };

    for (size_t i = 0; i < plot->stored_count; i++) {
        const struct stored_record *stored = plot->pasts[i], *first = plot->pasts[0];

        choice.interval &= stored->run_count < 2 || !isnan(interval_of(stored, choice.figure).low);
        choice.same &= stored->scope == first->scope && stored->quality == first->quality;
    }
    return choice;
}

static void make_bar(const struct stored_record *stored, const struct choice *choice, struct bar *bar)
{
    const struct sample_stats spread = spread_of_runs(stored, choice->figure);
    const struct interval interval = interval_of(stored, choice->figure);
    const double doubt = spread.count > 1 ? spread.deviation : NAN;

    bar->value = spread.mean;
    bar->low = choice->interval ? interval.low : spread.mean - doubt;
    bar->high = choice->interval ? interval.high : spread.mean + doubt;
    stored_record_name(stored, bar->label, sizeof bar->label);
    if (!choice->same) {
        char name[96];

        text_copy(name, sizeof name, bar->label);
        snprintf(bar->label, sizeof bar->label, "%s, %s: %s", scope_name(stored->scope), quality_name(stored->quality),
                 name);
    }
}

/* "scope compute, measured; 3 to 5 runs each; error bars: ..." */
static void describe(struct plot *plot, const struct choice *choice)
{
    size_t min = plot->pasts[0]->run_count, max = min;
    char kind[64] = "", runs[64];
    bool recorded = false;

    for (size_t i = 0; i < plot->stored_count; i++) {
        const size_t count = plot->pasts[i]->run_count;

        min = count < min ? count : min;
        max = count > max ? count : max;
        recorded |= plot->pasts[i]->recorded_tree;
    }
    if (choice->same)
        snprintf(kind, sizeof kind, "scope %s, %s; ", scope_name(plot->pasts[0]->scope),
                 quality_name(plot->pasts[0]->quality));
    if (min == max)
        snprintf(runs, sizeof runs, "%zu run%s", max, max == 1 ? "" : "s");
    else
        snprintf(runs, sizeof runs, "%zu to %zu runs", min, max);
    plot->style.quantity = choice->figure == FIGURE_OWN_J   ? "own energy per run"
                           : choice->figure == FIGURE_NET_J ? "net energy per run"
                                                            : "gross energy per run";
    plot->style.unit = "J";
    plot->style.text = units_energy;
    plot->style.doubt = max < 2 ? "" : choice->interval ? "95 % interval of the mean" : "standard deviation";
    snprintf(plot->caption, sizeof plot->caption, "%s%s%s%s%s%s", kind,
             choice->figure == FIGURE_OWN_J ? "by CPU time; " : "", runs,
             max < 2 ? "" : "; error bars: ", plot->style.doubt, recorded ? "; counters of a recorded machine" : "");
    text_copy(plot->title, sizeof plot->title,
              choice->figure == FIGURE_OWN_J   ? "Own energy per run"
              : choice->figure == FIGURE_NET_J ? "Net energy per run"
                                               : "Gross energy per run");
}

static void note_differences(struct plot *plot)
{
    for (size_t i = 1; i < plot->stored_count; i++) {
        struct error difference;

        if (!stored_record_comparable(plot->pasts[0], plot->pasts[i], &difference))
            notice_add_error(&plot->notices, NOTICE_MIXED, &difference);
    }
}

bool plot_records(struct plot *plot, struct error *err)
{
    const struct choice choice = choose(plot);
    bool known = false;

    plot->bars = calloc(plot->stored_count, sizeof *plot->bars);
    if (!plot->bars)
        return error_set(err, ERROR_SYSTEM, "no memory to draw");
    plot->bar_count = plot->stored_count;
    for (size_t i = 0; i < plot->stored_count; i++) {
        make_bar(plot->pasts[i], &choice, &plot->bars[i]);
        known |= !isnan(plot->bars[i].value);
    }
    describe(plot, &choice);
    note_differences(plot);
    if (known)
        return true;
    error_set(err, ERROR_BAD_DATA, "there is nothing to draw");
    error_why(err, "no energy is known in '%.200s'", plot->pasts[0]->path);
    return error_fix(err, "see its notices, and 'carbon sources'");
}
