/* SPDX-License-Identifier: MIT
 * A field of a document, stated once: its key, its meaning and the place of its value. By one table a struct is
 * written as JSON (fields_json), read from it (fields_read), described in a JSON Schema (field_schema.h) and named by
 * the columns of a CSV table (columns.h). A result's tables are in a file of its own, RESULT_fields.c. Used in form,
 * result and 8 commands. Begin with fields_json(). */
#ifndef FORM_FIELD_H
#define FORM_FIELD_H

#include "io/json_read.h"
#include "io/json_tree.h"

#include <stddef.h>

/* What the member is, and so how it is written. */
enum field_kind {
    FIELD_IS_NUMBER,   /* double; null unless finite */
    FIELD_IS_FIGURE,   /* no member: a double that a function makes of the struct; is not read */
    FIELD_IS_SECONDS,  /* uint64_t of nanoseconds, written in seconds */
    FIELD_IS_TIME,     /* uint64_t of nanoseconds since 1970, written as a time of day; 0 is null */
    FIELD_IS_FACT,     /* no member: likewise a bool */
    FIELD_IS_COUNT,    /* size_t */
    FIELD_IS_U64,      /* uint64_t */
    FIELD_IS_UNSIGNED, /* unsigned */
    FIELD_IS_INT,      /* int */
    FIELD_IS_INT64,    /* int64_t */
    FIELD_IS_FIXED,    /* no member: a whole number that is always the same */
    FIELD_IS_BOOL,     /* bool */
    FIELD_IS_TEXT,     /* an array of characters */
    FIELD_IS_NAME,     /* const char *, which lives longer than the struct */
    FIELD_IS_ONE_OF,   /* name, one of a list */
    FIELD_IS_WORD,     /* an enum of int's size, as the word of it */
    FIELD_IS_CONSTANT, /* no member: a text that is always the same */
    FIELD_IS_SAID,     /* no member: a text that a function makes of the struct, or NULL; is not read */
    FIELD_IS_WRITER,   /* no member: the version of carbon that writes */
    FIELD_IS_OBJECT,   /* a struct, by the table inner; at offset 0 members of this struct in an object of their own */
    FIELD_IS_PART,     /* likewise, but its members are in this object; by a rule (known) all of them or none */
    FIELD_IS_LIST,     /* an array of structs by inner, or of names */
    FIELD_IS_EACH,     /* no member: likewise, which a function adds: views of structs, numbers of several arrays */
    FIELD_IS_MAP,      /* no member: an object whose keys are the user's; likewise */
    FIELD_IS_JSON,     /* const char *: an object as JSON, kept byte for byte; NULL is null; is not read */
};

enum {
    /* the value that is null, in addition to those above; reading null gives that value */
    FIELD_NULL_0 = 1,
    FIELD_NULL_NEGATIVE = 2,
    FIELD_NULL_EMPTY = 4, /* null: an empty text, name or word */
    FIELD_IF_GIVEN = 8,   /* null unless the bool at `given` is set */
    /* what a number can be, for the schema and for who reads it: one is not below 0, one always known */
    FIELD_FROM_0 = 16,
    FIELD_KNOWN = 32,
    FIELD_LEFT_OUT = 64,            /* where it would be null, the key is not there */
    FIELD_OPEN = 128,               /* of a word: other releases have others, so that the schema does not list them */
    FIELD_BEHIND = 256,             /* of an object, a part: the member points to it; an object behind NULL is null */
    FIELD_IN_PLACE = 512,           /* of a list: the array is the member itself */
    FIELD_ENDED = 1024,             /* of a list of names: NULL ends it, or is the list */
    FIELD_ITEMS_NULLABLE = 1 << 17, /* null allowed as a value of FIELD_VALUES */
    FIELD_ELSE_0 = 2048,            /* null is read as 0 */
    FIELD_FROM_1 = 4096,
    FIELD_ABOVE_0 = 8192,
    FIELD_FULL = 16384,     /* a text is never "", a list never of none */
    FIELD_NULLABLE = 65536, /* of an object: null where its table's rule (is_known) does not hold */
    FIELD_LATER = 32768,    /* older documents have no such key */
};

struct fields;

/* Adds to the array or the object. */
typedef void field_each_function(struct tree_node node, const void *object);

/* Any of those that a row names, to be compared. */
typedef void field_function(void);

