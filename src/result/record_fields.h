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

/* And of a list in it: RECORD_LIST(record, record_runs) */
#define RECORD_LIST(record, each) field_list(record, &record_fields, each)
void record_meta(struct tree_node node, const void *report);
void record_sources(struct tree_node array, const void *report);
void record_factor_notices(struct tree_node array, const void *report);
extern const struct schema record_schema;

/* Of a struct profile_fields, settling, parent, factor_asked and budget, as they are read back. */
extern const struct fields record_profile, settling_fields, parent_fields, query_fields, budget_fields;

#endif
