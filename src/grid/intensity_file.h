/* SPDX-License-Identifier: MIT
 * Intensities over time from a file of the user's: what `carbon factors --live --csv` wrote, or any table that has a
 * time and an intensity in each line. Used by app/options/hourly_options.h and commands/when/when.h. Begin with
 * intensity_file_read(). */
#ifndef GRID_INTENSITY_FILE_H
#define GRID_INTENSITY_FILE_H

#include "grid/intensities.h"

/* What the file says of all its lines; "" where it does not, or not the same. */
struct intensity_file {
    char name[80]; /* without the folder */
    char zone[LIVE_ZONE_SIZE];
    char basis[12], scope[16], gases[16], method[16], source_id[48], licence[96];
};

/* Columns by name, in any order: the start (`start`, `from`, `time`, `timestamp`, `datetime`, `Datetime (UTC)`; a time
 * without a zone is UTC, a number is seconds since 1970) and the value (`kgco2eq_per_kwh` or `gco2eq_per_kwh`, also
 * with co2, or as Electricity Maps names them, of which `basis` chooses one); the end (`end`, `to`), else the shortest
 * time between two lines; `kind` (actual, estimated, forecast; none: actual), `retrieved`, `zone` and so on. An empty
 * value is a gap. Lines may be in any order. ERROR_BAD_DATA with file, line and column. intensities_close in any case.
 */
bool intensity_file_read(const char *path, enum factor_basis basis, struct intensity_file *file,
                         struct intensities *found, struct error *err) MUST_CHECK;

#endif
