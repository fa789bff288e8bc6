/* SPDX-License-Identifier: MIT
 * Pages for people: one file that needs no other, no network and no script, for a phone, a wide window and paper, light
 * and dark, keyboard and screen reader. A page is a list of sections; a writer fills each with the parts below:
 *
 *     static void write_energy(FILE *out, const void *subject)
 *     {
 *         html_table(out, "Energy by month", (const char *const[]){ "month", "gross", NULL }, 1);
 *         html_row(out, "January");
 *         html_cell_figure(out, units_energy, energy_j, "months.%d.gross_j", 0);
 *         html_row_end(out);
 *         html_table_end(out);
 *         html_bars(out, &(struct html_bars){ "Energy by month", ... });
 *     }
 *     static const struct html_section sections[] = { { "energy", "Energy", NULL, write_energy } };
 *     html_page(out, &(struct html_head){ .title = "2026", ... }, sections, 1, report);
 *
 * The output is XML as well as HTML. The stream's own error shows whether all of it was written. A chart shows nothing
 * that is not in a table too.
 *
 * html.h is a small writer of pages: a page is a list of sections, each filled with paragraphs, terms and their
 * values, tables, bars and timelines; html_style.c is the style sheet of all of them. html_record.c lists the sections
 * of one result, and is a form like any other. Charts are drawn there and not by gnuplot: their lengths are parts
 * of the width that there is and their letters and colours those of the page, so that they can be read on a phone,
 * in the dark and on paper, the same wherever carbon runs; A page
 * holds no script, loads nothing (its Content-Security-Policy says so), and is XML, so that programs can read it: a
 * figure is a <data> element with the exact value and its place in the JSON record, which is how
 * tests/cli/measure/html.sh compares them. provenance.h gives where the figures come from row by
 * row, to the record and to the page.
 *
 * Used in commands/profile, commands/report, form and result. Begin with html_page(). */
#ifndef FORM_HTML_H
#define FORM_HTML_H

#include "base/notice.h"
#include "base/units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct html_head {
    const char *title; /* of the window, and the heading */
    const char *kind;  /* above it: "carbon record" */
    const char *about; /* below it; "" none */
    const char *made;  /* at the end of the page */
};

struct html_section {
    const char *id, *title;
    bool (*wanted)(const void *subject); /* NULL: always */
    void (*write)(FILE *out, const void *subject);
};

void html_page(FILE *out, const struct html_head *head, const struct html_section *sections, size_t count,
               const void *subject);

/* The conclusion of a page's figures, at its top: one or several sentences. */
void html_conclusion(FILE *out, const char *text);

/* A text, whatever it contains: no markup, no control character, no byte that is not UTF-8. */
void html_text(FILE *out, const char *text);

/* The same with a format. Outside form/html*.c, everything written to a page goes through this function or is a
 * literal. */
void html_words(FILE *out, const char *format, ...) PRINTF_LIKE(2, 3);

/* The same, isolated so that right-to-left letters do not move other text: names given by users. */
void html_word(FILE *out, const char *text);

/* <p>, with a class unless it is NULL. */
void html_paragraph(FILE *out, const char *class, const char *text);

/* A figure for people, with all its digits and its place in the JSON document for programs: units NULL shows
 * all digits. */
typedef const char *html_units(double value, char out[UNITS_SIZE]);
void html_figure(FILE *out, html_units *units, double value, const char *place, ...) PRINTF_LIKE(4, 5);

/* Notices, with their reasons and hints. */
void html_notices(FILE *out, const struct notices *notices);

/* Terms and their values. term_open and term_end: the caller writes the value between them. */
void html_terms(FILE *out);
void html_term(FILE *out, const char *name, const char *text); /* omitted if the text is NULL or "" */
void html_term_open(FILE *out, const char *name);
void html_term_end(FILE *out);
void html_terms_end(FILE *out);

/* A table; columns end with NULL. The first has the names of the rows, this many after it are numbers, the others are
 * words. */
void html_table(FILE *out, const char *caption, const char *const *columns, size_t numbers);
void html_row(FILE *out, const char *name);
void html_cell(FILE *out, const char *text);        /* words */
void html_cell_number(FILE *out, const char *text); /* a number */
void html_cell_figure(FILE *out, html_units *units, double value, const char *place, ...) PRINTF_LIKE(4, 5);
void html_cell_open(FILE *out);
void html_cell_end(FILE *out);
void html_row_end(FILE *out);
void html_table_end(FILE *out);

/* html_chart.c: bars below one another, each with its name and its figure. */
struct html_bar {
    const char *label, *shown;
    double value;     /* NAN: unknown, no bar */
    double part;      /* of the value, shown separately; NAN: none */
    double low, high; /* its interval; NAN: none */
};

struct html_bars {
    const char *title;
    const char *value, *part, *doubt; /* their names, for the legend; part and `doubt` NULL: none */
    const struct html_bar *bars;
    size_t count;
    html_units *units; /* of the scale below them; NULL: none */
};

void html_bars(FILE *out, const struct html_bars *bars);

/* Heights over time, in steps. */
enum html_look { HTML_LINE, HTML_DASHED, HTML_FAINT, HTML_BAND };

struct html_step {
    double from, to, value; /* NAN: a gap */
};

struct html_line {
    const char *name;    /* for the legend */
    enum html_look look; /* HTML_BAND: shows the time only, from top to bottom */
    const struct html_step *steps;
    size_t count;
};

struct html_timeline {
    const char *title;
    const char *about; /* description for a reader who does not see it */
    const struct html_line *lines;
    size_t count;
    double from, to;
    html_units *time, *height; /* their formats */
};

void html_timeline(FILE *out, const struct html_timeline *timeline);

/* html_style.c: the style sheet of every page. */
extern const char html_style[];

#endif
