/* SPDX-License-Identifier: MIT
 * The sum of the imported records, with the time of each machine counted once. Used by cmd_import.c. Begin with
 * import_sum(). */
#ifndef COMMANDS_HISTORY_IMPORT_SUM_H
#define COMMANDS_HISTORY_IMPORT_SUM_H

#include "commands/history/import.h"

struct import_sum {
    double facility_kwh, kgco2eq; /* sum of the known values; NAN: none is known */
    size_t once;                  /* included in part: other records include the rest of their machine's time */
    double once_j;                /* gross energy of that rest */
};

/* Of one item, which is in no other's time. */
void import_sum_add(struct import_sum *sum, const struct import_item *item);

/* Sums these items, and sorts them by start. */
bool import_sum(const struct import_item **items, size_t count, struct import_sum *sum, struct error *err) MUST_CHECK;

#endif
