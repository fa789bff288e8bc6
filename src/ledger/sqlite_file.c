/* SPDX-License-Identifier: MIT
 * A ledger in a file: made for its user alone, its log shared only where memory can be shared, its tables brought from
 * one form to the next. */
#include "ledger/sqlite.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>

enum { PATH_ROOM = 4096 };

/* Its name must be durable, too. SQLite creates its side files with the same permissions. */
static bool make_file(const char *path, bool *made, struct error *err)
{
    AUTO_CLOSE int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    char folder[PATH_ROOM];
    struct stat status;

    *made = fd >= 0;
    if (fd < 0 && errno == EEXIST) {
        if (stat(path, &status) == 0 && S_ISREG(status.st_mode))
            return true;
        error_set(err, ERROR_USAGE, "'%.200s' cannot be a ledger", path);
        error_why(err, "not a regular file");
        return error_fix(err, "give another place: --ledger FILE");
    }
    if (fd < 0) {
        error_errno(err, "cannot make the ledger '%.200s'", path);
        return error_fix(err, "give another place: --ledger FILE");
    }
    ledger_folder_of(path, folder, sizeof folder);
    AUTO_CLOSE int of_folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (of_folder >= 0)
        IGNORED(fsync(of_folder), "some file systems cannot");
    return true;
}

static bool absent(const char *path, struct error *err)
{
    error_set(err, ERROR_ABSENT, "no ledger '%.200s' yet", path);
    error_why(err, "nothing has been kept there");
    return error_fix(err, "carbon measure -- sleep 1");
}

/* By the rights that are in force. */
static bool may(const char *path, int mode)
{
    return faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0;
}

/* A log next to it has to be read together with it. */
static struct sqlite *connect_to_read(const char *path, struct error *err)
{
    char folder[PATH_ROOM], log[PATH_ROOM + 8];

    if (!may(path, F_OK) && (errno == ENOENT || errno == ENOTDIR)) {
        absent(path, err);
        return NULL;
    }
    if (!may(path, R_OK)) {
        error_errno(err, "cannot use the ledger '%.200s'", path);
        error_fix(err, "check its permissions, or use another file: --ledger FILE");
        return NULL;
    }
    ledger_folder_of(path, folder, sizeof folder);
    snprintf(log, sizeof log, "%s-wal", path);
    if (may(path, W_OK) && may(folder, W_OK))
        return sqlite_connect(path, SQLITE_MAY_WRITE, err);
    return sqlite_connect(path, may(log, F_OK) ? SQLITE_MAY_READ : SQLITE_STANDS_STILL, err);
}

static void rest(void)
{
    const struct timespec ms = { .tv_nsec = 5000000 };

    nanosleep(&ms, NULL);
}

/* SQLite does not wait by itself where it would change the kind of the log. */
static bool choose_log(struct sqlite *sqlite, bool made, struct notices *notices, struct error *err)
{
    const uint64_t until_ns = clock_monotonic_ns() + 30 * NS_PER_S_INT;
    const char *wanted;
    struct statfs filesystem;
    char now[16];

    if (statfs(sqlite_path(sqlite), &filesystem) != 0)
        return error_errno(err, "cannot use the ledger '%.200s'", sqlite_path(sqlite));
    wanted = ledger_wal_is_safe((uint64_t)filesystem.f_type) ? "wal" : "delete";
    for (;;) {
        if (!sqlite_text(sqlite, "PRAGMA journal_mode", now, sizeof now, err))
            return false;
        if (strcmp(now, wanted) == 0)
            break;
        if (sqlite_run(sqlite,
                       strcmp(wanted, "wal") == 0 ? "PRAGMA journal_mode = wal" : "PRAGMA journal_mode = delete", NULL,
                       0, NULL, NULL, err))
            continue;
        if (!sqlite_was_busy(sqlite) || clock_monotonic_ns() >= until_ns)
            return false;
        rest();
    }
    if (made && strcmp(wanted, "wal") != 0)
        notice_add(notices, NOTICE_LEDGER,
                   "its file system is not of this machine alone, so that one process writes at a time and "
                   "readers wait for it",
                   "--ledger FILE on a local disk, or a server: --ledger postgresql://...",
                   "the ledger '%.150s' has a rollback journal", sqlite_path(sqlite));
    return true;
}

static bool refuse_foreign(const struct sqlite *sqlite, struct error *err)
{
    error_set(err, ERROR_USAGE, "'%.200s' is not a ledger", sqlite_path(sqlite));
    error_why(err, "it is the database of another program");
    return error_fix(err, "give another place: --ledger FILE");
}

static bool form_of(struct sqlite *sqlite, int64_t *form, struct error *err)
{
    int64_t application, tables;

    if (!sqlite_number(sqlite, "PRAGMA user_version", form, err) ||
        !sqlite_number(sqlite, "PRAGMA application_id", &application, err) ||
        !sqlite_number(sqlite, "SELECT count(*) FROM sqlite_master", &tables, err))
        return false;
    if (tables ? application != SQLITE_APPLICATION : *form != 0)
        return refuse_foreign(sqlite, err);
    return *form <= ledger_forms || sql_refuse_newer(sqlite_path(sqlite), *form, ledger_forms, err);
}

