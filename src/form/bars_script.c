/* SPDX-License-Identifier: MIT
 * Bars as a script for gnuplot. */
#include "base/c_locale.h"
#include "form/bars.h"

#include "form/gnuplot.h"
#include "form/text_columns.h"

#include <math.h>

enum { LABEL_ROOM = 96 }; /* characters of all labels under the whole chart */

static bool drawn(const struct bar *bar, bool log)
{
    return isfinite(bar->value) && (!log || bar->value > 0);
}

static bool doubted(const struct bar *bar, bool log)
{
    return drawn(bar, log) && isfinite(bar->low) && isfinite(bar->high);
}

/* Where a scale of logarithms begins: below the least figure, which has a bar too. */
static double log_start(const struct bar *bars, size_t count)
{
    double min = INFINITY;

    for (size_t i = 0; i < count; i++) {
        min = drawn(&bars[i], true) ? fmin(min, bars[i].value) : min;
        min = doubted(&bars[i], true) && bars[i].low > 0 ? fmin(min, bars[i].low) : min;
    }
    return isfinite(min) ? pow(10, ceil(log10(min)) - 1) : 1;
}

static void write_data(FILE *out, const struct bar *bars, size_t count, bool log)
{
    const double start = log ? log_start(bars, count) : -INFINITY;

    fputs("$bars << CARBON\n", out);
    for (size_t i = 0; i < count; i++)
        if (drawn(&bars[i], log))
            c_fprintf(out, "%zu %.9g\n", i, bars[i].value);
    fputs("CARBON\n$doubts << CARBON\n", out);
    for (size_t i = 0; i < count; i++)
        if (doubted(&bars[i], log))
            c_fprintf(out, "%zu %.9g %.9g %.9g\n", i, bars[i].value, fmax(bars[i].low, start), bars[i].high);
    fputs("CARBON\n", out);
}

/* A tic's label is a format: % is doubled. */
static void write_tic(FILE *out, const char *label, size_t columns)
{
    char cut[sizeof((struct bar *)0)->label], doubled[2 * sizeof cut];
    size_t filled = 0;

    utf8_fit(cut, sizeof cut, label, columns, "…");
    for (const char *c = cut; *c; c++) {
        doubled[filled++] = *c;
        if (*c == '%')
            doubled[filled++] = '%';
    }
    doubled[filled] = '\0';
    gnuplot_text(out, doubled);
}

/* Labels that do not fit are slanted, and cut before they leave the chart. */
static void write_tics(FILE *out, const struct bar *bars, size_t count)
{
    const size_t room = LABEL_ROOM / count;
    size_t longest = 0;

    for (size_t i = 0; i < count; i++)
        longest = utf8_columns(bars[i].label) > longest ? utf8_columns(bars[i].label) : longest;
    const bool slanted = longest > room;
    fprintf(out, "set xtics nomirror scale 0%s (", slanted ? " rotate by -25" : "");
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        write_tic(out, bars[i].label, slanted ? 28 : room);
        fprintf(out, " %zu", i);
    }
    fputs(")\n", out);
}

static void write_figures(FILE *out, const struct bar *bars, size_t count, const struct bars_style *style)
{
    for (size_t i = 0; i < count; i++) {
        const bool below = drawn(&bars[i], style->log) && bars[i].value < 0;
        double at = doubted(&bars[i], style->log) ? (below ? bars[i].low : bars[i].high) : bars[i].value;
        char text[UNITS_SIZE + 24], digits[UNITS_SIZE];

        if (!isfinite(bars[i].value))
            snprintf(text, sizeof text, "unknown");
        else if (style->text)
            snprintf(text, sizeof text, "%s", style->text(bars[i].value, digits));
        else
            snprintf(text, sizeof text, "%s %.20s", units_digits(bars[i].value, 3, digits), style->unit);
        fputs("set label ", out);
        gnuplot_text(out, text);
        if (drawn(&bars[i], style->log))
            c_fprintf(out, " at first %zu, first %.9g center offset 0,%s front\n", i, at, below ? "-0.8" : "0.8");
        else
            fprintf(out, " at first %zu, graph 0 center offset 0,0.8 front\n", i);
    }
}

/* Across the whole chart, named at its right end. */
static void write_lines(FILE *out, const struct bars_style *style)
{
    for (size_t i = 0; i < style->line_count; i++) {
        c_fprintf(out, "set arrow from graph 0, first %.9g to graph 1, first %.9g nohead dashtype 2 front\n",
                  style->lines[i].value, style->lines[i].value);
        fputs("set label ", out);
        gnuplot_text(out, style->lines[i].label);
        c_fprintf(out, " at graph 1, first %.9g right offset 0,0.5 front\n", style->lines[i].value);
    }
}

static void write_range(FILE *out, const struct bar *bars, size_t count, const struct bars_style *style)
{
    const bool log = style->log;
    double min = 0, max = 0, start = log ? log_start(bars, count) : 0;

    for (size_t i = 0; i < style->line_count; i++)
        max = fmax(max, style->lines[i].value);
    if (log && style->line_count)
        start = fmin(start, log_start(style->lines, style->line_count));

    for (size_t i = 0; i < count; i++)
        if (drawn(&bars[i], log)) {
            min = fmin(min, doubted(&bars[i], log) ? bars[i].low : bars[i].value);
            max = fmax(max, doubted(&bars[i], log) ? bars[i].high : bars[i].value);
        }
    if (log)
        c_fprintf(out, "set logscale y\nset format y '%%g'\nset yrange [%.9g:%.9g]\n", start, max > 0 ? 2 * max : 10);
    else if (min < 0)
        c_fprintf(out, "set yrange [%.9g:%.9g]\nset xzeroaxis linetype -1\n", min - 0.12 * (max - min),
                  max + 0.12 * (max - min));
    else
        c_fprintf(out, "set yrange [0:%.9g]\n", max > 0 ? 1.12 * max : 1);
}

void bars_script(FILE *out, const struct bar *bars, size_t count, const struct bars_style *style)
{
    char axis[200];

    write_data(out, bars, count, style->log);
    if (*style->title) {
        fputs("set title ", out);
        gnuplot_text(out, style->title);
        fputs(" offset 0,-0.3\n", out);
    }
    snprintf(axis, sizeof axis, "%.160s%s%.20s%s", style->quantity, *style->unit ? " (" : "", style->unit,
             *style->unit ? ")" : "");
    fputs("set ylabel ", out);
    gnuplot_text(out, axis);
    fputc('\n', out);
    if (*style->caption) {
        fputs("set xlabel ", out);
        gnuplot_text(out, style->caption);
        fputc('\n', out);
    }
    write_tics(out, bars, count);
    write_range(out, bars, count, style);
    write_lines(out, style);
    write_figures(out, bars, count, style);
    fprintf(out,
            "set xrange [-0.6:%zu.6]\n"
            "set border 3\nset ytics nomirror\nset grid ytics linecolor '#d0d0d0' linetype 1\n"
            "set style fill solid 1 noborder\nset boxwidth 0.6\nset pointintervalbox 0\n"
            "set key outside bottom center horizontal height 1\n"
            "plot $bars using 1:2 with boxes linecolor '#4477aa' title ",
            count - 1);
    gnuplot_text(out, style->quantity);
    if (*style->doubt) {
        fputs(", $doubts using 1:2:3:4 with yerrorbars linecolor '#222222' linewidth 1.5 pointtype 7 pointsize 0.3 "
              "title ",
              out);
        gnuplot_text(out, style->doubt);
    }
    fputc('\n', out);
}
