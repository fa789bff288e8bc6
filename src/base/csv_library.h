/* SPDX-License-Identifier: MIT
 * The functions of libcsv, for base/csv.c alone. The program is linked with it (csv_linked.c); libcarbon, which needs
 * no library but the C library's, has an object of its own in place of that one (lib/csv_opened.c). Used by csv.c,
 * csv_linked.c and lib/csv_opened.c. Begin with csv_library_of(). */
#ifndef BASE_CSV_LIBRARY_H
#define BASE_CSV_LIBRARY_H

#include "base/error.h"

#include <csv.h>

struct csv_library {
    __typeof__(csv_init) *init;
    __typeof__(csv_parse) *parse;
    __typeof__(csv_fini) *fini;
    __typeof__(csv_error) *error;
    __typeof__(csv_free) *free;
};

/* False, in libcarbon alone: there is none, and the table at path cannot be read. */
bool csv_library_of(struct csv_library *library, const char *path, struct error *err) MUST_CHECK;

#endif
