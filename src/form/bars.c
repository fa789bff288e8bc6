/* SPDX-License-Identifier: MIT
 * Bars in the terminal. */
#include "form/bars.h"

#include "form/paragraph.h"
#include "form/text_columns.h"

#include <math.h>
#include <string.h>

enum { MIN_WIDTH = 40, LABEL_COLUMNS = 160, EIGHTHS = 8, FIGURE_SIZE = 3 * UNITS_SIZE };

/* What is drawn where: cells from 0 to columns. */
struct bars_scale {
    double from, to; /* logarithms on a log scale */
    bool log;
    int columns;
};

struct bars_layout {
    int label, figure;
    struct bars_scale scale;
};

void bars_label(FILE *out, const char *text, int columns, bool utf8)
{
    char shown[4 * LABEL_COLUMNS + 4];

    utf8_fit(shown, sizeof shown, text, (size_t)columns, utf8 ? "…" : "...");
    fprintf(out, "%s%*s", shown, columns - (int)utf8_columns(shown), "");
}

static const char *value_text(const struct bars_style *style, double value, char out[UNITS_SIZE + 24])
{
    char digits[UNITS_SIZE];

    if (!isfinite(value))
        snprintf(out, UNITS_SIZE + 24, "unknown");
    else if (style->text)
        snprintf(out, UNITS_SIZE + 24, "%s", style->text(value, digits));
    else
        snprintf(out, UNITS_SIZE + 24, "%s%s%.20s", units_digits(value, 3, digits), *style->unit ? " " : "",
                 style->unit);
    return out;
}

/* "12.4 J ± 0.31 J", or the range if the interval is asymmetric. */
static void figure_text(const struct bar *bar, const struct bars_style *style, char out[FIGURE_SIZE])
{
    const double above = bar->high - bar->value, below = bar->value - bar->low;
    char value[UNITS_SIZE + 24], low[UNITS_SIZE + 24], high[UNITS_SIZE + 24];

    value_text(style, bar->value, value);
    if (!isfinite(bar->value) || isnan(above) || isnan(below))
        snprintf(out, FIGURE_SIZE, "%s", value);
    else if (fabs(above - below) <= 1e-6 * fabs(above))
        snprintf(out, FIGURE_SIZE, "%s %s %s", value, style->utf8 ? "±" : "+-", value_text(style, above, high));
    else
        snprintf(out, FIGURE_SIZE, "%.32s (%.32s to %.32s)", value, value_text(style, bar->low, low),
                 value_text(style, bar->high, high));
}

static void stretch(struct bars_scale *scale, double value, bool *some)
{
    if (!isfinite(value) || (scale->log && value <= 0))
        return;
    value = scale->log ? log10(value) : value;
    if (scale->log && !*some)
        scale->from = scale->to = value;
    scale->from = fmin(scale->from, value);
    scale->to = fmax(scale->to, value);
    *some = true;
}

/* Of a linear scale 0 is part; one of logarithms goes from decade to decade. */
static struct bars_scale scale_of(const struct bar *bars, size_t count, bool log)
{
    struct bars_scale scale = { .log = log };
    bool some = false;

    for (size_t i = 0; i < count; i++) {
        stretch(&scale, bars[i].value, &some);
        stretch(&scale, bars[i].low, &some);
        stretch(&scale, bars[i].high, &some);
    }
    if (log) {
        scale.from = ceil(scale.from) - 1; /* below the least, which has a bar too */
        scale.to = ceil(scale.to);
    }
    if (scale.to <= scale.from)
        scale.to = scale.from + 1;
    return scale;
}

/* In cells from the scale's start; NAN where it has no place. */
static double place_of(const struct bars_scale *scale, double value)
{
    if (!isfinite(value) || (scale->log && value <= 0))
        return NAN;
    value = scale->log ? log10(value) : value;
    return (value - scale->from) / (scale->to - scale->from) * scale->columns;
}

static struct bars_layout layout_of(const struct bar *bars, size_t count, const struct bars_style *style)
{
    const int width = style->width < MIN_WIDTH ? MIN_WIDTH : style->width;
    struct bars_layout layout = { .scale = scale_of(bars, count, style->log) };

