/* SPDX-License-Identifier: MIT
 * What another tool has recorded, as a record of carbon's own form: its figures where a record has them, and what it
 * told as it stood. */
#ifndef COMMANDS_HISTORY_IMPORTED_H
#define COMMANDS_HISTORY_IMPORTED_H

#include "base/quality.h"
#include "commands/history/codecarbon.h"
#include "form/field.h"

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

/* What its record says, but for its row and what is always the same: imported_fields.c has what each means. */
struct imported_object {
    const struct imported *imported;
    const char *id, *form, *generation, *version, *file, *project, *doubt, *zone;
    size_t line, goes_on_from_line;
    uint64_t started_ns, ended_ns;
    double duration_s, gross_j, cpu_j, gpu_j, ram_j, pue;
    enum quality pue_quality;
    double it_kwh, facility_kwh, kgco2eq, kgco2eq_per_kwh;
    struct codecarbon_figures told;
    struct notices notices;
};
extern const struct fields imported_fields;
extern const struct schema imported_schema;

/* What of a run is in sums, and what is to be known of its figures. */
struct codecarbon_figures imported_counted(const struct imported *imported);
void imported_doubts(const struct imported *imported, struct notices *notices);

/* The energy of the IT alone, as carbon means gross: CodeCarbon's has the PUE in it. */
double imported_it_j(const struct codecarbon_run *run, double kwh);

/* The document, freed by the caller; NULL: err tells. */
char *imported_record(const struct imported *imported, struct error *err) MUST_CHECK;

/* For people, from such a document. */
void imported_text(const struct cJSON *record, FILE *out);

#endif
