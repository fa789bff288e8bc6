/* SPDX-License-Identifier: MIT
 * Records that wait beside a ledger's file: who takes them in, and what a writer leaves that was killed. */
#include "unit.h"

#include "ledger_fixture.h"

#include "ledger/spool.h"
#include "ledger/sql.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>

static void make_ledger(void)
{
    ledger_close(opened("ledger.db", LEDGER_WRITE));
}

static void keep(unsigned first, unsigned count)
{
    AUTO_NOTICES struct notices notices = { .count = 0 };
    struct ledger *ledger = NULL;
    struct error err;

    for (unsigned i = first; i < first + count; i++) {
        char *record = numbered_record(i);
        ck_assert_msg(ledger_keep(&ledger, "ledger.db", record, &notices, &err), "%s: %s", err.what, err.why);
        free(record);
    }
    ck_assert_uint_eq(notices.count, 0);
    ledger_close(ledger);
}

static bool count_row(const struct ledger_row *row, const char *record, void *context, struct error *err)
{
    (void)row;
    (void)record;
    (void)err;
    ++*(unsigned *)context;
    return true;
}

static unsigned records_of(const char *place, struct notices *notices)
{
    struct ledger *ledger = opened_noting(place, LEDGER_READ, notices);
    const struct ledger_filter all = { .id = NULL };
    struct error err;
    unsigned count = 0;

    ck_assert(ledger_list(ledger, &all, count_row, &count, &err));
    ledger_close(ledger);
    return count;
}

static unsigned kept(void)
{
    AUTO_NOTICES struct notices notices = { .count = 0 };
    const unsigned count = records_of("ledger.db", &notices);

    ck_assert_msg(notices.count == 0, "%s", notices.item[0].what);
    return count;
}

static long long size_of(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 ? (long long)status.st_size : -1;
}

static void append(const char *path, const char *bytes, size_t length)
{
    const int fd = open(path, O_WRONLY | O_APPEND);

    ck_assert_int_eq(write(fd, bytes, length), (ssize_t)length);
    close(fd);
}

START_TEST(they_wait_until_it_is_opened)
{
    struct ledger *ledger;
    struct error err;
    char *record = numbered_record(2), id[40], *stored;

    keep(1, 1); /* none yet: the database is made and has it */
    ck_assert_int_eq(size_of("ledger.db-spool"), -1);
    keep(2, 3);
    ck_assert_int_gt(size_of("ledger.db-spool"), 3 * (long long)strlen(record));
    ck_assert_int_eq(mode_of("ledger.db-spool"), 0600);
    ck_assert_uint_eq(kept(), 4);
    ck_assert_int_eq(size_of("ledger.db-spool"), 0);
    ledger = opened("ledger.db", LEDGER_READ);
    stored = ledger_record(ledger, "00000002", id, &err);
    ck_assert_str_eq(stored, record); /* byte for byte */
    ledger_close(ledger);
    free(stored);
    free(record);
}
END_TEST

/* As when it was killed after the commit and before the file was emptied: they come a second time. */
START_TEST(one_that_comes_twice_is_there_once)
{
    const char *bytes;
    long long length;

    make_ledger();
    keep(1, 2);
    length = size_of("ledger.db-spool");
    bytes = content("ledger.db-spool");
    ck_assert_uint_eq(kept(), 2);
    append("ledger.db-spool", bytes, (size_t)length);
    keep(3, 1);
    ck_assert_uint_eq(kept(), 3);
}
END_TEST

/* A writer is killed within each byte of its record, and another writes behind that. */
START_TEST(a_piece_is_passed_over)
{
    unsigned expected = 0;
    long long length;
    char *bytes;

    make_ledger();
    keep(1, 1);
    length = size_of("ledger.db-spool");
    bytes = strdup(content("ledger.db-spool"));
    ck_assert_uint_eq(kept(), ++expected);
    for (long long cut = 1; cut < length; cut += cut < 60 || cut > length - 3 ? 1 : length / 40) {
        append("ledger.db-spool", bytes, (size_t)cut);
        if (cut % 3) /* the piece alone, or between two others */
            keep(++expected, 1);
        if (cut % 2)
            append("ledger.db-spool", bytes, (size_t)cut);
        ck_assert_uint_eq(kept(), expected);
        ck_assert_int_eq(size_of("ledger.db-spool"), 0);
        ck_assert_int_eq(size_of("ledger.db-spool.broken"), -1);
    }
    free(bytes);
}
END_TEST

