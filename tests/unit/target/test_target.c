/* SPDX-License-Identifier: MIT
 * A process that runs already: real ones with known CPU time, looked at from outside. */
#include "target/target.h"

#include "base/clock.h"
#include "base/process.h"
#include "usage/process_tree.h"

#include "runner.h"

#include <pthread.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

/* Of a process: user and system time are each rounded down, and so are those of the children it waited for. */
#define TICKS_S 0.02

static void open_pid(struct target *target, pid_t pid)
{
    struct error err = { .kind = ERROR_NONE };

    ck_assert_msg(target_open_pid(target, pid, &err), "%s: %s", err.what, err.why);
}

START_TEST(cpu_time_over_a_window)
{
    struct runner runner = { .pid = 0 };
    struct target target;
    double cpu_s, all_s;

    take_orphans();
    runner_start(&runner, ACT("spin", "0.3", "hold", "USR1", "spin", "0.2", "forks-spin", "200", "0.001", "forget",
                              "0.2", "await", "hold", "USR1"));
    open_pid(&target, runner.pid);
    ck_assert_str_eq(target_name(&target), "act");
    ck_assert_double_le(target_cpu_s(&target), TICKS_S); /* what was before does not count */
    runner_go_on(&runner, &target);
    /* 0.6 s, and what 200 forks take */
    cpu_s = target_cpu_s(&target);
    ck_assert_double_ge(cpu_s, 0.6 - TICKS_S);
    ck_assert(!target_ended(&target));
    all_s = runner_end(&runner);
    ck_assert_double_le(cpu_s, all_s + orphans_cpu_s() - 0.3 + 2 * TICKS_S);
    target_close(&target);
}
END_TEST

START_TEST(figures_and_where_they_are_from)
{
    struct runner runner = { .pid = 0 };
    struct target target;
    struct usage usage;
    struct stat file;

    runner_start(&runner, ACT("hold", "USR1", "touch", "32", "write", "target.out", "1048576", "hold", "USR1"));
    open_pid(&target, runner.pid);
    runner_go_on(&runner, NULL);
    target_read(&target, &usage);
    ck_assert_str_eq(usage.cpu_ns.from, "process tree");
    /* all of it exactly, its two parts in ticks */
    ck_assert_double_eq_tol(s_from_ns(usage.user_ns.value + usage.system_ns.value), s_from_ns(usage.cpu_ns.value),
                            2 * TICKS_S);
    ck_assert_uint_ge(usage.memory_peak_bytes.value, 32U << 20);
    ck_assert_uint_le(usage.memory_peak_bytes.value, 48U << 20);
    ck_assert(usage.minor_faults.known && usage.major_faults.known);
    ck_assert_uint_ge(usage.minor_faults.value, 16); /* huge pages at most */
    ck_assert(!usage.cpu_stall_ns.known && !usage.voluntary_switches.known);
    ck_assert_int_eq(stat("target.out", &file), 0);
    unlink("target.out");
    if (access("/proc/self/io", R_OK) == 0 && major(file.st_dev) != 0) {
        ck_assert_uint_ge(usage.written_bytes.value, 1048576);
        ck_assert_uint_le(usage.written_bytes.value, 1048576 + 65536);
        ck_assert_str_eq(usage.read_bytes.from, "process tree");
    } else {
        puts("SKIPPED: no block device below this folder, or no /proc/PID/io");
    }
    runner_end(&runner);
    target_close(&target);
}
END_TEST

START_TEST(end_is_told_and_the_last_figures_stand)
{
    struct runner runner = { .pid = 0 };
    struct target target;
    struct pollfd end;
    double before_s, after_s;

    runner_start(&runner, ACT("hold", "USR1", "spin", "0.2", "hold", "USR1"));
    open_pid(&target, runner.pid);
    end = (struct pollfd){ .fd = target_fd(&target), .events = POLLIN };
    ck_assert(!target_ended(&target));
    if (end.fd >= 0)
        ck_assert_int_eq(poll(&end, 1, 0), 0);
    runner_go_on(&runner, NULL);
    before_s = target_cpu_s(&target);
    ck_assert_double_ge(before_s, 0.2 - TICKS_S);
    after_s = runner_end(&runner);
    if (end.fd >= 0)
        ck_assert_int_eq(poll(&end, 1, -1), 1);
    ck_assert(target_ended(&target));
    ck_assert_double_ge(target_cpu_s(&target), before_s);
    ck_assert_double_le(target_cpu_s(&target), after_s + TICKS_S);
    target_close(&target);
    ck_assert_int_eq(target_fd(&target), -1);
}
END_TEST

