/* SPDX-License-Identifier: MIT
 * Which loads carbon probe runs, and as which commands. */
#include "commands/probe/probe_plan.h"

#include "unit.h"

#include <string.h>

START_TEST(threads_of_a_machine)
{
    static const struct {
        unsigned cpus;
        const char *list;
    } machines[] = {
        { 1, "1" },           { 2, "1,2" },           { 4, "1,4" },
        { 6, "1,2,4,6" },     { 16, "1,2,4,8,16" },   { 17, "1,4,16,17" },
        { 64, "1,4,16,64" },  { 96, "1,4,16,64,96" }, { 4096, "1,4,16,64,256,1024,4096" },
        { 9999, "1,4,16,64,256,1024,4096" },
    };
    char list[128];

    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        probe_plan_threads(machines[i].cpus, list, sizeof list);
        ck_assert_str_eq(list, machines[i].list);
        ck_assert(probe_check_threads(list, NULL));
    }
}
END_TEST

START_TEST(each_load_is_a_command)
{
    static const char *const words[] = { "/proc/self/exe", "probe", "--load", "memory", "--time", "0.1", "--threads",
                                         "2", "--folder", "here", "--done", "there" };
    struct error err = { .kind = ERROR_NONE };
    struct probe_plan plan;

    ck_assert(probe_plan_make(&plan, "disk-read,memory,idle", "4,2", 0.1, "here", "there", &err));
    ck_assert_uint_eq(plan.count, 4);
    ck_assert_int_eq(plan.loads[0].kind, LOAD_DISK_READ);
    ck_assert_uint_eq(plan.loads[0].threads, 0);
    ck_assert_uint_eq(plan.loads[1].threads, 4);
    ck_assert_uint_eq(plan.loads[3].threads, 0);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        ck_assert_str_eq(plan.loads[2].command.argv[i], words[i]);
    ck_assert_ptr_null(plan.loads[2].command.argv[sizeof words / sizeof words[0]]);
}
END_TEST

/* 3 loads of 8 numbers of threads each are as many as there can be, with the three that have no threads. */
START_TEST(as_many_as_there_can_be)
{
    const char *const all = "idle,cpu,memory,disk-write,disk-read,mixed", *const threads = "1,2,3,4,5,6,7,8";
    struct error err = { .kind = ERROR_NONE };
    struct probe_plan plan;

    ck_assert(probe_plan_make(&plan, all, threads, 1, ".", "-", &err));
    ck_assert_uint_eq(plan.count, 27);
    ck_assert(!probe_plan_make(&plan, all, "1,2,3,4,5,6,7,8,9", 1, ".", "-", &err));
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    ck_assert_str_eq(err.what, "more than 8 numbers of threads");
    ck_assert(!probe_plan_make(&plan, "", "1", 1, ".", "-", &err));
    ck_assert_str_eq(err.what, "no load is named");
}
END_TEST

UNIT_SUITE("probe_plan", threads_of_a_machine, each_load_is_a_command, as_many_as_there_can_be)
