/* SPDX-License-Identifier: MIT
 * What `carbon import` reads: files of other tools and records of carbon, each as records for the ledger. Used by
 * import_files.c and import_sum.h. Begin with import_read().
 *
 * carbon import reads a whole file before it keeps any of it (import_files.c), and keeps it in one transaction
 * (ledger_add_all). A line that is damaged is listed (line_faults.h) and costs no other one. codecarbon_read.c reads a
 * table by the names of its columns or, where a row has another width, by the list of what the releases wrote;
 * codecarbon_values.c says what can stand in a column; codecarbon_runs.c which rows go on from others; codecarbon_log.c
 * reads a log into the same runs. imported.c makes a record of each: a form of its own, whose keys are those of a
 * record of carbon where it has the figure, so that row.c takes the columns of both. Its id is made of what the row
 * says (io/content_id.h), which is how it is known again.
 *
 * carbon recover makes a report of a time series by hand (record_from_samples.c), in the struct that records are
 * rebuilt into: each line counts once another follows it or the file has its end, so that a line that was torn is never
 * taken for a figure. */
#ifndef COMMANDS_HISTORY_IMPORT_H
#define COMMANDS_HISTORY_IMPORT_H

#include "base/notice.h"
#include "emissions/zones.h"
#include "io/line_faults.h"
#include "ledger/contribution.h"

#include <stdint.h>

/* A record, and what is told of it. Unknown figures are NAN. */
struct import_item {
    char *record;
    char id[40];
    double facility_kwh, kgco2eq;
    bool repeated; /* the file has it already */
    bool doubted;  /* no machine can have used it */

    struct contribution contribution; /* of a record of carbon, what of it may be in others, too */
    char *texts[4];                   /* that the account has */
};

/* One file. */
struct import {
    char form[80]; /* "CodeCarbon table of generation 2.3" */
    struct import_item *items;
    size_t count;
    struct notices notices;
    struct line_faults faults;
};

struct import_how {
    const struct zones *zones; /* what countries are called here */
    const char *date;          /* the day on which a log ends, or NULL */
    bool strict;               /* one fault, or a column that is not known, refuses the file */
    bool doubted;              /* energies that no machine can have used are taken as they stand */
};

/* Fails where nothing of it can be understood. Given to import_close in the end, after a failure too. */
bool import_read(const char *path, const struct import_how *how, struct import *import, struct error *err) MUST_CHECK;
void import_close(struct import *import);

#endif
