/* SPDX-License-Identifier: MIT
 * Power over time as a script for gnuplot. */
#include "base/c_locale.h"
#include "commands/plot/timeline.h"

#include "form/gnuplot.h"

#include <math.h>

enum { MAX_MARKS = 200 }; /* more would be a wall */

/* Paul Tol's bright colours, distinguished by those who see fewer of them, too. */
static const char *const colours[] = { "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb" };

/* From each point to the next on one height; a gap where nothing is known. */
static void write_series(FILE *out, const struct timeline *timeline, size_t domain)
{
    const double *time_s = timeline->series->time_s;
    bool open = false;

    fprintf(out, "$series%zu << CARBON\n", domain);
    for (size_t i = 0; i + 1 < timeline->series->point_count; i++) {
        const double w = timeline_w(timeline, domain, i);

        if (!isnan(w))
            c_fprintf(out, "%.9g %.6g\n%.9g %.6g\n", time_s[i], w, time_s[i + 1], w);
        else if (open)
            fputc('\n', out);
        open = !isnan(w);
    }
    fputs("CARBON\n", out);
}

static void write_line(FILE *out, double at_s, const char *kind)
{
    c_fprintf(out, "set arrow from first %.9g, graph 0 to first %.9g, graph 1 nohead back %s\n", at_s, at_s, kind);
}

static void write_name(FILE *out, const char *name, double at_s, const char *place)
{
    fputs("set label ", out);
    gnuplot_text(out, name);
    c_fprintf(out, " at first %.9g, %s front\n", at_s, place);
}

/* A band for each baseline, lines for each run; their names where there is room. */
static void write_windows(FILE *out, const struct timeline *timeline)
{
    const struct sample_series *series = timeline->series;
    const double room_s = (timeline->max_s - timeline->min_s) / 14;

    if (series->window_count > MAX_MARKS)
        return;
    for (size_t i = 0; i < series->window_count; i++) {
        const struct sample_window *window = &series->windows[i];
        char name[64];

        if (window->phase == SAMPLE_OTHER)
            continue;
        if (window->phase == SAMPLE_BASELINE) {
            c_fprintf(out,
                      "set object rectangle from first %.9g, graph 0 to first %.9g, graph 1 behind "
                      "fillcolor '#e8e8e8' fillstyle solid noborder\n",
                      window->start_s, window->end_s);
            continue;
        }
        snprintf(name, sizeof name, "%s %zu", window->phase == SAMPLE_RUN ? "run" : "warm-up", window->number);
        write_line(out, window->start_s, "linecolor '#888888' dashtype 2");
        write_line(out, window->end_s, "linecolor '#888888' dashtype 2");
        if (window->end_s - window->start_s >= room_s)
            write_name(out, name, (window->start_s + window->end_s) / 2, "graph 0.97 center");
    }
}

static void write_phases(FILE *out, const struct timeline *timeline)
{
    const struct stored_record *stored = timeline->stored;

    for (size_t i = 0; stored && i < stored->phase_count && stored->phase_count <= MAX_MARKS; i++) {
        const struct stored_phase *phase = &stored->phases[i];
        const struct sample_window *run = timeline_run(timeline, phase->warmup, phase->run);

        if (!run)
            continue;
        write_line(out, run->start_s + phase->at_s, "linecolor '#555555' dashtype 3");
        write_name(out, phase->name, run->start_s + phase->at_s, "graph 0.91 left offset 0.5,0 textcolor '#555555'");
    }
}

/* The mean power of each baseline, over its time. */
static bool write_idle(FILE *out, const struct timeline *timeline)
{
    const struct stored_record *stored = timeline->stored;
    size_t known = 0;

    fputs("$idle << CARBON\n", out);
    for (size_t i = 0; stored && i < stored->baseline_count; i++) {
        const struct stored_baseline *baseline = &stored->baselines[i];
        const double from_s = baseline->start_s + timeline->offset_s;

        if (!isnan(baseline->w) && !isnan(from_s))
            c_fprintf(out, "%s%.9g %.6g\n%.9g %.6g\n", known++ ? "\n" : "", from_s, baseline->w,
                      from_s + baseline->duration_s, baseline->w);
    }
    fputs("CARBON\n", out);
    return known > 0;
}

static void write_plot(FILE *out, const struct timeline *timeline, bool idle)
{
    const struct sample_series *series = timeline->series;
    const char *before = "plot ";
    bool banded = false;

    for (size_t i = 0; i < series->window_count && series->window_count <= MAX_MARKS; i++)
        banded |= series->windows[i].phase == SAMPLE_BASELINE;
    for (size_t i = 0; i < timeline->shown_count; i++) {
        const size_t domain = timeline->shown[i];

        fprintf(out, "%s$series%zu using 1:2 with lines linewidth 1.2 linecolor '%s' title ", before, domain,
                colours[i % (sizeof colours / sizeof colours[0])]);
        gnuplot_text(out, series->names[domain]);
        before = ", ";
    }
    if (timeline->stored)
        fprintf(out, ", $series%d using 1:2 with lines linewidth 3 linecolor 'black' title 'total (scope %s)'",
                TIMELINE_TOTAL, scope_name(timeline->stored->scope));
    if (banded)
        fputs(", NaN with boxes fillstyle solid noborder linecolor '#d8d8d8' title 'baseline'", out);
    if (idle)
        fputs(", $idle using 1:2 with lines linewidth 2.5 dashtype 2 linecolor '#cc3311' title 'idle (mean of the "
              "baseline)'",
              out);
    fputc('\n', out);
}

void timeline_script(FILE *out, const struct timeline *timeline, const struct timeline_style *style)
{
    bool idle;

    for (size_t i = 0; i < timeline->shown_count; i++)
        write_series(out, timeline, timeline->shown[i]);
    if (timeline->stored)
        write_series(out, timeline, TIMELINE_TOTAL);
    idle = write_idle(out, timeline);
    if (*style->title) {
        fputs("set title ", out);
        gnuplot_text(out, style->title);
        fputs(" offset 0,-0.3\n", out);
    }
    c_fprintf(out,
              "set xlabel 'time since the meter was opened (s)'\nset ylabel 'power (W)'\n"
              "set xrange [%.9g:%.9g]\nset yrange [0:%.6g]\n"
              "set border 3\nset xtics nomirror\nset ytics nomirror\nset grid ytics linecolor '#d0d0d0' linetype 1\n"
              "set key outside bottom center horizontal height 1\n",
              timeline->min_s, timeline->max_s, timeline->max_w > 0 ? 1.2 * timeline->max_w : 1);
    write_windows(out, timeline);
    write_phases(out, timeline);
    write_plot(out, timeline, idle);
}
