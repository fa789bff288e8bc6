/* SPDX-License-Identifier: MIT
 * SQLite, which is opened when a ledger is first wanted; the only file that knows it. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "ledger/sqlite.h"

#include "base/c_locale.h"
#include "base/debug.h"
#include "base/library.h"
#include "base/text.h"
#include "ledger/packed.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUSY_MS = 30000 };

#define SQLITE_FUNCTIONS(FUNCTION)                                                                                     \
    FUNCTION(open, sqlite3_open_v2)                                                                                    \
    FUNCTION(close, sqlite3_close)                                                                                     \
    FUNCTION(busy_timeout, sqlite3_busy_timeout)                                                                       \
    FUNCTION(exec, sqlite3_exec)                                                                                       \
    FUNCTION(prepare, sqlite3_prepare_v2)                                                                              \
    FUNCTION(finalize, sqlite3_finalize)                                                                               \
    FUNCTION(step, sqlite3_step)                                                                                       \
    FUNCTION(parameter, sqlite3_bind_parameter_index)                                                                  \
    FUNCTION(bind_integer, sqlite3_bind_int64)                                                                         \
    FUNCTION(bind_real, sqlite3_bind_double)                                                                           \
    FUNCTION(bind_text, sqlite3_bind_text)                                                                             \
    FUNCTION(bind_bytes, sqlite3_bind_blob)                                                                            \
    FUNCTION(columns, sqlite3_column_count)                                                                            \
    FUNCTION(value, sqlite3_column_value)                                                                              \
    FUNCTION(type, sqlite3_value_type)                                                                                 \
    FUNCTION(integer, sqlite3_value_int64)                                                                             \
    FUNCTION(real, sqlite3_value_double)                                                                               \
    FUNCTION(text, sqlite3_value_text)                                                                                 \
    FUNCTION(bytes, sqlite3_value_blob)                                                                                \
    FUNCTION(length, sqlite3_value_bytes)                                                                              \
    FUNCTION(code, sqlite3_extended_errcode)                                                                           \
    FUNCTION(system_errno, sqlite3_system_errno)                                                                       \
    FUNCTION(message, sqlite3_errmsg)

struct sqlite_library {
    SQLITE_FUNCTIONS(LIBRARY_MEMBER)
};

struct sqlite {
    struct sqlite_library library;
    sqlite3 *handle;
    int failure;    /* result of the last statement */
    char *unpacked; /* the long text of the row that was read last */
    char path[4096];
};

/* One thread has a connection: a lock for each value of each row would be a third of the time. */
enum { ONE_THREAD = SQLITE_OPEN_NOMUTEX };

#ifdef CARBON_STATIC
static bool find_sqlite(struct sqlite_library *library, struct error *err)
{
    (void)err;
    SQLITE_FUNCTIONS(LIBRARY_LINKED)
    return true;
}
#else
static bool find_sqlite(struct sqlite_library *library, struct error *err)
{
    static const char *const files[] = { SQLITE_SONAME, NULL };
    const struct library_function wanted[] = { SQLITE_FUNCTIONS(LIBRARY_WANTED) };
    const enum library_state state = library_open(files, wanted, sizeof wanted / sizeof wanted[0]);

    if (state == LIBRARY_READY)
        return true;
    error_set(err, ERROR_ABSENT, "a ledger needs SQLite");
    error_why(err, state == LIBRARY_OLD ? SQLITE_SONAME " is older than the version carbon was built with"
                                        : SQLITE_SONAME ", which carbon was built with, cannot be opened");
    return error_fix(err,
                     "install libsqlite3-0 (Debian), or do without: --no-ledger, 'ledger = off' in the configuration");
}
#endif

static bool fail_with_database(struct sqlite *sqlite, enum error_kind kind, const char *why, const char *fix,
                               struct error *err)
{
    error_set(err, kind, "cannot use the ledger '%.200s'", sqlite->path);
    error_why(err, "%s", why);
    return error_fix(err, "%s", fix);
}