    for (size_t i = 0; i < count; i++) {
        char figure[FIGURE_SIZE];
        const int label = (int)utf8_columns(bars[i].label);

        figure_text(&bars[i], style, figure);
        layout.label = label > layout.label ? label : layout.label;
        layout.figure = (int)utf8_columns(figure) > layout.figure ? (int)utf8_columns(figure) : layout.figure;
    }
    /* the last column stays free: writing there would start a new line on some terminals */
    if (layout.label > width * 2 / 5)
        layout.label = width * 2 / 5;
    if (layout.label > LABEL_COLUMNS)
        layout.label = LABEL_COLUMNS;
    if (layout.label > width - 1 - 2 - layout.figure - 8)
        layout.label = width - 1 - 2 - layout.figure - 8 > 8 ? width - 1 - 2 - layout.figure - 8 : 8;
    layout.scale.columns = width - 1 - layout.label - 1 - 1 - layout.figure;
    if (layout.scale.columns < 4)
        layout.scale.columns = 4;
    return layout;
}

/* What is in one cell of a bar from start to end, both in cells. */
static const char *cell_of(int cell, double start, double end, bool utf8)
{
    static const char *const eighths[] = { " ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█" };
    const double from = fmax(start, cell), to = fmin(end, cell + 1);
    const double part = to - from;

    if (part <= 0)
        return " ";
    if (!utf8)
        return part >= 0.5 ? "#" : " ";
    if (from > cell) /* what begins within the cell has but its right half */
        return part > 0.75 ? "█" : part >= 0.25 ? "▐" : " ";
    return eighths[(int)round(part * EIGHTHS)];
}

/* The interval, if it takes more than one cell: ├─┤ or [-], with the value itself crossed: ├┼┤ or [+]. */
static const char *doubt_of(int cell, int low, int at, int high, bool utf8)
{
    if (low >= high || cell < low || cell > high)
        return NULL;
    if (cell == low)
        return utf8 ? "├" : "[";
    if (cell == high)
        return utf8 ? "┤" : "]";
    if (cell == at)
        return utf8 ? "┼" : "+";
    return utf8 ? "─" : "-";
}

static int cell_at(const struct bars_scale *scale, double value)
{
    const double place = place_of(scale, value);

    if (isnan(place))
        return 0;
    return place < 0 ? 0 : place >= scale->columns ? scale->columns - 1 : (int)place;
}

static void write_bar(FILE *out, const struct bar *bar, const struct bars_scale *scale, const struct bars_style *style)
{
    const double zero = scale->log ? 0 : place_of(scale, 0), place = place_of(scale, bar->value);
    const bool doubted = isfinite(bar->low) && isfinite(bar->high) && isfinite(place);
    const int low = doubted ? cell_at(scale, bar->low) : 0, high = doubted ? cell_at(scale, bar->high) : 0;
    const int at = cell_at(scale, bar->value);

    fputs(style->colour ? "\033[32m" : "", out);
    for (int cell = 0; cell < scale->columns; cell++) {
        const char *doubt = doubt_of(cell, low, at, high, style->utf8);

        if (doubt)
            fputs(doubt, out);
        else
            fputs(isnan(place) ? " " : cell_of(cell, fmin(zero, place), fmax(zero, place), style->utf8), out);
    }
    fputs(style->colour ? "\033[0m" : "", out);
}

/* Where the bars begin and end. */
static void write_scale(FILE *out, const struct bars_layout *layout, const struct bars_style *style)
{
    const struct bars_scale *scale = &layout->scale;
    char from[UNITS_SIZE + 24], to[UNITS_SIZE + 24];
    int room;

    value_text(style, scale->log ? pow(10, scale->from) : scale->from, from);
    value_text(style, scale->log ? pow(10, scale->to) : scale->to, to);
    room = scale->columns - (int)utf8_columns(from) - (int)utf8_columns(to);
    fprintf(out, "%*s%s%*s%s\n", layout->label + 1, "", from, room > 1 ? room : 1, "", to);
}

void bars_write(FILE *out, const struct bar *bars, size_t count, const struct bars_style *style)
{
    const struct bars_layout layout = layout_of(bars, count, style);

    if (*style->title)
        fprintf(out, "%s%s%s\n", style->colour ? "\033[1m" : "", style->title, style->colour ? "\033[0m" : "");
    fprintf(out, "%s%s%s%s\n", style->quantity, *style->unit ? ", in " : "", style->unit,
            style->log ? ", on a logarithmic scale" : "");
    for (size_t i = 0; i < count; i++) {
        char figure[FIGURE_SIZE];

        bars_label(out, bars[i].label, layout.label, style->utf8);
        fputc(' ', out);
        write_bar(out, &bars[i], &layout.scale, style);
        figure_text(&bars[i], style, figure);
        fprintf(out, " %*s%s\n", layout.figure - (int)utf8_columns(figure), "", figure);
    }
    write_scale(out, &layout, style);
    if (*style->caption)
        paragraph_write_within(out, style->width, "", style->caption);
}
