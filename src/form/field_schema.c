/* SPDX-License-Identifier: MIT
 * JSON Schema by the tables of fields. */
#include "form/field_schema.h"

#include "base/c_locale.h"

#include <string.h>

/* In the order of enum field_kind. */
static const char *const type_names[] = {
    "number",  "number",  "number",  "string", "boolean", "integer", "integer", "integer", "integer",
    "integer", "integer", "boolean", "string", "string",  "string",  "string",  "string",  "string",
    "string",  "object",  "object",  "array",  "array",   "object",  "object",
};

bool field_may_be_null(const struct field *field)
{
    if (field->flags & (FIELD_LEFT_OUT | FIELD_KNOWN))
        return false;
    return field->known || field->kind == FIELD_IS_TIME ||
           field->flags & (FIELD_NULL_0 | FIELD_NULL_NEGATIVE | FIELD_NULL_EMPTY | FIELD_IF_GIVEN | FIELD_NULLABLE) ||
           field->kind <= FIELD_IS_FIGURE || field->kind == FIELD_IS_JSON;
}

static bool is_whole(const struct field *field)
{
    return field->kind >= FIELD_IS_COUNT && field->kind <= FIELD_IS_INT64;
}

static void add_type(struct tree_node node, const struct field *field)
{
    const char *name = type_names[field->kind];

    if (field_may_be_null(field)) {
        const struct tree_node both = tree_array(node, "type");
        tree_text(both, NULL, name);
        tree_text(both, NULL, "null");
    } else {
        tree_text(node, "type", name);
    }
}

/* Those that this release has. */
static void add_examples(struct tree_node node, const struct field *field)
{
    const struct tree_node words = tree_array(node, "examples");

    for (int value = field->first; value < field->end; value++)
        if (*field->word(value))
            tree_text(words, NULL, field->word(value));
    tree_text(node, "pattern", FIELD_LIKE_CODE);
}

static void add_words(struct tree_node node, const struct field *field)
{
    const struct tree_node words = tree_array(node, "enum");

    for (int value = field->first; field->kind == FIELD_IS_WORD && value < field->end; value++)
        if ((*field->word(value) || (value == field->first && !(field->flags & FIELD_NULL_EMPTY))) &&
            (value == field->first || strcmp(field->word(value), field->word(value - 1)) != 0))
            tree_text(words, NULL, field->word(value));
    for (size_t i = 0; field->kind != FIELD_IS_WORD && field->one_of[i]; i++)
        tree_text(words, NULL, field->one_of[i]);
    if (field_may_be_null(field))
        tree_null(words, NULL);
}

static void add_reference(struct tree_node node, struct tree_node defs, const struct fields *fields)
{
    char path[128];

    if (fields->document) {
        tree_text(node, "$ref", fields->document);
        return;
    }
    c_snprintf(path, sizeof path, "#/$defs/%s", fields->name);
    tree_text(node, "$ref", path);
    if (json_member(defs.json, fields->name) || *defs.failed)
        return;
    node = tree_object(defs, fields->name);
    tree_text(node, "description", fields->meaning);
    fields_schema(node, defs, fields);
}

/* The table's object, where it is or may be null. */
static void add_object(struct tree_node node, struct tree_node defs, const struct field *field)
{
    if (field_may_be_null(field) || (field->flags & (FIELD_BEHIND | FIELD_KNOWN)) == FIELD_BEHIND) {
        const struct tree_node both = tree_array(node, "anyOf");
        const struct tree_node object = tree_object(both, NULL);
        if (field->inner->name)
            add_reference(object, defs, field->inner);
        else
            fields_schema(object, defs, field->inner);
        tree_text(tree_object(both, NULL), "type", "null");
    } else if (field->inner->name) {
        add_reference(node, defs, field->inner);
    } else {
        fields_schema(node, defs, field->inner);
    }
}

/* Of what is in an array of values. */
static void add_value(struct tree_node node, const struct field *field)
{
    struct field item = { .kind = (unsigned char)field->first, .flags = FIELD_KNOWN };

    if (field->flags & FIELD_ITEMS_NULLABLE)
        item.flags = FIELD_NULL_NEGATIVE;
    add_type(node, &item);
    if (is_whole(&item))
        tree_integer(node, "minimum", 0);
}

static void add_list(struct tree_node node, struct tree_node defs, const struct field *field)
{
    struct tree_node items;

    add_type(node, field);
    items = tree_object(node, "items");
    if (!field->inner && field->kind == FIELD_IS_EACH)
        add_value(items, field);
    else if (!field->inner)
        tree_text(items, "type", "string");
    else if (field->inner->name)
        add_reference(items, defs, field->inner);
    else
        fields_schema(items, defs, field->inner);
    if (field->flags & FIELD_FULL)
        tree_integer(node, "minItems", 1);
    if (field->max)
        tree_integer(node, "maxItems", (uint64_t)field->max);
}

