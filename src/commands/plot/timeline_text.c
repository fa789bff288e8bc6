/* SPDX-License-Identifier: MIT
 * Power over time in the terminal: the total as blocks some lines high, the domains as a line each. */
#include "commands/plot/timeline.h"

#include "base/units.h"
#include "form/bars.h"
#include "form/utf8.h"

#include <math.h>
#include <string.h>

enum { LEAST_WIDTH = 40, MOST_COLUMNS = 512, HEIGHT = 6, LEVELS = 8 };

struct chart {
    FILE *out;
    const struct timeline *timeline;
    const struct timeline_style *style;
    int label, figure, columns;
    double step_s; /* seconds of a column */
};

/* The mean power of each column. */
static double powers_of(const struct chart *chart, size_t domain, double powers_w[MOST_COLUMNS])
{
    const double from_s = chart->timeline->least_s;
    double most_w = 0;

    for (int i = 0; i < chart->columns; i++) {
        powers_w[i] =
            timeline_mean_w(chart->timeline, domain, from_s + i * chart->step_s, from_s + (i + 1) * chart->step_s);
        most_w = fmax(most_w, powers_w[i]);
    }
    return most_w;
}

/* What fills a cell, where the whole cell is 1. At the bottom a little is not nothing. */
static const char *cell_of(double part, bool bottom, bool utf8)
{
    static const char *const blocks[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
    static const char *const signs[] = { " ", ".", ".", ":", "-", "=", "+", "*", "#" };
    int level;

    if (isnan(part) || part <= 0)
        return " ";
    level = (int)round(fmin(part, 1) * LEVELS);
    level = level < 1 && bottom ? 1 : level;
    return utf8 ? blocks[level] : signs[level];
}

/* Behind the last column that is higher than this. */
static int end_of(const struct chart *chart, const double powers_w[MOST_COLUMNS], double w)
{
    int end = chart->columns;

    while (end > 0 && !(powers_w[end - 1] > w))
        end--;
    return end;
}

static void figure_text(const struct chart *chart, size_t domain, double most_w, char text[2 * UNITS_SIZE + 16])
{
    char mean[UNITS_SIZE], most[UNITS_SIZE];

    snprintf(
        text, 2 * UNITS_SIZE + 16, "mean %s, peak %s",
        units_power(timeline_mean_w(chart->timeline, domain, chart->timeline->least_s, chart->timeline->most_s), mean),
        units_power(most_w > 0 ? most_w : NAN, most));
}

/* Rows from the top; the first has the name and the figures. */
static void write_rows(const struct chart *chart, const char *name, size_t domain, int height)
{
    const struct timeline_style *style = chart->style;
    char figure[2 * UNITS_SIZE + 16];
    double powers_w[MOST_COLUMNS];
    const double most_w = powers_of(chart, domain, powers_w);

    figure_text(chart, domain, most_w, figure);
    for (int row = height - 1; row >= 0; row--) {
        const bool first = row == height - 1;

        bars_label(chart->out, first ? name : "", chart->label, style->utf8);
        fprintf(chart->out, " %s", style->colour ? "\033[32m" : "");
        for (int i = 0; i < (first ? chart->columns : end_of(chart, powers_w, most_w / height * row)); i++)
            fputs(cell_of(powers_w[i] / most_w * height - row, row == 0, style->utf8), chart->out);
        fprintf(chart->out, "%s%s%s\n", style->colour ? "\033[0m" : "", first ? " " : "", first ? figure : "");
    }
}

static char sign_at(const struct timeline *timeline, double time_s)
{
    const struct sample_series *series = timeline->series;

    for (size_t i = 0; i < series->window_count; i++)
        if (time_s >= series->windows[i].start_s && time_s <= series->windows[i].end_s)
            return series->windows[i].phase == SAMPLE_OTHER ? '.' : series->windows[i].name[0];
    return ' ';
}

static void write_times(const struct chart *chart)
{
    const struct timeline *timeline = chart->timeline;
    char from[UNITS_SIZE], to[UNITS_SIZE];
    int room;

    bars_label(chart->out, "", chart->label, false);
    fputc(' ', chart->out);
    for (int i = 0; i < chart->columns; i++)
        fputc(sign_at(timeline, timeline->least_s + (i + 0.5) * chart->step_s), chart->out);
    fputs(" b baseline, w warm-up, r run\n", chart->out);
    units_duration(timeline->least_s, from);
    units_duration(timeline->most_s, to);
    room = chart->columns - (int)utf8_columns(from) - (int)utf8_columns(to);
    fprintf(chart->out, "%*s%s%*s%s\n", chart->label + 1, "", from, room > 1 ? room : 1, "", to);
}

static void write_phases(const struct chart *chart)
{
    const struct past *past = chart->timeline->past;

    for (size_t i = 0; past && i < past->phase_count; i++) {
        const struct past_phase *phase = &past->phases[i];
        char at[UNITS_SIZE], duration[UNITS_SIZE];

        fprintf(chart->out, "%s %zu: %s at %s, %s\n", phase->warmup ? "warm-up" : "run", phase->run, phase->name,
                units_duration(phase->at_s, at), units_duration(phase->duration_s, duration));
    }
}

/* The baselines' powers: one, or from the least to the most of them. */
static void write_idle(const struct chart *chart)
{
    const struct past *past = chart->timeline->past;
    char from[UNITS_SIZE], to[UNITS_SIZE];
    double least_w = NAN, most_w = NAN;

    for (size_t i = 0; past && i < past->baseline_count; i++) {
        least_w = fmin(least_w, past->baselines[i].w);
        most_w = fmax(most_w, past->baselines[i].w);
    }
    if (isnan(least_w))
        return;
    units_power(least_w, from);
    units_power(most_w, to);
    fprintf(chart->out, "idle (mean of the baseline): %s%s%s\n", from, strcmp(from, to) != 0 ? " to " : "",
            strcmp(from, to) != 0 ? to : "");
}

static void lay_out(struct chart *chart)
{
    const struct timeline *timeline = chart->timeline;
    const int width = chart->style->width < LEAST_WIDTH ? LEAST_WIDTH : chart->style->width;

    chart->label = (int)strlen("total");
    for (size_t i = 0; i < timeline->shown_count; i++) {
        const int name = (int)utf8_columns(timeline->series->names[timeline->shown[i]]);
        chart->label = name > chart->label ? name : chart->label;
    }
    chart->label = chart->label > width / 4 ? width / 4 : chart->label;
    chart->figure = (int)strlen("mean 00.0 mW, peak 00.0 mW");
    /* the last column stays free, as in bars.c */
    chart->columns = width - 1 - chart->label - 2 - (chart->figure + 1);
    chart->columns = chart->columns < LEVELS ? LEVELS : chart->columns > MOST_COLUMNS ? MOST_COLUMNS : chart->columns;
    chart->step_s = (timeline->most_s - timeline->least_s) / chart->columns;
}

void timeline_write(FILE *out, const struct timeline *timeline, const struct timeline_style *style)
{
    struct chart chart = { .out = out, .timeline = timeline, .style = style };

    lay_out(&chart);
    if (*style->title)
        fprintf(out, "%s%s%s\n", style->colour ? "\033[1m" : "", style->title, style->colour ? "\033[0m" : "");
    fputs("power over time, in W; each row from 0 to its peak\n", out);
    if (timeline->past)
        write_rows(&chart, "total", TIMELINE_TOTAL, HEIGHT);
    for (size_t i = 0; i < timeline->shown_count; i++)
        write_rows(&chart, timeline->series->names[timeline->shown[i]], timeline->shown[i], 1);
    write_times(&chart);
    write_idle(&chart);
    write_phases(&chart);
}