START_TEST(children_that_were_seen_and_are_waited_for_count_once)
{
    struct runner runner = { .pid = 0 };
    struct target target;
    double cpu_s;

    runner_start(&runner, ACT("hold", "USR1", "forks-spin", "4", "0.15", "hold", "USR1"));
    open_pid(&target, runner.pid);
    runner_go_on(&runner, &target);
    cpu_s = target_cpu_s(&target);
    ck_assert_double_ge(cpu_s, 0.6 - TICKS_S);
    ck_assert_double_le(cpu_s, runner_end(&runner) + 2 * TICKS_S); /* twice would be 0.6 s more */
    target_close(&target);
}
END_TEST

/* The child is stopped before the last look: how long that look is ago does not matter then. */
START_TEST(children_that_nobody_waits_for_are_kept_as_seen_last)
{
    struct runner runner = { .pid = 0 };
    struct target target;
    double seen_s, kept_s;
    pid_t family[2];

    /* then the kernel adds their time to nobody's */
    runner_start(&runner, ACT("ignore", "CHLD", "hold", "USR1", "forget", "60", "await", "hold", "USR1"));
    open_pid(&target, runner.pid);
    ck_assert_int_eq(kill(runner.pid, SIGUSR1), 0);
    while (target_cpu_s(&target) < 0.3)
        poll(NULL, 0, LOOK_MS);
    ck_assert_uint_eq(process_family(runner.pid, family, 2), 2);
    ck_assert_int_eq(kill(family[1], SIGSTOP), 0);
    for (struct process child; process_read(family[1], &child) && child.state != 'T';)
        poll(NULL, 0, 1);
    seen_s = target_cpu_s(&target);
    ck_assert_double_ge(seen_s, 0.3);
    ck_assert_int_eq(kill(family[1], SIGKILL), 0);
    ck_assert_str_eq(runner_line(&runner, &target), "ready");
    kept_s = target_cpu_s(&target);
    ck_assert_double_ge(kept_s, seen_s);
    ck_assert_double_le(kept_s, seen_s + runner_end(&runner) + 2 * TICKS_S);
    target_close(&target);
}
END_TEST

/* A shell whose only child is one whose only child is act: "middle PID", "last PID" and "ready" are said. */
static void start_chain(struct runner *runner, pid_t *middle, pid_t *last)
{
    static const char script[] = "sh -c '\"$0\" hold USR1 spin 0.3 hold USR1 & echo last $!; wait' \"$0\" & "
                                 "echo middle $!; wait";
    bool ready = false;

    *middle = *last = 0;
    runner_start(runner, (char *[]){ (char *)"sh", (char *)"-c", (char *)script, act_path(), NULL });
    while (!*middle || !*last || !ready) {
        ready = ready || strcmp(runner->line, "ready") == 0;
        sscanf(runner->line, "middle %d", middle);
        sscanf(runner->line, "last %d", last);
        if (!*middle || !*last || !ready)
            runner_line(runner, NULL);
    }
}

START_TEST(descendants_that_leave_are_followed_once_they_were_seen)
{
    struct runner runner = { .pid = 0 }, left;
    struct target target;
    double cpu_s, all_s;
    pid_t middle, last;

    take_orphans();
    start_chain(&runner, &middle, &last);
    open_pid(&target, runner.pid);
    kill(middle, SIGKILL); /* its child goes to whoever takes orphans */
    left = runner;
    left.pid = last;
    runner_go_on(&left, &target);
    ck_assert_double_ge(target_cpu_s(&target), 0.3 - TICKS_S);
    kill(last, SIGKILL);
    ck_assert_int_eq(waitid(P_PID, (id_t)last, &(siginfo_t){ .si_pid = 0 }, WEXITED | WNOWAIT), 0);
    ck_assert_double_ge(target_cpu_s(&target), 0.3 - TICKS_S);
    all_s = wait_cpu_s(last);
    cpu_s = target_cpu_s(&target);
    ck_assert_double_ge(cpu_s, 0.3 - TICKS_S);
    all_s += runner_end(&runner);
    ck_assert_double_le(cpu_s, all_s + 4 * TICKS_S); /* three processes, one of which has waited for another */
    target_close(&target);
}
END_TEST

START_TEST(children_are_found_by_a_scan_where_the_kernel_lists_none)
{
    struct process_tree listed, scanned;
    struct runner runner = { .pid = 0 };
    pid_t middle, last;

    start_chain(&runner, &middle, &last);
    ck_assert(process_tree_open(&listed, runner.pid, false));
    ck_assert(process_tree_open(&scanned, runner.pid, true));
    ck_assert_uint_eq(process_tree_count(&scanned), 3);
    ck_assert(process_tree_has(&scanned, middle) && process_tree_has(&scanned, last));
    if (access("/proc/thread-self/children", F_OK) == 0)
        ck_assert_uint_eq(process_tree_count(&listed), 3);
    kill(last, SIGKILL);
    while (process_tree_has(&scanned, last)) {
        poll(NULL, 0, 10);
        process_tree_poll(&scanned);
    }
    ck_assert_uint_lt(process_tree_count(&scanned), 3);
    process_tree_close(&scanned);
    process_tree_close(&listed);
    runner_end(&runner);
}
END_TEST

