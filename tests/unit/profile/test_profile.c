/* SPDX-License-Identifier: MIT
 * What the kernel, a JIT and a file of code may tell, and what is made of it: maps, stacks, joules. */
#include "unit.h"

#include "profile/kernel_symbols.h"
#include "profile/object_lines.h"
#include "profile/perf_map.h"
#include "profile/sampler.h"
#include "profile/tally.h"

#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct perf_record sampled(pid_t pid, pid_t tid, const uint64_t *from, size_t count)
{
    return (struct perf_record){ .kind = PERF_SAMPLED, .pid = pid, .tid = tid, .from = from, .from_count = count };
}

static void map_file(struct processes *processes, pid_t pid, uint64_t start, uint64_t length, const char *path)
{
    const struct perf_record record = {
        .kind = PERF_MAPPED,
        .pid = pid,
        .mapping = { start, length, 0x1000, 8, 1, path },
    };

    processes_take(processes, &record);
}

static const char *path_at(const struct processes *processes, pid_t pid, uint64_t address, uint64_t *at)
{
    const struct place place = processes_place(processes, pid, address);

    *at = place.at;
    return processes->objects.items[place.object].path;
}

START_TEST(a_mapping_cuts_what_lay_there)
{
    struct processes processes;
    struct error err;
    uint64_t at;

    ck_assert(processes_open(&processes, &err));
    map_file(&processes, 5, 0x10000, 0x9000, "/a");
    map_file(&processes, 5, 0x12000, 0x1000, "/b");
    ck_assert_str_eq(path_at(&processes, 5, 0x11fff, &at), "/a");
    ck_assert_uint_eq(at, 0x2fff);
    ck_assert_str_eq(path_at(&processes, 5, 0x12000, &at), "/b");
    ck_assert_uint_eq(at, 0x1000);
    ck_assert_str_eq(path_at(&processes, 5, 0x13000, &at), "/a");
    ck_assert_uint_eq(at, 0x4000);
    map_file(&processes, 5, 0xf000, 0x3800, "/c");
    ck_assert_str_eq(path_at(&processes, 5, 0x127ff, &at), "/c");
    ck_assert_str_eq(path_at(&processes, 5, 0x12800, &at), "/b");
    ck_assert_uint_eq(at, 0x1800);
    ck_assert_str_eq(path_at(&processes, 5, 0x19000, &at), "[unknown]");
    ck_assert_str_eq(path_at(&processes, 6, 0x12000, &at), "[unknown]");
    processes_close(&processes);
}
END_TEST

START_TEST(a_child_has_its_parents_maps_until_it_runs_something)
{
    const struct perf_record fork = { .kind = PERF_FORKED, .pid = 6, .tid = 6, .parent_pid = 5 };
    const struct perf_record execute = { .kind = PERF_EXECUTED, .pid = 6, .tid = 6, .name = "other" };
    const struct perf_record end = { .kind = PERF_ENDED, .pid = 6, .tid = 6 };
    const struct perf_record name = { .kind = PERF_NAMED, .pid = 5, .tid = 5, .name = "first" };
    struct processes processes;
    struct error err;
    uint64_t at;

    ck_assert(processes_open(&processes, &err));
    processes_take(&processes, &name);
    map_file(&processes, 5, 0x10000, 0x1000, "/a");
    processes_take(&processes, &fork);
    ck_assert_str_eq(path_at(&processes, 6, 0x10000, &at), "/a");
    ck_assert_str_eq(processes.threads[processes_thread(&processes, 6, 6, 1)].name, "first");
    processes_take(&processes, &execute);
    ck_assert_str_eq(path_at(&processes, 6, 0x10000, &at), "[unknown]");
    ck_assert_str_eq(processes.threads[processes_thread(&processes, 6, 6, 2)].name, "other");
    map_file(&processes, 6, 0x10000, 0x1000, "/b");
    ck_assert_str_eq(path_at(&processes, 5, 0x10000, &at), "/a");
    processes_take(&processes, &end);
    ck_assert_str_eq(path_at(&processes, 6, 0x10000, &at), "[unknown]");
    processes_close(&processes);
}
END_TEST

/* A full ring lost their end. Their numbers are above any process. */
START_TEST(processes_whose_end_was_lost)
{
    enum { FIRST = 5000000, MORE = 100 };
    const struct perf_record one = { .kind = PERF_EXECUTED, .pid = getpid(), .tid = getpid(), .name = "one" };
    struct processes processes;
    struct error err;
    uint64_t at;

    ck_assert(processes_open(&processes, &err));
    processes_take(&processes, &one);
    map_file(&processes, getpid(), 0x10000, 0x1000, "/a");
    for (int i = 0; i < PROCESSES_MAX + MORE; i++) {
        const struct perf_record fork = {
            .kind = PERF_FORKED, .pid = FIRST + i, .tid = FIRST + i, .parent_pid = getpid()
        };
        processes_take(&processes, &fork);
        ck_assert_uint_le(processes.process_count, PROCESSES_MAX);
    }
    ck_assert_str_eq(path_at(&processes, FIRST + PROCESSES_MAX + MORE - 1, 0x10000, &at), "/a");
    ck_assert_str_eq(path_at(&processes, getpid(), 0x10000, &at), "/a"); /* it lives */
    ck_assert_str_eq(path_at(&processes, FIRST, 0x10000, &at), "[unknown]");
    processes_close(&processes);
}
END_TEST