static void overwrite(const char *path, off_t at, const char *bytes)
{
    const int fd = open(path, O_WRONLY);

    ck_assert_int_eq(pwrite(fd, bytes, strlen(bytes), at), (ssize_t)strlen(bytes));
    close(fd);
}

START_TEST(a_damaged_one_is_set_aside_and_told)
{
    AUTO_NOTICES struct notices notices = { .count = 0 };

    make_ledger();
    keep(1, 3);
    overwrite("ledger.db-spool", 500, "#");
    ck_assert_uint_eq(records_of("ledger.db", &notices), 2);
    ck_assert_uint_eq(notices.count, 1);
    ck_assert_str_eq(notices.item[0].what,
                     "a record that waited in 'ledger.db-spool' is now in 'ledger.db-spool.broken'");
    ck_assert_ptr_nonnull(strstr(content("ledger.db-spool.broken"), "\"00000001-5c3b"));
    ck_assert_int_eq(mode_of("ledger.db-spool.broken"), 0600);
    ck_assert_uint_eq(kept(), 2); /* told once */
}
END_TEST

START_TEST(what_is_no_record_keeps_nothing_out)
{
    AUTO_NOTICES struct notices notices = { .count = 0 };
    bool is_full;

    make_ledger();
    keep(1, 1);
    ck_assert(spool_append("ledger.db", "{\"schema\": \"another\"}", &is_full));
    keep(2, 1);
    ck_assert_uint_eq(records_of("ledger.db", &notices), 2);
    ck_assert_uint_eq(notices.count, 1);
    ck_assert_str_eq(content("ledger.db-spool.broken"), "{\"schema\": \"another\"}\n");
}
END_TEST

enum { WRITERS = 8, EACH = 20 };

/* While two others take them in. */
START_TEST(many_write_at_once)
{
    pid_t pids[WRITERS + 2];

    make_ledger();
    for (unsigned i = 0; i < WRITERS + 2; i++) {
        pids[i] = fork();
        if (pids[i] == 0) {
            for (unsigned j = 0; j < EACH; j++)
                if (i < WRITERS)
                    keep(1 + i * EACH + j, 1);
                else
                    kept();
            _exit(0);
        }
    }
    for (unsigned i = 0; i < WRITERS + 2; i++) {
        int status = -1;
        ck_assert_int_eq(waitpid(pids[i], &status, 0), pids[i]);
        ck_assert_int_eq(status, 0);
    }
    ck_assert_uint_eq(kept(), WRITERS * EACH);
}
END_TEST

/* Whoever fills it takes all in. */
START_TEST(a_full_one_is_emptied)
{
    char *record;
    unsigned count;

    make_ledger();
    keep(1, 1);
    record = numbered_record(1);
    count = SPOOL_MAX_BYTES / (unsigned)strlen(record) + 2;
    keep(2, count);
    ck_assert_int_lt(size_of("ledger.db-spool"), 1 << 20);
    ck_assert_uint_eq(kept(), count + 1);
    free(record);
}
END_TEST

START_TEST(where_the_database_has_to_take_it)
{
    char *record = numbered_record(1);
    bool is_full;

    ck_assert(!spool_append("ledger.db", record, &is_full)); /* none */
    put("text", "a text that is no database, and is long enough to look like the beginning of one: 0123456789012345");
    ck_assert(!spool_append("text", record, &is_full));
    make_ledger();
    ck_assert_int_eq(symlink("ledger.db", "link.db"), 0);
    ck_assert(!spool_append("link.db", record, &is_full));
    ck_assert_int_eq(symlink("nothing", "ledger.db-spool"), 0);
    ck_assert(!spool_append("ledger.db", record, &is_full));
    keep(1, 1);
    ck_assert_int_eq(unlink("ledger.db-spool"), 0);
    ck_assert_uint_eq(kept(), 1);
    free(record);
}
END_TEST

