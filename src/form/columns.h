/* SPDX-License-Identifier: MIT
 * CSV by the tables of fields: a column has a name and the path of a field, {"gross_j", "gross_j.mean"}. Used in result
 * and 5 commands. Begin with table_head(). */
#ifndef FORM_COLUMNS_H
#define FORM_COLUMNS_H

#include "form/field.h"

struct column {
    const char *name, *path;
    unsigned of; /* which of the row's structs */
};

/* A column that is called as its field is. */
#define COLUMN(field, of_which)                                                                                        \
    {                                                                                                                  \
        .name = #field, .path = #field, .of = (of_which)                                                               \
    }

/* Up to 8 of one struct that are called as their fields are, in this order: COLUMNS(NODE, records, started_at) */
#define COLUMNS(of, ...)                                                                                               \
    COLUMNS_PICK(__VA_ARGS__, COLUMNS_8, COLUMNS_7, COLUMNS_6, COLUMNS_5, COLUMNS_4, COLUMNS_3, COLUMNS_2, 0)          \
    (of, __VA_ARGS__)
#define COLUMNS_PICK(a, b, c, d, e, f, g, h, its_macro, ...) its_macro
#define COLUMNS_2(of, a, b) COLUMN(a, of), COLUMN(b, of)
#define COLUMNS_3(of, a, ...) COLUMN(a, of), COLUMNS_2(of, __VA_ARGS__)
#define COLUMNS_4(of, a, b, ...) COLUMNS_2(of, a, b), COLUMNS_2(of, __VA_ARGS__)
#define COLUMNS_5(of, a, ...) COLUMN(a, of), COLUMNS_4(of, __VA_ARGS__)
#define COLUMNS_6(of, a, b, ...) COLUMNS_2(of, a, b), COLUMNS_4(of, __VA_ARGS__)
#define COLUMNS_7(of, a, ...) COLUMN(a, of), COLUMNS_6(of, __VA_ARGS__)
#define COLUMNS_8(of, a, b, ...) COLUMNS_2(of, a, b), COLUMNS_6(of, __VA_ARGS__)

struct table {
    const struct column *columns;
    size_t count;
    const struct fields *const *of; /* of the structs that a row is made of */
    size_t of_count;
};

#define TABLE_OF(its_columns, its_fields)                                                                              \
    {                                                                                                                  \
        .columns = (its_columns), .count = sizeof(its_columns) / sizeof(its_columns)[0], .of = (its_fields),           \
        .of_count = sizeof(its_fields) / sizeof(its_fields)[0],                                                        \
    }

/* The names; and a row of these structs. A null is empty, and so are the members behind one and all of a struct that is
 * NULL. */
void table_head(const struct table *table, FILE *out);
void table_row(const struct table *table, const void *const *objects, FILE *out);

/* The names as table_head writes them; freed by the caller. NULL: no memory. */
char *table_header(const struct table *table);

/* The field at the end of a path, and *object, where it is not NULL, set to the struct that it is of. NULL: there is no
 * such field, or it is behind a null. */
const struct field *field_find(const struct fields *fields, const char *path, const void **object);

#endif