/* Two functions, of which one has all samples of an interval of 2 J, and half of those of one of 3 J; 4 J are in one
 * without a sample. */
START_TEST(joules_of_intervals_are_shared_by_their_samples)
{
    static const uint64_t first[] = { PERF_FRAME_USER, 0x100 }, second[] = { PERF_FRAME_USER, 0x200, 0x101 };
    const double by_term[] = { 1, -0.5 };
    const struct tally_weights weights = { .known = true, .by_term = by_term, .own_j = 9 - 3 * 0.5 * 0.1 };
    const struct perf_record one = sampled(5, 5, first, 2), other = sampled(5, 5, second, 3);
    struct function functions[] = { { "first", "a", 0 }, { "second", "a", 0 } };
    struct symbols symbols = { .functions = functions, .count = 2 };
    struct sampler sampler;
    struct tally tally;
    struct error err;
    uint32_t of_node[8];

    ck_assert(sampler_open(&sampler, 2, &err));
    sampler_take(&sampler, &one);
    sampler_take(&sampler, &one);
    sampler_interval(&sampler, 0, (const double[]){ 2, 0.1 });
    sampler_take(&sampler, &one);
    sampler_take(&sampler, &other);
    sampler_interval(&sampler, 0, (const double[]){ 3, 0.1 });
    sampler_interval(&sampler, 0, (const double[]){ 4, 0.1 });
    for (uint32_t i = 0; i < sampler.tree.count; i++) {
        const struct call_node *node = &sampler.tree.nodes[i];
        of_node[i] = node->parent == CALL_TREE_ROOT ? UINT32_MAX : node->address == 0x200;
    }
    symbols.of_node = of_node;
    ck_assert(tally_open(&tally, &sampler, &symbols, &weights, &err));
    ck_assert_uint_eq(tally.samples, 4);
    ck_assert_uint_eq(tally.functions.items[0].item, 0);
    ck_assert_int_eq(tally.functions.items[0].share.own_nj, 3425000000); /* 2 - 0.05, and half of 3 - 0.05 */
    ck_assert_int_eq(tally.functions.items[1].share.own_nj, 1475000000);
    ck_assert_int_eq(tally.functions.items[0].share.total_nj, 4900000000); /* the call returns to 0x101 */
    ck_assert_uint_eq(tally.functions.count, 2);
    ck_assert_int_eq(tally.unseen_nj, 3950000000);
    ck_assert_int_eq(tally.own_nj, 8850000000);
    tally_close(&tally);
    sampler_close(&sampler);
}
END_TEST

START_TEST(stacks_have_a_ceiling)
{
    struct call_tree tree;
    struct error err;
    uint32_t root, at;
    size_t made = 0;

    ck_assert(call_tree_open(&tree, 1, 1 << 20, &err));
    root = call_tree_child(&tree, CALL_TREE_ROOT, 0, 1);
    for (uint64_t i = 0; (at = call_tree_child(&tree, root, 1, i)) != UINT32_MAX; i++)
        made++;
    ck_assert_uint_gt(made, 10000);
    ck_assert_uint_lt(made, (1 << 20) / sizeof(struct call_node));
    ck_assert_uint_eq(call_tree_child(&tree, root, 1, 7), 8); /* what is there is found */
    call_tree_close(&tree);
}
END_TEST

/* By Wilson's formula, worked out with another program (statsmodels' proportion_confint): 60 of 100, 0 of 20, 20 of 20.
 */
START_TEST(ranges_follow_the_number_of_samples)
{
    const struct interval max = tally_part(60, 100), none = tally_part(0, 20), all = tally_part(20, 20);

    ck_assert_double_eq_tol(max.low, 0.502003, 1e-6);
    ck_assert_double_eq_tol(max.high, 0.690599, 1e-6);
    ck_assert_double_eq(none.low, 0);
    ck_assert_double_eq_tol(none.high, 0.161125, 1e-6);
    ck_assert_double_eq_tol(all.low, 0.838875, 1e-6);
    ck_assert_double_eq(all.high, 1);
    ck_assert(isnan(tally_part(0, 0).low));
}
END_TEST

static int file_with(const void *bytes, size_t size)
{
    const int fd = memfd_create("test", MFD_CLOEXEC);

    ck_assert_int_eq(write(fd, bytes, size), (ssize_t)size);
    return fd;
}