static bool fail(struct sqlite *sqlite, struct error *err)
{
    const struct sqlite_library *library = &sqlite->library;
    const int number = sqlite->handle ? library->system_errno(sqlite->handle) : 0;

    sqlite->failure = sqlite->handle ? library->code(sqlite->handle) & 0xff : SQLITE_NOMEM;
    switch (sqlite->failure) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return fail_with_database(sqlite, ERROR_SYSTEM, "another program has held it for half a minute",
                                  "try again when that has ended", err);
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return fail_with_database(sqlite, ERROR_DENIED, "it, or the folder that it lies in, cannot be written to",
                                  "check their permissions, or use another file: --ledger FILE", err);
    case SQLITE_NOTADB:
        return fail_with_database(sqlite, ERROR_BAD_DATA,
                                  "not a ledger: not an SQLite database, or damaged at its beginning",
                                  "give another place: --ledger FILE", err);
    case SQLITE_CORRUPT:
        return fail_with_database(sqlite, ERROR_BAD_DATA, "it is damaged", "carbon ledger repair", err);
    case SQLITE_NOMEM: return fail_with_database(sqlite, ERROR_SYSTEM, "no memory for it", "close something else", err);
    default: break;
    }
    if (sqlite->failure == SQLITE_FULL || number == ENOSPC || number == EDQUOT)
        return fail_with_database(sqlite, ERROR_SYSTEM, "the disk is full",
                                  "make room on it, or give another place: --ledger FILE", err);
    error_set(err, number == EACCES ? ERROR_DENIED : ERROR_SYSTEM, "cannot use the ledger '%.200s'", sqlite->path);
    if (number)
        error_why(err, "%s: %s", library->message(sqlite->handle), c_strerror(number));
    else
        error_why(err, "%s", library->message(sqlite->handle));
    return error_fix(err, "check the file and its folder, or use another file: --ledger FILE");
}

bool sqlite_was_busy(const struct sqlite *sqlite)
{
    return sqlite->failure == SQLITE_BUSY || sqlite->failure == SQLITE_LOCKED;
}

bool sqlite_was_corrupt(const struct sqlite *sqlite)
{
    return sqlite->failure == SQLITE_CORRUPT;
}

const char *sqlite_path(const struct sqlite *sqlite)
{
    return sqlite->path;
}

/* "file:PATH?immutable=1" */
static void write_uri(const char *path, struct text *uri)
{
    text_add(uri, "file:");
    for (; *path; path++)
        if (strchr("%?#", *path))
            text_add(uri, "%%%02X", (unsigned)(unsigned char)*path);
        else
            text_add(uri, "%c", *path);
    text_add(uri, "?immutable=1");
}

struct sqlite *sqlite_connect(const char *path, enum sqlite_access access, struct error *err)
{
    struct sqlite *sqlite = calloc(1, sizeof *sqlite);
    struct text uri;
    int failed;

    if (!sqlite) {
        error_errno(err, "cannot use the ledger '%.200s'", path);
        return NULL;
    }
    text_copy(sqlite->path, sizeof sqlite->path, path);
    if (!find_sqlite(&sqlite->library, err)) {
        free(sqlite);
        return NULL;
    }
    text_open(&uri, 3 * sizeof sqlite->path);
    write_uri(path, &uri);
    if (access == SQLITE_STANDS_STILL)
        failed = sqlite->library.open(text_ok(&uri) ? uri.data : path, &sqlite->handle,
                                      SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | ONE_THREAD, NULL);
    else
        failed = sqlite->library.open(
            path, &sqlite->handle,
            (access == SQLITE_MAY_WRITE ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) | ONE_THREAD, NULL);
    text_close(&uri);
    if (failed) {
        fail(sqlite, err);
        sqlite_disconnect(sqlite);
        return NULL;
    }
    sqlite->library.busy_timeout(sqlite->handle, BUSY_MS);
    return sqlite;
}

void sqlite_disconnect(void *connection)
{
    struct sqlite *sqlite = connection;

    sqlite->library.close(sqlite->handle);
    free(sqlite->unpacked);
    free(sqlite);
}

/* Packed where that can be done here. */
static int bind_long_text(const struct sqlite_library *library, sqlite3_stmt *statement, int at, const char *text)
{
    size_t length;
    void *bytes = packed_make(text, &length);

    return bytes ? library->bind_bytes(statement, at, bytes, (int)length, free)
                 : library->bind_text(statement, at, text, -1, SQLITE_STATIC);
}

static bool bind_values(const struct sqlite *sqlite, sqlite3_stmt *statement, const struct sql_value *values,
                        size_t count)
{
    int failed = SQLITE_OK;

    for (size_t i = 0; i < count && !failed; i++) {
        char name[24];
        int at;

        snprintf(name, sizeof name, "$%zu", i + 1);
        at = sqlite->library.parameter(statement, name);
        switch (values[i].kind) {
        case SQL_NULL: break;
        case SQL_INTEGER: failed = sqlite->library.bind_integer(statement, at, values[i].integer); break;
        case SQL_REAL: failed = sqlite->library.bind_real(statement, at, values[i].real); break;
        case SQL_TEXT: failed = sqlite->library.bind_text(statement, at, values[i].text, -1, SQLITE_STATIC); break;
        case SQL_LONG_TEXT: failed = bind_long_text(&sqlite->library, statement, at, values[i].text); break;
        }
    }
    return !failed;
}

