/* SPDX-License-Identifier: MIT
 * A statement to the database, put together piece by piece. */
#include "ledger/question.h"

enum { SQL_CEILING = 1 << 16 };

void question_open(struct question *question)
{
    text_open(&question->sql, SQL_CEILING);
    question->count = 0;
}

void question_columns(struct question *question, const char *before, const struct ledger_column *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        text_add(&question->sql, "%s%s%s", i ? ", " : "", before, columns[i].name);
}

void question_ask(struct question *question, const char *before, struct sql_value value, const char *behind)
{
    question->values[question->count++] = value;
    text_add(&question->sql, "%s$%zu%s", before, question->count, behind);
}

void question_ask_number(struct question *question, const char *before, uint64_t number)
{
    const int64_t integer = number > INT64_MAX ? INT64_MAX : (int64_t)number;

    question_ask(question, before, (struct sql_value){ .kind = SQL_INTEGER, .integer = integer }, "");
}

void question_ask_text(struct question *question, const char *before, const char *text, const char *behind)
{
    if (text)
        question_ask(question, before, (struct sql_value){ .kind = SQL_TEXT, .text = text }, behind);
}

bool question_run(struct question *question, const struct ledger *ledger, sql_row_function *on_row, void *context,
                  struct error *err)
{
    const bool good = text_ok(&question->sql)
                          ? ledger->backend->run(ledger->connection, question->sql.data, question->values,
                                                 question->count, on_row, context, err)
                          : error_set(err, ERROR_SYSTEM, "no memory for the question to the ledger");

    text_close(&question->sql);
    return good;
}