/* A link to the file sees what waits beside the file. */
START_TEST(by_a_link)
{
    AUTO_NOTICES struct notices notices = { .count = 0 };

    make_ledger();
    ck_assert_int_eq(mkdir("elsewhere", 0700), 0);
    ck_assert_int_eq(symlink("../ledger.db", "elsewhere/link.db"), 0);
    keep(1, 2);
    ck_assert_uint_eq(records_of("elsewhere/link.db", &notices), 2);
    ck_assert_int_eq(size_of("ledger.db-spool"), 0);
}
END_TEST

/* Whoever may not write to it is told what is missing, and the next who may takes it in. */
START_TEST(a_reader_without_the_right_is_told)
{
    AUTO_NOTICES struct notices notices = { .count = 0 };

    make_ledger();
    keep(1, 2);
    ck_assert_int_eq(chmod("ledger.db", 0444), 0);
    ck_assert_int_eq(chmod("ledger.db-spool", 0444), 0);
    ck_assert_int_eq(chmod(".", 0555), 0);
    become_nobody();
    ck_assert_uint_eq(records_of("ledger.db", &notices), 0);
    be_oneself();
    ck_assert_uint_eq(notices.count, 1);
    ck_assert_str_eq(notices.item[0].what,
                     "records that wait in 'ledger.db-spool' could not be put into the ledger and are in no total");
    ck_assert_int_eq(chmod(".", 0755), 0);
    ck_assert_int_eq(chmod("ledger.db", 0644), 0);
    ck_assert_int_eq(chmod("ledger.db-spool", 0644), 0);
    ck_assert_uint_eq(kept(), 2);
}
END_TEST

/* What waits beside a damaged file is in the mended one, and what was deleted stays so. */
START_TEST(repaired_and_deleted)
{
    struct ledger_repair repair;
    struct ledger *ledger;
    struct error err;

    make_ledger();
    keep(1, 3);
    ck_assert_msg(ledger_repair("ledger.db", &repair, &err), "%s: %s", err.what, err.why);
    ck_assert_uint_eq(kept(), 3);
    keep(4, 1);
    ledger = opened("ledger.db", LEDGER_WRITE);
    ck_assert(ledger_delete(ledger, "00000004-5c3b-4f64-9d1f-6f6a3c1b7a55", &err));
    ledger_close(ledger);
    ck_assert_uint_eq(kept(), 3);
}
END_TEST

START_TEST(a_full_disk)
{
    AUTO_NOTICES struct notices notices = { .count = 0 };
    struct ledger *ledger = NULL;
    struct error err = { .kind = ERROR_NONE };
    unsigned stored = 0;

    if (!mount_small_disk()) {
        unit_skip("no file system can be mounted here");
        return;
    }
    ck_assert_int_eq(mount("tmpfs", "disk", "tmpfs", MS_REMOUNT, "size=512k"), 0);
    ledger_close(opened("disk/ledger.db", LEDGER_WRITE));
    for (bool good = true; good;) {
        char *record = numbered_record(stored + 1);
        good = ledger_keep(&ledger, "disk/ledger.db", record, &notices, &err);
        stored += good;
        free(record);
        ck_assert_uint_lt(stored, 1000);
    }
    ck_assert_str_eq(err.why, "the disk is full");
    ledger_close(ledger);
    ck_assert_uint_gt(stored, 3);
    ck_assert_int_eq(mount("tmpfs", "disk", "tmpfs", MS_REMOUNT, "size=4m"), 0);
    notices_clear(&notices);
    ck_assert_uint_eq(records_of("disk/ledger.db", &notices), stored);
    ck_assert_uint_eq(notices.count, 0);
    ck_assert_int_eq(umount("disk"), 0);
}
END_TEST

UNIT_SUITE_IN("spool", begin_in_folder, end_in_folder, they_wait_until_it_is_opened, one_that_comes_twice_is_there_once,
              a_piece_is_passed_over, a_damaged_one_is_set_aside_and_told, what_is_no_record_keeps_nothing_out,
              many_write_at_once, a_full_one_is_emptied, where_the_database_has_to_take_it, by_a_link,
              a_reader_without_the_right_is_told, repaired_and_deleted, a_full_disk)
