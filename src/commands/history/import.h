/* SPDX-License-Identifier: MIT
 * What `carbon import` reads: files of other tools and records of carbon, each as records for the ledger. */
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
