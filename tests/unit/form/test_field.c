/* SPDX-License-Identifier: MIT
 * The tables of fields of every kind of document: each member, set to its own number, comes out under its key and comes
 * back; no two rows have one key, one member or one column. */
#include "unit.h"

#include "base/clock.h"
#include "base/units.h"
#include "commands.c"
#include "form/columns.h"
#include "result/record_fields.h"
#include "result/session_fields.h"
#include "result/window_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct error err;

/* Every table that a document has, each once. */
struct tables {
    const struct fields *items[512];
    size_t count;
};

static void collect(struct tables *tables, const struct fields *fields)
{
    for (size_t i = 0; i < tables->count; i++)
        if (tables->items[i] == fields)
            return;
    ck_assert_uint_lt(tables->count, sizeof tables->items / sizeof tables->items[0]);
    tables->items[tables->count++] = fields;
    for (size_t i = 0; i < fields->count; i++)
        if (fields->items[i].kind >= FIELD_IS_OBJECT && fields->items[i].kind != FIELD_IS_MAP && fields->items[i].inner)
            collect(tables, fields->items[i].inner);
}

static void each_schema(void (*use)(const struct schema *schema, void *context), void *context)
{
    for (size_t i = 0; commands[i]; i++)
        for (const struct schema *const *schema = commands[i]->schemas; schema && *schema; schema++)
            use(*schema, context);
}

static void collect_schema(const struct schema *schema, void *tables)
{
    collect(tables, schema->fields);
}

/* A field that is a value of this struct, and no other's. */
static bool is_own(const struct field *field)
{
    switch ((enum field_kind)field->kind) {
    case FIELD_IS_FIGURE:
    case FIELD_IS_FACT:
    case FIELD_IS_FIXED:
    case FIELD_IS_SAID:
    case FIELD_IS_CONSTANT:
    case FIELD_IS_WRITER:
    case FIELD_IS_OBJECT:
    case FIELD_IS_PART:
    case FIELD_IS_LIST:
    case FIELD_IS_EACH:
    case FIELD_IS_MAP:
    case FIELD_IS_JSON: return false;
    default: return true;
    }
}

/* The n-th value of a word that is one. */
static int word_at(const struct field *field, int n)
{
    const int words = field->end - field->first;

    for (int i = 0; i < words; i++) {
        const int value = field->first + (n + i) % words;
        if (field->word(value) && *field->word(value))
            return value;
    }
    return field->first;
}

static void set_member(const struct field *field, char *object, int n, char (*names)[16])
{
    void *member = object + field->offset;

    switch ((enum field_kind)field->kind) {
    case FIELD_IS_NUMBER: *(double *)member = n + 0.1; break;
    case FIELD_IS_SECONDS: *(uint64_t *)member = (uint64_t)n * 1234567891; break;
    case FIELD_IS_TIME: *(uint64_t *)member = 1700000000 * NS_PER_S_INT + (uint64_t)n * 1000000; break;
    case FIELD_IS_COUNT: *(size_t *)member = (size_t)n; break;
    case FIELD_IS_U64: *(uint64_t *)member = (uint64_t)n; break;
    case FIELD_IS_UNSIGNED: *(unsigned *)member = (unsigned)n; break;
    case FIELD_IS_INT: *(int *)member = n; break;
    case FIELD_IS_INT64: *(int64_t *)member = n; break;
    case FIELD_IS_BOOL: *(bool *)member = true; break;
    case FIELD_IS_TEXT: snprintf(member, field->size, "%d", n); break;
    case FIELD_IS_NAME:
        snprintf(names[n], sizeof names[n], "%d", n);
        *(const char **)member = names[n];
        break;
    case FIELD_IS_ONE_OF: *(const char **)member = field->one_of[0]; break;
    case FIELD_IS_WORD: *(int *)member = word_at(field, n); break;
    default: break;
    }
    if (field->flags & FIELD_IF_GIVEN)
        *(bool *)(object + field->given) = true;
}