struct field {
    const char *key;     /* "gross_j": ends in its unit */
    const char *meaning; /* for the schema */
    unsigned char kind;  /* enum field_kind */
    short first, end;    /* FIELD_IS_WORD: its values from first up to end, without end */
    unsigned flags;
    unsigned offset;
    unsigned size;  /* of an array of characters, of an item of a list */
    unsigned count; /* FIELD_IS_LIST: where its count stands */
    unsigned given; /* FIELD_IF_GIVEN: where that bool stands */
    int min, max;   /* for the schema; 0: as the flags say, not stated */
    union {
        const struct fields *inner;
        const char *(*word)(int value);
        const char *pattern;       /* of a text, a name: its format, for the schema */
        const char *const *one_of; /* NULL-ended; for its description, too */
        const char *text;          /* FIELD_IS_CONSTANT */
    };
    union {
        double (*figure)(const void *object);
        bool (*fact)(const void *object);
        const char *(*said)(const void *object);
        field_each_function *each;
        field_function *made; /* whichever it is; NULL: none */
    };
    bool (*known)(const void *object); /* of the struct: the field is null where this is false; NULL: no such rule */
};

/* Of one struct, in the order of the document. */
struct fields {
    const char *name;    /* for the schema's $defs; NULL: it is described where it stands */
    const char *meaning; /* where it has a name */
    const struct field *items;
    size_t count;
    bool (*is_known)(const void *object); /* see FIELD_NULLABLE; NULL: no rule */
    size_t size;                          /* of the struct; 0: this one is not made alone, it is a view of others */
    const char *document; /* of a whole document, which others hold: its schema's file, which theirs refer to */
};

/* clang-format off */
/* Of the struct OF, whose rows follow in braces: FIELDS({ … }) is described where it stands, FIELDS_NAMED("name", "a
 * meaning")({ … }) once, under its name. */
#define FIELDS_ROWS(...)                                                                                               \
    .items = (const struct field[])__VA_ARGS__,                                                                        \
    .count = sizeof((const struct field[])__VA_ARGS__) / sizeof(struct field), .size = sizeof(OF)                      \
    }
#define FIELDS(...) { FIELDS_ROWS(__VA_ARGS__)
#define FIELDS_NAMED(its_name, its_meaning) { .name = (its_name), .meaning = (its_meaning), FIELDS_ROWS
/* clang-format on */

/* Of a list that has a name of its own. */
#define FIELDS_OF(its_name, its_meaning, type, list)                                                                   \
    {                                                                                                                  \
        .name = (its_name), .meaning = (its_meaning), .items = (list), .count = sizeof(list) / sizeof(list)[0],        \
        .size = sizeof(type)                                                                                           \
    }

struct table;

/* With the rule when the struct says something. */
#define FIELDS_KNOWN(its_name, its_meaning, type, list, rule)                                                          \
    {                                                                                                                  \
        .name = (its_name), .meaning = (its_meaning), .items = (list), .count = sizeof(list) / sizeof(list)[0],        \
        .is_known = (rule), .size = sizeof(type)                                                                       \
    }

/* A kind of document: what `carbon help --schema NAME` describes. */
struct schema {
    const char *name;   /* "pipeline": of the file docs/pipeline-schema.json */
    const char *schema; /* "carbon.pipeline/1" */
    const char *meaning;
    const struct fields *fields;
    const struct table *table; /* the same as CSV (columns.h); NULL: no such form */
};

/* The rows of a table, where OF is defined as the struct. The key is the member's name, but for those that end in _AS.
 * A member of another type does not compile. What follows the meaning: .flags = …, .known = … */
#define FIELD_AT(type, member)                                                                                         \
    (offsetof(OF, member) +                                                                                            \
     0 * sizeof(char[__builtin_types_compatible_p(type, __typeof__(((OF *)0)->member)) ? 1 : -1]))
#define FIELD_ROW(its_kind, type, its_key, member, its_meaning, ...)                                                   \
    {                                                                                                                  \
        .key = (its_key), .meaning = (its_meaning), .kind = (its_kind), .offset = FIELD_AT(type, member), __VA_ARGS__  \
    }
