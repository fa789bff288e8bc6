/* SPDX-License-Identifier: MIT
 * A statement to the ledger's database while it is put together. */
#ifndef LEDGER_QUESTION_H
#define LEDGER_QUESTION_H

#include "base/text.h"
#include "ledger/sql.h"

struct question {
    struct text sql;
    struct sql_value values[SQL_VALUES_MOST];
    size_t count;
};

_Static_assert((int)LEDGER_COLUMNS <= (int)SQL_VALUES_MOST && (int)ACCOUNT_COLUMNS + 3 <= (int)SQL_VALUES_MOST,
               "the columns of a row, and those of an account behind its number and its basis, are asked at once");

void question_open(struct question *question);

/* The names of columns, with commas between them. before: "", or the table's, "r.". */
void question_columns(struct question *question, const char *before, const struct ledger_column *columns, size_t count);

/* The next parameter, between what stands before and behind it. The value is borrowed until the question has run. */
void question_ask(struct question *question, const char *before, struct sql_value value, const char *behind);
void question_ask_number(struct question *question, const char *before, uint64_t number);

/* No condition where it is not given: NULL. */
void question_ask_text(struct question *question, const char *before, const char *text, const char *behind);

/* Runs it, and closes it. on_row may be NULL. */
bool question_run(struct question *question, const struct ledger *ledger, sql_row_function *on_row, void *context,
                  struct error *err) MUST_CHECK;

#endif
