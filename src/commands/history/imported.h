/* SPDX-License-Identifier: MIT
 * What another tool has recorded, as a record of carbon's own form: its figures where a record has them, and what it
 * told as it stood. Used by history_show.c and import_files.c. Begin with imported_gross_j(). */
#ifndef COMMANDS_HISTORY_IMPORTED_H
#define COMMANDS_HISTORY_IMPORTED_H

#include "commands/history/codecarbon.h"

#include <stdio.h>

struct cJSON;

/* What of it carbon's own words are needed for. */
struct imported {
    const struct codecarbon_file *file;
    const struct codecarbon_run *run;
    const char *form; /* "CodeCarbon table", "CodeCarbon log" */
    const char *zone; /* zone of its country; NULL: unknown */
    bool doubted;     /* a doubted energy is taken as it stands; else it is unknown, and in no sum */
};

/* The energy of the IT alone, as carbon means gross: CodeCarbon's has the PUE in it. */
double imported_gross_j(const struct codecarbon_run *run);

/* The document, freed by the caller; NULL: err tells. */
char *imported_record(const struct imported *imported, struct error *err) MUST_CHECK;

/* For people, from such a document. */
void imported_text(const struct cJSON *record, FILE *out);

#endif
