/* SPDX-License-Identifier: MIT
 * Tables of the figures of a run of a performance indicator, and their uses: JSON and the object that a script printed.
 * Used throughout commands/indicator. Begin with indicator_added_of(). */
#ifndef COMMANDS_INDICATOR_INDICATOR_FIELDS_H
#define COMMANDS_INDICATOR_INDICATOR_FIELDS_H

#include "commands/indicator/indicator_report.h"
#include "form/field.h"

/* Tables of the structs of the same name. */
extern const struct fields indicator_usage_fields, indicator_energy_fields, indicator_carbon_fields;

/* The members that carbon adds to the object of a run, all of it for a run without an object: usage, exit_code,
 * script_sha256, start_datetime, end_datetime, @energy, @carbon. */
struct indicator_added {
    const struct indicator_report *report;
    size_t i;
    struct indicator_figures figures;
    int exit_code; /* negative: still running */
    const char *script_sha256;
    char start_datetime[INDICATOR_TIME_SIZE], end_datetime[INDICATOR_TIME_SIZE];
};
struct indicator_added indicator_added_of(const struct indicator_report *report, size_t i);
extern const struct fields indicator_added_fields;

/* indicator_object.c: the object of a run as one text: as printed, with carbon's members; bare: without them, and
 * always valid JSON, whatever --allow-nan is. Freed by the caller; NULL: no memory. */
char *indicator_text(const struct indicator_report *report, size_t i, bool bare, bool one_line, struct error *err);

#endif
