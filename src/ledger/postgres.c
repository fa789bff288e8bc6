/* SPDX-License-Identifier: MIT
 * PostgreSQL by libpq, which is opened when a ledger on a server is wanted; the only file that knows it. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "ledger/sql.h"

#ifdef LIBPQ_SONAME

#include "base/c_locale.h"
#include "base/debug.h"
#include "base/library.h"
#include "base/text.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of catalog/pg_type_d.h, which belongs to the server: what its numbers are called on the wire. */
enum { INT8OID = 20, INT4OID = 23, FLOAT8OID = 701 };

#define POSTGRES_FUNCTIONS(FUNCTION)                                                                                   \
    FUNCTION(connect, PQconnectdbParams)                                                                               \
    FUNCTION(status, PQstatus)                                                                                         \
    FUNCTION(message, PQerrorMessage)                                                                                  \
    FUNCTION(finish, PQfinish)                                                                                         \
    FUNCTION(exec, PQexec)                                                                                             \
    FUNCTION(send, PQsendQueryParams)                                                                                  \
    FUNCTION(single, PQsetSingleRowMode)                                                                               \
    FUNCTION(result, PQgetResult)                                                                                      \
    FUNCTION(result_status, PQresultStatus)                                                                            \
    FUNCTION(result_message, PQresultErrorMessage)                                                                     \
    FUNCTION(rows, PQntuples)                                                                                          \
    FUNCTION(columns, PQnfields)                                                                                       \
    FUNCTION(type, PQftype)                                                                                            \
    FUNCTION(is_null, PQgetisnull)                                                                                     \
    FUNCTION(value, PQgetvalue)                                                                                        \
    FUNCTION(clear, PQclear)

struct postgres_library {
    POSTGRES_FUNCTIONS(LIBRARY_MEMBER)
};

struct postgres {
    struct postgres_library library;
    PGconn *handle;
    char shown[4096];
};

/* Once it is loaded it stays, as the TLS library behind it has to. */
static bool find_postgres(struct postgres_library *library, struct error *err)
{
    static const char *const files[] = { LIBPQ_SONAME, NULL };
    const struct library_function wanted[] = { POSTGRES_FUNCTIONS(LIBRARY_WANTED) };

    return library_need(files, wanted, sizeof wanted / sizeof wanted[0],
                        "a ledger on a server needs PostgreSQL's library",
                        "install libpq5 (Debian), or keep the ledger in a file: --ledger FILE", err);
}

/* Its messages have several lines: the first says what it is. */
static bool fail(const struct postgres *postgres, const char *message, struct error *err)
{
    char why[sizeof err->why];

    text_copy(why, sizeof why, message);
    why[strcspn(why, "\n")] = '\0';
    error_set(err, ERROR_SYSTEM, "cannot use the ledger '%.200s'", postgres->shown);
    error_why(err, "%s", why[0] ? why : "the server has closed the connection");
    return error_fix(err, "check the server, and the rights of this user in the database");
}

static struct sql_value value_of(const struct postgres_library *library, const PGresult *result, int column)
{
    const char *text = library->value(result, 0, column);

    if (library->is_null(result, 0, column))
        return (struct sql_value){ .kind = SQL_NULL };
    switch (library->type(result, column)) {
    case INT4OID:
    case INT8OID: return (struct sql_value){ .kind = SQL_INTEGER, .integer = strtoll(text, NULL, 10) };
    case FLOAT8OID: return (struct sql_value){ .kind = SQL_REAL, .real = c_strtod(text, NULL) };
    default: return (struct sql_value){ .kind = SQL_TEXT, .text = text };
    }
}

static bool send_query(const struct postgres *postgres, const char *sql, const struct sql_value *values, size_t count)
{
    char numbers[SQL_VALUES_MAX][TEXT_NUMBER_SIZE];
    const char *texts[SQL_VALUES_MAX];

    for (size_t i = 0; i < count && i < SQL_VALUES_MAX; i++)
        switch (values[i].kind) {
        case SQL_NULL: texts[i] = NULL; break;
        case SQL_TEXT:
        case SQL_LONG_TEXT: texts[i] = values[i].text; break;
        case SQL_REAL: texts[i] = text_number(values[i].real, numbers[i]); break;
        case SQL_INTEGER:
            snprintf(numbers[i], sizeof numbers[i], "%lld", (long long)values[i].integer);
            texts[i] = numbers[i];
            break;
        }
    return postgres->library.send(postgres->handle, sql, (int)count, NULL, texts, NULL, NULL, 0);
}

/* Row by row, so that a long answer is never held. What is left of one that is wanted no more is read and forgotten. */
static bool run(void *connection, const char *sql, const struct sql_value *values, size_t count,
                sql_row_function *on_row, void *context, struct error *err)
{
    const struct postgres *postgres = connection;
    const struct postgres_library *library = &postgres->library;
    struct sql_value row[SQL_COLUMNS_MAX];
    bool good = true, reported = false;
    PGresult *result;

    DEBUG(DEBUG_LEDGER, "%s", sql);
    if (count > SQL_VALUES_MAX || !send_query(postgres, sql, values, count))
        return fail(postgres, library->message(postgres->handle), err);
    library->single(postgres->handle);
    while ((result = library->result(postgres->handle))) {
        const int status = library->result_status(result), columns = library->columns(result);
        if (status == PGRES_SINGLE_TUPLE && good && on_row) {
            for (int i = 0; i < columns && i < SQL_COLUMNS_MAX; i++)
                row[i] = value_of(library, result, i);
            good = on_row(row, (size_t)columns, context, err);
            reported = !good;
        } else if (status != PGRES_SINGLE_TUPLE && status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
            if (!reported)
                good = fail(postgres, library->result_message(result), err);
            reported = true;
        }
        library->clear(result);
    }
    return good;
}