static bool is_set(const struct field *field, const struct cJSON *item, int n)
{
    char text[CLOCK_TEXT_SIZE];

    switch ((enum field_kind)field->kind) {
    case FIELD_IS_NUMBER: return json_number(item) == n + 0.1;
    case FIELD_IS_SECONDS: return json_number(item) == s_from_ns((uint64_t)n * 1234567891);
    case FIELD_IS_TIME:
        return strcmp(json_text(item), clock_text(1700000000 * NS_PER_S_INT + (uint64_t)n * 1000000, text)) == 0;
    case FIELD_IS_BOOL: return json_truth(item);
    case FIELD_IS_TEXT:
    case FIELD_IS_NAME: return atoi(json_text(item)) == n;
    case FIELD_IS_ONE_OF: return strcmp(json_text(item), field->one_of[0]) == 0;
    case FIELD_IS_WORD: return strcmp(json_text(item), field->word(word_at(field, n))) == 0;
    default: return json_number(item) == n;
    }
}

/* What the table writes of the object, read again; for json_close. */
static struct cJSON *written(const struct fields *fields, const void *object)
{
    struct tree tree;
    struct cJSON *document;
    char *text;

    tree_open(&tree);
    fields_json(tree_root(&tree), fields, object);
    text = tree_string(&tree, "the object", &err);
    document = json_parse(text, "test", &err);
    ck_assert_ptr_nonnull(document);
    free(text);
    return document;
}

/* The fields of the struct itself in a table of their own: other structs have their turn by themselves. */
static struct fields own_of(const struct fields *fields, struct field *rows)
{
    struct fields own = *fields;

    own.items = rows;
    own.count = 0;
    for (size_t i = 0; i < fields->count; i++)
        if (is_own(&fields->items[i])) {
            rows[own.count] = fields->items[i];
            rows[own.count++].known = NULL; /* it may look at another struct */
        }
    return own;
}

static void comes_back(const struct fields *fields)
{
    struct field rows[256];
    char names[256][16];
    const struct fields own = own_of(fields, rows);
    char *object = calloc(1, fields->size), *again = calloc(1, fields->size);
    struct cJSON *document, *second;

    for (size_t i = 0; i < own.count; i++) {
        /* a field that hangs on another is there when all are set */
        set_member(&rows[i], object, (int)i + 3, names);
        for (size_t j = 0; j < i; j++) {
            ck_assert_msg(strcmp(rows[i].key, rows[j].key) != 0, "%s twice", rows[i].key);
            ck_assert_msg(rows[i].offset != rows[j].offset, "%s is %s, too", rows[i].key, rows[j].key);
        }
    }
    document = written(&own, object);
    for (size_t i = 0; i < own.count; i++) {
        const struct cJSON *item = json_member(document, rows[i].key);
        ck_assert_msg(item && is_set(&rows[i], item, (int)i + 3), "%s", rows[i].key);
        ck_assert_ptr_eq(field_item(document, &own, rows[i].offset, 0), item);
    }
    fields_take(document, &own, again);
    second = written(&own, again);
    for (size_t i = 0; i < own.count; i++) {
        const struct cJSON *item = json_member(second, rows[i].key);
        ck_assert_msg(is_set(&rows[i], item, (int)i + 3), "%s does not come back", rows[i].key);
    }
    json_close(second);
    json_close(document);
    free(object);
    free(again);
}

START_TEST(every_member_comes_out_under_its_key_and_comes_back)
{
    static struct tables tables;

    each_schema(collect_schema, &tables);
    ck_assert_uint_gt(tables.count, 5);
    for (size_t i = 0; i < tables.count; i++)
        comes_back(tables.items[i]);
}
END_TEST

