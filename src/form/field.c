/* SPDX-License-Identifier: MIT
 * Structs written as JSON by the tables of their fields. */
#include "config.h"

#include "form/field.h"

#include "base/clock.h"
#include "base/redact.h"
#include "base/text.h"
#include "base/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

const void *field_value(const struct field *field, const void *object)
{
    const void *value = (const char *)object + field->offset;

    return field->flags & FIELD_BEHIND ? *(const void *const *)value : value;
}

/* Of a word, a text or a name; NULL: none. */
static const char *text_of(const struct field *field, const void *value)
{
    switch (field->kind) {
    case FIELD_IS_SAID: return field->said(value);
    case FIELD_IS_TEXT: return value;
    case FIELD_IS_WORD: return field->word(*(const int *)value);
    case FIELD_IS_CONSTANT: return field->text;
    case FIELD_IS_WRITER: return PACKAGE_VERSION;
    default: return *(const char *const *)value;
    }
}

static double number_of(const struct field *field, const void *value)
{
    switch (field->kind) {
    case FIELD_IS_NUMBER: return *(const double *)value;
    case FIELD_IS_FIGURE: return field->figure(value);
    case FIELD_IS_COUNT: return (double)*(const size_t *)value;
    case FIELD_IS_UNSIGNED: return *(const unsigned *)value;
    case FIELD_IS_INT: return *(const int *)value;
    case FIELD_IS_INT64: return (double)*(const int64_t *)value;
    default: return (double)*(const uint64_t *)value;
    }
}

static bool is_text(const struct field *field)
{
    return field->kind >= FIELD_IS_TEXT && field->kind <= FIELD_IS_WRITER;
}

bool field_is_null(const struct field *field, const void *object)
{
    const void *value = field_value(field, object);

    if ((field->flags & FIELD_IF_GIVEN && !*(const bool *)((const char *)object + field->given)) ||
        (field->known && !field->known(object)) || !value ||
        (field->flags & FIELD_NULLABLE && !field->inner->is_known(value)))
        return true;
    if (field->kind == FIELD_IS_JSON)
        return !*(const char *const *)value;
    if (is_text(field)) {
        const char *text = text_of(field, value);
        return !text || (field->flags & FIELD_NULL_EMPTY && !*text);
    }
    if ((field->kind == FIELD_IS_NUMBER || field->kind == FIELD_IS_FIGURE) && !isfinite(number_of(field, value)))
        return true;
    if (field->kind == FIELD_IS_TIME)
        return *(const uint64_t *)value == 0;
    return (field->flags & FIELD_NULL_0 && number_of(field, value) == 0) ||
           (field->flags & FIELD_NULL_NEGATIVE && number_of(field, value) < 0);
}

/* Without the passwords of URLs, whatever text it is. */
static void add_text(struct tree_node parent, const char *key, const char *text)
{
    char *copy = NULL;

    tree_text(parent, key, text ? redacted(text, &copy) : NULL);
    free(copy);
}

static void add_list(struct tree_node parent, const struct field *field, const void *object)
{
    const struct tree_node array = tree_array(parent, field->key);
    const void *member = (const char *)object + field->offset;
    const char *item = field->flags & FIELD_IN_PLACE ? member : *(const char *const *)member;
    const size_t count = field->flags & FIELD_ENDED ? SIZE_MAX : *(const size_t *)((const char *)object + field->count);

    for (size_t i = 0; item && i < count; i++, item += field->size)
        if (field->inner)
            fields_json(tree_object(array, NULL), field->inner, item);
        else if (*(const char *const *)item)
            add_text(array, NULL, *(const char *const *)item);
        else
            return;
}

static void add_int64(struct tree_node node, const char *key, int64_t value)
{
    if (value < 0)
        tree_number(node, key, (double)value);
    else
        tree_integer(node, key, (uint64_t)value);
}

