/* SPDX-License-Identifier: MIT
 * What the ledger asks of a database, and its tables. The statements are the same for all; parameters are $1, $2 ... in
 * the order in which they are first named. */
#ifndef LEDGER_SQL_H
#define LEDGER_SQL_H

#include "ledger/ledger.h"

enum sql_kind { SQL_NULL, SQL_INTEGER, SQL_REAL, SQL_TEXT };

struct sql_value {
    enum sql_kind kind;
    int64_t integer;
    double real;
    const char *text; /* borrowed */
};

/* Called for each row of an answer. False ends it and fails it. */
typedef bool sql_row_function(const struct sql_value *values, size_t count, void *context, struct error *err);

struct sql_backend {
    const char *begin; /* of a transaction that writes */
    /* Ready for statements, its tables there and of the form that this carbon knows. NULL: err tells. */
    void *(*open)(const char *place, enum ledger_access access, struct notices *notices, struct error *err);
    void (*close)(void *connection);
    /* One statement; on_row may be NULL. */
    bool (*run)(void *connection, const char *sql, const struct sql_value *values, size_t count,
                sql_row_function *on_row, void *context, struct error *err);
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

/* ERROR_BAD_DATA for a form that a later carbon has made. */
bool sql_refuse_newer(const char *shown, int64_t form, int64_t known, struct error *err);

/* The form of the tables: each step makes the next of the one before. What is specific to a database is given: the type
 * of a number that counts up by itself, and the order of ids (byte by byte). */
#define LEDGER_FORM_1(NUMBER, ORDER)                                                                                   \
    "CREATE TABLE carbon_run (number " NUMBER ", id TEXT" ORDER                                                        \
    " NOT NULL UNIQUE, schema TEXT NOT NULL, started_ns BIGINT, "                                                      \
    "ended_ns BIGINT, label TEXT, project TEXT, command TEXT, zone TEXT, quality TEXT, exit_status BIGINT, "           \
    "runs BIGINT, complete BIGINT NOT NULL, duration_s DOUBLE PRECISION, gross_j DOUBLE PRECISION, "                   \
    "net_j DOUBLE PRECISION, gross_kgco2eq DOUBLE PRECISION, net_kgco2eq DOUBLE PRECISION, "                           \
    "gross_market_kgco2eq DOUBLE PRECISION, net_market_kgco2eq DOUBLE PRECISION, parent_id TEXT);"                     \
    "CREATE TABLE carbon_record (number BIGINT NOT NULL PRIMARY KEY, record TEXT NOT NULL);"                           \
    "CREATE INDEX carbon_run_started ON carbon_run (started_ns, number);"                                              \
    "CREATE INDEX carbon_run_project ON carbon_run (project, started_ns, number);"                                     \
    "CREATE INDEX carbon_run_label ON carbon_run (label, started_ns, number);"

#endif
