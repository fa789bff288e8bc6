/* SPDX-License-Identifier: MIT
 * The lines of a time series, for record_from_samples.c: its columns, and the content of a line. Used by
 * record_from_samples.c. Begin with series_header(). */
#ifndef COMMANDS_HISTORY_SERIES_LINE_H
#define COMMANDS_HISTORY_SERIES_LINE_H

#include "base/csv.h"
#include "result/sample_columns.h"
#include "result/stored/record_load.h"

enum { PHASE_SIZE = 16 };

/* A line of the series. */
struct moment {
    uint64_t time_ns;     /* since the meter was opened */
    uint64_t realtime_ns; /* of the first line: its time; 0: unknown */
    char phase[PHASE_SIZE];
    uint64_t number;
    uint64_t energy_uj[ENERGY_MAX_DOMAINS], unknown_ns[ENERGY_MAX_DOMAINS];
    uint64_t read_ns[ENERGY_MAX_DOMAINS]; /* time of its last reading, or of its end in a window */
    uint8_t hole[ENERGY_MAX_DOMAINS];
    bool reported[ENERGY_MAX_DOMAINS]; /* read at this line, or cut there */
};

/* The header. */
struct series_columns {
    struct loaded_record *recovered; /* owner of its domains */
    bool has_holes;                  /* its last column */
    char names[ENERGY_MAX_DOMAINS][SAMPLE_COLUMN_SIZE];
};

bool series_header(struct series_columns *columns, const struct csv_row *row, struct error *err) MUST_CHECK;

/* before: the line above; NULL: it is the first. */
bool series_line(const struct series_columns *columns, const struct csv_row *row, const struct moment *before,
                 struct moment *moment, struct error *err) MUST_CHECK;

#endif
