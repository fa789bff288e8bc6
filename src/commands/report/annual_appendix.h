/* SPDX-License-Identifier: MIT
 * The parts of a report's text that show the basis of its figures. Used by annual_html.c, annual_scopes.c and
 * annual_text.c. Begin with annual_document(). */
#ifndef COMMANDS_REPORT_ANNUAL_APPENDIX_H
#define COMMANDS_REPORT_ANNUAL_APPENDIX_H

#include "base/units.h"
#include "commands/report/annual.h"
#include "commands/report/document.h"

/* The whole report; full: followed by its figures with every digit. */
void annual_document(const struct annual *annual, bool full, struct document *document);

/* annual_scopes.c. "-": unknown is never 0. */
const char *annex_digits(double value, int count, char out[UNITS_SIZE]);
/* A share in percent, without the sign: "8.3", "<0.01". */
const char *annex_percent(double share, char out[UNITS_SIZE]);
void annex_scopes(struct document *document, const struct annual *annual);
void annex_own(struct document *document, const struct annual_figures *total);
void annex_sci(struct document *document, const struct annual *annual);
void annex_equivalents(struct document *document, const struct annual *annual);

void annex_stands_on(struct document *document, const struct annual *annual);
void annex_coverage(struct document *document, const struct annual *annual); /* coverage by node of a fleet */
void annex_method(struct document *document, const struct annual *annual);
void annex_values(struct document *document, const struct annual *annual);

#endif
