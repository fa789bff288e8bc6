/* SPDX-License-Identifier: MIT
 * A statement to the database, put together piece by piece. */
#include "ledger/query.h"

enum { SQL_CEILING = 1 << 16 };

void query_open(struct query *query)
{
    text_open(&query->sql, SQL_CEILING);
    query->count = 0;
}

void query_columns(struct query *query, const char *before, const struct ledger_column *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        text_add(&query->sql, "%s%s%s", i ? ", " : "", before, columns[i].name);
}

void query_bind(struct query *query, const char *before, struct sql_value value, const char *behind)
{
    query->values[query->count++] = value;
    text_add(&query->sql, "%s$%zu%s", before, query->count, behind);
}

void query_bind_number(struct query *query, const char *before, uint64_t number)
{
    const int64_t integer = number > INT64_MAX ? INT64_MAX : (int64_t)number;

    query_bind(query, before, (struct sql_value){ .kind = SQL_INTEGER, .integer = integer }, "");
}

void query_bind_text(struct query *query, const char *before, const char *text, const char *behind)
{
    if (text)
        query_bind(query, before, (struct sql_value){ .kind = SQL_TEXT, .text = text }, behind);
}

bool query_run(struct query *query, const struct ledger *ledger, sql_row_function *on_row, void *context,
               struct error *err)
{
    const bool good = text_ok(&query->sql) ? ledger->backend->run(ledger->connection, query->sql.data, query->values,
                                                                  query->count, on_row, context, err)
                                           : error_set(err, ERROR_SYSTEM, "no memory for the question to the ledger");

    text_close(&query->sql);
    return good;
}
