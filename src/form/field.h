/* SPDX-License-Identifier: MIT
 * A field of a document, stated once: its key, what it means and where its value stands. By one table an object is
 * written as JSON, read from it, and described in a schema. */
#ifndef FORM_FIELD_H
#define FORM_FIELD_H

#include "io/json_read.h"
#include "io/json_tree.h"

enum field_kind {
    FIELD_COUNT,  /* size_t */
    FIELD_NUMBER, /* double; NAN is null, both ways */
    FIELD_WORD,   /* int, as the word of it */
    FIELD_TEXT,   /* an array of characters */
};

struct field {
    const char *key;     /* "gross_j": ends in its unit */
    const char *meaning; /* for the schema */
    enum field_kind kind;
    size_t offset;
    bool always; /* FIELD_NUMBER: is never null */
    size_t size; /* FIELD_TEXT: of the array */
    /* FIELD_WORD: the values from first up to end, without end */
    const char *(*word)(int value);
    int first, end;
};

/* Of one struct, in the order of the document. */
struct fields {
    const struct field *items;
    size_t count;
};

/* The entries of a table, where OF is defined as the struct; a member of another type does not compile. */
#define FIELD_AT(type, member)                                                                                         \
    (offsetof(OF, member) +                                                                                            \
     0 * sizeof(char[__builtin_types_compatible_p(type, __typeof__(((OF *)0)->member)) ? 1 : -1]))
#define FIELD_OF(its_kind, type, its_key, member, its_meaning, ...)                                                    \
    {                                                                                                                  \
        .key = (its_key), .meaning = (its_meaning), .kind = (its_kind), .offset = FIELD_AT(type, member), __VA_ARGS__  \
    }
#define COUNT_FIELD(key, member, meaning) FIELD_OF(FIELD_COUNT, size_t, key, member, meaning, .always = true)
#define NUMBER_FIELD(key, member, meaning) FIELD_OF(FIELD_NUMBER, double, key, member, meaning, .always = false)
#define NUMBER_FIELD_ALWAYS(key, member, meaning) FIELD_OF(FIELD_NUMBER, double, key, member, meaning, .always = true)
#define WORD_FIELD(key, member, its_word, its_first, its_end, meaning)                                                 \
    FIELD_OF(FIELD_WORD, int, key, member, meaning, .word = (its_word), .first = (its_first), .end = (its_end))
#define TEXT_FIELD(its_key, member, its_meaning)                                                                       \
    {                                                                                                                  \
        .key = (its_key), .meaning = (its_meaning), .kind = FIELD_TEXT,                                                \
        .offset = offsetof(OF, member) +                                                                               \
                  0 * sizeof(char[__builtin_types_compatible_p(char, __typeof__(((OF *)0)->member[0])) ? 1 : -1]),     \
        .size = sizeof((OF *)0)->member, .always = true                                                                \
    }

/* Adds the members of the object to the node. */
void fields_json(struct tree_node node, const struct fields *fields, const void *object);

/* False: a value is missing that is always there, or is none of the field's kind. What is null or missing otherwise is
 * NAN. */
bool fields_read(const struct cJSON *node, const struct fields *fields, void *object) MUST_CHECK;

/* JSON Schema of the object: every key is required, no other is allowed, no value is negative. */
void fields_schema(struct tree_node node, const struct fields *fields);

#endif