START_TEST(a_perf_map_may_hold_anything)
{
    static const char text[] =
        "1000 10 first one\n1010 8 second\n1010 8 second again\nxyz\n-5 3 no\n+5 3 no\n"
        "ffffffffffffff00 ffffffffffffffff far\n2000 0 empty\n3000 10 \n4000 10 a\001b\n5000 10 last";
    const int fd = file_with(text, sizeof text - 1);
    struct perf_map map;

    ck_assert(perf_map_read(&map, fd));
    ck_assert_uint_eq(map.count, 5);
    ck_assert_str_eq(perf_map_name(&map, 0x1000), "first one");
    ck_assert_str_eq(perf_map_name(&map, 0x100f), "first one");
    ck_assert_str_eq(perf_map_name(&map, 0x1017), "second again");
    ck_assert_ptr_null(perf_map_name(&map, 0x1018));
    ck_assert_ptr_null(perf_map_name(&map, 0xfff));
    ck_assert_str_eq(perf_map_name(&map, 0x4000), "a?b");
    ck_assert_str_eq(perf_map_name(&map, 0x5001), "last");
    perf_map_close(&map);
    close(fd);
}
END_TEST

START_TEST(a_list_of_the_kernels_functions)
{
    static const char text[] =
        "ffffffff81000000 T first\nffffffff81000010 d data\nffffffff81000020 t second\t[module]\n"
        "zz\nffffffff81000030 T \nffffffff81000008 W between";
    static const char hidden[] = "0000000000000000 T first\n0000000000000000 t second\n";
    struct kernel_symbols symbols;
    char path[64];
    int fd = file_with(text, sizeof text - 1);

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ck_assert(kernel_symbols_read(&symbols, path));
    ck_assert_uint_eq(symbols.count, 3);
    ck_assert_ptr_null(kernel_symbols_name(&symbols, 0xffffffff80ffffff));
    ck_assert_str_eq(kernel_symbols_name(&symbols, 0xffffffff81000007), "first");
    ck_assert_str_eq(kernel_symbols_name(&symbols, 0xffffffff81000008), "between");
    ck_assert_str_eq(kernel_symbols_name(&symbols, 0xffffffff81000021), "second");
    kernel_symbols_close(&symbols);
    close(fd);
    fd = file_with(hidden, sizeof hidden - 1);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ck_assert(!kernel_symbols_read(&symbols, path));
    close(fd);
}
END_TEST

/* A sample whose count of frames goes beyond it, a name without an end, a record of 3 bytes. */
START_TEST(a_record_that_does_not_fit_is_none)
{
    _Alignas(8) unsigned char bytes[64] = { 0 };
    struct perf_event_header header = { PERF_RECORD_SAMPLE, 0, sizeof bytes };
    uint64_t frames = 2;

    memcpy(bytes, &header, sizeof header);
    memset(bytes + 40, 0xff, 8);
    ck_assert_int_eq(perf_record_of(bytes, sizeof bytes).kind, PERF_OTHER);
    memcpy(bytes + 40, &frames, sizeof frames);
    ck_assert_int_eq(perf_record_of(bytes, sizeof bytes).kind, PERF_SAMPLED);
    frames = 3;
    memcpy(bytes + 40, &frames, sizeof frames);
    ck_assert_int_eq(perf_record_of(bytes, sizeof bytes).kind, PERF_OTHER);
    header.type = PERF_RECORD_COMM;
    memset(bytes, 'x', sizeof bytes);
    memcpy(bytes, &header, sizeof header);
    ck_assert_int_eq(perf_record_of(bytes, sizeof bytes).kind, PERF_OTHER);
    ck_assert_int_eq(perf_record_of(bytes, 3).kind, PERF_OTHER);
}
END_TEST

static size_t lines_of(const char *text)
{
    size_t count = 0;

    for (; *text; text++)
        count += *text == '\n';
    return count;
}

/* This test itself, damaged in a thousand ways: there is an answer, or there is none. */
START_TEST(a_damaged_file_costs_its_names_alone)
{
    enum { BYTES_MAX = 4 << 20, TRIES = 40 };
    static unsigned char bytes[BYTES_MAX], damaged[BYTES_MAX];
    static const uint64_t offsets[] = { 0, 0x1000, 0x2000, UINT64_MAX };
    FILE *self = fopen("/proc/self/exe", "re");
    const size_t size = fread(bytes, 1, sizeof bytes, self);
    uint32_t chance = 1;

    fclose(self);
    for (int i = 0; i < TRIES; i++) {
        char *lines;
        int fd;
        memcpy(damaged, bytes, size);
        for (int byte = 0; byte < 200; byte++) {
            chance = chance * 1664525 + 1013904223;
            damaged[byte < 100 ? chance >> 8 & 0x3ff : (chance >> 4) % size] = (unsigned char)(chance >> 24);
        }
        memcpy(damaged, bytes, i % 4 ? 16 : 64);
        fd = file_with(damaged, size);
        lines = object_lines(fd, "object", offsets, 4, false);
        if (lines)
            ck_assert_uint_eq(lines_of(lines), 4);
        free(lines);
        close(fd);
    }
}
END_TEST

UNIT_SUITE("profile", a_mapping_cuts_what_lay_there, a_child_has_its_parents_maps_until_it_runs_something,
           processes_whose_end_was_lost, joules_of_intervals_are_shared_by_their_samples, stacks_have_a_ceiling,
           ranges_follow_the_number_of_samples, a_perf_map_may_hold_anything, a_list_of_the_kernels_functions,
           a_record_that_does_not_fit_is_none, a_damaged_file_costs_its_names_alone)
