/* SPDX-License-Identifier: MIT
 * The data of a chart: results read back, that is records, documents with records, or a time series. Used by
 * cmd_plot.c, plot_batch.c and plot_records.c. Begin with plot_open().
 *
 * stored_record.h is a record as plain figures again, sample_read.h a time series thinned while it is read: energies
 * only grow, so that omitted readings do not change the mean power between the others. plot.c has a table of the
 * documents that can be drawn, with a reader function for each; it draws a list of struct bar or a struct timeline,
 * each with a form for the terminal and one that writes a script for gnuplot. The script goes to gnuplot's standard
 * input from memory, and its drawing comes back into memory: no shell, no start-up file of the user, and no file before
 * the chart is complete. */
#ifndef COMMANDS_PLOT_PLOT_H
#define COMMANDS_PLOT_PLOT_H

#include "commands/plot/timeline.h"
#include "form/bars.h"
#include "form/gnuplot.h"
#include "result/stored/stored_record.h"

struct plot {
    struct stored_record **pasts; /* each record, in the given order */
    size_t stored_count;
    struct sample_series series;
    const char *series_path; /* NULL: there is no time series */
    struct timeline timeline;

    struct bar *bars; /* without a time series */
    size_t bar_count;
    struct bars_style style; /* of the bars; its texts are stored below */
    char title[256], caption[256];

    struct notices notices; /* notices from reading */
};

/* Reads them all. Call plot_close in any case. */
bool plot_open(struct plot *plot, char *const *paths, size_t count, struct error *err) MUST_CHECK;
void plot_close(struct plot *plot);

/* Its style; title NULL: the default. */
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

/* plot_records.c: one bar per record: net energy if all of them have it, else gross. Differences of method become
 * notices. */
bool plot_records(struct plot *plot, struct error *err) MUST_CHECK;

/* plot_batch.c: one bar per module of a batch: DIF per year, with its 95 % CI. */
struct cJSON;
bool plot_batch(const struct cJSON *document, const char *path, struct plot *plot, struct error *err) MUST_CHECK;

#endif