static void add_map(struct tree_node node, const struct field *field)
{
    struct tree_node value;

    add_type(node, field);
    value = tree_object(tree_object(node, "patternProperties"), field->pattern);
    tree_text(value, "description", "its text");
    tree_text(value, "type", "string");
    tree_bool(node, "additionalProperties", false);
}

static void add_limits(struct tree_node node, const struct field *field)
{
    if (field->kind == FIELD_IS_FIXED)
        tree_integer(node, "minimum", 1);
    else if (field->min)
        tree_integer(node, "minimum", (uint64_t)field->min);
    else if (field->flags & FIELD_ABOVE_0)
        tree_integer(node, "exclusiveMinimum", 0);
    else if (field->flags & FIELD_FROM_1 || (field->flags & FIELD_NULL_0 && is_whole(field)))
        tree_integer(node, "minimum", 1);
    else if (field->flags & FIELD_FROM_0 || field->kind == FIELD_IS_SECONDS || is_whole(field))
        tree_integer(node, "minimum", 0);
    if (field->max)
        tree_integer(node, "maximum", (uint64_t)field->max);
}

static void describe(struct tree_node node, struct tree_node defs, const struct field *field)
{
    tree_text(node, "description", field->meaning);
    switch ((enum field_kind)field->kind) {
    case FIELD_IS_OBJECT: add_object(node, defs, field); return;
    case FIELD_IS_EACH:
    case FIELD_IS_LIST: add_list(node, defs, field); return;
    case FIELD_IS_MAP: add_map(node, field); return;
    case FIELD_IS_CONSTANT: tree_text(node, "const", field->text); return;
    case FIELD_IS_ONE_OF: add_words(node, field); return;
    case FIELD_IS_SAID:
        if (field->one_of) {
            add_words(node, field);
            return;
        }
        break;
    case FIELD_IS_WORD:
        if (!(field->flags & FIELD_OPEN)) {
            add_words(node, field);
            return;
        }
        break;
    default: break;
    }
    add_type(node, field);
    add_limits(node, field);
    if (field->kind == FIELD_IS_TIME)
        tree_text(node, "pattern", FIELD_LIKE_TIME);
    else if (field->kind == FIELD_IS_WORD)
        add_examples(node, field);
    else if ((field->kind == FIELD_IS_TEXT || field->kind == FIELD_IS_NAME) && field->pattern)
        tree_text(node, "pattern", field->pattern);
    if (field->flags & FIELD_FULL)
        tree_integer(node, "minLength", 1);
}

static void add_required(struct tree_node required, const struct fields *fields)
{
    for (size_t i = 0; i < fields->count; i++)
        if (fields->items[i].kind == FIELD_IS_PART && !fields->items[i].known)
            add_required(required, fields->items[i].inner);
        else if (fields->items[i].kind != FIELD_IS_PART && !(fields->items[i].flags & (FIELD_LEFT_OUT | FIELD_LATER)))
            tree_text(required, NULL, fields->items[i].key);
}

static void add_properties(struct tree_node properties, struct tree_node defs, const struct fields *fields)
{
    for (size_t i = 0; i < fields->count; i++) {
        const struct field *field = &fields->items[i];
        if (field->kind == FIELD_IS_PART)
            add_properties(properties, defs, field->inner);
        else
            describe(tree_object(properties, field->key), defs, field);
    }
}

void fields_schema(struct tree_node node, struct tree_node defs, const struct fields *fields)
{
    tree_text(node, "type", "object");
    add_required(tree_array(node, "required"), fields);
    add_properties(tree_object(node, "properties"), defs, fields);
    tree_bool(node, "additionalProperties", false);
}

bool schema_write(const struct schema *schema, FILE *out, struct error *err)
{
    struct tree tree;
    struct tree_node root, defs;

    tree_open(&tree);
    root = tree_root(&tree);
    tree_text(root, "$schema", "https://json-schema.org/draft/2020-12/schema");
    tree_text(root, "title", schema->schema);
    tree_text(root, "$comment",
              "A key ends in the unit of its value. null: not known, never 0. Integers are exact beyond 2^53.");
    tree_text(root, "description", schema->meaning);
    defs = tree_object(root, "$defs");
    fields_schema(root, defs, schema->fields);
    return tree_write(&tree, out, "the schema", err);
}
