/* SPDX-License-Identifier: MIT
 * Charts in a page. Lengths are parts of the width that there is, and letters are the page's own: a chart fits a phone
 * as well as paper and follows the colours of its reader, which a drawing made beforehand does not. */
#include "base/c_locale.h"
#include "form/html.h"

#include <math.h>

enum { BAR_HEIGHT = 14, PLOT_HEIGHT = 220, GRID = 1000, TICKS_MAX = 5, TICK_HIGHEST = 92 };

static const char *const looks[] = {
    [HTML_LINE] = "line", [HTML_DASHED] = "dashed", [HTML_FAINT] = "faint", [HTML_BAND] = "band"
};

static void open_figure(FILE *out, const char *title)
{
    fputs("<figure>\n<figcaption>", out);
    html_text(out, title);
    fputs("</figcaption>\n", out);
}

/* Where the scale of bars begins and ends. */
struct html_chart_scale {
    double low, high;
};

static double percent(const struct html_chart_scale *scale, double value)
{
    return 100 * (value - scale->low) / (scale->high - scale->low);
}

static void write_rect(FILE *out, const char *class, const struct html_chart_scale *scale, double from, double to)
{
    const double left = percent(scale, fmin(from, to)), right = percent(scale, fmax(from, to));

    c_fprintf(out, "<rect class=\"%s\" x=\"%.3f%%\" y=\"1\" width=\"%.3f%%\" height=\"%d\"/>", class, left,
              right - left, BAR_HEIGHT - 2);
}

static void write_upright(FILE *out, const char *class, double at, int from, int to)
{
    c_fprintf(out, "<line class=\"%s\" x1=\"%.3f%%\" x2=\"%.3f%%\" y1=\"%d\" y2=\"%d\"/>", class, at, at, from, to);
}

static void write_doubt(FILE *out, const struct html_chart_scale *scale, const struct html_bar *bar)
{
    const double low = percent(scale, bar->low), high = percent(scale, bar->high);

    c_fprintf(out, "<line class=\"doubt\" x1=\"%.3f%%\" x2=\"%.3f%%\" y1=\"%d\" y2=\"%d\"/>", low, high, BAR_HEIGHT / 2,
              BAR_HEIGHT / 2);
    write_upright(out, "doubt", low, 3, BAR_HEIGHT - 3);
    write_upright(out, "doubt", high, 3, BAR_HEIGHT - 3);
}

static struct html_chart_scale scale_of(const struct html_bars *bars)
{
    struct html_chart_scale scale = { 0, 0 };

    for (size_t i = 0; i < bars->count; i++) {
        const struct html_bar *bar = &bars->bars[i];
        scale.low = fmin(scale.low, fmin(bar->value, bar->low));
        scale.high = fmax(scale.high, fmax(bar->value, bar->high));
    }
    if (scale.high <= scale.low)
        scale.high = scale.low + 1;
    return scale;
}

static void write_bar(FILE *out, const struct html_chart_scale *scale, const struct html_bar *bar)
{
    fputs("<li><span class=\"label\">", out);
    html_word(out, bar->label);
    fputs("</span> <span class=\"shown\">", out);
    html_text(out, bar->shown);
    fprintf(out,
            "</span>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%%\" height=\"%d\" aria-hidden=\"true\">",
            BAR_HEIGHT);
    if (isfinite(bar->value)) {
        write_rect(out, "value", scale, 0, bar->value);
        if (isfinite(bar->part))
            write_rect(out, "part", scale, 0, fmin(bar->part, bar->value));
        if (isfinite(bar->low) && isfinite(bar->high))
            write_doubt(out, scale, bar);
    }
    write_upright(out, "zero", percent(scale, 0), 0, BAR_HEIGHT);
    fputs("</svg></li>\n", out);
}

/* A kind of drawn line, and its meaning. */
static void write_key(FILE *out, const char *class, bool area, const char *text)
{
    fputs("<li><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"26\" height=\"12\" aria-hidden=\"true\">", out);
    if (area)
        fprintf(out, "<rect class=\"%s\" x=\"1\" y=\"1\" width=\"24\" height=\"10\"/>", class);
    else
        fprintf(out, "<line class=\"%s\" x1=\"0\" x2=\"26\" y1=\"6\" y2=\"6\"/>", class);
    fputs("</svg><span>", out);
    html_text(out, text);
    fputs("</span></li>\n", out);
}

/* Where it begins, its middle and its end. */
static void write_scale(FILE *out, const struct html_chart_scale *scale, html_units *units)
{
    char text[UNITS_SIZE];

    fputs("<div class=\"axis\">", out);
    for (int i = 0; i <= 2; i++) {
        fputs("<span>", out);
        html_text(out, units(scale->low + i * (scale->high - scale->low) / 2, text));
        fputs("</span>", out);
    }
    fputs("</div>\n", out);
}

void html_bars(FILE *out, const struct html_bars *bars)
{
    const struct html_chart_scale scale = scale_of(bars);

    open_figure(out, bars->title);
    fputs("<ul class=\"bars\">\n", out);
    for (size_t i = 0; i < bars->count; i++)
        write_bar(out, &scale, &bars->bars[i]);
    fputs("</ul>\n", out);
    if (bars->units)
        write_scale(out, &scale, bars->units);
    fputs("<ul class=\"legend\">\n", out);
    write_key(out, "value", true, bars->value);
    if (bars->part)
        write_key(out, "part", true, bars->part);
    if (bars->doubt)
        write_key(out, "doubt", false, bars->doubt);
    fputs("</ul>\n</figure>\n", out);
}

