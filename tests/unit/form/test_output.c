/* SPDX-License-Identifier: MIT
 * Files that are complete or not there. */
#include "unit.h"

#include "output_folder.h"

#include "form/output.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

static void open_and_write(struct output *output, const char *path, const char *text)
{
    struct error err = { .kind = ERROR_NONE };

    ck_assert_msg(output_open(output, path, &err), "%s: %s", err.what, err.why);
    fputs(text, output->file);
}

static void refused(const char *path, enum error_kind kind, const char *why)
{
    struct output output;
    struct error err = { .kind = ERROR_NONE };
    char what[300];

    ck_assert(!output_open(&output, path, &err));
    snprintf(what, sizeof what, "cannot write '%s'", path);
    ck_assert_str_eq(err.what, what);
    ck_assert_str_eq(err.why, why);
    ck_assert_str_eq(err.fix,
                     strncmp(path, "none/", 5) == 0 ? "mkdir -p none" : "use another path; nothing has been run yet");
    ck_assert_int_eq(err.kind, kind);
    output_keep_partial(&output, NULL, 0);
}

static void error_is(const struct error *err, const char *what, const char *why)
{
    ck_assert_str_eq(err->what, what);
    ck_assert_str_eq(err->why, why);
}

START_TEST(a_file_appears_when_it_is_complete)
{
    struct output output;
    struct error err;

    open_and_write(&output, "result", "whole");
    fflush(output.file);
    ck_assert_ptr_null(content("result"));
    ck_assert_str_eq(content("result.partial"), "whole");
    ck_assert(output_finish(&output, &err));
    ck_assert_str_eq(content("result"), "whole");
    ck_assert_uint_eq(files_here(), 1);
    ck_assert_uint_eq(mode_of("result"), 0644);
    output_keep_partial(&output, NULL, 0);
    ck_assert_str_eq(content("result"), "whole");
}
END_TEST

START_TEST(an_old_file_stays_until_then_and_keeps_its_mode)
{
    struct output output;
    struct error err;

    put("result", "old");
    chmod("result", 0664);
    open_and_write(&output, "result", "new");
    fflush(output.file);
    ck_assert_str_eq(content("result"), "old");
    ck_assert(output_finish(&output, &err));
    ck_assert_str_eq(content("result"), "new");
    ck_assert_uint_eq(mode_of("result"), 0664);
    umask(077);
    open_and_write(&output, "private", "x");
    ck_assert(output_finish(&output, &err));
    ck_assert_uint_eq(mode_of("private"), 0600);
}
END_TEST

START_TEST(an_unfinished_file_is_kept_and_an_empty_one_is_not)
{
    struct output output;
    char stored[4096] = "?";

    open_and_write(&output, "result", "half");
    output_keep_partial(&output, stored, sizeof stored);
    ck_assert_str_eq(stored, "result.partial");
    ck_assert_str_eq(content("result.partial"), "half");
    output_keep_partial(&output, stored, sizeof stored);
    ck_assert_str_eq(stored, "result.partial");
    open_and_write(&output, "other", "");
    output_keep_partial(&output, stored, sizeof stored);
    ck_assert_str_eq(stored, "");
    ck_assert_uint_eq(files_here(), 1);
    output_keep_partial(&output, NULL, 0);
    memset(&output, 0, sizeof output);
    output_keep_partial(&output, stored, sizeof stored);
    ck_assert_str_eq(stored, "");
}
END_TEST

START_TEST(somebodys_unfinished_file_is_not_overwritten)
{
    struct output first, second;
    struct error err;

    put("result.partial", "theirs");
    open_and_write(&first, "result", "first");
    open_and_write(&second, "result", "second");
    ck_assert_str_eq(first.partial, "result.partial.1");
    ck_assert_str_eq(second.partial, "result.partial.2");
    ck_assert(output_finish(&second, &err));
    ck_assert_str_eq(content("result"), "second");
    ck_assert(output_finish(&first, &err));
    ck_assert_str_eq(content("result"), "first");
    ck_assert_str_eq(content("result.partial"), "theirs");
    ck_assert_uint_eq(files_here(), 2);
}
END_TEST

START_TEST(a_partial_file_is_brought_up_to_date)
{
    struct output output;
    struct error err;

    open_and_write(&output, "result", "a long first version");
    fflush(output.file);
    ck_assert(output_restart(&output, &err));
    fputs("short", output.file);
    fflush(output.file);
    ck_assert_str_eq(content("result.partial"), "short");
    ck_assert(output_restart(&output, &err));
    fputs("last", output.file);
    ck_assert(output_finish(&output, &err));
    ck_assert_str_eq(content("result"), "last");
}
END_TEST

