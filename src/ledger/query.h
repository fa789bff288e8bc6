/* SPDX-License-Identifier: MIT
 * A statement to the ledger's database while it is put together. Used by contributions.c and records.c. Begin with
 * query_open(). */
#ifndef LEDGER_QUERY_H
#define LEDGER_QUERY_H

#include "base/text.h"
#include "ledger/sql.h"

struct query {
    struct text sql;
    struct sql_value values[SQL_VALUES_MAX];
    size_t count;
};

_Static_assert((int)LEDGER_COLUMNS <= (int)SQL_VALUES_MAX && (int)CONTRIBUTION_COLUMNS + 3 <= (int)SQL_VALUES_MAX,
               "the columns of a row, and those of an account behind its number and its basis, are asked at once");

void query_open(struct query *query);

/* The names of columns, with commas between them. before: "", or the table's, "r.". */
void query_columns(struct query *query, const char *before, const struct ledger_column *columns, size_t count);

/* The next parameter, between the texts before and after it. The value is borrowed until the question has run. */
void query_bind(struct query *query, const char *before, struct sql_value value, const char *behind);
void query_bind_number(struct query *query, const char *before, uint64_t number);

/* No condition where it is not given: NULL. */
void query_bind_text(struct query *query, const char *before, const char *text, const char *behind);

/* Runs it, and closes it. on_row may be NULL. */
bool query_run(struct query *query, const struct ledger *ledger, sql_row_function *on_row, void *context,
               struct error *err) MUST_CHECK;

#endif
