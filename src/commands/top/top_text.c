/* SPDX-License-Identifier: MIT
 * An update of `carbon top` for people: the machine's power and its recent course, then a line for each row. */
#include "commands/top/top.h"

#include "app/terminal.h"
#include "base/auto.h"
#include "base/c_locale.h"
#include "base/clock.h"
#include "base/units.h"
#include "form/text_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIGURE_COLUMNS = 11, NAME_NARROW = 12, NAME_WIDE = 40, SPARK_COLUMNS = 40, DOMAIN_LINES = 6, NOTICE_LINES = 2 };
/* on a terminal: the title, the machine, two empty lines, the head, and five lines below the rows */
enum { FIXED_LINES = 10 };

#define BOLD "\033[1m"
#define DIM "\033[2m"
#define REVERSED "\033[7m"
#define PLAIN "\033[0m"

struct top_page {
    const struct top_view *view;
    const struct top_history *history;
    const struct top_style *style;
    FILE *out;
    int name_columns;
};

static const char *if_colour(const struct top_page *text, const char *escape)
{
    return text->style->colour ? escape : "";
}

/* How it went: from nothing to the most that was seen. */
static void print_sparks(const struct top_page *text, const float *watts)
{
    static const char *const blocks[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
    static const char ascii[] = "_.,-~=+#";
    const struct top_history *history = text->history;
    enum { LEVELS = sizeof blocks / sizeof blocks[0] };
    const size_t known = history->count < TOP_HISTORY ? history->count : TOP_HISTORY;
    const size_t shown = known < SPARK_COLUMNS ? known : SPARK_COLUMNS;
    float max_w = 0;

    for (size_t i = 0; i < known; i++)
        max_w = watts[i] > max_w ? watts[i] : max_w;
    for (size_t i = history->count - shown; i < history->count; i++) {
        const float w = watts[i % TOP_HISTORY];
        const int level = w > 0 ? (int)(w / max_w * (LEVELS - 1) + 0.5F) : 0;
        if (isnan(w))
            fputc('?', text->out);
        else if (text->style->utf8)
            fputs(blocks[level], text->out);
        else
            fputc(ascii[level], text->out);
    }
}

static void print_right(const struct top_page *text, const char *figure, int columns)
{
    const int room = columns - (int)utf8_columns(figure);

    fprintf(text->out, "%*s%s", room > 0 ? room : 1, "", figure);
}

static void print_share(const struct top_page *text, double share)
{
    char number[UNITS_SIZE];

    c_snprintf(number, sizeof number, "%.1f %%", share * 100);
    print_right(text, isnan(share) ? "-" : number, 9);
}

/* Nothing where it is not known: the word would fill the table. */
static const char *or_dash(double value, const char *figure)
{
    return isnan(value) ? "-" : figure;
}

static void print_figures(const struct top_page *text, const struct top_figures *figures, double own_w)
{
    char number[UNITS_SIZE], per_hour[UNITS_SIZE + 4];

    print_right(text, or_dash(figures->power_w, units_power(figures->power_w, number)), FIGURE_COLUMNS);
    print_right(text, or_dash(own_w, units_power(own_w, number)), FIGURE_COLUMNS);
    print_right(text, or_dash(figures->energy_j, units_energy(figures->energy_j, number)), FIGURE_COLUMNS);
    print_share(text, figures->cpu_share);
    snprintf(per_hour, sizeof per_hour, "%s/h", units_mass(figures->kgco2eq_per_h, number));
    print_right(text, or_dash(figures->kgco2eq_per_h, per_hour), FIGURE_COLUMNS + 5);
}

static bool has_processes(const struct top_page *text)
{
    return text->view->choice.by == GROUP_PROCESS;
}

static void print_name(const struct top_page *text, const struct top_row *row)
{
    char name[4 * NAME_WIDE + 8], user[64];

    if (has_processes(text)) {
        utf8_fit(user, sizeof user, row->user, 8, text->style->utf8 ? "…" : "~");
        fprintf(text->out, "%8d  %s%*s", (int)row->pid, user, 10 - (int)utf8_columns(user), "");
    }
    utf8_fit(name, sizeof name, row->name[0] ? row->name : "?", (size_t)text->name_columns,
             text->style->utf8 ? "…" : "~");
    fprintf(text->out, "%s%*s", name, text->name_columns - (int)utf8_columns(name), "");
}

static void print_rest(const struct top_page *text, const char *name, size_t count, const struct top_figures *figures,
                       double own_w, enum quality quality)
{
    const int columns = text->name_columns + (has_processes(text) ? 20 : 0);
    char label[64];

    if (count)
        snprintf(label, sizeof label, "%zu %s", count, name);
    else
        snprintf(label, sizeof label, "%s", name);
    fprintf(text->out, "%*s%s", columns - (int)strlen(label), "", label);
    print_figures(text, figures, own_w);
    fprintf(text->out, "  %s\n", quality_name(quality));
}

static void print_title(const struct top_page *text)
{
    const struct top_view *view = text->view;
    const struct factor *factor = &view->collector->factor;
    char time[CLOCK_TEXT_SIZE], number[UNITS_SIZE];

    fprintf(text->out, "%scarbon top%s  %s  after %s", if_colour(text, BOLD), if_colour(text, PLAIN),
            clock_text(view->time, time), units_duration(view->elapsed_s, number));
    fprintf(text->out, "  %s %s", factor->zone[0] ? factor->zone : "own factor",
            units_intensity(factor->kgco2eq_per_kwh, number));
    if (view->collector->pue != 1)
        fprintf(text->out, " x PUE %s", units_digits(view->collector->pue, 3, number));
    if (view->choice.filter[0])
        fprintf(text->out, "  only '%s'", view->choice.filter);
    fputc('\n', text->out);
}

static void print_draw(const struct top_page *text, const char *name, double w, enum quality quality,
                       const float *watts)
{
    char number[UNITS_SIZE], label[64];

    utf8_fit(label, sizeof label, name, 20, "~");
    fprintf(text->out, "%s%*s", label, 20 - (int)utf8_columns(label), "");
    print_right(text, or_dash(w, units_power(w, number)), FIGURE_COLUMNS);
    fprintf(text->out, "  %-10s  ", quality_name(quality));
    print_sparks(text, watts);
    fputc('\n', text->out);
}

/* Those that count, as many as there is room for. */
static size_t print_domains(const struct top_page *text)
{
    const struct collector *collector = text->view->collector;
    const size_t max = text->style->height ? DOMAIN_LINES : ENERGY_MAX_DOMAINS;
    size_t counted = 0, lines = 0;

    for (size_t i = 0; i < collector->meter->domain_count; i++)
        if (collector_counts(collector, i) && ++counted <= max) {
            const struct power_figures *figures = &collector->update.domains[i];
            char name[80];
            snprintf(name, sizeof name, "  %s", collector->meter->domains[i].domain->name);
            print_draw(text, name, figures->w, figures->quality, text->history->domain_w[i]);
            lines++;
        }
    if (counted > max)
        fprintf(text->out, "  and %zu more\n", counted - max);
    return lines + (counted > max);
}

static const char *sort_mark(const struct top_page *text, enum top_sort sort, const char *head, char *out, size_t size)
{
    const char *mark = text->view->choice.reversed ? "^" : "v";

    snprintf(out, size, "%s%s", head, text->view->choice.sort == sort ? mark : "");
    return out;
}

static void print_head(const struct top_page *text)
{
    static const char *const names[GROUP_KINDS] = { "CGROUP", "CONTAINER", "POD", "SLURM JOB", "USER", "PROCESS" };
    const char *name = names[text->view->choice.by];
    char head[32];

    fputs(if_colour(text, REVERSED), text->out);
    if (has_processes(text))
        fprintf(text->out, "%8s  %-10s", "PID", "USER");
    fprintf(text->out, "%-*s", text->name_columns, sort_mark(text, TOP_BY_NAME, name, head, sizeof head));
    print_right(text, sort_mark(text, TOP_BY_POWER, "power", head, sizeof head), FIGURE_COLUMNS);
    print_right(text, "own", FIGURE_COLUMNS);
    print_right(text, sort_mark(text, TOP_BY_ENERGY, "energy", head, sizeof head), FIGURE_COLUMNS);
    print_right(text, sort_mark(text, TOP_BY_CPU, "CPU", head, sizeof head), 9);
    print_right(text, sort_mark(text, TOP_BY_CARBON, "carbon", head, sizeof head), FIGURE_COLUMNS + 5);
    fprintf(text->out, "  quality%s\n", if_colour(text, PLAIN));
}

/* Of a terminal: names take what is left of its width. */
static int name_columns_of(const struct top_view *view, const struct top_style *style)
{
    const int figures = 4 * FIGURE_COLUMNS + 5 + 9 + 2 + 10 + 1, before = view->choice.by == GROUP_PROCESS ? 20 : 0;
    const int left = style->width - figures - before;

    if (!style->width)
        return view->choice.by == GROUP_PROCESS ? 16 : NAME_WIDE;
    return left < NAME_NARROW ? NAME_NARROW : left > NAME_WIDE ? NAME_WIDE : left;
}

static void print_rows(const struct top_page *text, size_t lines)
{
    const struct top_view *view = text->view;
    const size_t first = text->style->first < view->row_count ? text->style->first : 0;
    struct top_others others = view->others;

    for (size_t i = 0; i < view->row_count; i++) {
        const struct top_row *row = &view->rows[i];
        if (i < first || i - first >= lines) {
            top_figures_add(&others.figures, &row->figures);
            others.count++;
            continue;
        }
        print_name(text, row);
        print_figures(text, &row->figures, row->figures.own_w);
        fprintf(text->out, "  %s\n", quality_name(view->row_quality));
    }
    if (text->style->height)
        for (size_t i = view->row_count - first; i < lines; i++)
            fputc('\n', text->out);
    fputs(if_colour(text, DIM), text->out);
    if (others.count)
        print_rest(text, "others", others.count, &others.figures, others.figures.own_w, view->row_quality);
    if (view->ended.count)
        print_rest(text, "ended", view->ended.count, &view->ended.figures, view->ended.figures.own_w,
                   view->row_quality);
    print_rest(text, "not attributed", 0, &view->not_attributed, view->not_attributed.own_w, view->row_quality);
    print_rest(text, "idle", 0, &view->idle.figures, view->idle.idle_w, view->row_quality);
    fprintf(text->out, "%s%s", if_colour(text, PLAIN), if_colour(text, BOLD));
    print_rest(text, "machine", 0, &view->machine, view->machine.power_w, view->quality);
    fputs(if_colour(text, PLAIN), text->out);
}

/* On a screen a notice has one line. */
static void print_notice(const struct top_page *text, size_t i, size_t more)
{
    const char *what = text->view->notices.item[i].what;
    const size_t size = strlen(what) + sizeof "~";
    AUTO_FREE char *shown = malloc(size);
    char count[48] = "";

    if (more)
        snprintf(count, sizeof count, " (%zu more: carbon top --once)", more);
    if (!shown)
        return;
    utf8_fit(shown, size, what,
             (size_t)text->style->width > strlen(count) + 12 ? (size_t)text->style->width - strlen(count) - 6 : 6, "~");
    fprintf(text->out, "note: %s%s\n", shown, count);
}

void top_write_text(const struct top_view *view, const struct top_history *history, const struct top_style *style,
                    FILE *out)
{
    const struct top_page text = { view, history, style, out, name_columns_of(view, style) };
    const size_t notices = style->height && view->notices.count > NOTICE_LINES ? NOTICE_LINES : view->notices.count;
    size_t lines = style->max_rows ? style->max_rows : SIZE_MAX, domains;

    print_title(&text);
    print_draw(&text, view->collector->whole.unknown ? "machine, at least" : "machine", view->machine.power_w,
               view->quality, history->machine_w);
    domains = print_domains(&text);
    fputc('\n', out);
    print_head(&text);
    if (style->height) {
        const size_t taken = FIXED_LINES + domains + notices + (style->below != NULL);
        lines = (size_t)style->height > taken ? (size_t)style->height - taken : 1;
    }
    print_rows(&text, lines);
    for (size_t i = 0; i < notices; i++)
        if (style->height)
            print_notice(&text, i, i + 1 == notices ? view->notices.count - notices : 0);
        else
            terminal_notice_in(out, &view->notices.item[i], style->colour, style->width);
    if (style->below)
        fputs(style->below, out);
}
