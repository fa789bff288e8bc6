/* SPDX-License-Identifier: MIT
 * What can still be read of a damaged file, record by record, in a new one: the columns are in the records. */
#include "ledger/sqlite.h"

#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct mending {
    struct sqlite *old;
    struct ledger *new;
    struct ledger_repair *repair;
    bool found;
    bool failed; /* the new file could not be written to */
};

static bool store_row(const struct sql_value *values, size_t count, void *context, struct error *err)
{
    struct mending *mending = context;
    struct error reason;

    (void)count;
    mending->found = true;
    if (values[0].kind == SQL_TEXT && values[0].text && ledger_add(mending->new, values[0].text, &reason)) {
        mending->repair->stored++;
        return true;
    }
    mending->repair->lost++;
    mending->failed = values[0].kind == SQL_TEXT && reason.kind != ERROR_BAD_DATA;
    if (mending->failed && err)
        *err = reason;
    return !mending->failed;
}

/* One after the other, so that a damaged page costs what lies in it and nothing behind it. */
static bool keep_all(struct mending *mending, int64_t max, struct error *err)
{
    for (int64_t number = 1; number <= max; number++) {
        const struct sql_value value = { .kind = SQL_INTEGER, .integer = number };
        int64_t rows = 0;
        char sql[96];

        mending->found = false;
        if (!sqlite_run(mending->old, "SELECT record FROM carbon_record WHERE number = $1", &value, 1, store_row,
                        mending, err) &&
            mending->failed)
            return false;
        if (mending->found)
            continue;
        snprintf(sql, sizeof sql, "SELECT count(*) FROM carbon_run WHERE number = %lld", (long long)number);
        /* where neither can be read it may have been one */
        if (!sqlite_number(mending->old, sql, &rows, err) || rows > 0)
            mending->repair->lost++;
    }
    return true;
}

/* Either table has the number of records. */
static int64_t max_of(struct sqlite *old, struct error *err)
{
    int64_t of_records = 0, of_runs = 0;

    IGNORED(sqlite_number(old, "SELECT max(number) FROM carbon_record", &of_records, err),
            "a damaged table has no number");
    IGNORED(sqlite_number(old, "SELECT max(number) FROM carbon_run", &of_runs, err), "a damaged table has no number");
    return of_records > of_runs ? of_records : of_runs;
}

static bool move(const char *from, const char *to, const char *behind, struct error *err)
{
    char old[4096 + 16], new[4096 + 16];

    snprintf(old, sizeof old, "%s%s", from, behind);
    snprintf(new, sizeof new, "%s%s", to, behind);
    return rename(old, new) == 0 || (*behind && errno == ENOENT) || error_errno(err, "cannot rename '%.200s'", old);
}

static void name_broken(const char *place, char *name, size_t size)
{
    snprintf(name, size, "%.4000s.broken", place);
    for (int i = 1; access(name, F_OK) == 0 && i < 1000; i++)
        snprintf(name, size, "%.4000s.broken.%d", place, i);
}

static bool mend(const char *place, const char *mended, struct ledger_repair *repair, struct error *err)
{
    struct mending mending = { .repair = repair };
    AUTO_NOTICES struct notices notices = { .count = 0 };
    struct error unread = { .kind = ERROR_NONE };
    bool good = false;
    int64_t max;

    mending.old = sqlite_connect(place, SQLITE_MAY_WRITE, err);
    if (!mending.old)
        return false;
    max = max_of(mending.old, &unread);
    if (max == 0 && unread.kind != ERROR_NONE)
        *err = unread;
    else
        mending.new = ledger_open(mended, LEDGER_WRITE, &notices, err);
    good = mending.new &&keep_all(&mending, max, err);
    ledger_close(mending.new);
    sqlite_disconnect(mending.old);
    return good;
}

bool ledger_repair(const char *place, struct ledger_repair *repair, struct error *err)
{
    char mended[4096 + 16];

    *repair = (struct ledger_repair){ .stored = 0 };
    if (ledger_is_uri(place)) {
        error_set(err, ERROR_USAGE, "a ledger on a server is not repaired by carbon");
        return error_fix(err, "pg_amcheck looks at it, pg_restore brings a backup back");
    }
    if (access(place, R_OK | W_OK) != 0)
        return error_errno(err, "cannot repair the ledger '%.200s'", place);
    snprintf(mended, sizeof mended, "%.4000s.repaired", place);
    if (access(mended, F_OK) == 0) {
        error_set(err, ERROR_USAGE, "'%.200s' is there already", mended);
        error_why(err, "another repair is going on, or was cut short");
        return error_fix(err, "remove it where none is going on");
    }
    if (!mend(place, mended, repair, err)) {
        unlink(mended);
        return false;
    }
    name_broken(place, repair->broken, sizeof repair->broken);
    return move(place, repair->broken, "-wal", err) && move(place, repair->broken, "-shm", err) &&
           move(place, repair->broken, "", err) && move(mended, place, "", err);
}