/* Members in an object, in a part, in an object in another, behind a pointer, and what a function adds. */
START_TEST(a_value_is_found_by_its_member)
{
    struct cJSON *record = json_parse("{\"label\": \"a\", \"runs\": 2, \"own_j\": {\"mean\": 3, \"max\": 4},"
                                      " \"pue\": {\"value\": 5}, \"emissions\": {\"own\": {\"kgco2eq\": 6}},"
                                      " \"machine\": {\"cpus_online\": 7}, \"windows\": {\"runs\": [{\"counted\": true,"
                                      " \"duration_s\": 8, \"own_j\": 9}]}, \"sci\": null, \"job\": 1}",
                                      "test", &err);
    const struct cJSON *run = json_first(RECORD_MADE(record, record_runs));

    ck_assert_str_eq(json_text(RECORD_ITEM(record, label)), "a");
    ck_assert(json_number(RECORD_ITEM(record, summary.runs)) == 2);
    ck_assert(json_number(RECORD_ITEM(record, summary.total.own_j.mean)) == 3);
    ck_assert(json_number(RECORD_ITEM(record, summary.total.own_j.max)) == 4);
    ck_assert(json_kind(RECORD_ITEM(record, summary.total.own_j)) == JSON_OBJECT);
    ck_assert(json_number(RECORD_ITEM(record, pue)) == 5);
    ck_assert(json_number(RECORD_ITEM(record, own.footprint.kgco2eq)) == 6);
    ck_assert(json_number(MACHINE_ITEM(RECORD_ITEM(record, machine), cpus_online)) == 7);
    ck_assert(json_truth(RUN_ITEM(run, counted)) && json_number(WINDOW_ITEM(run, duration_ns)) == 8);
    ck_assert(json_number(RUN_ITEM(run, summary.own_j)) == 9);
    ck_assert(!RECORD_ITEM(record, project) && !RECORD_ITEM(record, sci.units) && !RECORD_ITEM(record, job.id));
    ck_assert(!RECORD_MADE(record, record_sources) && !RECORD_ITEM(NULL, label));
    ck_assert(!RECORD_ITEM(record, job_cpus) && !RECORD_ITEM(record, meta)); /* meta has no row of its own */
    json_close(record);
}
END_TEST

static void check_table(const struct schema *schema, void *seen)
{
    const struct table *table = schema->table;

    for (size_t i = 0; table && i < table->count; i++) {
        const struct column *column = &table->columns[i];
        ck_assert_uint_lt(column->of, table->of_count);
        ck_assert_msg(field_find(table->of[column->of], column->path, NULL), "%s: %s", column->name, column->path);
        for (size_t j = 0; j < i; j++) {
            const struct column *other = &table->columns[j];
            ck_assert_msg(strcmp(column->name, other->name) != 0, "%s twice", column->name);
            ck_assert_msg(column->of != other->of || strcmp(column->path, other->path) != 0, "%s is %s, too",
                          column->name, other->name);
        }
    }
    *(bool *)seen = *(bool *)seen || table;
}

START_TEST(every_column_has_a_field_of_its_own)
{
    bool seen = false;

    each_schema(check_table, &seen);
    ck_assert(seen);
}
END_TEST

/* Of each kind, with each rule of what is null. */
struct all {
    double number, min, known;
    size_t count;
    unsigned positive;
    int natural, given, hidden;
    int64_t whole;
    bool truth, is_given;
    char text[8], empty[8];
    const char *name;
    int word;
};

static const char *word_of(int value)
{
    static const char *const words[] = { "", "one", "two" };

    return words[value];
}

static bool is_true(const void *object)
{
    return ((const struct all *)object)->truth;
}

