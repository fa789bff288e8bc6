/* SPDX-License-Identifier: MIT
 * What a chart is made of: results read back, be they records, documents that hold records, or a time series. Used by
 * cmd_plot.c, plot_batch.c and plot_records.c. Begin with plot_open().
 *
 * stored_record.h is a record as plain figures again, sample_read.h a time series thinned while it is read: energies
 * only grow, so that leaving readings out loses nothing of the mean power between those that stay. plot.c has a table
 * of the documents that can be drawn, a reader function for each; what it draws is a list of struct bar or a struct
 * timeline, each with a form for the terminal and one that writes a script for gnuplot. The script goes to
 * gnuplot's standard input from memory, its drawing comes back into memory: no shell, no start-up file of the user,
 * and no file before there is a chart. */
#ifndef COMMANDS_PLOT_PLOT_H
#define COMMANDS_PLOT_PLOT_H

#include "commands/plot/timeline.h"
#include "form/bars.h"
#include "form/gnuplot.h"
#include "result/stored/stored_record.h"

struct plot {
    struct stored_record **pasts; /* each record, in the order that they were given */
    size_t stored_count;
    struct sample_series series;
    const char *series_path; /* NULL: there is no time series */
    struct timeline timeline;

    struct bar *bars; /* where there is no time series */
    size_t bar_count;
    struct bars_style style; /* of the bars; its texts stand below */
    char title[256], caption[256];

    struct notices notices; /* what was found on the way */
};

/* Reads them all. Given to plot_close in the end, after a failure too. */
bool plot_open(struct plot *plot, char *const *paths, size_t count, struct error *err) MUST_CHECK;
void plot_close(struct plot *plot);

/* How it is to look; title NULL: its own. */
struct plot_style {
    const char *title;
    int width;
    bool utf8, colour;
};

/* A chart in the terminal. */
void plot_write(const struct plot *plot, const struct plot_style *style, FILE *out);

/* Draws with gnuplot. */
bool plot_draw(const struct plot *plot, const struct plot_style *style, enum chart_form form, FILE *out,
               struct error *err) MUST_CHECK;

/* plot_records.c: a bar for each record: its net energy, where all of them know it, else gross. What makes them unlike
 * is noticed. */
bool plot_records(struct plot *plot, struct error *err) MUST_CHECK;

/* plot_batch.c: a bar for each module of a batch: what it adds to a year (DIF), with its 95 % interval. */
struct cJSON;
bool plot_batch(const struct cJSON *document, const char *path, struct plot *plot, struct error *err) MUST_CHECK;

#endif
