/* SPDX-License-Identifier: MIT
 * Documents in words, made of the tables of their fields: what `carbon help --fields NAME` prints, and what
 * docs/carbon-fields.5 keeps of all of them. */
#ifndef FORM_FIELD_TEXT_H
#define FORM_FIELD_TEXT_H

#include "form/field.h"

/* The parts that are described once, behind the documents that have them. */
struct field_parts {
    const struct fields **items;
    size_t count, room;
    bool failed; /* no memory */
};

/* Every field of a document with its unit, what it means and whether it can be null; then the columns of its CSV. Parts
 * that have a name are left to field_parts_text, which also frees them. */
void schema_text(const struct schema *schema, struct field_parts *parts, FILE *out);
bool field_parts_text(struct field_parts *parts, FILE *out, struct error *err) MUST_CHECK;

#endif
