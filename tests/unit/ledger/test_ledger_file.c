/* SPDX-License-Identifier: MIT
 * A ledger in a file: whose it is, what can be wrong with it, and what is saved of a damaged one. */
#include "unit.h"

#include "ledger_fixture.h"

#include "ledger/sql.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/wait.h>

static void add_records(struct ledger *ledger, unsigned first, unsigned count)
{
    struct error err;

    for (unsigned i = first; i < first + count; i++) {
        char *record = numbered_record(i);
        ck_assert_msg(ledger_add(ledger, record, &err), "%s: %s", err.what, err.why);
        free(record);
    }
}

static void on_fault(const char *fault, void *context)
{
    (void)fault;
    ++*(size_t *)context;
}

static bool take_number(const struct sql_value *values, size_t count, void *context, struct error *err)
{
    (void)count;
    (void)err;
    *(int64_t *)context = values[0].integer;
    return true;
}

static struct ledger_check checked(const char *place)
{
    struct ledger *ledger = opened(place, LEDGER_READ);
    struct ledger_check check;
    struct error err;
    size_t reported = 0;

    ck_assert_msg(ledger_check(ledger, on_fault, &reported, &check, &err), "%s: %s", err.what, err.why);
    ck_assert_uint_eq(check.faults, reported);
    ledger_close(ledger);
    return check;
}

START_TEST(it_is_the_users_alone)
{
    struct ledger *ledger;
    struct error err;

    umask(0);
    ck_assert(ledger_make_folder("a/b/ledger.db", &err));
    ck_assert(ledger_make_folder("a/b/ledger.db", &err));
    ck_assert_int_eq(mode_of("a"), 0700);
    ck_assert_int_eq(mode_of("a/b"), 0700);
    ledger = opened("a/b/ledger.db", LEDGER_WRITE);
    add_records(ledger, 1, 1);
    ck_assert_int_eq(mode_of("a/b/ledger.db"), 0600);
    if (access("a/b/ledger.db-wal", F_OK) == 0) { /* not on every file system */
        ck_assert_int_eq(mode_of("a/b/ledger.db-wal"), 0600);
        ck_assert_int_eq(mode_of("a/b/ledger.db-shm"), 0600);
    }
    ledger_close(ledger);
    put("plain", "");
    ck_assert(!ledger_make_folder("plain/folder/ledger.db", &err));
    ck_assert_ptr_nonnull(strstr(err.what, "cannot make the folder 'plain/folder'"));
}
END_TEST

enum { MAKERS = 8, MAKINGS = 20 };

/* Each finds it half made by another, at one moment or another. */
START_TEST(many_make_it_at_once)
{
    for (int making = 0; making < MAKINGS; making++) {
        pid_t pids[MAKERS];

        for (unsigned maker = 0; maker < MAKERS; maker++) {
            pids[maker] = fork();
            if (pids[maker] == 0) {
                struct ledger *ledger = opened("ledger.db", LEDGER_WRITE);
                add_records(ledger, maker, 1);
                ledger_close(ledger);
                _exit(0);
            }
        }
        for (unsigned maker = 0; maker < MAKERS; maker++) {
            int status = -1;
            ck_assert_int_eq(waitpid(pids[maker], &status, 0), pids[maker]);
            ck_assert_int_eq(status, 0);
        }
        ck_assert_uint_eq(checked("ledger.db").records, MAKERS);
        ck_assert_int_eq(unlink("ledger.db"), 0);
    }
}
END_TEST

START_TEST(no_ledger_at_all)
{
    not_opened("none.db", LEDGER_READ, ERROR_ABSENT, "nothing has been kept there");
    ck_assert_uint_eq(files_here(), 0); /* asking makes nothing */
    not_opened("none/ledger.db", LEDGER_READ, ERROR_ABSENT, "nothing has been kept there");
    not_opened("none/ledger.db", LEDGER_WRITE, ERROR_ABSENT, "no such file");
    put("text", "a text that is no database, and is long enough to look like the beginning of one: 0123456789012345");
    not_opened("text", LEDGER_READ, ERROR_BAD_DATA, "not an SQLite database");
    not_opened("text", LEDGER_WRITE, ERROR_BAD_DATA, "not an SQLite database");
    ck_assert_ptr_nonnull(strstr(content("text"), "a text that is no database"));
    put("empty", "");
    not_opened("empty", LEDGER_READ, ERROR_ABSENT, "nothing has been kept there");
    ck_assert_int_eq(mkdir("folder", 0777), 0);
    not_opened("folder", LEDGER_WRITE, ERROR_USAGE, "not a regular file");
}
END_TEST

