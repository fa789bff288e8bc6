/* SPDX-License-Identifier: MIT
 * The sections of a result's page, and their common parts. Used throughout result. Begin with html_rows_left_out(). */
#ifndef RESULT_PAGE_HTML_SECTIONS_H
#define RESULT_PAGE_HTML_SECTIONS_H

#include "form/html.h"
#include "result/report.h"
#include "result/sample_read.h"

/* The input of the sections. */
struct record_page {
    const struct report *report;
    const struct sample_series *samples;
};

static inline const struct report *page_report(const void *subject)
{
    return ((const struct record_page *)subject)->report;
}

/* Up to this many rows all are shown; the record has the others. */
enum { HTML_ROWS_MAX = 200 };
void html_rows_left_out(FILE *out, size_t count, const char *what);

/* A composed text, freed after writing. */
void html_paragraph_of(FILE *out, const char *class, struct text *text);

/* A mean with its standard deviation if there are several runs. */
void html_spread(FILE *out, html_units *units, const struct sample_stats *spread, const char *place);

/* html_energy.c */
void html_energy(FILE *out, const void *subject);
bool html_has_runs(const void *subject);
void html_runs(FILE *out, const void *subject);
bool html_has_phases(const void *subject);
void html_phases(FILE *out, const void *subject);
/* html_power.c */
bool html_has_power(const void *subject);
void html_power(FILE *out, const void *subject);
/* html_emissions.c */
void html_emissions(FILE *out, const void *subject);
bool html_has_sci(const void *subject);
void html_sci(FILE *out, const void *subject);
/* html_hours.c */
bool html_has_hours(const void *subject);
void html_hours(FILE *out, const void *subject);
/* html_job.c */
bool html_has_job(const void *subject);
void html_job(FILE *out, const void *subject);
void html_machine(FILE *out, const void *subject);

#endif