/* Of one moment: another process may be making the tables. */
static bool form_now(struct sqlite *sqlite, int64_t *form, struct error *err)
{
    struct error ignored;
    const bool good = sqlite_script(sqlite, "BEGIN", err) && form_of(sqlite, form, err);

    IGNORED(sqlite_script(sqlite, "COMMIT", &ignored), "nothing was written");
    return good;
}

/* Others may have taken the same step meanwhile: the form is asked for again when the file is ours. */
static bool migrate(struct sqlite *sqlite, struct notices *notices, struct error *err)
{
    const struct ledger ledger = { .backend = &sqlite_backend, .connection = sqlite };
    char mark[96];
    int64_t form;
    bool good = sqlite_script(sqlite, "BEGIN IMMEDIATE", err);

    if (!good)
        return false;
    good = form_of(sqlite, &form, err) && ledger_bring_forward(&ledger, form, notices, err);
    snprintf(mark, sizeof mark, "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT", SQLITE_APPLICATION,
             ledger_forms);
    good = good && sqlite_script(sqlite, mark, err);
    if (!good) {
        struct error ignored;
        IGNORED(sqlite_script(sqlite, "ROLLBACK", &ignored), "the first fault is reported");
    }
    return good;
}

/* FULL: a commit has reached the disk when it returns, in either kind of log. What is deleted is overwritten. */
static bool make_ready(struct sqlite *sqlite, enum ledger_access access, bool made, struct notices *notices,
                       struct error *err)
{
    int64_t form;

    if (!sqlite_script(sqlite, "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF",
                       err) ||
        !form_now(sqlite, &form, err))
        return false;
    if (access == LEDGER_READ && form == 0)
        return absent(sqlite_path(sqlite), err);
    if (access == LEDGER_WRITE && !choose_log(sqlite, made, notices, err))
        return false;
    return form == ledger_forms || migrate(sqlite, notices, err);
}

static void *open_file(const char *place, enum ledger_access access, struct notices *notices, struct error *err)
{
    struct sqlite *sqlite = NULL;
    bool made = false;

    if (access == LEDGER_READ)
        sqlite = connect_to_read(place, err);
    else if (make_file(place, &made, err))
        sqlite = sqlite_connect(place, SQLITE_MAY_WRITE, err);
    if (sqlite && !make_ready(sqlite, access, made, notices, err)) {
        sqlite_disconnect(sqlite);
        sqlite = NULL;
    }
    return sqlite;
}

struct inspection {
    ledger_fault_function *on_fault;
    void *context;
    uint64_t faults;
};

static bool take_finding(const struct sql_value *values, size_t count, void *context, struct error *err)
{
    struct inspection *inspection = context;

    (void)count;
    (void)err;
    if (values[0].kind == SQL_TEXT && values[0].text && strcmp(values[0].text, "ok") != 0) {
        inspection->faults++;
        inspection->on_fault(values[0].text, inspection->context);
    }
    return true;
}

static bool script(void *connection, const char *sql, struct error *err)
{
    return sqlite_script(connection, sql, err);
}

static bool inspect(void *connection, ledger_fault_function *on_fault, void *context, uint64_t *faults,
                    struct error *err)
{
    struct inspection inspection = { on_fault, context, 0 };

    if (!sqlite_run(connection, "PRAGMA integrity_check", NULL, 0, take_finding, &inspection, err)) {
        if (!sqlite_was_corrupt(connection))
            return false;
        inspection.faults++;
        on_fault(err->why, context);
    }
    *faults = inspection.faults;
    return true;
}

static bool sync_and_name(const char *partial, const char *path, struct error *err)
{
    AUTO_CLOSE int fd = open(partial, O_RDWR | O_CLOEXEC);

    /* a hard link, unlike a new name, never takes the place of a file that has come meanwhile */
    if (fd >= 0 && fsync(fd) == 0 && link(partial, path) == 0) {
        unlink(partial);
        return true;
    }
    if (fd >= 0 && (errno == EPERM || errno == EOPNOTSUPP) && access(path, F_OK) != 0 && rename(partial, path) == 0)
        return true;
    return error_errno(err, "cannot write '%.200s'", path);
}

static bool backup(void *connection, const char *path, struct error *err)
{
    char partial[PATH_ROOM + 16];
    const struct sql_value to = { .kind = SQL_TEXT, .text = partial };
    int fd;
    bool good;

    snprintf(partial, sizeof partial, "%s.partial", path);
    if (access(path, F_OK) == 0) {
        error_set(err, ERROR_USAGE, "'%.200s' is there already", path);
        return error_fix(err, "give the name of a new file");
    }
    fd = open(partial, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) {
        error_errno(err, "cannot write '%.200s'", partial);
        return error_fix(err, "give the name of a new file in a folder that you may write to");
    }
    close(fd);
    good = sqlite_run(connection, "VACUUM INTO $1", &to, 1, NULL, NULL, err) && sync_and_name(partial, path, err);
    if (!good)
        unlink(partial);
    return good;
}

const struct sql_backend sqlite_backend = {
    .dialect = SQL_OF_SQLITE,
    .open = open_file,
    .close = sqlite_disconnect,
    .run = sqlite_run,
    .script = script,
    .inspect = inspect,
    .backup = backup,
};