#define OF struct all
static const struct field all_list[] = {
    FIELD_NUMBER(number, "any"),
    FIELD_NUMBER_AS("least", min, "not below 0", .flags = FIELD_FROM_0),
    FIELD_NUMBER(known, "never null", .flags = FIELD_KNOWN),
    FIELD_COUNT(count, "whole"),
    FIELD_UNSIGNED(positive, "not 0", .flags = FIELD_NULL_0),
    FIELD_INT(natural, "not negative", .flags = FIELD_NULL_NEGATIVE),
    FIELD_INT(given, "where it is given", FIELD_WHERE(is_given)),
    FIELD_INT(hidden, "where the truth is true", .known = is_true),
    FIELD_INT64(whole, "any whole number", .flags = FIELD_NULL_NEGATIVE),
    FIELD_BOOL(truth, "true"),
    FIELD_TEXT(text, "any"),
    FIELD_TEXT(empty, "not empty", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(name, "likewise", .flags = FIELD_NULL_EMPTY),
    FIELD_WORD(int, word, word_of, 0, 3, "one or two", .flags = FIELD_NULL_EMPTY),
};
#undef OF
static const struct fields all_fields = FIELDS_OF(NULL, NULL, struct all, all_list);

START_TEST(what_is_not_known_is_null_and_comes_back_as_that)
{
    const struct all all = {
        .number = NAN, .min = NAN, .known = 1, .natural = -1, .hidden = 5, .whole = -1, .given = 7
    };
    static const char *const nulls[] = { "number", "least", "positive", "natural", "given",
                                         "hidden", "whole", "empty",    "name",    "word" };
    struct cJSON *document = written(&all_fields, &all);
    struct all again = { .positive = 1, .is_given = true, .name = "x", .word = 1 };

    for (size_t i = 0; i < sizeof nulls / sizeof nulls[0]; i++)
        ck_assert_msg(json_member(document, nulls[i]) && json_is_null(json_member(document, nulls[i])), "%s", nulls[i]);
    ck_assert(fields_read(document, &all_fields, &again));
    ck_assert(isnan(again.number) && isnan(again.min) && again.known == 1 && again.count == 0);
    ck_assert(again.positive == 0 && again.natural == -1 && again.whole == -1 && !again.is_given && !again.truth);
    ck_assert(!*again.empty && !again.name && again.word == 0);
    json_close(document);
}
END_TEST

static bool reads(const char *text, struct all *all)
{
    struct cJSON *document = json_parse(text, "test", &err);
    bool good;

    ck_assert_ptr_nonnull(document);
    good = fields_read(document, &all_fields, all);
    json_close(document);
    return good;
}

#define START "{\"number\": 1, \"least\": 2, \"known\": 3, \"count\": 4, \"positive\": 5, \"natural\": 6, \"given\": 7,"
#define END "\"hidden\": 8, \"whole\": 9, \"truth\": true, \"text\": \"ten\", \"empty\": \"e\", \"name\": \"n\", "

START_TEST(what_cannot_be_is_refused_and_unknown)
{
    struct all all;

    ck_assert(reads(START END "\"word\": \"two\"}", &all));
    ck_assert(all.number == 1 && all.positive == 5 && all.is_given && all.given == 7 && all.hidden == 8 &&
              all.word == 2);
    ck_assert(!reads(START END "\"word\": \"three\"}", &all) && all.word == 0);
    ck_assert(!reads(START END "\"w\": \"one\"}", &all));
    ck_assert(!reads("{\"least\": -1}", &all) && isnan(all.min));
    ck_assert(!reads("{\"count\": 0.5}", &all) && all.count == 0);
    ck_assert(!reads("{\"count\": -1}", &all) && all.count == 0);
    ck_assert(!reads("{\"count\": 1e300}", &all) && all.count == 0);
    ck_assert(!reads("{\"natural\": 3000000000}", &all) && all.natural == -1);
    ck_assert(!reads("{\"text\": \"too long a text\"}", &all));
    ck_assert_str_eq(all.text, "too lon");
    ck_assert(!reads("{\"name\": 3}", &all) && !all.name);
    ck_assert(!reads("[]", &all));
}
END_TEST

START_TEST(cells_of_csv)
{
    static const struct column columns[] = {
        { "a", "number", 0 }, { "b", "count", 0 }, { "c", "given", 0 }, { "d", "truth", 0 },
        { "e", "text", 0 },   { "f", "word", 0 },  { "g", "count", 1 },
    };
    static const struct fields *const of[] = { &all_fields, &all_fields };
    static const struct table table = TABLE_OF(columns, of);
    const struct all all = { .number = 0.1, .count = 3, .text = "a,b", .word = 1 };
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    table_head(&table, out);
    table_row(&table, (const void *const[]){ &all, NULL }, out);
    fclose(out);
    ck_assert_str_eq(text, "a,b,c,d,e,f,g\n0.1,3,,false,\"a,b\",one,\n");
    free(text);
}
END_TEST

UNIT_SUITE("field", every_member_comes_out_under_its_key_and_comes_back, a_value_is_found_by_its_member,
           every_column_has_a_field_of_its_own, what_is_not_known_is_null_and_comes_back_as_that,
           what_cannot_be_is_refused_and_unknown, cells_of_csv)
