/* SPDX-License-Identifier: MIT
 * What the ledger asks of a database, and its tables. The statements are the same for all; parameters are $1, $2 ... in
 * the order in which they are first named. */
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

/* What a record comes to in a sum of many (struct account), and what that stands on, once for all that were worked out
 * alike. */
#define LEDGER_FORM_2(NUMBER)                                                                                          \
    "CREATE TABLE carbon_basis (number " NUMBER ", hash BIGINT NOT NULL, basis TEXT NOT NULL);"                        \
    "CREATE INDEX carbon_basis_hash ON carbon_basis (hash);"                                                           \
    "CREATE TABLE carbon_account (number BIGINT NOT NULL PRIMARY KEY, basis BIGINT, started_ns BIGINT, "               \
    "ended_ns BIGINT, project TEXT, label TEXT, parent_id TEXT, quality TEXT, complete BIGINT, recorded BIGINT, "      \
    "estimated BIGINT, runs BIGINT, duration_s DOUBLE PRECISION, gross_j DOUBLE PRECISION, "                           \
    "variance_j2 DOUBLE PRECISION, gross_low_j DOUBLE PRECISION, gross_high_j DOUBLE PRECISION, "                      \
    "net_j DOUBLE PRECISION, facility_kwh DOUBLE PRECISION, gross_kgco2eq DOUBLE PRECISION, "                          \
    "net_kgco2eq DOUBLE PRECISION, "                                                                                   \
    "market_kgco2eq DOUBLE PRECISION, td_losses_kgco2eq DOUBLE PRECISION, upstream_kgco2eq DOUBLE PRECISION, "         \
    "embodied_kgco2eq DOUBLE PRECISION, warmup_j DOUBLE PRECISION, covered DOUBLE PRECISION);"                         \
    "CREATE INDEX carbon_account_time ON carbon_account (started_ns, ended_ns);"                                       \
    "CREATE INDEX carbon_account_parent ON carbon_account (parent_id) WHERE parent_id IS NOT NULL;"

/* The job's own energy and the units of work beside the rest. Accounts are made anew from the records. */
#define LEDGER_FORM_3                                                                                                  \
    "DELETE FROM carbon_account;"                                                                                      \
    "ALTER TABLE carbon_account ADD COLUMN own_j DOUBLE PRECISION;"                                                    \
    "ALTER TABLE carbon_account ADD COLUMN own_kgco2eq DOUBLE PRECISION;"                                              \
    "ALTER TABLE carbon_account ADD COLUMN own_method TEXT;"                                                           \
    "ALTER TABLE carbon_account ADD COLUMN sci_units DOUBLE PRECISION;"                                                \
    "ALTER TABLE carbon_account ADD COLUMN sci_unit TEXT;"

/* Records in a file may be packed (packed.h), and those that are not stay so: nothing is to be done but to keep carbons
 * out that could not read them. */
#define LEDGER_FORM_4 "SELECT 4"

/* accounts.c: the columns of an account are described as those of a row are. */
enum { ACCOUNT_COLUMNS = 30 };
extern const struct ledger_column account_columns[ACCOUNT_COLUMNS];

/* Most columns of an answer, and values of a statement. */
enum { SQL_COLUMNS_MOST = 40, SQL_VALUES_MOST = 40 };

/* row.c: a member of a row or an account as a value, and back again. */
struct sql_value sql_value_of(const void *row, const struct ledger_column *column);
void sql_take_value(void *row, const struct ledger_column *column, const struct sql_value *value);

/* Puts the account of the record with this id beside it, where it is not there yet; within a transaction. */
bool sql_put_account(const struct ledger *ledger, const struct cJSON *record, const char *id,
                     struct error *err) MUST_CHECK;

/* What in an account is not as the record says; NULL: nothing. values: its basis, then its columns. */
const char *sql_account_differs(const struct cJSON *record, const struct sql_value *values);

/* The accounts of records that a ledger of an earlier form has kept; within the transaction that brings it on. */
bool sql_fill_accounts(const struct ledger *ledger, struct error *err) MUST_CHECK;

#endif
