/* SPDX-License-Identifier: MIT
 * JSON Schema of documents, made from the tables of their fields: the output of `carbon help --schema NAME`, stored in
 * docs/NAME-schema.json. Used by commands/help/help_schema.c. Begin with fields_schema(). */
#ifndef FORM_FIELD_SCHEMA_H
#define FORM_FIELD_SCHEMA_H

#include "form/field.h"

/* Of one struct: every key is required, no other is allowed. defs: the descriptions of named tables. */
void fields_schema(struct tree_node node, struct tree_node defs, const struct fields *fields);

/* Whether a document may have null for it. */
bool field_may_be_null(const struct field *field);

/* Writes the schema of a whole document. */
bool schema_write(const struct schema *schema, FILE *out, struct error *err) MUST_CHECK;

#endif
