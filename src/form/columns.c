/* SPDX-License-Identifier: MIT
 * CSV by the tables of fields. */
#include "form/columns.h"

#include "base/csv.h"

#include <stdlib.h>
#include <string.h>

/* Of one struct and of its parts; *object is set to the object with the column. */
static const struct field *find_key(const struct fields *fields, const char *key, size_t length, const void **object)
{
    const void *const whole = object ? *object : NULL;

    for (size_t i = 0; i < fields->count; i++) {
        const struct field *field = &fields->items[i];
        if (field->kind == FIELD_IS_PART) {
            const struct field *inner;
            if (object)
                *object = field_value(field, whole);
            inner = find_key(field->inner, key, length, object);
            if (inner)
                return inner;
            if (object)
                *object = whole;
        } else if (strncmp(field->key, key, length) == 0 && !field->key[length]) {
            return field;
        }
    }
    return NULL;
}

const struct field *field_find(const struct fields *fields, const char *path, const void **object)
{
    for (;;) {
        const size_t length = strcspn(path, ".");
        const struct field *field = find_key(fields, path, length, object);
        if (!field || !path[length])
            return field;
        if (field->kind != FIELD_IS_OBJECT || (object && field_is_null(field, *object)))
            return NULL;
        if (object)
            *object = field_value(field, *object);
        fields = field->inner;
        path += length + 1;
    }
}

void table_head(const struct table *table, FILE *out)
{
    for (size_t i = 0; i < table->count; i++)
        fprintf(out, "%s%s", i ? "," : "", table->columns[i].name);
    fputc('\n', out);
}

char *table_header(const struct table *table)
{
    char *header = NULL;
    size_t size;
    FILE *out = open_memstream(&header, &size);

    if (!out)
        return NULL;
    table_head(table, out);
    if (fclose(out) == 0)
        return header;
    free(header);
    return NULL;
}

void table_row(const struct table *table, const void *const *objects, FILE *out)
{
    char cell[FIELD_CELL_SIZE];

    for (size_t i = 0; i < table->count; i++) {
        const struct column *column = &table->columns[i];
        const void *object = objects[column->of];
        const struct field *field = object ? field_find(table->of[column->of], column->path, &object) : NULL;
        if (i)
            fputc(',', out);
        if (field)
            csv_write_field(out, field_cell(field, object, cell));
    }
    fputc('\n', out);
}