START_TEST(a_link_is_followed)
{
    struct output output;
    struct error err;
    struct stat status;

    mkdir("data", 0777);
    put("data/real", "old");
    ck_assert(symlink("data/real", "link") == 0 && symlink("data/none-yet", "dangling") == 0 &&
              symlink("round", "round") == 0 && symlink("link", "twice") == 0);
    open_and_write(&output, "twice", "new");
    ck_assert_str_eq(output.partial, "data/real.partial");
    ck_assert(output_finish(&output, &err));
    ck_assert_str_eq(content("data/real"), "new");
    open_and_write(&output, "dangling", "made");
    ck_assert(output_finish(&output, &err));
    ck_assert_str_eq(content("data/none-yet"), "made");
    ck_assert(lstat("twice", &status) == 0 && S_ISLNK(status.st_mode));
    ck_assert(lstat("dangling", &status) == 0 && S_ISLNK(status.st_mode));
    refused("round", ERROR_SYSTEM, "too many levels of symbolic links");
}
END_TEST

START_TEST(what_cannot_be_written_is_refused_before_the_work)
{
    mkdir("folder", 0777);
    refused("folder", ERROR_SYSTEM, "is a directory");
    refused("none/result", ERROR_ABSENT, "directory does not exist; nothing has been run yet");
    refused("", ERROR_ABSENT, "directory does not exist; nothing has been run yet");
    put("file", "");
    refused("file/result", ERROR_ABSENT, "not a directory");
    refused("/dev/fd/99", ERROR_SYSTEM, "bad file descriptor");
    mkdir("locked", 0555);
    put("read-only", "keep");
    chmod("read-only", 0444);
    become_nobody();
    refused("locked/result", ERROR_DENIED, "permission denied");
    refused("read-only", ERROR_DENIED, "permission denied");
    be_oneself();
    ck_assert_uint_eq(files_here(), 4);
}
END_TEST

START_TEST(what_is_no_file_is_written_in_place)
{
    struct output output;
    struct error err;
    char read_back[16] = "";
    int fd;

    ck_assert_int_eq(mkfifo("pipe", 0666), 0);
    fd = open("pipe", O_RDONLY | O_NONBLOCK);
    open_and_write(&output, "pipe", "through");
    ck_assert(output.in_place && !output.partial[0]);
    ck_assert(output_restart(&output, &err));
    ck_assert(output_finish(&output, &err));
    ck_assert_int_eq(read(fd, read_back, sizeof read_back), 7);
    ck_assert_str_eq(read_back, "through");
    ck_assert_uint_eq(files_here(), 1);
    open_and_write(&output, "/dev/null", "gone");
    ck_assert(output.in_place && output_finish(&output, &err));
}
END_TEST

/* Standard output may be a file that others write to: it is neither renamed nor begun anew. */
START_TEST(standard_output_is_continued)
{
    struct output output;
    struct error err;
    const char *const names[] = { "-", "/dev/stdout", "/dev/fd/1" };
    int saved, fd;

    fd = open("out", O_WRONLY | O_CREAT, 0644);
    fflush(stdout);
    saved = dup(STDOUT_FILENO);
    ck_assert(fd >= 0 && saved >= 0 && write(fd, "job\n", 4) == 4 && dup2(fd, STDOUT_FILENO) == STDOUT_FILENO);
    for (size_t i = 0; i < 3; i++) {
        open_and_write(&output, names[i], "carbon\n");
        ck_assert(output.in_place && output_finish(&output, &err));
    }
    ck_assert(write(STDOUT_FILENO, "job\n", 4) == 4 && dup2(saved, STDOUT_FILENO) == STDOUT_FILENO);
    ck_assert_str_eq(content("out"), "job\ncarbon\ncarbon\ncarbon\njob\n");
    ck_assert_uint_eq(files_here(), 1);
}
END_TEST

START_TEST(a_closed_standard_output_is_told)
{
    struct output output;
    struct error err;
    int ends[2], saved;

    signal(SIGPIPE, SIG_IGN);
    fflush(stdout);
    saved = dup(STDOUT_FILENO);
    ck_assert(pipe(ends) == 0 && dup2(ends[1], STDOUT_FILENO) == STDOUT_FILENO && close(ends[0]) == 0);
    open_and_write(&output, "-", "x");
    const bool finished = output_finish(&output, &err);
    close(STDOUT_FILENO);
    const bool opened = output_open(&output, "-", NULL);
    dup2(saved, STDOUT_FILENO);
    ck_assert(!finished && !opened);
    error_is(&err, "cannot write 'standard output'", "broken pipe");
    ck_assert_str_eq(err.fix, "");
}
END_TEST

