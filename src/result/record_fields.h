/* SPDX-License-Identifier: MIT
 * The table of the whole record, and of some of its objects. Used in commands/compare, commands/measure and result.
 * Begin with record_fields. */
#ifndef RESULT_RECORD_FIELDS_H
#define RESULT_RECORD_FIELDS_H

#include "form/field.h"

/* Of a struct report: carbon.record/1. */
extern const struct fields record_fields;
extern const struct schema record_schema;

/* Of a struct profile_fields, settling, parent, factor_asked and budget, as they are read back. */
extern const struct fields record_profile, settling_fields, parent_fields, query_fields, budget_fields;

#endif