/* The height of the plot: 0 to somewhat above the highest, and further down where something is below 0. */
static struct html_chart_scale heights_of(const struct html_timeline *timeline)
{
    struct html_chart_scale scale = { 0, 0 };

    for (size_t i = 0; i < timeline->count; i++)
        for (size_t j = 0; timeline->lines[i].look != HTML_BAND && j < timeline->lines[i].count; j++) {
            scale.low = fmin(scale.low, timeline->lines[i].steps[j].value);
            scale.high = fmax(scale.high, timeline->lines[i].steps[j].value);
        }
    if (scale.high <= scale.low)
        scale.high = scale.low + 1;
    scale.high += (scale.high - scale.low) / 10;
    return scale;
}

/* 1, 2 or 5 times a power of ten. */
static double tick_of(const struct html_chart_scale *heights)
{
    const double min = (heights->high - heights->low) / TICKS_MAX, ten = pow(10, floor(log10(min)));

    return min <= ten ? ten : min <= 2 * ten ? 2 * ten : min <= 5 * ten ? 5 * ten : 10 * ten;
}

static void write_ticks(FILE *out, const struct html_timeline *timeline, const struct html_chart_scale *heights)
{
    const double tick = tick_of(heights);
    char text[UNITS_SIZE];

    for (double at = ceil(heights->low / tick) * tick; at < heights->high; at += tick) {
        const double y = 100 - percent(heights, at);
        c_fprintf(out, "<line class=\"grid\" x1=\"0\" x2=\"100%%\" y1=\"%.2f%%\" y2=\"%.2f%%\"/>", y, y);
    }
    for (double at = ceil(heights->low / tick) * tick; percent(heights, at) < TICK_HIGHEST; at += tick) {
        c_fprintf(out, "<text x=\"2\" y=\"%.2f%%\" dy=\"-3\">", 100 - percent(heights, at));
        html_text(out, timeline->height(fabs(at) < tick / 2 ? 0 : at, text));
        fputs("</text>\n", out);
    }
}

static void write_bands(FILE *out, const struct html_line *line, const struct html_chart_scale *times)
{
    for (size_t i = 0; i < line->count; i++) {
        const double left = percent(times, line->steps[i].from), right = percent(times, line->steps[i].to);
        c_fprintf(out, "<rect class=\"band\" x=\"%.3f%%\" y=\"0\" width=\"%.3f%%\" height=\"100%%\"/>\n", left,
                  right - left);
    }
}

/* From each step to the next, with a gap where nothing is known. */
static void write_steps(FILE *out, const struct html_line *line, const struct html_chart_scale *times,
                        const struct html_chart_scale *heights)
{
    const double unit = (times->high - times->low) / (10 * GRID);
    double end = NAN;

    fprintf(out, "<path class=\"%s\" d=\"M0 %d", looks[line->look], GRID);
    for (size_t i = 0; i < line->count; i++) {
        const struct html_step *step = &line->steps[i];
        const double x = GRID * percent(times, step->from) / 100;
        const double y = GRID * (1 - percent(heights, step->value) / 100);

        if (isnan(step->value)) {
            end = NAN;
            continue;
        }
        if (fabs(step->from - end) <= unit)
            c_fprintf(out, "V%.5g", y);
        else
            c_fprintf(out, "M%.6g %.5g", x, y);
        c_fprintf(out, "H%.6g", GRID * percent(times, step->to) / 100);
        end = step->to;
    }
    fputs("\"/>\n", out);
}

void html_timeline(FILE *out, const struct html_timeline *timeline)
{
    const struct html_chart_scale heights = heights_of(timeline);
    const struct html_chart_scale times = { timeline->from,
                                            timeline->to > timeline->from ? timeline->to : timeline->from + 1 };
    char text[UNITS_SIZE];

    open_figure(out, timeline->title);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" width=\"100%%\" height=\"%d\" role=\"img\" "
            "aria-label=\"",
            PLOT_HEIGHT);
    html_text(out, timeline->about);
    fputs("\">\n", out);
    for (size_t i = 0; i < timeline->count; i++)
        if (timeline->lines[i].look == HTML_BAND)
            write_bands(out, &timeline->lines[i], &times);
    write_ticks(out, timeline, &heights);
    fprintf(out, "<svg width=\"100%%\" height=\"100%%\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\">\n", GRID,
            GRID);
    for (size_t i = timeline->count; i-- > 0;)
        if (timeline->lines[i].look != HTML_BAND)
            write_steps(out, &timeline->lines[i], &times, &heights);
    fputs("</svg></svg>\n<div class=\"axis\">", out);
    for (int i = 0; i <= 2; i++) {
        fputs("<span>", out);
        html_text(out, timeline->time(times.low + i * (times.high - times.low) / 2, text));
        fputs("</span>", out);
    }
    fputs("</div>\n<ul class=\"legend\">\n", out);
    for (size_t i = 0; i < timeline->count; i++)
        write_key(out, looks[timeline->lines[i].look], timeline->lines[i].look == HTML_BAND, timeline->lines[i].name);
    fputs("</ul>\n</figure>\n", out);
}
