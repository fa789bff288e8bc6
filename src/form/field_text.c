/* SPDX-License-Identifier: MIT
 * Documents in words. */
#include "form/field_text.h"

#include "base/array.h"
#include "base/c_locale.h"
#include "form/columns.h"
#include "form/field_schema.h"

#include <string.h>

enum { WIDTH = 72, TYPE_COLUMN = 34, PATH_SIZE = 200 };

/* Breaks at spaces; the first line is at `column` already. */
static void wrap(FILE *out, int column, int indent, const char *text)
{
    while (*text) {
        const int length = (int)strcspn(text, " ");
        if (column > indent && column + 1 + length > WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', out);
            column++;
        }
        fprintf(out, "%.*s", length, text);
        column += length;
        text += length;
        text += *text == ' ';
    }
    fputc('\n', out);
}

/* What the last word of a key says, and so those behind its "_per_". */
static const char *unit_of_word(const char *word, size_t length)
{
    static const char *const units[][2] = {
        { "j", "J" },       { "w", "W" },
        { "s", "s" },       { "h", "h" },
        { "kwh", "kWh" },   { "uj", "microjoules" },
        { "ns", "ns" },     { "mb", "MB" },
        { "gb", "GB" },     { "gib", "GiB" },
        { "l", "litres" },  { "hz", "Hz" },
        { "year", "year" }, { "bytes", "bytes" },
        { "percent", "%" }, { "joules", "J" },
        { "watts", "W" },   { "hours", "h" },
        { "seconds", "s" }, { "kgco2eq", "kgCO2eq" },
    };

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strlen(units[i][0]) == length && memcmp(units[i][0], word, length) == 0)
            return units[i][1];
    return NULL;
}

/* " (kgCO2eq/kWh)"; nothing where the key has no unit. */
static void add_unit(FILE *out, const char *key)
{
    const char *per = strstr(key, "_per_");
    const size_t length = per ? (size_t)(per - key) : strlen(key);
    size_t begin = length;
    const char *unit, *below = NULL;

    while (begin > 0 && key[begin - 1] != '_')
        begin--;
    unit = unit_of_word(key + begin, length - begin);
    if (per)
        below = unit_of_word(per + strlen("_per_"), strlen(per + strlen("_per_")));
    /* "year" alone is a year, and no unit */
    if (!unit || strcmp(unit, "year") == 0 || (per && !below))
        return;
    fprintf(out, per ? " (%s/%s)" : " (%s)", unit, below);
}

static const char *kind_word(enum field_kind kind)
{
    switch (kind) {
    case FIELD_IS_NUMBER:
    case FIELD_IS_FIGURE:
    case FIELD_IS_SECONDS: return "number";
    case FIELD_IS_TIME: return "time";
    case FIELD_IS_FACT:
    case FIELD_IS_BOOL: return "true or false";
    case FIELD_IS_COUNT:
    case FIELD_IS_U64:
    case FIELD_IS_UNSIGNED:
    case FIELD_IS_INT:
    case FIELD_IS_INT64:
    case FIELD_IS_FIXED: return "whole number";
    case FIELD_IS_TEXT:
    case FIELD_IS_NAME:
    case FIELD_IS_ONE_OF:
    case FIELD_IS_WORD:
    case FIELD_IS_SAID:
    case FIELD_IS_CONSTANT:
    case FIELD_IS_WRITER: return "text";
    case FIELD_IS_LIST:
    case FIELD_IS_EACH: return "list";
    case FIELD_IS_OBJECT:
    case FIELD_IS_PART:
    case FIELD_IS_MAP:
    case FIELD_IS_JSON: break;
    }
    return "object";
}

static bool is_list(const struct field *field)
{
    return field->kind == FIELD_IS_LIST || field->kind == FIELD_IS_EACH;
}

static bool has_table(const struct field *field)
{
    return (is_list(field) || field->kind == FIELD_IS_OBJECT) && field->inner;
}

/* "number (J) or null", "list of objects: notice" */
static void add_type(FILE *out, const struct field *field)
{
    if (field->kind == FIELD_IS_CONSTANT) {
        fprintf(out, "\"%s\"", field->text);
        return;
    }
    fputs(kind_word(field->kind), out);
    if (is_list(field))
        fprintf(out, " of %ss",
                has_table(field)               ? "object"
                : field->kind == FIELD_IS_EACH ? kind_word((enum field_kind)field->first)
                                               : "text");
    if (kind_word(field->kind)[0] == 'n' || field->kind == FIELD_IS_OBJECT)
        add_unit(out, field->key);
    if (field->flags & FIELD_LEFT_OUT)
        fputs(", or left out", out);
    else if (field_may_be_null(field))
        fputs(" or null", out);
    if (has_table(field) && (field->inner->name || field->inner->document))
        fprintf(out, ": %s", field->inner->name ? field->inner->name : field->inner->document);
}

