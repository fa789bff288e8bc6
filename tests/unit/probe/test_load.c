/* SPDX-License-Identifier: MIT
 * The built-in loads in this process for a moment, and the line that tells what they did. */
#include "commands/probe/load.h"

#include "base/clock.h"
#include "base/cpu_cache.h"
#include "base/units.h"

#include "unit.h"

#include <stdio.h>
#include <string.h>

START_TEST(a_line_and_back)
{
    const struct load_done done = {
        .seconds = 5.001,
        .threads = 3,
        .iterations = UINT64_MAX,
        .memory_bytes = 134217720,
        .streamed_bytes = 2997223248,
        .written_bytes = 258998272,
        .read_bytes = 1,
        .disk_reached = true,
        .note = "no O_DIRECT in 'a b': note=1",
    };
    char line[LOAD_LINE_SIZE], again[LOAD_LINE_SIZE];
    struct load_done back;
    enum load_kind kind;

    load_done_text(LOAD_MIXED, &done, line);
    ck_assert_str_eq(line, "load=mixed seconds=5.001 threads=3 iterations=18446744073709551615 memory_bytes=134217720 "
                           "streamed_bytes=2997223248 written_bytes=258998272 read_bytes=1 disk_reached=1 "
                           "note=no O_DIRECT in 'a b': note=1");
    strcpy(again, line);
    ck_assert(load_done_of_text(strcat(line, "\n"), &kind, &back));
    ck_assert_int_eq(kind, LOAD_MIXED);
    load_done_text(kind, &back, line);
    ck_assert_str_eq(line, again);
}
END_TEST

START_TEST(what_is_no_such_line)
{
    static const char *const lines[] = {
        "",
        "load=cpu seconds=1 threads=1 iterations=1 memory_bytes=0 streamed_bytes=0 written_bytes=0 read_bytes=0",
        "load=gpu seconds=1 threads=1 iterations=1 memory_bytes=0 streamed_bytes=0 written_bytes=0 read_bytes=0 "
        "disk_reached=0 note=",
        "load=cpu seconds=soon threads=1 iterations=1 memory_bytes=0 streamed_bytes=0 written_bytes=0 read_bytes=0 "
        "disk_reached=0 note=",
    };
    struct load_done done;
    enum load_kind kind;

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        ck_assert_msg(!load_done_of_text(lines[i], &kind, &done), "%s", lines[i]);
}
END_TEST

START_TEST(why_it_could_not_be_run)
{
    struct error err, back;
    char line[LOAD_LINE_SIZE], again[LOAD_LINE_SIZE];
    enum load_kind kind;

    error_set(&err, ERROR_DENIED, "cannot make a file in 'a\tb\nc'");
    error_fix(&err, "give another folder with --folder");
    load_failed_text(LOAD_DISK_READ, &err, line);
    ck_assert_str_eq(line, "failed=disk-read\tcannot make a file in 'a?b?c'\t\tgive another folder with --folder");
    strcpy(again, line);
    ck_assert(load_failed_of_text(strcat(line, "\nload=cpu"), &kind, &back));
    ck_assert_int_eq(kind, LOAD_DISK_READ);
    ck_assert_str_eq(back.what, "cannot make a file in 'a?b?c'");
    ck_assert_str_eq(back.why, "");
    load_failed_text(kind, &back, line);
    ck_assert_str_eq(line, again);
    memset(err.what, 'x', sizeof err.what - 1);
    memset(err.why, 'y', sizeof err.why - 1);
    memset(err.fix, 'z', sizeof err.fix - 1);
    err.what[sizeof err.what - 1] = err.why[sizeof err.why - 1] = err.fix[sizeof err.fix - 1] = '\0';
    load_failed_text(LOAD_CPU, &err, line);
    ck_assert(load_failed_of_text(line, &kind, &back));
    ck_assert_str_eq(back.what, err.what);
    ck_assert_str_eq(back.fix, err.fix);
    ck_assert(!load_failed_of_text("failed=cpu\twhat\twhy", &kind, &back));
    ck_assert(!load_failed_of_text("failed=gpu\twhat\twhy\tfix", &kind, &back));
    ck_assert(!load_failed_of_text("load=cpu seconds=1", &kind, &back));
    ck_assert(!load_failed_of_text("", &kind, &back));
}
END_TEST

START_TEST(names_of_loads)
{
    for (enum load_kind kind = 0; kind < LOAD_KINDS; kind++)
        ck_assert_int_eq(load_kind_of(load_kind_name(kind)), kind);
    ck_assert_int_eq(load_kind_of("gpu"), LOAD_KINDS);
    ck_assert_str_eq(load_kind_name(LOAD_KINDS), "unknown");
}
END_TEST

static struct load_done run(enum load_kind kind, unsigned threads, double seconds)
{
    const struct load_options options = { .kind = kind, .threads = threads, .seconds = seconds, .folder = "/tmp" };
    struct error err = { .kind = ERROR_NONE };
    struct load_done done;
    const uint64_t begun_ns = clock_monotonic_ns();

    ck_assert_msg(load_run(&options, &done, &err), "%s: %s", err.what, err.why);
    ck_assert_double_ge(done.seconds, seconds);
    ck_assert_double_le(done.seconds, s_from_ns(clock_monotonic_ns() - begun_ns) + 0.001);
    return done;
}

START_TEST(threads_work)
{
    struct load_done done = run(LOAD_IDLE, 4, 0.05);

    ck_assert_uint_eq(done.threads, 0);
    ck_assert_uint_eq(done.iterations, 0);
    done = run(LOAD_CPU, 3, 0.1);
    ck_assert_uint_eq(done.threads, 3);
    ck_assert_uint_ge(done.iterations, 300000);
    ck_assert_uint_eq(done.memory_bytes, 0);
}
END_TEST

/* Four times the caches, three arrays for each thread, each to whole numbers. */
START_TEST(buffers_get_past_the_cache)
{
    struct cache cache;
    struct root root;
    struct load_done done;

    ck_assert(root_open(&root, "/", NULL));
    cache = cache_read(&root);
    root_close(&root);
    if (cache.bytes == 0 || cache.bytes * cache.count > UINT64_C(64) << 20) {
        puts("SKIPPED: the cache is not known, or too large for a test");
        return;
    }
    done = run(LOAD_MEMORY, 2, 0.3);
    ck_assert_uint_eq(done.threads, 2);
    ck_assert_uint_le(done.memory_bytes, 4 * cache.bytes * cache.count);
    ck_assert_uint_ge(done.memory_bytes, 4 * cache.bytes * cache.count - 2 * 3 * sizeof(double) - 16);
    ck_assert(done.streamed_bytes > 0 || strcmp(done.note, "the time was up before the buffers were filled") == 0);
    ck_assert_uint_eq(done.streamed_bytes % (3 * sizeof(double)), 0);
}
END_TEST

START_TEST(no_thread_for_nothing)
{
    const struct load_options options = { .kind = LOAD_DISK_WRITE, .seconds = 0.1, .folder = "/nonexistent" };
    struct error err = { .kind = ERROR_NONE };
    struct load_done done;

    ck_assert(!load_run(&options, &done, &err));
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
    ck_assert_str_eq(err.what, "cannot make a file in '/nonexistent'");
    ck_assert_str_eq(err.fix, "give another folder with --folder");
}
END_TEST

UNIT_SUITE("load", a_line_and_back, what_is_no_such_line, why_it_could_not_be_run, names_of_loads, threads_work,
           buffers_get_past_the_cache, no_thread_for_nothing)
