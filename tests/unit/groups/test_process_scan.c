/* SPDX-License-Identifier: MIT
 * Walks through the processes of a machine that is made here, and of this one. */
#include "unit.h"

#include "base/cpu_ticks.h"
#include "base/units.h"
#include "groups/process_scan.h"
#include "tree.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static struct tree tree;
static struct groups groups;
static struct process_scan scan;
static struct error err;

static void begin(void)
{
    tree_open(&tree);
    groups = (struct groups){ .max = 100, .wanted = { [GROUP_USER] = true, [GROUP_PROCESS] = true } };
}

static void end(void)
{
    process_scan_close(&scan);
    groups_close(&groups);
    tree_close(&tree);
}

static void put_process(int pid, const char *name, unsigned ticks, unsigned started)
{
    char file[48], line[200];

    snprintf(file, sizeof file, "proc/%d/stat", pid);
    snprintf(line, sizeof line, "%d (%s) R 1 1 1 0 -1 0 0 0 0 0 %u %u 0 0 20 0 1 0 %u 0", pid, name, ticks / 2,
             ticks - ticks / 2, started);
    tree_put(&tree, file, line);
}

static void walk(uint64_t now_ns)
{
    groups_begin(&groups, now_ns);
    process_scan_walk(&scan, &groups, 1000 * tick_ns());
    groups_end(&groups);
}

static const struct group *group_of(enum group_kind kind, const char *id, const char *user)
{
    struct group_name name = { .kind = kind };
    size_t at;

    snprintf(name.id, sizeof name.id, "%s", id);
    snprintf(name.user, sizeof name.user, "%s", user);
    at = groups_find(&groups, &name);
    return at == GROUP_NONE ? NULL : &groups.items[at];
}

/* ticks of a process in the last walk; -1: it is in no group */
static int recent(const char *id)
{
    const struct group *group = group_of(GROUP_PROCESS, id, "");

    return group ? (int)(group_recent_ns(group) / tick_ns()) : -1;
}

START_TEST(processes)
{
    char user[16];

    snprintf(user, sizeof user, "%u", (unsigned)getuid());
    begin();
    tree_put(&tree, "proc/stat", "cpu 1 0 0 1");
    put_process(7, "seven", 10, 70);
    put_process(12, "a) b (c", 500, 120);
    ck_assert(process_scan_open(&scan, &tree.root, &err));
    walk(1);
    ck_assert_uint_eq(groups.count, 0); /* the first only takes note */
    put_process(7, "seven", 14, 70);
    put_process(12, "a) b (c", 530, 120);
    put_process(13, "new", 3, 130);
    put_process(14, "seen late", 5000, 140);
    walk(2);
    ck_assert_int_eq(recent("7:70"), 4);
    ck_assert_int_eq(recent("12:120"), 30);
    ck_assert_int_eq(recent("13:130"), 3);
    ck_assert_int_eq(recent("14:140"), -1); /* it has used more than there was: it was overlooked before */
    ck_assert_str_eq(group_of(GROUP_PROCESS, "12:120", "")->title, "a) b (c");
    ck_assert_uint_eq(group_recent_ns(group_of(GROUP_USER, user, user)), 37 * tick_ns());
    end();
}
END_TEST

START_TEST(a_number_again)
{
    begin();
    put_process(7, "first", 10, 70);
    ck_assert(process_scan_open(&scan, &tree.root, &err));
    walk(1);
    put_process(7, "first", 12, 70);
    walk(2);
    /* another process, which has used more than the first */
    put_process(7, "second", 20, 99);
    walk(3);
    ck_assert_int_eq(recent("7:70"), 0);
    ck_assert_int_eq(recent("7:99"), 20);
    ck_assert_str_eq(group_of(GROUP_PROCESS, "7:99", "")->title, "second");
    groups_forget(&groups, 3);
    ck_assert_ptr_null(group_of(GROUP_PROCESS, "7:70", ""));
    ck_assert_uint_eq(groups.ended[GROUP_PROCESS].count, 1);
    ck_assert_uint_eq(groups.ended[GROUP_USER].count, 0);
    end();
}
END_TEST

