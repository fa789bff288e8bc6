/* SPDX-License-Identifier: MIT
 * Which column of CodeCarbon's table stands where. Used by codecarbon_read.c. Begin with codecarbon_column_of(). */
#ifndef COMMANDS_HISTORY_CODECARBON_LAYOUT_H
#define COMMANDS_HISTORY_CODECARBON_LAYOUT_H

#include "base/csv.h"
#include "result/codecarbon_row.h"

#include <stdbool.h>

struct layout {
    size_t count;
    enum codecarbon_column columns[CSV_MAX_COLUMNS]; /* COLUMNS: of another program */
};

/* COLUMNS: it is none of CodeCarbon's. */
enum codecarbon_column codecarbon_column_of(const char *name);

/* What one of its releases wrote, counted from 0, each with one width. False: there are no more. */
bool codecarbon_release(size_t index, struct layout *layout);

#endif