#define FIELD_NUMBER_AS(key, member, ...) FIELD_ROW(FIELD_IS_NUMBER, double, key, member, __VA_ARGS__, )
#define FIELD_NUMBER(member, ...) FIELD_NUMBER_AS(#member, member, __VA_ARGS__)
#define FIELD_FIGURE(its_key, its_figure, its_meaning, ...)                                                            \
    {                                                                                                                  \
        .key = (its_key), .meaning = (its_meaning), .kind = FIELD_IS_FIGURE, .figure = (its_figure), __VA_ARGS__       \
    }
#define FIELD_SAID(its_key, its_said, its_words, its_meaning, ...)                                                     \
    {                                                                                                                  \
        .key = (its_key), .meaning = (its_meaning), .kind = FIELD_IS_SAID, .said = (its_said), .one_of = (its_words),  \
        __VA_ARGS__                                                                                                    \
    }
#define FIELD_FACT(its_key, its_fact, its_meaning)                                                                     \
    {                                                                                                                  \
        .key = (its_key), .meaning = (its_meaning), .kind = FIELD_IS_FACT, .fact = (its_fact)                          \
    }
#define FIELD_SECONDS_AS(key, member, ...) FIELD_ROW(FIELD_IS_SECONDS, uint64_t, key, member, __VA_ARGS__, )
#define FIELD_TIME_AS(key, member, ...) FIELD_ROW(FIELD_IS_TIME, uint64_t, key, member, __VA_ARGS__, )
#define FIELD_COUNT_AS(key, member, ...) FIELD_ROW(FIELD_IS_COUNT, size_t, key, member, __VA_ARGS__, )
#define FIELD_COUNT(member, ...) FIELD_COUNT_AS(#member, member, __VA_ARGS__)
#define FIELD_U64_AS(key, member, ...) FIELD_ROW(FIELD_IS_U64, uint64_t, key, member, __VA_ARGS__, )
#define FIELD_U64(member, ...) FIELD_U64_AS(#member, member, __VA_ARGS__)
#define FIELD_UNSIGNED_AS(key, member, ...) FIELD_ROW(FIELD_IS_UNSIGNED, unsigned, key, member, __VA_ARGS__, )
#define FIELD_UNSIGNED(member, ...) FIELD_UNSIGNED_AS(#member, member, __VA_ARGS__)
#define FIELD_INT_AS(key, member, ...) FIELD_ROW(FIELD_IS_INT, int, key, member, __VA_ARGS__, )
#define FIELD_INT(member, ...) FIELD_INT_AS(#member, member, __VA_ARGS__)
#define FIELD_INT64_AS(key, member, ...) FIELD_ROW(FIELD_IS_INT64, int64_t, key, member, __VA_ARGS__, )
#define FIELD_INT64(member, ...) FIELD_INT64_AS(#member, member, __VA_ARGS__)
#define FIELD_BOOL_AS(key, member, ...) FIELD_ROW(FIELD_IS_BOOL, bool, key, member, __VA_ARGS__, )
#define FIELD_BOOL(member, ...) FIELD_BOOL_AS(#member, member, __VA_ARGS__)
#define FIELD_NAME_AS(key, member, ...) FIELD_ROW(FIELD_IS_NAME, const char *, key, member, __VA_ARGS__, )
#define FIELD_NAME(member, ...) FIELD_NAME_AS(#member, member, __VA_ARGS__)
#define FIELD_ONE_OF_AS(key, member, list, ...)                                                                        \
    FIELD_ROW(FIELD_IS_ONE_OF, const char *, key, member, __VA_ARGS__, .one_of = (list))
#define FIELD_ONE_OF(member, list, ...) FIELD_ONE_OF_AS(#member, member, list, __VA_ARGS__)

/* After the meaning: null unless the bool is set. */
#define FIELD_WHERE(member) .flags = FIELD_IF_GIVEN, .given = FIELD_AT(bool, member)

/* Field of a member `char NAME[…]`. */
#define FIELD_TEXT_AS(its_key, member, its_meaning, ...)                                                               \
    {                                                                                                                  \
        .key = (its_key), .meaning = (its_meaning), .kind = FIELD_IS_TEXT,                                             \
        .offset = offsetof(OF, member) +                                                                               \
                  0 * sizeof(char[__builtin_types_compatible_p(char, __typeof__(((OF *)0)->member[0])) ? 1 : -1]),     \
        .size = sizeof((OF *)0)->member, __VA_ARGS__                                                                   \
    }
