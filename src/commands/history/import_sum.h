/* SPDX-License-Identifier: MIT
 * What the records that were imported come to, the time of each machine once. Used by cmd_import.c. Begin with
 * import_sum(). */
#ifndef COMMANDS_HISTORY_IMPORT_SUM_H
#define COMMANDS_HISTORY_IMPORT_SUM_H

#include "commands/history/import.h"

struct import_sum {
    double facility_kwh, kgco2eq; /* of what is known; NAN where nothing is */
    size_t once;                  /* in it in part: the rest of their machine's time is in with others */
    double once_j;                /* gross energy of that rest */
};

/* Of these items, which are put in the order in which they began. */
bool import_sum(const struct import_item **items, size_t count, struct import_sum *sum, struct error *err) MUST_CHECK;

#endif