START_TEST(the_database_of_another_program)
{
    struct ledger *ledger;
    struct error err;

    ledger = opened("other.db", LEDGER_WRITE);
    ck_assert(sql_run(ledger, "PRAGMA application_id = 42", &err));
    ledger_close(ledger);
    not_opened("other.db", LEDGER_WRITE, ERROR_USAGE, "of another program");
    not_opened("other.db", LEDGER_READ, ERROR_USAGE, "of another program");
}
END_TEST

/* Also while its log lies beside it, and in a folder where nothing can be made. */
START_TEST(others_may_read_what_they_may_read)
{
    struct ledger *ledger;

    ledger = opened("ledger.db", LEDGER_WRITE);
    add_records(ledger, 1, 3);
    ledger_close(ledger);
    ck_assert_int_eq(chmod("ledger.db", 0444), 0);
    ck_assert_int_eq(chmod(".", 0555), 0);
    become_nobody();
    ck_assert_uint_eq(checked("ledger.db").records, 3);
    not_opened("ledger.db", LEDGER_WRITE, ERROR_DENIED, "cannot be written to");
    not_opened("new.db", LEDGER_WRITE, ERROR_DENIED, "ermission denied");
    be_oneself();
    ck_assert_int_eq(chmod("ledger.db", 0000), 0);
    become_nobody();
    not_opened("ledger.db", LEDGER_READ, ERROR_DENIED, "ermission denied");
    be_oneself();
    ck_assert_int_eq(chmod(".", 0755), 0);
}
END_TEST

START_TEST(a_full_disk)
{
    AUTO_NOTICES struct notices notices = { .count = 0 };
    struct error err = { .kind = ERROR_NONE };
    struct ledger *ledger;
    unsigned stored = 0;

    if (!mount_small_disk()) {
        unit_skip("no file system can be mounted here");
        return;
    }
    ck_assert_ptr_null(ledger_open("disk/ledger.db", LEDGER_WRITE, &notices, &err));
    ck_assert_str_eq(err.why, "the disk is full");
    ck_assert_int_eq(mount("tmpfs", "disk", "tmpfs", MS_REMOUNT, "size=512k"), 0);
    ledger = opened("disk/ledger.db", LEDGER_WRITE);
    for (bool good = true; good;) {
        char *record = numbered_record(stored + 1);
        good = ledger_add(ledger, record, &err);
        stored += good;
        free(record);
        ck_assert_uint_lt(stored, 1000);
    }
    ck_assert_str_eq(err.why, "the disk is full");
    ledger_close(ledger);
    ck_assert_uint_gt(stored, 3);
    ck_assert_int_eq(mount("tmpfs", "disk", "tmpfs", MS_REMOUNT, "size=4m"), 0);
    ck_assert_uint_eq(checked("disk/ledger.db").records, stored); /* every one that was said to be kept, and no more */
    ck_assert_uint_eq(checked("disk/ledger.db").faults, 0);
    ck_assert_int_eq(umount("disk"), 0);
}
END_TEST

START_TEST(a_copy_while_others_write)
{
    struct ledger *ledger, *writer;
    struct error err;

    umask(0);
    writer = opened("ledger.db", LEDGER_WRITE);
    add_records(writer, 1, 2);
    ledger = opened("ledger.db", LEDGER_READ);
    ck_assert_msg(ledger_backup(ledger, "copy.db", &err), "%s: %s", err.what, err.why);
    add_records(writer, 3, 1);
    ck_assert_int_eq(mode_of("copy.db"), 0600);
    ck_assert_uint_eq(checked("copy.db").records, 2);
    ck_assert_uint_eq(checked("copy.db").faults, 0);
    ck_assert(!ledger_backup(ledger, "copy.db", &err));
    ck_assert_str_eq(err.what, "'copy.db' is there already");
    ck_assert(!ledger_backup(ledger, "none/copy.db", &err));
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
    ck_assert_int_ne(access("copy.db.partial", F_OK), 0);
    ledger_close(ledger);
    ledger_close(writer);
    ledger = opened("copy.db", LEDGER_WRITE); /* a ledger like any other */
    add_records(ledger, 4, 1);
    ledger_close(ledger);
    ck_assert_uint_eq(checked("copy.db").records, 3);
}
END_TEST

