/* SPDX-License-Identifier: MIT
 * Objects of documents by the tables of their fields. */
#include "form/field.h"

#include <math.h>
#include <string.h>

/* Below it every whole number is a double. */
#define MOST_COUNT 9007199254740992.0

static const void *member(const void *object, const struct field *field)
{
    return (const char *)object + field->offset;
}

void fields_json(struct tree_node node, const struct fields *fields, const void *object)
{
    for (size_t i = 0; i < fields->count; i++) {
        const struct field *field = &fields->items[i];
        const void *value = member(object, field);
        switch (field->kind) {
        case FIELD_COUNT: tree_integer(node, field->key, *(const size_t *)value); break;
        case FIELD_NUMBER: tree_number(node, field->key, *(const double *)value); break;
        case FIELD_WORD: tree_text(node, field->key, field->word(*(const int *)value)); break;
        case FIELD_TEXT: tree_text(node, field->key, value); break;
        }
    }
}

static bool read_count(const struct cJSON *item, size_t *value)
{
    const double number = json_number(item);

    if (!(number >= 0 && number < MOST_COUNT && number == floor(number)))
        return false;
    *value = (size_t)number;
    return true;
}

static bool read_word(const struct cJSON *item, const struct field *field, int *value)
{
    for (*value = field->first; *value < field->end; ++*value)
        if (strcmp(field->word(*value), json_text(item)) == 0)
            return true;
    return false;
}

static bool read_number(const struct cJSON *item, const struct field *field, double *value)
{
    *value = json_number(item);
    return isnan(*value) ? !field->always && json_is_null(item) : *value >= 0;
}

static bool read_text(const struct cJSON *item, const struct field *field, char *value)
{
    if (json_kind(item) != JSON_TEXT || strlen(json_text(item)) >= field->size)
        return false;
    memcpy(value, json_text(item), strlen(json_text(item)) + 1);
    return true;
}

bool fields_read(const struct cJSON *node, const struct fields *fields, void *object)
{
    for (size_t i = 0; i < fields->count; i++) {
        const struct field *field = &fields->items[i];
        const struct cJSON *item = json_member(node, field->key);
        void *value = (char *)object + field->offset;
        bool good = false;
        switch (field->kind) {
        case FIELD_COUNT: good = read_count(item, value); break;
        case FIELD_NUMBER: good = read_number(item, field, value); break;
        case FIELD_WORD: good = read_word(item, field, value); break;
        case FIELD_TEXT: good = read_text(item, field, value); break;
        }
        if (!good)
            return false;
    }
    return true;
}

static void add_type(struct tree_node node, const struct field *field)
{
    struct tree_node array;

    switch (field->kind) {
    case FIELD_COUNT: tree_text(node, "type", "integer"); break;
    case FIELD_NUMBER:
        if (field->always) {
            tree_text(node, "type", "number");
            break;
        }
        array = tree_array(node, "type");
        tree_text(array, NULL, "number");
        tree_text(array, NULL, "null");
        break;
    case FIELD_WORD:
        array = tree_array(node, "enum");
        for (int value = field->first; value < field->end; value++)
            tree_text(array, NULL, field->word(value));
        return;
    case FIELD_TEXT: tree_text(node, "type", "string"); return;
    }
    tree_integer(node, "minimum", 0);
}

void fields_schema(struct tree_node node, const struct fields *fields)
{
    struct tree_node required, properties;

    tree_text(node, "type", "object");
    required = tree_array(node, "required");
    for (size_t i = 0; i < fields->count; i++)
        tree_text(required, NULL, fields->items[i].key);
    properties = tree_object(node, "properties");
    for (size_t i = 0; i < fields->count; i++) {
        const struct tree_node property = tree_object(properties, fields->items[i].key);
        tree_text(property, "description", fields->items[i].meaning);
        add_type(property, &fields->items[i]);
    }
    tree_bool(node, "additionalProperties", false);
}
