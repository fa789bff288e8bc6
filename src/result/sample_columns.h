/* SPDX-License-Identifier: MIT
 * The columns of a time series: how a domain's is called, and the last one, of how much of the time since the meter was
 * opened a domain's energy is not known, and why. "package-0 reset 1.25; dram failed 0.3 cut": for 1.25 s, the last
 * time for a reset. Files of before have no such column. Used by commands/history/series_line.h, sample_read.h and
 * samples.h. Begin with samples_has_column(). */
#ifndef RESULT_SAMPLE_COLUMNS_H
#define RESULT_SAMPLE_COLUMNS_H

#include "measurement/measurement.h"

#define SAMPLE_HOLES_COLUMN "holes"

enum {
    SAMPLE_COLUMN_SIZE = 112, /* of the name of a domain: "perf:package-0" */
    SAMPLE_HOLE_SIZE = SAMPLE_COLUMN_SIZE + 64,
};

struct sample_hole {
    char column[SAMPLE_COLUMN_SIZE]; /* without its "_uj" */
    enum hole reason;                /* reason of the last hole */
    uint64_t unknown_ns;             /* sum over all reasons */
    bool cut;                        /* not read at this end of a window: as in struct sample */
};

/* A domain that could not be read from the start has none. */
bool samples_has_column(const struct meter *meter, size_t domain);

/* What a domain's column is called, without its "_uj": by its source, too, where another before it has that name. */
void sample_column_name(const struct meter *meter, size_t domain, char name[SAMPLE_COLUMN_SIZE]);

/* Of one domain; "" where all of it is known. */
void sample_hole_text(const struct meter *meter, const struct sample *sample, size_t domain,
                      char text[SAMPLE_HOLE_SIZE]);

/* Takes one from the field, and returns where the next is: at its end after the last. NULL: malformed. */
const char *sample_hole_take(const char *field, struct sample_hole *hole);

#endif
