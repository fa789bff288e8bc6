/* SPDX-License-Identifier: MIT
 * libcsv for libcarbon: opened where a table has to be parsed, so that who links libcarbon gets no library but the C
 * library's. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "base/csv_library.h"
#include "base/library.h"

bool csv_library_of(struct csv_library *library, const char *path, struct error *err)
{
    static const char *const files[] = { CSV_SONAME, NULL };
    const struct library_function wanted[] = {
        { "csv_init", &library->init },   { "csv_parse", &library->parse }, { "csv_fini", &library->fini },
        { "csv_error", &library->error }, { "csv_free", &library->free },
    };

    if (library_open(files, wanted, sizeof wanted / sizeof wanted[0]) == LIBRARY_READY)
        return true;
    error_set(err, ERROR_ABSENT, "cannot read '%s'", path);
    error_why(err, CSV_SONAME ", with which libcarbon reads tables, cannot be opened");
    return error_fix(err, "sudo apt-get install libcsv3");
}
