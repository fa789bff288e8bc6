/* SPDX-License-Identifier: MIT
 * Structs read from JSON by the tables of their fields. */
#include "form/field.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

/* Below it every whole number is a double. */
#define MAX_WHOLE 9007199254740992.0

/* The most that a member of this kind holds. */
static double max_of(enum field_kind kind)
{
    return kind == FIELD_IS_UNSIGNED ? UINT32_MAX : kind == FIELD_IS_INT ? INT32_MAX : MAX_WHOLE - 1;
}

static void put_whole(enum field_kind kind, double value, void *member)
{
    switch (kind) {
    case FIELD_IS_COUNT: *(size_t *)member = (size_t)value; break;
    case FIELD_IS_U64: *(uint64_t *)member = (uint64_t)value; break;
    case FIELD_IS_UNSIGNED: *(unsigned *)member = (unsigned)value; break;
    case FIELD_IS_INT: *(int *)member = (int)value; break;
    default: *(int64_t *)member = (int64_t)value; break;
    }
}

static bool read_whole(const struct cJSON *item, const struct field *field, void *member)
{
    const double value = json_number(item), max = max_of(field->kind);
    const bool is_signed = field->kind == FIELD_IS_INT || field->kind == FIELD_IS_INT64;
    const bool good = value >= (is_signed ? -max - 1 : 0) && value <= max && value == floor(value);

    put_whole(field->kind, good ? value : field->flags & FIELD_NULL_NEGATIVE ? -1 : 0, member);
    return good;
}

static bool read_number(const struct cJSON *item, const struct field *field, double *member)
{
    const double value = json_number(item);
    const bool good = isfinite(value) && (value >= 0 || !(field->flags & FIELD_FROM_0));

    *member = good ? value : field->flags & FIELD_ELSE_0 ? 0 : NAN;
    return good;
}

/* Where two values have one word, it is the last; a word that is none is that of "", or the first. */
static bool read_word(const struct cJSON *item, const struct field *field, int *member)
{
    int none = field->first;

    for (int value = field->end - 1; value >= field->first; value--) {
        const char *word = field->word(value) ? field->word(value) : "";
        *member = value;
        if (strcmp(word, json_text(item)) == 0)
            return item;
        none = *word ? none : value;
    }
    *member = none;
    return field->flags & FIELD_OPEN && json_kind(item) == JSON_TEXT;
}

static bool read_text(const struct cJSON *item, const struct field *field, char *member)
{
    const char *text = json_text(item);

    text_copy(member, field->size, text);
    return json_kind(item) == JSON_TEXT && strlen(text) < field->size;
}

static bool read_time(const struct cJSON *item, uint64_t *member)
{
    const bool good = clock_of_text(json_text(item), member);

    if (!good)
        *member = 0;
    return good;
}

uint64_t field_ns(double seconds)
{
    uint64_t ns;

    if (!(seconds > 0) || seconds > 9e9)
        return 0;
    ns = (uint64_t)llround(seconds * NS_PER_S);
    if (s_from_ns(ns) == seconds)
        return ns;
    for (uint64_t near = ns - (ns > 0); near <= ns + 1; near++)
        if (s_from_ns(near) == seconds)
            return near;
    return ns;
}

static bool read_seconds(const struct cJSON *item, uint64_t *member)
{
    const double seconds = json_number(item);

    *member = field_ns(seconds);
    return seconds >= 0 && seconds <= 9e9;
}

static bool fill_object(const struct cJSON *node, const struct fields *fields, void *object);

static bool read_value(const struct cJSON *item, const struct field *field, void *member)
{
    switch ((enum field_kind)field->kind) {
    case FIELD_IS_NUMBER: return read_number(item, field, member);
    case FIELD_IS_SECONDS: return read_seconds(item, member);
    case FIELD_IS_TIME: return read_time(item, member);
    case FIELD_IS_COUNT:
    case FIELD_IS_U64:
    case FIELD_IS_UNSIGNED:
    case FIELD_IS_INT:
    case FIELD_IS_INT64: return read_whole(item, field, member);
    case FIELD_IS_BOOL: *(bool *)member = json_truth(item); return json_kind(item) == JSON_BOOL;
    case FIELD_IS_TEXT: return read_text(item, field, member);
    case FIELD_IS_ONE_OF:
    case FIELD_IS_NAME:
        *(const char **)member = json_kind(item) == JSON_TEXT && *json_text(item) ? json_text(item) : NULL;
        return json_kind(item) == JSON_TEXT;
    case FIELD_IS_WORD: return read_word(item, field, member);
    case FIELD_IS_OBJECT: return fill_object(item, field->inner, member);
    case FIELD_IS_CONSTANT: return strcmp(json_text(item), field->text) == 0;
    case FIELD_IS_WRITER: return json_kind(item) == JSON_TEXT;
    case FIELD_IS_FIGURE:
    case FIELD_IS_FIXED:
    case FIELD_IS_FACT:
    case FIELD_IS_SAID:
    case FIELD_IS_PART:
    case FIELD_IS_LIST:
    case FIELD_IS_EACH:
    case FIELD_IS_MAP:
    case FIELD_IS_JSON: break;
    }
    return true;
}

/* Whether null is a value of the field. */
static bool may_be_null(const struct field *field)
{
    return field->known || field->kind == FIELD_IS_TIME ||
           field->flags & (FIELD_NULL_0 | FIELD_NULL_NEGATIVE | FIELD_NULL_EMPTY | FIELD_IF_GIVEN | FIELD_LEFT_OUT |
                           FIELD_NULLABLE) ||
           (field->kind == FIELD_IS_NUMBER && !(field->flags & FIELD_KNOWN));
}

static bool is_read(const struct field *field)
{
    switch ((enum field_kind)field->kind) {
    case FIELD_IS_FIGURE:
    case FIELD_IS_FIXED:
    case FIELD_IS_FACT:
    case FIELD_IS_SAID:
    case FIELD_IS_LIST:
    case FIELD_IS_EACH:
    case FIELD_IS_MAP:
    case FIELD_IS_JSON: return false;
    default: return !(field->flags & FIELD_BEHIND);
    }
}

static bool fill_object(const struct cJSON *node, const struct fields *fields, void *object)
{
    bool good = json_kind(node) == JSON_OBJECT;

    for (size_t i = 0; i < fields->count; i++) {
        const struct field *field = &fields->items[i];
        const bool in_this = field->kind == FIELD_IS_PART;
        const struct cJSON *item = in_this ? node : json_member(node, field->key);
        void *member = (char *)object + field->offset;
        bool as_reported;

        if (!is_read(field))
            continue;
        if (field->flags & FIELD_IF_GIVEN)
            *(bool *)((char *)object + field->given) = !json_is_null(item);
        as_reported = in_this ? fill_object(node, field->inner, member) : read_value(item, field, member);
        good = good && (as_reported || (may_be_null(field) && item && json_is_null(item)) ||
                        (field->flags & (FIELD_LEFT_OUT | FIELD_LATER) && !item));
    }
    return good;
}

bool fields_read(const struct cJSON *node, const struct fields *fields, void *object)
{
    return fill_object(node, fields, object);
}

void fields_take(const struct cJSON *node, const struct fields *fields, void *object)
{
    fill_object(node, fields, object);
}