static void add_value(struct tree_node node, const struct field *field, const void *value)
{
    char text[CLOCK_TEXT_SIZE];

    switch ((enum field_kind)field->kind) {
    case FIELD_IS_NUMBER:
    case FIELD_IS_FIGURE: tree_number(node, field->key, number_of(field, value)); break;
    case FIELD_IS_SECONDS: tree_number(node, field->key, s_from_ns(*(const uint64_t *)value)); break;
    case FIELD_IS_TIME: tree_text(node, field->key, clock_text(*(const uint64_t *)value, text)); break;
    case FIELD_IS_COUNT: tree_integer(node, field->key, *(const size_t *)value); break;
    case FIELD_IS_U64: tree_integer(node, field->key, *(const uint64_t *)value); break;
    case FIELD_IS_UNSIGNED: tree_integer(node, field->key, *(const unsigned *)value); break;
    case FIELD_IS_INT: add_int64(node, field->key, *(const int *)value); break;
    case FIELD_IS_INT64: add_int64(node, field->key, *(const int64_t *)value); break;
    case FIELD_IS_FACT: tree_bool(node, field->key, field->fact(value)); break;
    case FIELD_IS_FIXED: tree_integer(node, field->key, (uint64_t)field->first); break;
    case FIELD_IS_BOOL: tree_bool(node, field->key, *(const bool *)value); break;
    case FIELD_IS_OBJECT: fields_json(tree_object(node, field->key), field->inner, value); break;
    case FIELD_IS_TEXT:
    case FIELD_IS_NAME:
    case FIELD_IS_ONE_OF:
    case FIELD_IS_WORD:
    case FIELD_IS_CONSTANT:
    case FIELD_IS_SAID:
    case FIELD_IS_WRITER: add_text(node, field->key, text_of(field, value)); break;
    case FIELD_IS_EACH: field->each(tree_array(node, field->key), value); break;
    case FIELD_IS_MAP: field->each(tree_object(node, field->key), value); break;
    case FIELD_IS_JSON: tree_json(node, field->key, *(const char *const *)value); break;
    case FIELD_IS_PART:
    case FIELD_IS_LIST: break;
    }
}

void fields_json(struct tree_node node, const struct fields *fields, const void *object)
{
    for (size_t i = 0; i < fields->count; i++) {
        const struct field *field = &fields->items[i];
        if (field->kind == FIELD_IS_PART)
            fields_json(node, field->inner, field_value(field, object));
        else if (!field_is_null(field, object))
            field->kind == FIELD_IS_LIST ? add_list(node, field, object)
                                         : add_value(node, field, field_value(field, object));
        else if (!(field->flags & FIELD_LEFT_OUT))
            tree_null(node, field->key);
    }
}

static const char *cell_of(const struct field *field, const void *value, char out[FIELD_CELL_SIZE])
{
    switch ((enum field_kind)field->kind) {
    case FIELD_IS_NUMBER:
    case FIELD_IS_FIGURE: return text_number(number_of(field, value), out);
    case FIELD_IS_SECONDS: return text_number(s_from_ns(*(const uint64_t *)value), out);
    case FIELD_IS_TIME: return clock_text(*(const uint64_t *)value, out);
    case FIELD_IS_COUNT: snprintf(out, FIELD_CELL_SIZE, "%zu", *(const size_t *)value); return out;
    case FIELD_IS_U64: snprintf(out, FIELD_CELL_SIZE, "%" PRIu64, *(const uint64_t *)value); return out;
    case FIELD_IS_UNSIGNED: snprintf(out, FIELD_CELL_SIZE, "%u", *(const unsigned *)value); return out;
    case FIELD_IS_INT: snprintf(out, FIELD_CELL_SIZE, "%d", *(const int *)value); return out;
    case FIELD_IS_INT64: snprintf(out, FIELD_CELL_SIZE, "%" PRId64, *(const int64_t *)value); return out;
    case FIELD_IS_FIXED: snprintf(out, FIELD_CELL_SIZE, "%d", field->first); return out;
    case FIELD_IS_FACT: return field->fact(value) ? "true" : "false";
    case FIELD_IS_BOOL: return *(const bool *)value ? "true" : "false";
    case FIELD_IS_TEXT:
    case FIELD_IS_NAME:
    case FIELD_IS_ONE_OF:
    case FIELD_IS_WORD:
    case FIELD_IS_CONSTANT:
    case FIELD_IS_SAID:
    case FIELD_IS_WRITER: return text_of(field, value);
    case FIELD_IS_OBJECT:
    case FIELD_IS_PART:
    case FIELD_IS_LIST:
    case FIELD_IS_EACH:
    case FIELD_IS_MAP:
    case FIELD_IS_JSON: break;
    }
    return "";
}

const char *field_cell(const struct field *field, const void *object, char out[FIELD_CELL_SIZE])
{
    return field_is_null(field, object) ? "" : cell_of(field, field_value(field, object), out);
}

bool document_json(const struct schema *schema, const void *object, FILE *out, const char *what, struct error *err)
{
    struct tree tree;

    tree_open(&tree);
    fields_json(tree_root(&tree), schema->fields, object);
    return tree_write(&tree, out, what, err);
}
