/* SPDX-License-Identifier: MIT
 * Documents in words, made from the tables of their fields: the output of `carbon help --fields NAME`, of all documents
 * in docs/carbon-fields.5. Used by commands/help/help_schema.c. Begin with schema_text(). */
#ifndef FORM_FIELD_TEXT_H
#define FORM_FIELD_TEXT_H

#include "form/field.h"

/* Parts that are described once, after the documents that contain them. */
struct field_parts {
    const struct fields **items;
    size_t count, room;
    bool failed; /* no memory */
};

/* Every field of a document with its unit, its meaning and whether it can be null; then the columns of its CSV. Parts
 * that have a name are left to field_parts_text, which also frees them. */
void schema_text(const struct schema *schema, struct field_parts *parts, FILE *out);
bool field_parts_text(struct field_parts *parts, FILE *out, struct error *err) MUST_CHECK;

#endif
