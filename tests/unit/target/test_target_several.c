/* SPDX-License-Identifier: MIT
 * Several processes that run already, as one target. */
#include "target/target.h"

#include "base/process.h"

#include "runner.h"

/* Of a process: user and system time are each rounded down, and so are those of the children it waited for. */
#define TICKS_S 0.02

START_TEST(several_processes_are_one_target)
{
    struct runner one = { .pid = 0 }, other = { .pid = 0 };
    struct error err = { .kind = ERROR_NONE };
    struct target target;
    struct pollfd end;
    double cpu_s, ends_s;
    char name[64];

    runner_start(&one, ACT("hold", "USR1", "spin", "0.2", "hold", "USR1"));
    runner_start(&other, ACT("hold", "USR1", "spin", "0.3", "hold", "USR1"));
    const pid_t pids[] = { one.pid, other.pid };
    ck_assert_msg(target_open_pids(&target, pids, 2, &err), "%s: %s", err.what, err.why);
    snprintf(name, sizeof name, "%d (act), %d (act)", one.pid, other.pid);
    ck_assert_str_eq(target_name(&target), name);
    end = (struct pollfd){ .fd = target_fd(&target), .events = POLLIN };
    runner_go_on(&one, &target);
    runner_go_on(&other, &target);
    cpu_s = target_cpu_s(&target);
    ck_assert_double_ge(cpu_s, 0.5 - 2 * TICKS_S);
    ck_assert(!target_ended(&target));
    /* the end of one is told, and is not the target's */
    ends_s = runner_end(&one);
    if (end.fd >= 0)
        ck_assert_int_eq(poll(&end, 1, -1), 1);
    ck_assert(!target_ended(&target));
    if (end.fd >= 0)
        ck_assert_int_eq(poll(&end, 1, 0), 0);
    ck_assert_double_ge(target_cpu_s(&target), cpu_s);
    ends_s += runner_end(&other);
    if (end.fd >= 0)
        ck_assert(poll(&end, 1, -1) == 1 || target_ended(&target));
    ck_assert(target_ended(&target));
    ck_assert_double_le(target_cpu_s(&target), ends_s + 2 * TICKS_S);
    target_close(&target);
}
END_TEST

START_TEST(a_child_of_another_counts_once)
{
    struct runner runner = { .pid = 0 };
    struct error err = { .kind = ERROR_NONE };
    struct target target;
    pid_t family[4], pids[2];
    double cpu_s;

    runner_start(&runner, ACT("hold", "USR1", "forget", "0.4", "hold", "USR1", "await", "hold", "USR1"));
    runner_go_on(&runner, NULL);
    if (process_family(runner.pid, family, 4) != 2) {
        puts("SKIPPED: the kernel does not list children, or the child has ended");
        return;
    }
    pids[0] = family[1]; /* the child first: what it used is in its parent once that has waited for it */
    pids[1] = family[0];
    ck_assert_msg(target_open_pids(&target, pids, 2, &err), "%s: %s", err.what, err.why);
    runner_go_on(&runner, &target);
    cpu_s = target_cpu_s(&target);
    ck_assert_double_gt(cpu_s, 0);
    ck_assert_double_le(cpu_s, 0.4 + 2 * TICKS_S);
    runner_end(&runner);
    target_close(&target);
}
END_TEST

START_TEST(one_that_cannot_be_followed_is_told_of_several)
{
    const pid_t pids[] = { getpid(), 0x7ffffffe };
    struct error err = { .kind = ERROR_NONE };
    struct target target;
    pid_t many[40];

    ck_assert(!target_open_pids(&target, pids, 2, &err));
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
    ck_assert_str_eq(err.what, "process 2147483646 cannot be followed");
    ck_assert_int_eq(target_fd(&target), -1);
    for (size_t i = 0; i < 40; i++)
        many[i] = getpid();
    ck_assert(target_open_pids(&target, many, 40, &err));
    ck_assert_ptr_nonnull(strstr(target_name(&target), ") and "));
    ck_assert_str_eq(target_name(&target) + strlen(target_name(&target)) - 5, " more");
    target_close(&target);
}
END_TEST

UNIT_SUITE("several targets", several_processes_are_one_target, a_child_of_another_counts_once,
           one_that_cannot_be_followed_is_told_of_several)
