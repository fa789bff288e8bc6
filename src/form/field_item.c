/* SPDX-License-Identifier: MIT
 * A value of a document, found by the member of the struct that it was written from. */
#include "form/field.h"

/* The rows on the way to a value, the innermost first. */
struct field_route {
    const struct field *field;
    const struct field_route *outer;
};

/* A member, by its place in the struct and its size, which tells a struct from its first member; or, where there is
 * one, the function that makes the value, or the table of the object. */
struct field_wanted {
    size_t offset, size;
    field_function *made;
    const struct fields *inner;
};

static bool has_inner(const struct field *field)
{
    return field->kind == FIELD_IS_OBJECT || field->kind == FIELD_IS_PART;
}

static bool has_member(const struct field *field)
{
    switch ((enum field_kind)field->kind) {
    case FIELD_IS_FIGURE:
    case FIELD_IS_FACT:
    case FIELD_IS_FIXED:
    case FIELD_IS_CONSTANT:
    case FIELD_IS_SAID:
    case FIELD_IS_WRITER:
    case FIELD_IS_PART:
    case FIELD_IS_EACH:
    case FIELD_IS_MAP: return false;
    default: return true;
    }
}

static bool is_wanted(const struct field *field, const struct field_wanted *wanted)
{
    if (wanted->made)
        return field->made == wanted->made;
    if (wanted->inner)
        return field->kind == FIELD_IS_OBJECT && field->inner == wanted->inner;
    if (field->offset != wanted->offset || !has_member(field))
        return false;
    return field->kind != FIELD_IS_OBJECT ||
           wanted->size == (field->flags & FIELD_BEHIND ? sizeof(void *) : field->inner->size);
}

/* Of a row with a table of its own. */
static bool may_hold(const struct field *field, const struct field_wanted *wanted)
{
    return wanted->made || wanted->inner ||
           (!(field->flags & FIELD_BEHIND) && wanted->offset - field->offset < field->inner->size);
}

static const struct cJSON *follow(const struct field_route *route, const struct cJSON *node)
{
    if (!route)
        return node;
    node = follow(route->outer, node);
    return route->field->kind == FIELD_IS_PART ? node : json_member(node, route->field->key);
}

static bool find_item(const struct fields *fields, const struct field_wanted *wanted, const struct field_route *outer,
                      const struct cJSON **node)
{
    const bool by_member = !wanted->made && !wanted->inner;

    for (const struct field *field = fields->items; field < fields->items + fields->count; field++) {
        const struct field_route route = { field, outer };

        /* of most rows this is all: a record is read by many members */
        if (by_member && (field->offset > wanted->offset || (field->offset < wanted->offset && !has_inner(field))))
            continue;
        if (is_wanted(field, wanted)) {
            *node = follow(&route, *node);
            return true;
        }
        if (has_inner(field) && may_hold(field, wanted)) {
            const struct field_wanted inside = { wanted->offset - field->offset, wanted->size, wanted->made,
                                                 wanted->inner };
            if (find_item(field->inner, &inside, &route, node))
                return true;
        }
    }
    return false;
}

static const struct cJSON *item_of(const struct cJSON *node, const struct fields *fields,
                                   const struct field_wanted *wanted)
{
    return node && find_item(fields, wanted, NULL, &node) ? node : NULL;
}

const struct cJSON *field_item(const struct cJSON *node, const struct fields *fields, size_t offset, size_t size)
{
    return item_of(node, fields, &(struct field_wanted){ .offset = offset, .size = size });
}

const struct cJSON *field_made(const struct cJSON *node, const struct fields *fields, field_function *made)
{
    return item_of(node, fields, &(struct field_wanted){ .made = made });
}

const struct cJSON *field_object(const struct cJSON *node, const struct fields *fields, const struct fields *inner)
{
    return item_of(node, fields, &(struct field_wanted){ .inner = inner });
}