START_TEST(a_full_device_is_told)
{
    struct output output;
    struct error err;

    open_and_write(&output, "/dev/full", "x");
    ck_assert(!output_finish(&output, &err));
    unit_tried(1, "The disk of a result is full");
    error_is(&err, "cannot write '/dev/full'", "no space left on device");
}
END_TEST

START_TEST(a_form_that_failed_tells_where)
{
    struct output output;
    struct error err;

    open_and_write(&output, "result", "x");
    error_set(&err, ERROR_SYSTEM, "cannot write the JSON record");
    error_why(&err, "no space left on device");
    ck_assert(!output_failed(&output, &err));
    error_is(&err, "cannot write 'result'", "no space left on device");
    ck_assert_str_eq(err.fix, "the partial result is in 'result.partial'");
    ck_assert(!output_failed(&output, NULL));
    output_keep_partial(&output, NULL, 0);
}
END_TEST

static void fill_up(const char *old, const char *why)
{
    struct output output;
    struct error err;
    char stored[4096], block[1024];

    unit_tried(1, "The disk of a result is full");
    memset(block, 'x', sizeof block);
    ck_assert(output_open(&output, "result", &err));
    for (int i = 0; i < 64; i++)
        if (fwrite(block, 1, sizeof block, output.file) != sizeof block)
            break;
    ck_assert(!output_finish(&output, &err));
    ck_assert_str_eq(err.what, "cannot write 'result'");
    ck_assert_msg(strcmp(err.why, why) == 0 || strcmp(err.why, "input/output error") == 0, "%s", err.why);
    ck_assert_str_eq(err.fix, "the partial result is in 'result.partial'");
    output_keep_partial(&output, stored, sizeof stored);
    ck_assert_str_eq(stored, "result.partial");
    ck_assert_uint_gt(strlen(content("result.partial")), 0);
    if (old)
        ck_assert_str_eq(content("result"), old);
    else
        ck_assert_ptr_null(content("result"));
}

START_TEST(a_limit_keeps_the_partial_file_and_the_old_one)
{
    const struct rlimit limit = { 8192, 8192 };

    put("result", "old");
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    fill_up("old", "file too large");
}
END_TEST

START_TEST(a_full_disk_keeps_the_partial_file)
{
    if (!mount_small_disk()) {
        unit_skip("no file system can be mounted here");
        return;
    }
    ck_assert_int_eq(chdir("disk"), 0);
    fill_up(NULL, "no space left on device");
    ck_assert_int_eq(chdir(".."), 0);
    ck_assert_int_eq(umount("disk"), 0);
}
END_TEST

START_TEST(a_partial_file_is_rewritten_and_takes_the_place_of_an_earlier_one)
{
    struct output output;
    struct error err;

    put("result.partial", "earlier");
    ck_assert(output_open(&output, "result", &err));
    ck_assert_str_eq(output.partial, "result.partial.1");
    ck_assert(output_rewrite(&output, output_begin_rewrite(&output) && fputs("longer than", output.anew) >= 0, &err));
    ck_assert_str_eq(content("result.partial"), "earlier");
    ck_assert(output_replace(&output, "result.partial", &err));
    ck_assert_str_eq(content("result.partial"), "longer than");
    ck_assert_ptr_null(content("result.partial.1"));
    ck_assert(output_rewrite(&output, output_begin_rewrite(&output) && fputs("this", output.anew) >= 0, &err));
    ck_assert_str_eq(content("result.partial"), "this");
    /* what could not be written leaves what was there */
    ck_assert(
        !output_rewrite(&output, output_begin_rewrite(&output) && fputs("half", output.anew) >= 0 && false, &err));
    ck_assert_str_eq(content("result.partial"), "this");
    ck_assert(output_restart(&output, &err));
    ck_assert_int_gt(fputs("the end", output.file), 0);
    ck_assert(output_finish(&output, &err));
    ck_assert_str_eq(content("result"), "the end");
    ck_assert_ptr_null(content("result.partial"));
}
END_TEST

