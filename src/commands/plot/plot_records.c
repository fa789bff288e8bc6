/* SPDX-License-Identifier: MIT
 * The energy of records as bars. */
#include "commands/plot/plot.h"

#include "base/auto.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>

/* What the bars show of every record alike. */
struct choice {
    bool net;
    bool interval; /* each record of several runs has one; else their deviation is shown */
    bool same;     /* scope and quality */
};

static struct spread spread_of_runs(const struct past *past, bool net)
{
    AUTO_FREE double *values = calloc(past->run_count, sizeof *values);

    for (size_t i = 0; values && i < past->run_count; i++) {
        values[i] = net ? past->runs[i].net_j : past->runs[i].gross_j;
        if (isnan(values[i]))
            return spread_of(NULL, 0);
    }
    return spread_of(values, values ? past->run_count : 0);
}

/* The record's own, else Student's over its runs. */
static struct interval interval_of(const struct past *past, bool net)
{
    const struct spread spread = spread_of_runs(past, net);

    return net && !isnan(past->net_interval_j.low) ? past->net_interval_j : mean_interval(&spread);
}

static bool all_know_net(const struct plot *plot)
{
    for (size_t i = 0; i < plot->past_count; i++)
        if (isnan(spread_of_runs(plot->pasts[i], true).mean))
            return false;
    return true;
}

static struct choice choose(const struct plot *plot)
{
    struct choice choice = { .net = all_know_net(plot), .interval = true, .same = true };

    for (size_t i = 0; i < plot->past_count; i++) {
        const struct past *past = plot->pasts[i], *first = plot->pasts[0];

        choice.interval &= past->run_count < 2 || !isnan(interval_of(past, choice.net).low);
        choice.same &= past->scope == first->scope && past->quality == first->quality;
    }
    return choice;
}

static void make_bar(const struct past *past, const struct choice *choice, struct bar *bar)
{
    const struct spread spread = spread_of_runs(past, choice->net);
    const struct interval interval = interval_of(past, choice->net);
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
    plot->style.quantity = choice->net ? "net energy per run" : "gross energy per run";
    plot->style.unit = "J";
    plot->style.text = units_energy;
    plot->style.doubt = most < 2 ? "" : choice->interval ? "95 % interval of the mean" : "standard deviation";
    snprintf(plot->caption, sizeof plot->caption, "%s%s%s%s%s", kind, runs,
             most < 2 ? "" : "; error bars: ", plot->style.doubt, recorded ? "; counters of a recorded machine" : "");
    text_copy(plot->title, sizeof plot->title, choice->net ? "Net energy per run" : "Gross energy per run");
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
