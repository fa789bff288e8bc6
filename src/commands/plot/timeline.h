/* SPDX-License-Identifier: MIT
 * Power over time: the domains of a time series, with the total, the baselines, the runs and their phases if the record
 * of the same measurement is given. Used by plot.h, timeline_script.c and timeline_text.c. Begin with timeline_of(). */
#ifndef COMMANDS_PLOT_TIMELINE_H
#define COMMANDS_PLOT_TIMELINE_H

#include "result/sample_read.h"
#include "result/stored/stored_record.h"

enum { TIMELINE_TOTAL = CSV_MAX_COLUMNS }; /* the total, instead of a domain's number */

struct timeline {
    const struct sample_series *series;
    const struct stored_record *stored; /* NULL: the counted domains are unknown, so there is no total */
    size_t shown[CSV_MAX_COLUMNS];
    size_t shown_count; /* domains: the counted ones, or all; only those that changed */
    double min_s, max_s, max_w;
    double offset_s; /* add to a time of the record for the time of the series; NAN: unknown */
};

struct timeline_style {
    const char *title; /* "" none */
    /* terminal: */
    int width;
    bool utf8, colour;
};

/* Both must live on. Fails if the record is from another measurement, or if no domain has changed; omitted parts become
 * notices. */
bool timeline_of(const struct sample_series *series, const char *path, const struct stored_record *stored,
                 struct timeline *timeline, struct notices *notices, struct error *err) MUST_CHECK;

/* Mean power from one point to the next, and over a time. NAN unknown. */
double timeline_w(const struct timeline *timeline, size_t domain, size_t point);
double timeline_mean_w(const struct timeline *timeline, size_t domain, double from_s, double to_s);

/* The window of a run in the series; NULL: not in it. */
const struct sample_window *timeline_run(const struct timeline *timeline, bool warmup, size_t number);

/* A chart in the terminal. */
void timeline_write(FILE *out, const struct timeline *timeline, const struct timeline_style *style);

/* timeline_script.c: the script for gnuplot; see form/gnuplot.h. */
void timeline_script(FILE *out, const struct timeline *timeline, const struct timeline_style *style);

#endif