START_TEST(looks_are_neither_too_often_nor_too_seldom)
{
    struct target target;
    uint64_t before_ns, first_ns;

    open_pid(&target, getpid());
    before_ns = clock_monotonic_ns();
    target_poll(&target, before_ns);
    first_ns = target_next_ns(&target);
    ck_assert_uint_gt(first_ns, before_ns);
    ck_assert_uint_le(first_ns, clock_monotonic_ns() + NS_PER_S_INT);
    target_poll(&target, first_ns - 1);
    ck_assert_uint_eq(target_next_ns(&target), first_ns);
    /* the next look is set by the clock, from the end of this one */
    while (clock_monotonic_ns() < first_ns)
        poll(NULL, 0, 10);
    target_poll(&target, clock_monotonic_ns());
    ck_assert_uint_gt(target_next_ns(&target), first_ns);
    target_close(&target);
}
END_TEST

/* Before all other processes of this machine. False: this user may not. */
static bool go_first(pid_t pid, int priority)
{
    return sched_setscheduler(pid, SCHED_FIFO, &(struct sched_param){ .sched_priority = priority }) == 0;
}

static void start_pinned(struct runner *runner, int cpu)
{
    cpu_set_t set;

    runner_start(runner, ACT("hold", "USR1", "spin", "60"));
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    ck_assert_int_eq(sched_setaffinity(runner->pid, sizeof set, &set), 0);
}

/* They go on until they are stopped, so that no CPU is free for others before the other one has been. */
START_TEST(two_jobs_side_by_side_are_the_machines_busy_time)
{
    struct runner runners[2] = { { .pid = 0 }, { .pid = 0 } };
    struct target targets[2];
    struct machine_time before, after;
    struct root root;
    double busy_s, sum_s = 0;
    bool alone;
    int stat_fd = -1;

    if (sysconf(_SC_NPROCESSORS_ONLN) != 2) {
        puts("SKIPPED: this is for a machine with two CPUs");
        return;
    }
    ck_assert(root_open(&root, "/", NULL));
    for (int i = 0; i < 2; i++) {
        start_pinned(&runners[i], i);
        open_pid(&targets[i], runners[i].pid);
    }
    alone = go_first(runners[0].pid, 1) && go_first(runners[1].pid, 1) && go_first(0, 2);
    ck_assert(machine_time_read(&stat_fd, &root, NULL, &before));
    for (int i = 0; i < 2; i++)
        kill(runners[i].pid, SIGUSR1);
    while (target_cpu_s(&targets[0]) < 0.3 || target_cpu_s(&targets[1]) < 0.3)
        poll(NULL, 0, LOOK_MS);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(kill(runners[i].pid, SIGSTOP), 0);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(waitid(P_PID, (id_t)runners[i].pid, &(siginfo_t){ .si_pid = 0 }, WSTOPPED), 0);
    ck_assert(machine_time_read(&stat_fd, &root, NULL, &after));
    busy_s = s_from_ns(after.busy_ns - before.busy_ns);
    for (int i = 0; i < 2; i++) {
        const double cpu_s = target_cpu_s(&targets[i]);
        ck_assert_double_ge(cpu_s, 0.3);
        ck_assert_double_le(cpu_s, runner_end(&runners[i]) + TICKS_S);
        sum_s += cpu_s;
        target_close(&targets[i]);
    }
    /* ticks of two processes and of two CPUs */
    ck_assert_double_le(sum_s, busy_s + 4 * TICKS_S);
    if (alone)
        ck_assert_double_ge(sum_s, busy_s - 4 * TICKS_S);
    else
        puts("SKIPPED: others of this machine were busy too");
    close(stat_fd);
    root_close(&root);
}
END_TEST

static void *wait_in_thread(void *gate)
{
    char byte;

    *((pid_t *)gate) = (pid_t)syscall(SYS_gettid);
    (void)!write(((int *)gate)[2], "x", 1);
    (void)!read(((int *)gate)[1], &byte, 1);
    return NULL;
}

