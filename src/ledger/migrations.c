/* SPDX-License-Identifier: MIT
 * The forms of a ledger's tables: each makes the next of the one before, so that a ledger of any carbon is brought to
 * this one's. A form that was ever kept is never changed here; a ledger of each lies in tests/data/ledgers. */
#include "ledger/sql.h"

#include <inttypes.h>

/* One text for both databases. What is specific to one is given: the type of a number that counts up by itself, and the
 * order of ids (byte by byte). */
#define OF_BOTH(FORM)                                                                                                  \
    {                                                                                                                  \
        [SQL_OF_SQLITE] = FORM("INTEGER PRIMARY KEY", ""),                                                             \
        [SQL_OF_POSTGRES] = FORM("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", " COLLATE \"C\""),                 \
    }

#define ROWS_AND_RECORDS(NUMBER, ORDER)                                                                                \
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

/* A record's contribution to a total (struct contribution), and the assumptions behind it, stored once per distinct
 * set. */
#define CONTRIBUTIONS(NUMBER, ORDER)                                                                                   \
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

/* The job's own energy and the functional units in addition. */
#define OWN_ENERGY(NUMBER, ORDER)                                                                                      \
    "DELETE FROM carbon_account;"                                                                                      \
    "ALTER TABLE carbon_account ADD COLUMN own_j DOUBLE PRECISION;"                                                    \
    "ALTER TABLE carbon_account ADD COLUMN own_kgco2eq DOUBLE PRECISION;"                                              \
    "ALTER TABLE carbon_account ADD COLUMN own_method TEXT;"                                                           \
    "ALTER TABLE carbon_account ADD COLUMN sci_units DOUBLE PRECISION;"                                                \
    "ALTER TABLE carbon_account ADD COLUMN sci_unit TEXT;"

/* Records in a file may be packed (packed.h), and those that are not stay so: nothing is to be done but to keep carbons
 * out that could not read them. */
#define PACKED(NUMBER, ORDER) "SELECT 4"

/* Which machine a record is of, and when its runs were: a machine's time is counted once. */
#define MACHINE_TIMES(NUMBER, ORDER)                                                                                   \
    "DELETE FROM carbon_account;"                                                                                      \
    "ALTER TABLE carbon_account ADD COLUMN machine TEXT;"                                                              \
    "ALTER TABLE carbon_account ADD COLUMN times TEXT;"

/* The Slurm job of a record, and its nodes: energy that Slurm also reports for a measured machine is counted once. */
#define SLURM_JOBS(NUMBER, ORDER)                                                                                      \
    "DELETE FROM carbon_account;"                                                                                      \
    "ALTER TABLE carbon_account ADD COLUMN job BIGINT;"                                                                \
    "ALTER TABLE carbon_account ADD COLUMN cluster TEXT;"                                                              \
    "ALTER TABLE carbon_account ADD COLUMN nodes TEXT;"                                                                \
    "ALTER TABLE carbon_account ADD COLUMN node_count BIGINT;"                                                         \
    "ALTER TABLE carbon_account ADD COLUMN told BIGINT;"                                                               \
    "CREATE INDEX carbon_account_told ON carbon_account (told, started_ns) WHERE told > 0;"

/* Records may wait next to a file (spool.h) and be packed by a second sample: likewise, nothing but to keep carbons
 * out that would not see or read them. */
#define SPOOLED(NUMBER, ORDER) "SELECT 7"

/* What SQL cannot do, done once all tables are of the last form, which is the one that the code knows: that of the last
 * step that has one, which does what those before it would have done. */
typedef bool form_function(const struct ledger *ledger, struct notices *notices, struct error *err);

static bool fill_contributions(const struct ledger *ledger, struct notices *notices, struct error *err)
{
    (void)notices;
    return sql_fill_contributions(ledger, err);
}

static bool take_counts(const struct sql_value *values, size_t count, void *context, struct error *err)
{
    int64_t *counts = context;

    (void)err;
    for (size_t i = 0; i < count && i < 2; i++)
        counts[i] = values[i].kind == SQL_INTEGER ? values[i].integer : 0;
    return true;
}

/* Of what was measured: nobody ran an estimate. */
static bool fill_machines(const struct ledger *ledger, struct notices *notices, struct error *err)
{
    int64_t counts[2] = { 0, 0 };

    if (!sql_fill_contributions(ledger, err))
        return false;
    if (!ledger->backend->run(ledger->connection,
                              "SELECT count(*), sum(CASE WHEN machine IS NULL OR times IS NULL THEN 1 ELSE 0 END) FROM "
                              "carbon_account WHERE estimated = 0 AND recorded = 0",
                              NULL, 0, take_counts, counts, err))
        return false;
    if (counts[1] > 0)
        notice_add(notices, NOTICE_LEDGER,
                   "'carbon report' counts the time of a machine once; energy of these records that overlaps with "
                   "others is counted in full",
                   "", "%" PRId64 " of %" PRId64 " measured records in the ledger do not say their machine and times",
                   counts[1], counts[0]);
    return true;
}

static const struct {
    const char *sql[SQL_DIALECTS];
    form_function *after;
} migrations[] = {
    { OF_BOTH(ROWS_AND_RECORDS), NULL },
    { OF_BOTH(CONTRIBUTIONS), fill_contributions },
    { OF_BOTH(OWN_ENERGY), fill_contributions },
    { OF_BOTH(PACKED), NULL },
    { OF_BOTH(MACHINE_TIMES), fill_machines },
    { OF_BOTH(SLURM_JOBS), fill_machines },
    { OF_BOTH(SPOOLED), NULL },
};

const int ledger_forms = sizeof migrations / sizeof migrations[0];

bool ledger_bring_forward(const struct ledger *ledger, int64_t form, struct notices *notices, struct error *err)
{
    const struct sql_backend *backend = ledger->backend;
    form_function *after = NULL;

    for (int64_t i = form; i < ledger_forms; i++) {
        if (!backend->script(ledger->connection, migrations[i].sql[backend->dialect], err))
            return false;
        after = migrations[i].after ? migrations[i].after : after;
    }
    return form == 0 || !after || after(ledger, notices, err);
}