static void add_word(FILE *out, const char *word, int *count)
{
    fprintf(out, "%s%s", (*count)++ ? ", " : "", word);
}

/* "One of: lifecycle, direct." */
static char *words_of(const struct field *field)
{
    char *text = NULL;
    size_t size;
    int count = 0;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return NULL;
    fputs("one of: ", out);
    if (field->kind == FIELD_IS_WORD)
        for (int value = field->first; value < field->end; value++) {
            const char *word = field->word(value);
            if (word && *word && (value == field->first || strcmp(word, field->word(value - 1)) != 0))
                add_word(out, word, &count);
        }
    else
        for (size_t i = 0; field->one_of[i]; i++)
            add_word(out, field->one_of[i], &count);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static bool has_words(const struct field *field)
{
    return (field->kind == FIELD_IS_WORD && !(field->flags & FIELD_OPEN)) || field->kind == FIELD_IS_ONE_OF ||
           (field->kind == FIELD_IS_SAID && field->one_of);
}

static void remember(struct field_parts *parts, const struct fields *fields)
{
    for (size_t i = 0; i < parts->count; i++)
        if (parts->items[i] == fields)
            return;
    parts->items = array_room(parts->items, &parts->room, parts->count + 1, sizeof(struct fields *));
    if (parts->room > parts->count)
        parts->items[parts->count++] = fields;
    else
        parts->failed = true;
}

static void write_fields(const struct fields *fields, const char *path, struct field_parts *parts, FILE *out);

static void write_field(const struct field *field, const char *path, struct field_parts *parts, FILE *out)
{
    char inner[PATH_SIZE];

    fprintf(out, "  %s%-*s ", path, TYPE_COLUMN - (int)strlen(path), field->key);
    add_type(out, field);
    fputc('\n', out);
    fprintf(out, "%6s", "");
    wrap(out, 6, 6, field->meaning);
    if (has_words(field)) {
        char *words = words_of(field);
        fprintf(out, "%6s", "");
        wrap(out, 6, 6, words ? words : "");
        parts->failed = parts->failed || !words;
        free(words);
    }
    if (!has_table(field) || field->inner->document)
        return;
    if (field->inner->name) {
        remember(parts, field->inner);
        return;
    }
    c_snprintf(inner, sizeof inner, "%s%s%s.", path, field->key, is_list(field) ? "[]" : "");
    write_fields(field->inner, inner, parts, out);
}

static void write_fields(const struct fields *fields, const char *path, struct field_parts *parts, FILE *out)
{
    for (size_t i = 0; i < fields->count; i++)
        if (fields->items[i].kind == FIELD_IS_PART)
            write_fields(fields->items[i].inner, path, parts, out);
        else
            write_field(&fields->items[i], path, parts, out);
}

static void write_columns(const struct table *table, struct field_parts *parts, FILE *out)
{
    char *line = NULL;
    size_t size;
    FILE *text = open_memstream(&line, &size);

    if (!text) {
        parts->failed = true;
        return;
    }
    for (size_t i = 0; i < table->count; i++) {
        const struct column *column = &table->columns[i];
        fprintf(text, "%s%s", i ? ", " : "", column->name);
        if (strcmp(column->name, column->path) != 0)
            fprintf(text, " (%s)", column->path);
    }
    fclose(text);
    fputs("\n  Columns of CSV, and the field where it has another name:\n      ", out);
    wrap(out, 6, 6, line);
    free(line);
}

static void write_title(const char *name, const char *meaning, FILE *out)
{
    fprintf(out, "%s\n  ", name);
    wrap(out, 2, 2, meaning);
    fputc('\n', out);
}

void schema_text(const struct schema *schema, struct field_parts *parts, FILE *out)
{
    write_title(schema->schema, schema->meaning, out);
    write_fields(schema->fields, "", parts, out);
    if (schema->table)
        write_columns(schema->table, parts, out);
}

bool field_parts_text(struct field_parts *parts, FILE *out, struct error *err)
{
    /* some have others */
    for (size_t i = 0; i < parts->count; i++) {
        fputc('\n', out);
        write_title(parts->items[i]->name, parts->items[i]->meaning, out);
        write_fields(parts->items[i], "", parts, out);
    }
    free(parts->items);
    return !parts->failed || error_set(err, ERROR_SYSTEM, "no memory for the fields");
}
