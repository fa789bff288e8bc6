/* SPDX-License-Identifier: MIT
 * A SQLite file, whatever is in it. Used by repair.c and sqlite_file.c. Begin with sqlite_run(). */
#ifndef LEDGER_SQLITE_H
#define LEDGER_SQLITE_H

#include "ledger/sql.h"

struct sqlite;

enum sqlite_access {
    SQLITE_MAY_WRITE,
    SQLITE_MAY_READ,
    SQLITE_STANDS_STILL, /* no process writes to it, and its folder is not writable */
};

/* The file exists. NULL: see err. */
struct sqlite *sqlite_connect(const char *path, enum sqlite_access access, struct error *err) MUST_CHECK;
void sqlite_disconnect(void *connection);
const char *sqlite_path(const struct sqlite *sqlite);

/* See struct sql_backend. */
bool sqlite_run(void *connection, const char *sql, const struct sql_value *values, size_t count,
                sql_row_function *on_row, void *context, struct error *err) MUST_CHECK;

/* Several statements, without parameters and rows. */
bool sqlite_script(struct sqlite *sqlite, const char *sql, struct error *err) MUST_CHECK;

/* The last statement failed because another process has the file just now, or because it is damaged. */
bool sqlite_was_busy(const struct sqlite *sqlite);
bool sqlite_was_corrupt(const struct sqlite *sqlite);

/* The first number of the first row, and text; 0 and "" where there is none. */
bool sqlite_number(struct sqlite *sqlite, const char *sql, int64_t *number, struct error *err) MUST_CHECK;
bool sqlite_text(struct sqlite *sqlite, const char *sql, char *text, size_t size, struct error *err) MUST_CHECK;

#endif
