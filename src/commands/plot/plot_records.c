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

static struct spread spread_of_runs(const struct past *past, enum figure figure)
{
    const struct series series = past_series(past, "");

    return series_spread(&series, figure);
}

/* The record's own, else Student's over its runs. */
static struct interval interval_of(const struct past *past, enum figure figure)
{
    const struct spread spread = spread_of_runs(past, figure);

    return figure == FIGURE_NET_J && !isnan(past->net_interval_j.low) ? past->net_interval_j : mean_interval(&spread);
}

static enum figure figure_of_all(const struct plot *plot)
{
    const enum own_method method = plot->pasts[0]->own_method;
    bool own = method > OWN_NET, net = true;

    for (size_t i = 0; i < plot->past_count; i++) {
        own &= plot->pasts[i]->own_method == method && spread_of_runs(plot->pasts[i], FIGURE_OWN_J).count > 0;
        net &= spread_of_runs(plot->pasts[i], FIGURE_NET_J).count > 0;
    }
    return own ? FIGURE_OWN_J : net ? FIGURE_NET_J : FIGURE_GROSS_J;
}

static struct choice choose(const struct plot *plot)
{
    struct choice choice = { .figure = figure_of_all(plot), .interval = true, .same = true };

    for (size_t i = 0; i < plot->past_count; i++) {
        const struct past *past = plot->pasts[i], *first = plot->pasts[0];

        choice.interval &= past->run_count < 2 || !isnan(interval_of(past, choice.figure).low);
        choice.same &= past->scope == first->scope && past->quality == first->quality;
    }
    return choice;
}

static void make_bar(const struct past *past, const struct choice *choice, struct bar *bar)
{
    const struct spread spread = spread_of_runs(past, choice->figure);
    const struct interval interval = interval_of(past, choice->figure);
    const double doubt = spread.count > 1 ? spread.deviation : NAN;

    bar->value = spread.mean;
    bar->low = choice->interval ? interval.low : spread.mean - doubt;
    bar->high = choice->interval ? interval.high : spread.mean + doubt;
    past_name(past, bar->label, sizeof bar->label);
    if (!choice->same) {
        char name[96];

        text_copy(name, sizeof name, bar->label);
        snprintf(bar->label, sizeof bar->label, "%s, %s: %s", scope_name(past->scope), quality_name(past->quality),
                 name);
    }
}

/* "scope compute, measured; 3 to 5 runs each; error bars: ..." */
static void describe(struct plot *plot, const struct choice *choice)
{
    size_t least = plot->pasts[0]->run_count, most = least;
    char kind[64] = "", runs[64];
    bool recorded = false;

    for (size_t i = 0; i < plot->past_count; i++) {
        const size_t count = plot->pasts[i]->run_count;

        least = count < least ? count : least;
        most = count > most ? count : most;
        recorded |= plot->pasts[i]->recorded_tree;
    }
    if (choice->same)
        snprintf(kind, sizeof kind, "scope %s, %s; ", scope_name(plot->pasts[0]->scope),
                 quality_name(plot->pasts[0]->quality));
    if (least == most)
        snprintf(runs, sizeof runs, "%zu run%s", most, most == 1 ? "" : "s");
    else
        snprintf(runs, sizeof runs, "%zu to %zu runs", least, most);
    plot->style.quantity = choice->figure == FIGURE_OWN_J   ? "own energy per run"
                           : choice->figure == FIGURE_NET_J ? "net energy per run"
                                                            : "gross energy per run";
    plot->style.unit = "J";
    plot->style.text = units_energy;
    plot->style.doubt = most < 2 ? "" : choice->interval ? "95 % interval of the mean" : "standard deviation";
    snprintf(plot->caption, sizeof plot->caption, "%s%s%s%s%s%s", kind,
             choice->figure == FIGURE_OWN_J ? "by CPU time; " : "", runs,
             most < 2 ? "" : "; error bars: ", plot->style.doubt, recorded ? "; counters of a recorded machine" : "");
    text_copy(plot->title, sizeof plot->title,
              choice->figure == FIGURE_OWN_J   ? "Own energy per run"
              : choice->figure == FIGURE_NET_J ? "Net energy per run"
                                               : "Gross energy per run");
}

static void note_differences(struct plot *plot)
{
    for (size_t i = 1; i < plot->past_count; i++) {
        struct error difference;

        if (!past_comparable(plot->pasts[0], plot->pasts[i], &difference))
            notice_add_error(&plot->notices, NOTICE_MIXED, &difference);
    }
}

bool plot_records(struct plot *plot, struct error *err)
{
    const struct choice choice = choose(plot);
    bool known = false;

    plot->bars = calloc(plot->past_count, sizeof *plot->bars);
    if (!plot->bars)
        return error_set(err, ERROR_SYSTEM, "no memory to draw");
    plot->bar_count = plot->past_count;
    for (size_t i = 0; i < plot->past_count; i++) {
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
