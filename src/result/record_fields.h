/* SPDX-License-Identifier: MIT
 * The table of the whole record, and of some of its objects. Used in commands/compare, commands/measure, ledger and
 * result. Begin with record_fields. */
#ifndef RESULT_RECORD_FIELDS_H
#define RESULT_RECORD_FIELDS_H

#include "form/field.h"
#include "result/report.h"

/* Of a struct report: carbon.record/1. */
extern const struct fields record_fields;

/* Under which another result has the record that it stands on. */
#define RECORD_KEY "record"

/* The value in a record of a member of the report. */
#define RECORD_ITEM(record, member) FIELD_ITEM(record, record_fields, struct report, member)

/* And what a function adds or says: RECORD_MADE(record, record_runs) */
#define RECORD_MADE(record, each) FIELD_MADE(record, record_fields, each)

/* And of an object in it that is not a member, by the table of it. */
#define RECORD_OBJECT(record, inner) field_object(record, &record_fields, &(inner))
extern const struct fields record_pue_fields, record_query_fields;

void record_meta(struct tree_node node, const void *report);
void record_sources(struct tree_node array, const void *report);
void record_factor_notices(struct tree_node array, const void *report);
const char *record_writer(const void *report);
bool record_falls_back(const void *report);
const char *record_whole_machine(const void *report);
const char *record_whole_machine_source(const void *report);
extern const struct schema record_schema;

/* Of a struct profile_fields, settling, parent, factor_asked and budget, as they are read back. */
extern const struct fields record_measurement; /* of a struct measurement, as a part */
extern const struct fields record_profile, settling_fields, parent_fields, query_fields, budget_fields;

#endif