/* A damaged one is a text that is not a record: the caller knows its row. */
static bool take_packed(struct sqlite *sqlite, sqlite3_value *own, struct sql_value *value, struct error *err)
{
    struct error reason;

    free(sqlite->unpacked);
    sqlite->unpacked = packed_read(sqlite->library.bytes(own), (size_t)sqlite->library.length(own), &reason);
    if (!sqlite->unpacked && reason.kind != ERROR_BAD_DATA) {
        if (err)
            *err = reason;
        return false;
    }
    value->kind = SQL_TEXT;
    value->text = sqlite->unpacked ? sqlite->unpacked : "";
    return true;
}

/* Only the member that its kind names is written: there are millions of them. */
/* The value as SQLite has it may be looked at like this because the connection belongs to one thread; asking by the
 * column each time takes half as long again. */
static bool take_value(struct sqlite *sqlite, sqlite3_stmt *statement, int column, struct sql_value *value,
                       struct error *err)
{
    const struct sqlite_library *library = &sqlite->library;
    sqlite3_value *own = library->value(statement, column);

    switch (library->type(own)) {
    case SQLITE_INTEGER:
        value->kind = SQL_INTEGER;
        value->integer = library->integer(own);
        break;
    case SQLITE_FLOAT:
        value->kind = SQL_REAL;
        value->real = library->real(own);
        break;
    case SQLITE_NULL: value->kind = SQL_NULL; break;
    case SQLITE_BLOB: return take_packed(sqlite, own, value, err);
    default:
        value->kind = SQL_TEXT;
        value->text = (const char *)library->text(own);
        break;
    }
    return true;
}

bool sqlite_run(void *connection, const char *sql, const struct sql_value *values, size_t count,
                sql_row_function *on_row, void *context, struct error *err)
{
    struct sqlite *sqlite = connection;
    const struct sqlite_library *library = &sqlite->library;
    struct sql_value row[SQL_COLUMNS_MAX] = { { .kind = SQL_NULL } };
    sqlite3_stmt *statement = NULL;
    bool good;
    int answer;

    DEBUG(DEBUG_LEDGER, "%s", sql);
    sqlite->failure = SQLITE_OK;
    if (library->prepare(sqlite->handle, sql, -1, &statement, NULL) != SQLITE_OK ||
        !bind_values(sqlite, statement, values, count)) {
        fail(sqlite, err);
        library->finalize(statement);
        return false;
    }
    for (good = true; good && (answer = library->step(statement)) == SQLITE_ROW;) {
        const int columns = library->columns(statement);
        for (int i = 0; good && i < columns && i < SQL_COLUMNS_MAX; i++)
            good = take_value(sqlite, statement, i, &row[i], err);
        good = good && (!on_row || on_row(row, (size_t)columns, context, err));
    }
    if (good && answer != SQLITE_DONE)
        good = fail(sqlite, err);
    library->finalize(statement);
    return good;
}

bool sqlite_script(struct sqlite *sqlite, const char *sql, struct error *err)
{
    sqlite->failure = SQLITE_OK;
    return sqlite->library.exec(sqlite->handle, sql, NULL, NULL, NULL) == SQLITE_OK || fail(sqlite, err);
}

static bool take_number(const struct sql_value *values, size_t count, void *context, struct error *err)
{
    (void)count;
    (void)err;
    if (values[0].kind == SQL_INTEGER)
        *(int64_t *)context = values[0].integer;
    return true;
}

bool sqlite_number(struct sqlite *sqlite, const char *sql, int64_t *number, struct error *err)
{
    *number = 0;
    return sqlite_run(sqlite, sql, NULL, 0, take_number, number, err);
}

struct sqlite_field {
    char *text;
    size_t size;
};

static bool take_text(const struct sql_value *values, size_t count, void *context, struct error *err)
{
    const struct sqlite_field *field = context;

    (void)count;
    (void)err;
    if (values[0].kind == SQL_TEXT && values[0].text)
        text_copy(field->text, field->size, values[0].text);
    return true;
}

bool sqlite_text(struct sqlite *sqlite, const char *sql, char *text, size_t size, struct error *err)
{
    struct sqlite_field field = { text, size };

    text[0] = '\0';
    return sqlite_run(sqlite, sql, NULL, 0, take_text, &field, err);
}
