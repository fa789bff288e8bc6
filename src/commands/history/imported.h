/* SPDX-License-Identifier: MIT
 * A result of another tool, as a record with a schema of its own: the figures where carbon's record has them, and the
 * original text of the tool. Used by history_show.c and import_files.c. Begin with imported_gross_j(). */
#ifndef COMMANDS_HISTORY_IMPORTED_H
#define COMMANDS_HISTORY_IMPORTED_H

#include "base/quality.h"
#include "commands/history/codecarbon.h"
#include "form/field.h"

#include <stdio.h>

struct cJSON;

/* Facts that carbon adds to it. */
struct imported {
    const struct codecarbon_file *file;
    const struct codecarbon_run *run;
    const char *form; /* "CodeCarbon table", "CodeCarbon log" */
    const char *zone; /* zone of its country; NULL: unknown */
    bool doubted;     /* a doubtful energy is included as it is; else it is unknown, and excluded from sums */
};

/* Content of the record, except its row and constant members; imported_fields.c describes each. */
struct imported_object {
    const struct imported *imported;
    const char *id, *form, *generation, *version, *file, *project, *doubt, *zone;
    size_t line, goes_on_from_line;
    uint64_t started_ns, ended_ns;
    double duration_s, gross_j, cpu_j, gpu_j, ram_j, pue;
    enum quality pue_quality;
    double it_kwh, facility_kwh, kgco2eq, kgco2eq_per_kwh;
    struct codecarbon_figures reported;
    struct notices notices;
};
extern const struct fields imported_fields;
void imported_row(struct tree_node node, const void *imported);
#define IMPORTED_ITEM(record, member) FIELD_ITEM(record, imported_fields, struct imported_object, member)
extern const struct schema imported_schema;

/* The figures of a run that count in sums, and notes about its figures. */
struct codecarbon_figures imported_counted(const struct imported *imported);
void imported_doubts(const struct imported *imported, struct notices *notices);

/* The energy of the IT alone, as carbon means gross: CodeCarbon's has the PUE in it. */
double imported_it_j(const struct codecarbon_run *run, double kwh);

/* The document, freed by the caller; NULL: see err. */
char *imported_record(const struct imported *imported, struct error *err) MUST_CHECK;

/* For people, from such a document. */
void imported_text(const struct cJSON *record, FILE *out);

#endif