#define FIELD_TEXT(member, ...) FIELD_TEXT_AS(#member, member, __VA_ARGS__, )

/* Of a member `enum TYPE`: FIELD_WORD(enum quality, quality, quality_word, 0, QUALITY_DEFAULT + 1, "…"). */
#define FIELD_WORD_AS(key, type, member, its_word, its_first, its_end, ...)                                            \
    FIELD_ROW(FIELD_IS_WORD, type, key, member, __VA_ARGS__, .word = (its_word), .first = (its_first), .end = (its_end))
#define FIELD_WORD(type, member, word, first, end, ...)                                                                \
    FIELD_WORD_AS(#member, type, member, word, first, end, __VA_ARGS__)

#define FIELD_CONSTANT(its_key, its_text, its_meaning)                                                                 \
    {                                                                                                                  \
        .key = (its_key), .meaning = (its_meaning), .kind = FIELD_IS_CONSTANT, .text = (its_text)                      \
    }
#define FIELD_FIXED(its_key, its_number, its_meaning)                                                                  \
    {                                                                                                                  \
        .key = (its_key), .meaning = (its_meaning), .kind = FIELD_IS_FIXED, .first = (its_number)                      \
    }
#define FIELD_WRITER                                                                                                   \
    {                                                                                                                  \
        .key = "carbon_version", .meaning = "version of carbon that wrote it", .kind = FIELD_IS_WRITER,                \
        .flags = FIELD_FULL                                                                                            \
    }

#define FIELD_OBJECT_AS(key, type, member, table, ...)                                                                 \
    FIELD_ROW(FIELD_IS_OBJECT, type, key, member, __VA_ARGS__, .inner = (table))
#define FIELD_OBJECT(type, member, table, ...) FIELD_OBJECT_AS(#member, type, member, table, __VA_ARGS__)
#define FIELD_PART(type, member, table, its_flags)                                                                     \
    FIELD_ROW(FIELD_IS_PART, type, "", member, "", .flags = (its_flags), .inner = (table))
/* Members of this struct in an object of their own; in none of their own. */
#define FIELD_GROUP(its_key, table, its_meaning, ...)                                                                  \
    {                                                                                                                  \
        .key = (its_key), .meaning = (its_meaning), .kind = FIELD_IS_OBJECT, .inner = (table), __VA_ARGS__             \
    }
#define FIELD_SAME(table)                                                                                              \
    {                                                                                                                  \
        .key = "", .meaning = "", .kind = FIELD_IS_PART, .inner = (table)                                              \
    }

/* All of them where the rule holds, else none. */
#define FIELD_SAME_WHERE(rule, table)                                                                                  \
    {                                                                                                                  \
        .key = "", .meaning = "", .kind = FIELD_IS_PART, .inner = (table), .known = (rule)                             \
    }

/* Of a member `TYPE *NAME` with its count, of one `TYPE NAME[…]` with it, and of names in either. */
#define FIELD_LIST_AS(key, type, member, its_count, table, ...)                                                        \
    FIELD_ROW(FIELD_IS_LIST, type *, key, member, __VA_ARGS__, .inner = (table), .size = sizeof(type),                 \
              .count = FIELD_AT(size_t, its_count))
#define FIELD_LIST(type, member, its_count, table, ...)                                                                \
    FIELD_LIST_AS(#member, type, member, its_count, table, __VA_ARGS__)
#define FIELD_ARRAY_AS(its_key, type, member, its_count, table, its_meaning, ...)                                      \
    {                                                                                                                  \
        .key = (its_key), .meaning = (its_meaning), .kind = FIELD_IS_LIST, .flags = FIELD_IN_PLACE, .inner = (table),  \
        .size = sizeof(type), .count = FIELD_AT(size_t, its_count),                                                    \
        .offset = offsetof(OF, member) +                                                                               \
                  0 * sizeof(char[__builtin_types_compatible_p(type, __typeof__(((OF *)0)->member[0])) ? 1 : -1]),     \
        __VA_ARGS__                                                                                                    \
    }
/* What a function adds to an array: structs by a table; or, by FIELD_VALUES, values of a kind. */
#define FIELD_EACH(its_key, its_each, table, its_meaning, ...)                                                         \
    {                                                                                                                  \
        .key = (its_key), .meaning = (its_meaning), .kind = FIELD_IS_EACH, .each = (its_each), .inner = (table),       \
        __VA_ARGS__                                                                                                    \
    }
#define FIELD_VALUES(its_key, its_each, its_kind, its_meaning, ...)                                                    \
    {                                                                                                                  \
        .key = (its_key), .meaning = (its_meaning), .kind = FIELD_IS_EACH, .each = (its_each), .first = (its_kind),    \
        __VA_ARGS__                                                                                                    \
    }
#define FIELD_MAP(its_key, its_each, keys_like, its_meaning, ...)                                                      \
    {                                                                                                                  \
        .key = (its_key), .meaning = (its_meaning), .kind = FIELD_IS_MAP, .each = (its_each), .pattern = (keys_like),  \
        __VA_ARGS__                                                                                                    \
    }
#define FIELD_JSON_AS(key, member, its_meaning) FIELD_ROW(FIELD_IS_JSON, const char *, key, member, its_meaning, )
#define FIELD_NAMES_ENDED(member, its_meaning)                                                                         \
    {                                                                                                                  \
        .key = #member, .meaning = (its_meaning), .kind = FIELD_IS_LIST, .flags = FIELD_ENDED, .size = sizeof(char *), \
        .offset = FIELD_AT(char *const *, member)                                                                      \
    }
#define FIELD_NAMES_IN_PLACE(member, its_count, its_meaning)                                                           \
    FIELD_ARRAY_AS(#member, const char *, member, its_count, NULL, its_meaning)

/* What a text looks like. */
#define FIELD_LIKE_TIME "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
#define FIELD_LIKE_MINUTE "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}Z$"
#define FIELD_LIKE_UUID "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
#define FIELD_LIKE_CODE "^[a-z]+(-[a-z]+)*$"

/* Adds the members of the struct to the node. */
void fields_json(struct tree_node node, const struct fields *fields, const void *object);

/* Writes a document, and a line's end. what: "the JSON result", for the error. */
bool document_json(const struct schema *schema, const void *object, FILE *out, const char *what,
                   struct error *err) MUST_CHECK;

/* Writes an object on a line of its own (JSON Lines). */
bool fields_line(const struct fields *fields, const void *object, FILE *out, const char *what,
                 struct error *err) MUST_CHECK;

/* Fills the struct from the members of a node, which may be NULL: a value that is null, missing or invalid is unknown
 * (NAN, 0, -1, "", false, the first of the words), and a field whose null is another's is left. Names live as long as
 * the document. Lists and the target of a pointer are not read. False: a value was missing, or is none of the field's
 * kind. */
bool fields_read(const struct cJSON *node, const struct fields *fields, void *object) MUST_CHECK;

/* The same, but a missing key is not a fault: other releases had other keys. */
void fields_take(const struct cJSON *node, const struct fields *fields, void *object);

/* field_item.c: the value that a document has of one member of the struct that it is written from, whatever its key is:
 * FIELD_ITEM(record, record_fields, struct report, summary.total.net_j.mean). A member behind a pointer is found by
 * the table of the struct behind it. field_made: the value of this function; field_object: the
 * object of this table. NULL: it is not there. */
const struct cJSON *field_item(const struct cJSON *node, const struct fields *fields, size_t offset, size_t size);
const struct cJSON *field_made(const struct cJSON *node, const struct fields *fields, field_function *made);
const struct cJSON *field_object(const struct cJSON *node, const struct fields *fields, const struct fields *inner);
#define FIELD_ITEM(node, table, type, member)                                                                          \
    field_item(node, &(table), offsetof(type, member), sizeof((type *)0)->member)
#define FIELD_MADE(node, table, function) field_made(node, &(table), (field_function *)(function))

/* Nanoseconds of the seconds that were written of them, to the last digit; 0 where that is unknown. */
uint64_t field_ns(double seconds);

/* Whether the field is null in this struct; and where its value stands, behind a pointer where it is. */
bool field_is_null(const struct field *field, const void *object);
const void *field_value(const struct field *field, const void *object);

/* The value as a cell of CSV: "" for null, and for anything but a single value. */
enum { FIELD_CELL_SIZE = 40 };
const char *field_cell(const struct field *field, const void *object, char out[FIELD_CELL_SIZE]);

#endif
