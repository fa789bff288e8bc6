/* SPDX-License-Identifier: MIT
 * Tables that many add to. */
#include "unit.h"

#include "output_folder.h"

#include "form/output.h"

#include <sys/wait.h>

#define HEADER "a,b,c\n"

START_TEST(a_row_is_appended_and_the_first_brings_the_header)
{
    struct error err;

    enter_folder();
    ck_assert(output_append("table", HEADER, "1,2,3\n", &err));
    ck_assert(output_append("table", HEADER, "4,5,6\n", &err));
    ck_assert_str_eq(content("table"), HEADER "1,2,3\n4,5,6\n");
    put("empty", "");
    ck_assert(output_append_check("empty", HEADER, &err) && output_append("empty", HEADER, "1,2,3\n", &err));
    ck_assert_str_eq(content("empty"), HEADER "1,2,3\n");
    put("open", HEADER "1,2,3");
    ck_assert(output_append("open", HEADER, "4,5,6\n", &err));
    ck_assert_str_eq(content("open"), HEADER "1,2,3\n4,5,6\n");
    leave_folder();
}
END_TEST

static void other_header(const char *there, const char *why)
{
    struct error err;

    put("table", there);
    ck_assert(!output_append_check("table", HEADER, &err));
    ck_assert(!output_append("table", HEADER, "1,2,3\n", &err));
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    ck_assert_str_eq(err.what, "'table' has another header");
    ck_assert_str_eq(err.why, why);
    ck_assert_str_ne(err.fix, "");
    ck_assert_str_eq(content("table"), there);
}

START_TEST(another_header_is_refused_with_the_first_difference)
{
    enter_folder();
    other_header("a,x,c\n1,2,3\n", "column 2 is 'x' there and 'b' here");
    other_header("a,c,b\n", "column 2 is 'c' there and 'b' here");
    other_header("a,b,c,d\n", "it has more than the 3 columns here");
    other_header("a,b\n", "it has only 2 of the columns here");
    other_header("a,b,c\r\n", "its lines end in CR LF; column 3 is the last");
    other_header("a,b,c", "its line does not end after column 3");
    other_header("\xef\xbb\xbf"
                 "a,b,c\n",
                 "column 1 is '\xef\xbb\xbf"
                 "a' there and 'a' here");
    other_header("{}\033\n", "column 1 is '{}?' there and 'a' here");
    leave_folder();
}
END_TEST

START_TEST(the_check_before_the_work_leaves_nothing_behind)
{
    struct error err;

    enter_folder();
    ck_assert(output_append_check("table", HEADER, &err));
    ck_assert_uint_eq(files_here(), 0);
    put("full", HEADER);
    ck_assert(output_append_check("full", HEADER, &err));
    mkdir("locked", 0555);
    put("read-only", HEADER);
    chmod("read-only", 0444);
    ck_assert(!output_append_check("none/table", HEADER, &err));
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
    ck_assert_str_eq(err.fix, "use another path; nothing has been run yet");
    ck_assert(!output_append_check("/dev/null", HEADER, &err));
    ck_assert_str_eq(err.why, "not a regular file");
    ck_assert(!output_append_check("locked", HEADER, &err));
    ck_assert_str_eq(err.why, "is a directory");
    become_nobody();
    ck_assert(!output_append_check("locked/table", HEADER, &err));
    ck_assert_int_eq(err.kind, ERROR_DENIED);
    ck_assert(!output_append_check("read-only", HEADER, &err));
    ck_assert_int_eq(err.kind, ERROR_DENIED);
    be_oneself();
    leave_folder();
}
END_TEST

/* 8 processes, 50 rows each, into a file that is not there at first: none lost, none torn. */
START_TEST(many_append_at_once)
{
    enum { WRITERS = 8, ROWS = 50 };
    unsigned char seen[WRITERS][ROWS] = { { 0 } };
    char filler[400], line[600];
    size_t lines = 0;
    FILE *file;

    enter_folder();
    memset(filler, 'f', sizeof filler - 1);
    filler[sizeof filler - 1] = '\0';
    for (int writer = 0; writer < WRITERS; writer++)
        if (fork() == 0) {
            bool good = true;
            for (int i = 0; i < ROWS; i++) {
                snprintf(line, sizeof line, "%d,%d,%.*s\n", writer, i, i * 7, filler);
                good &= output_append("table", HEADER, line, NULL);
            }
            _exit(good ? 0 : 1);
        }
    for (int writer = 0; writer < WRITERS; writer++) {
        int status;
        ck_assert_int_gt(wait(&status), 0);
        ck_assert_int_eq(status, 0);
    }
    file = fopen("table", "r");
    ck_assert_ptr_nonnull(file);
    ck_assert(fgets(line, sizeof line, file) && strcmp(line, HEADER) == 0);
    for (; fgets(line, sizeof line, file); lines++) {
        int writer, row, at;
        ck_assert_int_eq(sscanf(line, "%d,%d,%n", &writer, &row, &at), 2);
        ck_assert(writer >= 0 && writer < WRITERS && row >= 0 && row < ROWS && !seen[writer][row]++);
        ck_assert_uint_eq(strspn(line + at, "f"), (size_t)row * 7);
        ck_assert_str_eq(line + at + row * 7, "\n");
    }
    fclose(file);
    ck_assert_uint_eq(lines, WRITERS * ROWS);
    leave_folder();
}
END_TEST

START_TEST(a_row_without_room_leaves_no_half_of_it)
{
    struct stat before, after;
    struct error err;
    char row[4096];
    bool failed = false;

    enter_folder();
    if (!mount_small_disk()) {
        unit_skip("no file system can be mounted here");
        leave_folder();
        return;
    }
    memset(row, 'r', sizeof row - 2);
    strcpy(row + sizeof row - 2, "\n");
    for (int i = 0; i < 8 && !failed; i++) {
        ck_assert(i == 0 || stat("disk/table", &before) == 0);
        failed = !output_append("disk/table", HEADER, row, &err);
    }
    ck_assert(failed);
    ck_assert_str_eq(err.what, "cannot append to 'disk/table'");
    ck_assert_str_eq(err.why, "no space left on device");
    ck_assert_int_eq(stat("disk/table", &after), 0);
    ck_assert_int_eq(after.st_size, before.st_size);
    ck_assert_int_eq(umount("disk"), 0);
    leave_folder();
}
END_TEST

UNIT_SUITE("append", a_row_is_appended_and_the_first_brings_the_header,
           another_header_is_refused_with_the_first_difference, the_check_before_the_work_leaves_nothing_behind,
           many_append_at_once, a_row_without_room_leaves_no_half_of_it)
