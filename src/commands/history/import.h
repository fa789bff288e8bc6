/* SPDX-License-Identifier: MIT
 * What `carbon import` reads: files of other tools and records of carbon, each as records for the ledger.
 *
 * carbon import reads a whole file before it keeps any of it (import_files.c), and keeps it in one transaction
 * (ledger_add_all). codecarbon_read.c reads a table by the names of its columns or, where a row has another width,
 * by the list of what the releases wrote; codecarbon_runs.c says which rows go on from others; codecarbon_log.c
 * reads a log into the same runs. imported.c makes a record of each: a form of its own, whose keys are those of a
 * record of carbon where it has the figure, so that row.c takes the columns of both. Its id is made of what the row
 * says (io/content_id.h), which is how it is known again.
 *
 * carbon recover makes a report of a time series by hand (recover.c), in the struct that records are rebuilt into:
 * each line counts once another follows it or the file has its end, so that a line that was torn is never taken for
 * a figure. */
#ifndef COMMANDS_HISTORY_IMPORT_H
#define COMMANDS_HISTORY_IMPORT_H

#include "base/notice.h"
#include "emissions/zones.h"

/* A record, and what is told of it. Unknown figures are NAN. */
struct import_item {
    char *record;
    char id[40];
    double facility_kwh, kgco2eq;
    bool repeated; /* the file has it already */
};

/* One file. */
struct import {
    char form[80]; /* "CodeCarbon table of generation 2.3" */
    struct import_item *items;
    size_t count;
    struct notices notices;
};

/* zones: what countries are called here; date: the day on which a log ends, or NULL. Fails where anything of it cannot
 * be understood. Given to import_close in the end, after a failure too. */
bool import_read(const char *path, const struct zones *zones, const char *date, struct import *import,
                 struct error *err) MUST_CHECK;
void import_close(struct import *import);

#endif