/* Several statements, without parameters and rows. */
static bool script(void *connection, const char *sql, struct error *err)
{
    const struct postgres *postgres = connection;
    PGresult *result = postgres->library.exec(postgres->handle, sql);
    const int status = postgres->library.result_status(result);
    const bool good = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;

    if (!good)
        fail(postgres, postgres->library.message(postgres->handle), err);
    postgres->library.clear(result);
    return good;
}

static bool take_number(const struct sql_value *values, size_t count, void *context, struct error *err)
{
    (void)count;
    (void)err;
    *(int64_t *)context = values[0].integer;
    return true;
}

/* 0: there is no ledger yet. */
static bool form_of(struct postgres *postgres, int64_t *form, struct error *err)
{
    int64_t there = 0;

    *form = 0;
    if (!run(postgres, "SELECT count(to_regclass('carbon_form'))", NULL, 0, take_number, &there, err))
        return false;
    if (there && !run(postgres, "SELECT form FROM carbon_form", NULL, 0, take_number, form, err))
        return false;
    return *form <= ledger_forms || sql_refuse_newer(postgres->shown, *form, ledger_forms, err);
}

/* One process at a time: the others find it done. A transaction begun before the lock was there might not see that. The
 * number of the lock is "carb". */
static bool migrate(struct postgres *postgres, struct notices *notices, struct error *err)
{
    const struct ledger ledger = { .backend = &postgres_backend, .connection = postgres };
    struct error ignored;
    char mark[80];
    int64_t form;
    bool good = script(postgres, "SELECT pg_advisory_lock(1667330658)", err) && script(postgres, "BEGIN", err) &&
                form_of(postgres, &form, err);

    if (good && form == 0)
        good = script(postgres, "CREATE TABLE carbon_form (form BIGINT NOT NULL); INSERT INTO carbon_form VALUES (0)",
                      err);
    good = good && ledger_bring_forward(&ledger, form, notices, err);
    snprintf(mark, sizeof mark, "UPDATE carbon_form SET form = %d; COMMIT", ledger_forms);
    good = good && script(postgres, mark, err);
    if (!good)
        IGNORED(script(postgres, "ROLLBACK", &ignored), "the first fault is reported");
    IGNORED(script(postgres, "SELECT pg_advisory_unlock(1667330658)", &ignored), "it ends with the connection");
    return good;
}

static bool make_ready(struct postgres *postgres, enum ledger_access access, struct notices *notices, struct error *err)
{
    int64_t form;

    /* a double comes back as it went, also from servers before 12, and a commit is on the disk when it returns */
    if (!script(postgres, "SET extra_float_digits = 3; SET synchronous_commit = on; SET client_min_messages = warning",
                err) ||
        !form_of(postgres, &form, err))
        return false;
    if (access == LEDGER_READ && form == 0) {
        error_set(err, ERROR_ABSENT, "no ledger in '%.200s' yet", postgres->shown);
        error_why(err, "nothing has been kept there");
        return error_fix(err, "'carbon measure --ledger URI' makes it");
    }
    return form == ledger_forms || migrate(postgres, notices, err);
}

static void close_server(void *connection)
{
    struct postgres *postgres = connection;

    postgres->library.finish(postgres->handle);
    free(postgres);
}

/* What the URI says itself comes later and wins. */
static void *open_server(const char *place, enum ledger_access access, struct notices *notices, struct error *err)
{
    const char *const keywords[] = { "connect_timeout", "application_name", "client_encoding", "dbname", NULL };
    const char *const values[] = { "10", "carbon", "UTF8", place, NULL };
    struct postgres *postgres = calloc(1, sizeof *postgres);

    if (!postgres || !find_postgres(&postgres->library, err)) {
        if (!postgres)
            error_errno(err, "cannot use the ledger");
        free(postgres);
        return NULL;
    }
    ledger_place_text(place, postgres->shown, sizeof postgres->shown);
    postgres->handle = postgres->library.connect(keywords, values, 1);
    if (postgres->library.status(postgres->handle) != CONNECTION_OK)
        fail(postgres, postgres->library.message(postgres->handle), err);
    else if (make_ready(postgres, access, notices, err))
        return postgres;
    close_server(postgres);
    return NULL;
}

static bool backup(void *connection, const char *path, struct error *err)
{
    const struct postgres *postgres = connection;

    (void)path;
    error_set(err, ERROR_USAGE, "a ledger on a server is not copied by carbon");
    error_why(err, "the server has its own way, for all that it holds");
    return error_fix(err, "pg_dump --table 'carbon_*' --dbname '%.200s'", postgres->shown);
}

const struct sql_backend postgres_backend = {
    .dialect = SQL_OF_POSTGRES,
    .open = open_server,
    .close = close_server,
    .run = run,
    .script = script,
    .backup = backup,
};

#else

static void *open_server(const char *place, enum ledger_access access, struct notices *notices, struct error *err)
{
    (void)place;
    (void)access;
    (void)notices;
    error_set(err, ERROR_ABSENT, "a ledger on a server needs PostgreSQL's library");
    error_why(err, "this carbon was built without libpq");
    error_fix(err, "build it where libpq-dev is installed (Debian), or keep the ledger in a file: --ledger FILE");
    return NULL;
}

const struct sql_backend postgres_backend = { .dialect = SQL_OF_POSTGRES, .open = open_server };

#endif