/* Overwrites so many bytes of the file, from a part of its length on. */
static void damage(const char *path, double where, size_t bytes)
{
    struct stat status;
    char *zeros = calloc(1, bytes);
    const int fd = open(path, O_RDWR);

    ck_assert_int_eq(fstat(fd, &status), 0);
    memset(zeros, 0xa5, bytes);
    ck_assert_int_eq(pwrite(fd, zeros, bytes, (off_t)(where * (double)status.st_size) / 4096 * 4096), (ssize_t)bytes);
    close(fd);
    free(zeros);
}

static void still_there(const char *place, unsigned from, unsigned to, size_t min)
{
    struct ledger *ledger = opened(place, LEDGER_READ);
    size_t same = 0;

    for (unsigned i = from; i <= to; i++) {
        char *record = numbered_record(i), id[40];
        struct error err;
        char *stored = ledger_record(ledger, fixture->report.id, id, &err);

        if (stored)
            ck_assert_str_eq(stored, record);
        same += stored != NULL;
        free(stored);
        free(record);
    }
    ck_assert_uint_ge(same, min);
    ledger_close(ledger);
}

START_TEST(a_damaged_file_is_mended)
{
    struct ledger_repair repair;
    struct ledger *ledger;
    struct error err;

    ledger = opened("ledger.db", LEDGER_WRITE);
    add_records(ledger, 1, 100);
    ledger_close(ledger);
    damage("ledger.db", 0.5, 8192);
    ck_assert_uint_gt(checked("ledger.db").faults, 0);
    ck_assert_msg(ledger_repair("ledger.db", &repair, &err), "%s: %s", err.what, err.why);
    ck_assert_str_eq(repair.broken, "ledger.db.broken");
    ck_assert_uint_ge(repair.stored, 90);
    ck_assert_uint_eq(repair.stored + repair.lost, 100);
    ck_assert_uint_gt(repair.lost, 0);
    ck_assert_uint_eq(checked("ledger.db").records, repair.stored);
    ck_assert_uint_eq(checked("ledger.db").faults, 0);
    still_there("ledger.db", 1, 100, repair.stored);
    ck_assert_int_eq(mode_of("ledger.db"), 0600);
    ck_assert_int_eq(access("ledger.db.broken", F_OK), 0);
    ck_assert_int_ne(access("ledger.db.repaired", F_OK), 0);
    /* a sound one loses nothing, and the older broken one stays */
    ck_assert(ledger_repair("ledger.db", &repair, &err));
    ck_assert_str_eq(repair.broken, "ledger.db.broken.1");
    ck_assert_uint_eq(repair.lost, 0);
}
END_TEST

START_TEST(what_cannot_be_mended)
{
    struct ledger_repair repair;
    struct error err;

    put("text", "a text that is no database, and is long enough to look like the beginning of one: 0123456789012345");
    ck_assert(!ledger_repair("text", &repair, &err));
    ck_assert_int_eq(err.kind, ERROR_BAD_DATA);
    ck_assert(!ledger_repair("none", &repair, &err));
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
    ck_assert(!ledger_repair("postgresql:///x", &repair, &err));
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    ck_assert_uint_eq(files_here(), 1);
}
END_TEST

START_TEST(where_a_log_can_be_shared)
{
    static const uint64_t local[] = { EXT4_SUPER_MAGIC,      XFS_SUPER_MAGIC,      BTRFS_SUPER_MAGIC, TMPFS_MAGIC,
                                      OVERLAYFS_SUPER_MAGIC, 0x2fc12fc1 /* ZFS */, F2FS_SUPER_MAGIC };
    static const uint64_t network[] = {
        NFS_SUPER_MAGIC,
        SMB_SUPER_MAGIC,
        0xff534d42 /* CIFS */,
        0xfe534d42 /* SMB 2 */,
        V9FS_MAGIC,
        0x65735546 /* FUSE */,
        0x0bd00bd0 /* Lustre */,
        CEPH_SUPER_MAGIC,
        0x47504653 /* GPFS */,
        UINT64_C(0xffffffffff534d42) /* CIFS, its sign extended */
    };

    for (size_t i = 0; i < sizeof local / sizeof local[0]; i++)
        ck_assert_msg(ledger_wal_is_safe(local[i]), "%#lx", (unsigned long)local[i]);
    for (size_t i = 0; i < sizeof network / sizeof network[0]; i++)
        ck_assert_msg(!ledger_wal_is_safe(network[i]), "%#lx", (unsigned long)network[i]);
}
END_TEST

