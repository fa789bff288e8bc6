/* SPDX-License-Identifier: MIT
 * The reading part of `carbon import`: files of other tools and records of carbon, as records for the ledger. Used by
 * import_files.c and import_sum.h. Begin with import_read().
 *
 * carbon import reads a table a row at a time (import_files.c), and saves the records of a file in one transaction
 * (ledger_begin): all of them or none. A damaged line is listed (line_faults.h) and does not affect the others.
 * codecarbon_read.c reads a table by the names of its columns or, if a row has another width, by the list of columns of
 * each release; codecarbon_values.c checks the values of a column; codecarbon_runs.c finds rows that continue others;
 * codecarbon_log.c reads a log into the same runs. imported.c makes a record of each: it has its own schema, with the
 * keys of carbon's record where it has the figure, so that row.c reads the columns of both. Its ID is a hash of the
 * row's content (io/content_id.h), so that a second import recognises it.
 *
 * carbon recover rebuilds a report from a time series (record_from_samples.c), in the struct into which records are
 * read. A line counts once another follows it or the file ends, so that a truncated line is never used. */
#ifndef COMMANDS_HISTORY_IMPORT_H
#define COMMANDS_HISTORY_IMPORT_H

#include "base/notice.h"
#include "emissions/zones.h"
#include "io/line_faults.h"
#include "ledger/contribution.h"

#include <stdint.h>

/* A record, and its accounts. Unknown figures are NAN. */
struct import_item {
    char *record;
    char id[40];
    double facility_kwh, kgco2eq;
    bool repeated; /* the file has it twice */
    bool doubted;  /* implausible: no machine can have used it */

    struct contribution contribution; /* for a record of carbon: the parts that may also be in other records */
    char *texts[4];                   /* texts of the account */
};

/* One file. */
struct import {
    char form[80]; /* "CodeCarbon table of generation 2.3" */
    char generation[20];
    size_t count;              /* records, those that were handed over to on_item included */
    struct import_item *items; /* records of carbon: they are summed together */
    size_t item_count;
    struct notices notices;
    struct line_faults faults;
};

struct import_how {
    const struct zones *zones; /* for the zones of countries */
    const char *date;          /* the day on which a log ends, or NULL */
    bool strict;               /* one fault, or an unknown column, refuses the file */
    bool doubted;              /* implausible energies are included */
    /* Takes each record of CodeCarbon as it is read. NULL: the file is only checked. */
    bool (*on_item)(const struct import_item *item, void *context, struct error *err);
    void *context;
};

/* Fails if nothing in it is valid. Call import_close in any case. */
bool import_read(const char *path, const struct import_how *how, struct import *import, struct error *err) MUST_CHECK;
void import_close(struct import *import);

#endif
