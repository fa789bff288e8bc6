/* SPDX-License-Identifier: MIT
 * A scanned JSON text written again: its own bytes, with something put in between. Used by indicator_report.h and
 * indicator_spec.c. Begin with spans_write(). */
#ifndef COMMANDS_INDICATOR_SPANS_H
#define COMMANDS_INDICATOR_SPANS_H

#include "commands/indicator/scan.h"

#include <stdbool.h>
#include <stdio.h>

/* Members for the end of an object: "\"a\": 1, \"b\": 2", without the commas around them. Of several, the inner object
 * comes first. */
struct insertion {
    uint32_t object;
    const char *members;
};

struct span_form {
    bool keeps_nan; /* else NaN and Infinity become null */
    bool one_line;  /* white space between values is left out */
};

/* The value as it stands; new members are set like the first one of their object: behind the same white space. */
void spans_write(const struct scan *scan, uint32_t node, const struct span_form *form,
                 const struct insertion *insertions, size_t count, FILE *out);

/* Sorted by keys and indented by two blanks, as Python's json.dump(sort_keys=True, indent=2) does, without a line end;
 * numbers and texts as they stand. */
void spans_write_sorted(const struct scan *scan, uint32_t node, const struct span_form *form, FILE *out);

#endif