START_TEST(what_is_no_process_is_refused)
{
    struct error err;
    struct target target;
    int gate[3], ready[2], wait_ends[2];
    pthread_t thread;
    siginfo_t info;
    char byte;
    pid_t ended;

    check_refusal(target_open_pid(&target, 0, &err), &err, ERROR_USAGE, "begin at 1");
    check_refusal(target_open_pid(&target, -5, &err), &err, ERROR_USAGE, "begin at 1");
    ck_assert_str_eq(err.what, "process -5 cannot be followed");
    check_refusal(target_open_pid(&target, 0x7ffffffe, &err), &err, ERROR_ABSENT, "no such process");
    ended = fork();
    if (ended == 0)
        _exit(0);
    ck_assert_int_eq(waitid(P_PID, (id_t)ended, &info, WEXITED | WNOWAIT), 0);
    check_refusal(target_open_pid(&target, ended, &err), &err, ERROR_ABSENT, "has ended already");
    ck_assert_int_eq(waitpid(ended, NULL, 0), ended);
    check_refusal(target_open_pid(&target, ended, &err), &err, ERROR_ABSENT, "no such process");

    ck_assert_int_eq(pipe(ready), 0);
    ck_assert_int_eq(pipe(wait_ends), 0);
    gate[1] = wait_ends[0];
    gate[2] = ready[1];
    ck_assert_int_eq(pthread_create(&thread, NULL, wait_in_thread, gate), 0);
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    check_refusal(target_open_pid(&target, gate[0], &err), &err, ERROR_USAGE, "thread of another process");
    ck_assert_int_eq(write(wait_ends[1], "x", 1), 1);
    pthread_join(thread, NULL);
}
END_TEST

static void open_hidden(void *with)
{
    struct target target;
    struct error err;

    if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
        mount("proc", "/proc", "proc", 0, "hidepid=2") < 0) {
        puts("SKIPPED: /proc cannot be mounted here");
        return;
    }
    become_nobody();
    check_refusal(target_open_pid(&target, *(pid_t *)with, &err), &err, ERROR_DENIED, "hidepid");
}

static void open_of_another(void *with)
{
    struct target target;
    struct usage usage;

    become_nobody();
    open_pid(&target, *(pid_t *)with);
    target_read(&target, &usage);
    ck_assert(usage.cpu_ns.known && usage.memory_peak_bytes.known);
    ck_assert(!usage.read_bytes.known && !usage.written_bytes.known);
    target_close(&target);
}

START_TEST(what_another_user_may_see)
{
    pid_t pid = getpid();

    if (geteuid() != 0) {
        puts("SKIPPED: becoming another user takes root");
        return;
    }
    check_apart(open_of_another, &pid);
    check_apart(open_hidden, &pid);
}
END_TEST

/* CPU time and memory at one moment, without a poll in between. */
START_TEST(a_look_for_a_time_series)
{
    struct runner runner = { .pid = 0 };
    struct target target;
    struct target_now first, second, last;
    double cpu_s;

    runner_start(&runner, ACT("hold", "USR1", "spin", "0.2", "touch", "32", "hold", "USR1"));
    open_pid(&target, runner.pid);
    target_now(&target, &first);
    ck_assert_double_le(s_from_ns(first.cpu_ns.value), TICKS_S);
    runner_go_on(&runner, NULL);
    target_now(&target, &second);
    ck_assert_uint_ge(second.time_ns, first.time_ns + 200000000);
    ck_assert_double_ge(s_from_ns(second.cpu_ns.value), 0.2 - TICKS_S);
    /* the kernel counts a group's pages by the batch: 64 to a CPU */
    ck_assert_uint_ge(second.memory_bytes.value, first.memory_bytes.value + (31U << 20));
    ck_assert_uint_le(second.memory_bytes.value, first.memory_bytes.value + (40U << 20));
    ck_assert(!second.working_set_bytes.known);
    cpu_s = runner_end(&runner);
    ck_assert_double_le(s_from_ns(second.cpu_ns.value), cpu_s + TICKS_S);
    target_now(&target, &last);
    ck_assert(last.cpu_ns.known && !last.memory_bytes.known);
    ck_assert_uint_ge(last.cpu_ns.value, second.cpu_ns.value);
    target_close(&target);
}
END_TEST

UNIT_SUITE("target", cpu_time_over_a_window, figures_and_where_they_are_from, end_is_told_and_the_last_figures_stand,
           children_that_were_seen_and_are_waited_for_count_once, children_that_nobody_waits_for_are_kept_as_seen_last,
           descendants_that_leave_are_followed_once_they_were_seen,
           children_are_found_by_a_scan_where_the_kernel_lists_none, looks_are_neither_too_often_nor_too_seldom,
           two_jobs_side_by_side_are_the_machines_busy_time, what_is_no_process_is_refused, what_another_user_may_see,
           a_look_for_a_time_series)