/* Whatever a name holds, nothing comes to lie outside the folder, and no link is followed. */
START_TEST(a_file_in_a_folder_stays_in_it)
{
    static const char *const bad[] = { "../out", "a/b", "/tmp/out", "..", ".", "", "there" };
    struct output output;
    struct error err;

    ck_assert_int_eq(mkdir("folder", 0777), 0);
    ck_assert_int_eq(mkdir("folder/there", 0777), 0);
    put("out", "kept");
    ck_assert_int_eq(symlink("../out", "folder/link"), 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ck_assert_msg(!output_open_in(&output, "folder", bad[i], &err), "%s", bad[i]);
    ck_assert(!output_open_in(&output, "nowhere", "a", &err));
    ck_assert(output_open_in(&output, "folder", "link", &err));
    fputs("new", output.file);
    /* the folder of this name is another one by now */
    ck_assert_int_eq(rename("folder", "moved"), 0);
    ck_assert_int_eq(mkdir("folder", 0777), 0);
    ck_assert(output_finish(&output, &err));
    ck_assert_str_eq(content("out"), "kept");
    ck_assert_str_eq(content("moved/link"), "new");
    ck_assert_int_ne(access("folder/link", F_OK), 0);
}
END_TEST

START_TEST(what_is_left_in_a_folder_is_named_with_it)
{
    struct output output;
    struct error err;
    char stored[8192];

    ck_assert_int_eq(mkdir("folder", 0777), 0);
    ck_assert(output_open_in(&output, "folder", "a", &err));
    fputs("half", output.file);
    output_keep_partial(&output, stored, sizeof stored);
    ck_assert_str_eq(stored, "folder/a.partial");
    ck_assert_str_eq(content(stored), "half");
    output_keep_partial(&output, stored, sizeof stored);
}
END_TEST

/* A field that a spreadsheet would work out becomes text, however the table is written; numbers stay. */
START_TEST(a_table_for_spreadsheets_has_no_formula)
{
    static const char table[] =
        "name,j\r\n=1+1,-1.5e-05\r\n\"+a,\"\"b\",+.5\r\n-x,@y\r\n\"\ta\n=b\",\"\r\"\r\na=b,-inf";
    static const char safe[] =
        "name,j\r\n'=1+1,-1.5e-05\r\n\"'+a,\"\"b\",+.5\r\n'-x,'@y\r\n\"'\ta\n=b\",\"'\r\"\r\na=b,'-inf";
    struct output output;
    struct error err;

    ck_assert(output_open_sheet(&output, "direct", &err));
    fputs(table, output.file);
    ck_assert(output_finish(&output, &err));
    ck_assert_str_eq(content("direct"), safe);
    ck_assert(output_open_sheet(&output, "again", &err));
    for (int i = 0; i < 2; i++) {
        FILE *out = output_begin_rewrite(&output);
        ck_assert(output_rewrite(&output, out && fputs(table, out) >= 0, &err));
        ck_assert_str_eq(content("again.partial"), safe);
    }
    ck_assert(output_finish(&output, &err));
    ck_assert_str_eq(content("again"), safe);
    ck_assert(output_open_sheet(&output, "kept", &err));
    fputs("=half", output.file);
    output_keep_partial(&output, NULL, 0);
    ck_assert_str_eq(content("kept.partial"), "'=half");
    ck_assert(output_open_sheet(&output, "nothing", &err));
    ck_assert(output_restart(&output, &err));
    output_keep_partial(&output, NULL, 0);
    ck_assert_ptr_null(content("nothing.partial"));
}
END_TEST

START_TEST(a_table_for_spreadsheets_in_place)
{
    struct output output;
    struct error err;
    char got[32] = "";
    FILE *out;
    int reader;

    ck_assert_int_eq(mkfifo("pipe", 0600), 0);
    reader = open("pipe", O_RDONLY | O_NONBLOCK);
    ck_assert(output_open_sheet(&output, "pipe", &err));
    out = output_begin_rewrite(&output);
    ck_assert(output_rewrite(&output, fputs("=1", out) >= 0, &err));
    ck_assert(output_finish(&output, &err));
    ck_assert_int_eq(read(reader, got, sizeof got), 3);
    ck_assert_str_eq(got, "'=1");
    close(reader);
    ck_assert(output_open_sheet(&output, "/dev/full", &err));
    fputs("=1", output.file);
    ck_assert(!output_finish(&output, &err));
    ck_assert_str_eq(err.what, "cannot write '/dev/full'");
}
END_TEST

UNIT_SUITE_IN("output", enter_folder, leave_folder, a_file_appears_when_it_is_complete,
              an_old_file_stays_until_then_and_keeps_its_mode, an_unfinished_file_is_kept_and_an_empty_one_is_not,
              somebodys_unfinished_file_is_not_overwritten, a_partial_file_is_brought_up_to_date, a_link_is_followed,
              what_cannot_be_written_is_refused_before_the_work, what_is_no_file_is_written_in_place,
              standard_output_is_continued, a_closed_standard_output_is_told, a_full_device_is_told,
              a_form_that_failed_tells_where, a_limit_keeps_the_partial_file_and_the_old_one,
              a_full_disk_keeps_the_partial_file, a_partial_file_is_rewritten_and_takes_the_place_of_an_earlier_one,
              a_file_in_a_folder_stays_in_it, what_is_left_in_a_folder_is_named_with_it,
              a_table_for_spreadsheets_has_no_formula, a_table_for_spreadsheets_in_place)