START_TEST(owners)
{
    size_t of[GROUP_KINDS];

    begin();
    put_process(7, "idle", 10, 70);
    ck_assert(process_scan_open(&scan, &tree.root, &err));
    walk(1);
    process_scan_owners(&scan, &groups, 7, of);
    ck_assert_str_eq(groups.items[of[GROUP_PROCESS]].title, "idle");
    ck_assert_uint_ne(of[GROUP_USER], GROUP_NONE);
    process_scan_owners(&scan, &groups, 8, of);
    ck_assert_uint_eq(of[GROUP_PROCESS], GROUP_NONE);
    ck_assert_uint_eq(of[GROUP_USER], GROUP_NONE);
    end();
}
END_TEST

#define SPUN_NS UINT64_C(50000000)

static uint64_t ns_of(const struct timespec *time)
{
    return (uint64_t)time->tv_sec * NS_PER_S_INT + (uint64_t)time->tv_nsec;
}

/* This machine's own: a process that runs, to the nanosecond of its own clock. */
START_TEST(this_machine)
{
    struct root root;
    struct timespec before, now;
    const struct group *group = NULL;

    begin();
    ck_assert(root_open(&root, "/", &err));
    ck_assert(process_scan_open(&scan, &root, &err));
    groups_begin(&groups, 1);
    process_scan_walk(&scan, &groups, 0);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    do
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    while (ns_of(&now) - ns_of(&before) < SPUN_NS);
    walk(2);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    for (size_t i = 0; i < groups.count; i++)
        if (groups.items[i].name.kind == GROUP_PROCESS && atoi(groups.items[i].name.id) == getpid())
            group = &groups.items[i];
    ck_assert_ptr_nonnull(group);
    ck_assert_uint_ge(group_recent_ns(group), SPUN_NS);
    ck_assert_uint_le(group_recent_ns(group), ns_of(&now));
    ck_assert_uint_eq(group->owner, getuid());
    ck_assert(strncmp(group->title, "test_process_sc", 15) == 0 || strncmp(group->title, "lt-", 3) == 0);
    root_close(&root);
    end();
}
END_TEST

static double told_ms(const char *name)
{
    const struct group *group = group_of(GROUP_PROCESS, name, *name ? "0" : "");

    return group && !group->hidden ? (double)group->cpu_ns / 1e6 : -1;
}

/* A walk in which three programs of root's use so many milliseconds. */
static void use(struct process_names *names, unsigned a_ms, unsigned b_ms, unsigned c_ms)
{
    static const struct group_interval interval = { .cpus = 1, .interval_ns = NS_PER_S_INT };

    groups_begin(&groups, groups.walked_ns + 1);
    process_names_credit(names, "a", 0, a_ms * UINT64_C(1000000));
    process_names_credit(names, "b", 0, b_ms * UINT64_C(1000000));
    process_names_credit(names, "c", 0, c_ms * UINT64_C(1000000));
    process_names_share(names, &groups);
    groups_end(&groups);
    groups_attribute(&groups, &interval);
    groups_forget(&groups, groups.walked_ns);
}

/* Two programs have a group, the rest has one; whatever changes places, no total goes back, and all is in one of them.
 */
START_TEST(largest_programs)
{
    struct process_names names = { .max = 2 };

    begin();
    use(&names, 30, 20, 10);
    ck_assert_double_eq(told_ms("a"), 30);
    ck_assert_double_eq(told_ms("b"), 20);
    ck_assert_double_eq(told_ms("c"), -1);
    ck_assert_double_eq(told_ms(""), 10);
    use(&names, 0, 0, 25); /* 35 of 20: not twice */
    ck_assert_double_eq(told_ms("c"), -1);
    ck_assert_double_eq(told_ms(""), 35);
    use(&names, 0, 5, 100); /* what it had stays in the rest; b's is there from now on */
    ck_assert_double_eq(told_ms("c"), 100);
    ck_assert_double_eq(told_ms("b"), -1);
    ck_assert_double_eq(told_ms(""), 40);
    use(&names, 0, 300, 0); /* and it goes on where it was */
    ck_assert_double_eq(told_ms("b"), 320);
    ck_assert_double_eq(told_ms("a"), -1);
    ck_assert_double_eq(told_ms(""), 40);
    process_names_close(&names);
    /* another process, by the groups that a state has kept */
    names = (struct process_names){ .max = 2 };
    use(&names, 1, 1, 1);
    ck_assert_double_eq(told_ms("b"), 321);
    ck_assert_double_eq(told_ms("c"), 101);
    ck_assert_double_eq(told_ms(""), 41);
    process_names_close(&names);
    end();
}
END_TEST

UNIT_SUITE("process_scan", largest_programs, processes, a_number_again, owners, this_machine)