START_TEST(places)
{
    char *both[] = { (char *)"XDG_DATA_HOME=/data", (char *)"HOME=/home/me", NULL };
    char *home[] = { (char *)"XDG_DATA_HOME=relative", (char *)"HOME=/home/me", NULL };
    char *none[] = { (char *)"HOME=", NULL }, place[128];

    ck_assert(ledger_default_place(both, place, sizeof place));
    ck_assert_str_eq(place, "/data/carbon/ledger.db");
    ck_assert(ledger_default_place(home, place, sizeof place));
    ck_assert_str_eq(place, "/home/me/.local/share/carbon/ledger.db");
    ck_assert(!ledger_default_place(none, place, sizeof place));
    ck_assert(!ledger_default_place(both, place, 10));
    ck_assert(ledger_is_uri("postgres://x") && ledger_is_uri("postgresql:///x"));
    ck_assert(!ledger_is_uri("postgresql") && !ledger_is_uri("/postgresql://"));
}
END_TEST

START_TEST(passwords_are_not_shown)
{
    static const char *const shown[][2] = {
        { "a file: b@c", "a file: b@c" },
        { "postgresql://host/x", "postgresql://host/x" },
        { "postgresql://me@host/x", "postgresql://..@host/x" },
        { "postgresql://me@host:5432/x", "postgresql://..@host:5432/x" },
        { "postgresql://me:geheim@host:5432/x", "postgresql://...@host:5432/x" },
        { "postgresql://me:ge/he@im@host/x", "postgresql://...@host/x" },
        { "postgres:///x?host=/tmp&password=geheim&user=me", "postgres:///x?host=/tmp&password=...&user=me" },
        { "postgresql://me:geheim@host/x?password=geheim", "postgresql://...@host/x?password=..." },
    };
    char text[128];

    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        ledger_place_text(shown[i][0], text, sizeof text);
        ck_assert_str_eq(text, shown[i][1]);
    }
}
END_TEST

START_TEST(several_are_kept_or_none)
{
    struct ledger *ledger;
    char *one = numbered_record(1), *two = numbered_record(2);
    const char *const spoilt[] = { one, two, "{}" }, *const good[] = { one, two, one };
    struct error err;

    ledger = opened("ledger.db", LEDGER_WRITE);
    ck_assert(!ledger_add_all(ledger, spoilt, 3, &err));
    ck_assert_int_eq(err.kind, ERROR_BAD_DATA);
    ck_assert_uint_eq(checked("ledger.db").records, 0);
    ck_assert_msg(ledger_add_all(ledger, good, 3, &err), "%s: %s", err.what, err.why);
    ck_assert_uint_eq(checked("ledger.db").records, 2);
    ledger_close(ledger);
    free(one);
    free(two);
}
END_TEST

static int64_t number(struct ledger *ledger, const char *sql)
{
    int64_t number = -1;
    struct error err;

    ck_assert(ledger->backend->run(ledger->connection, sql, NULL, 0, take_number, &number, &err));
    return number;
}

/* Packed, and beside those that an earlier carbon kept as they are. */
START_TEST(records_are_packed)
{
    struct ledger *ledger;
    struct error err;

    ledger = opened("ledger.db", LEDGER_WRITE);
    add_records(ledger, 1, 3);
    ck_assert_int_eq(number(ledger, "SELECT count(*) FROM carbon_record WHERE typeof(record) = 'blob'"), 3);
    ck_assert_int_le(number(ledger, "SELECT max(length(record)) FROM carbon_record"), 4096);
    {
        char *record = numbered_record(2);
        const struct sql_value value = { .kind = SQL_TEXT, .text = record };
        ck_assert(ledger->backend->run(ledger->connection,
                                       "UPDATE carbon_record SET record = $1 WHERE number = (SELECT number FROM "
                                       "carbon_run WHERE id LIKE '00000002%')",
                                       &value, 1, NULL, NULL, &err));
        free(record);
    }
    ck_assert_uint_eq(checked("ledger.db").records, 3);
    ck_assert_uint_eq(checked("ledger.db").faults, 0);
    ck_assert(sql_run(ledger, "UPDATE carbon_record SET record = substr(record, 1, 500) WHERE typeof(record) = 'blob'",
                      &err));
    ck_assert_uint_eq(checked("ledger.db").faults, 2);
    ledger_close(ledger);
}
END_TEST

UNIT_SUITE_IN("ledger file", begin_in_folder, end_in_folder, records_are_packed, several_are_kept_or_none,
              it_is_the_users_alone, many_make_it_at_once, no_ledger_at_all, the_database_of_another_program,
              others_may_read_what_they_may_read, a_full_disk, a_copy_while_others_write, a_damaged_file_is_mended,
              what_cannot_be_mended, where_a_log_can_be_shared, places, passwords_are_not_shown)
