/* SPDX-License-Identifier: MIT
 * What the ledger asks of a database, and its tables. The statements are the same for all; parameters are $1, $2 ... in
 * the order in which they are first named. Used throughout ledger. Begin with sql_run(). */
#ifndef LEDGER_SQL_H
#define LEDGER_SQL_H

#include "ledger/ledger.h"

enum sql_kind {
    SQL_NULL,
    SQL_INTEGER,
    SQL_REAL,
    SQL_TEXT,
    SQL_LONG_TEXT /* asked with alone: the database may keep it in fewer bytes, and gives it back as SQL_TEXT */
};

struct sql_value {
    enum sql_kind kind;
    int64_t integer;
    double real;
    const char *text; /* borrowed */
};

/* Called for each row of an answer. False ends it and fails it. */
typedef bool sql_row_function(const struct sql_value *values, size_t count, void *context, struct error *err);

enum sql_dialect { SQL_OF_SQLITE, SQL_OF_POSTGRES, SQL_DIALECTS };

struct sql_backend {
    enum sql_dialect dialect;
    /* Ready for statements, its tables there and of the form that this carbon knows. NULL: see err. */
    void *(*open)(const char *place, enum ledger_access access, struct notices *notices, struct error *err);
    void (*close)(void *connection);
    /* One statement; on_row may be NULL. */
    bool (*run)(void *connection, const char *sql, const struct sql_value *values, size_t count,
                sql_row_function *on_row, void *context, struct error *err);
    /* Several statements, without parameters and rows. */
    bool (*script)(void *connection, const char *sql, struct error *err);
    /* What the database itself finds wrong in its file; NULL: it has no such look. */
    bool (*inspect)(void *connection, ledger_fault_function *on_fault, void *context, uint64_t *faults,
                    struct error *err);
    bool (*backup)(void *connection, const char *path, struct error *err);
};

extern const struct sql_backend sqlite_backend, postgres_backend;

struct ledger {
    const struct sql_backend *backend;
    void *connection;
    char shown[4096];
};

/* Without parameters and rows. */
bool sql_run(const struct ledger *ledger, const char *sql, struct error *err) MUST_CHECK;

/* "carb": whose a SQLite file is (its application_id). */
enum { SQLITE_APPLICATION = 0x63617262 };

/* ERROR_BAD_DATA for a form that a later carbon has made. */
bool sql_refuse_newer(const char *shown, int64_t form, int64_t known, struct error *err);

/* migrations.c: the forms that the tables have had, from the first; the last is this carbon's. */
extern const int ledger_forms;

/* From one form to the last, within a transaction that the caller has begun; 0: no tables yet. A notice says
 * what could not be filled in of records that are there. */
bool ledger_bring_forward(const struct ledger *ledger, int64_t form, struct notices *notices,
                          struct error *err) MUST_CHECK;

/* contributions.c: the columns of an account are described as those of a row are. */
enum { CONTRIBUTION_COLUMNS = 37 };
extern const struct ledger_column contribution_columns[CONTRIBUTION_COLUMNS];

/* Most columns of an answer, and values of a statement. */
enum { SQL_COLUMNS_MAX = 48, SQL_VALUES_MAX = 48 };

/* row.c: a member of a row or an account as a value, and back again. */
struct sql_value sql_value_of(const void *row, const struct ledger_column *column);
void sql_take_value(void *row, const struct ledger_column *column, const struct sql_value *value);

/* Adds the account of the record with this id, if missing; within a transaction. */
bool sql_put_contribution(const struct ledger *ledger, const struct cJSON *record, const char *id,
                          struct error *err) MUST_CHECK;

/* What in an account is not as the record says; NULL: nothing. values: its basis, then its columns. */
const char *sql_contribution_differs(const struct cJSON *record, const struct sql_value *values);

/* The accounts of records that a ledger of an earlier form has kept; within the transaction that brings it on. */
bool sql_fill_contributions(const struct ledger *ledger, struct error *err) MUST_CHECK;

#endif
