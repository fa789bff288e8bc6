/* SPDX-License-Identifier: MIT
 * Perf events of a real job and of all that it starts; the hardware counters where there are any; the cache and what
 * a job touches. */
#include "usage/machine_counter.h"
#include "usage/task_counter.h"

#include "base/clock.h"
#include "base/cpu_cache.h"
#include "base/process.h"

#include "act.h"
#include "tree.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#define MIB (UINT64_C(1) << 20)

extern const struct usage_driver hardware_driver, touched_driver;

static const char *const faults[] = { "NO_SUCH_EVENT", "PERF_COUNT_SW_PAGE_FAULTS", NULL };
static const char *const switches[] = { "PERF_COUNT_SW_CONTEXT_SWITCHES", NULL };
static const char *const clocks[] = { "PERF_COUNT_SW_TASK_CLOCK", NULL };

struct counted {
    struct job_end end;
    uint64_t faults, switches, clock_ns;
};

/* False: events cannot be opened here. */
static bool count(char **argv, struct counted *counted)
{
    const struct job_options options = { .argv = argv, .cgroup_fd = -1 };
    struct job_signals signals;
    struct pfm_names names;
    struct job job;
    char text[64];
    int output, fault_fd, switch_fd, clock_fd;

    pfm_names_open(&names);
    ck_assert(job_signals_open(&signals, NULL));
    output = act_start(&job, &signals, &options);
    fault_fd = task_counter_open(&names, faults, job.pid);
    if (fault_fd < 0)
        printf("SKIPPED: no event of a process here: %s\n", strerror(errno));
    switch_fd = task_counter_open(&names, switches, job.pid);
    clock_fd = task_counter_open(&names, clocks, job.pid);
    act_finish(&job, &counted->end);
    act_output(output, text, sizeof text);
    job_signals_close(&signals);
    pfm_names_close(&names);
    if (fault_fd < 0)
        return false;
    ck_assert(task_counter_read(fault_fd, &counted->faults));
    ck_assert(task_counter_read(switch_fd, &counted->switches));
    ck_assert(task_counter_read(clock_fd, &counted->clock_ns));
    close(fault_fd);
    close(switch_fd);
    close(clock_fd);
    return true;
}

static double rusage_s(const struct rusage *rusage)
{
    return (double)(rusage->ru_utime.tv_sec + rusage->ru_stime.tv_sec) +
           (double)(rusage->ru_utime.tv_usec + rusage->ru_stime.tv_usec) / 1e6;
}

/* 32 MiB of pages of 4 KiB are so many faults, and beyond them only what starting takes. */
START_TEST(faults_are_counted_from_execve_on)
{
    const uint64_t pages = 32 * MIB / (uint64_t)sysconf(_SC_PAGESIZE);
    struct counted none, some;

    if (!count(ACT("touch", "1"), &none) || !count(ACT("touch", "33"), &some))
        return;
    ck_assert_int_eq(none.end.exit_status, 0);
    ck_assert_uint_le(none.faults, (uint64_t)none.end.rusage.ru_minflt + 16);
    ck_assert_uint_ge(some.faults - none.faults, pages - 16);
    ck_assert_uint_le(some.faults - none.faults, pages + 400);
    ck_assert_uint_le(some.faults, (uint64_t)some.end.rusage.ru_minflt + 16);
}
END_TEST

/* Each of the children stops once at least, for its parent waits for it; a shell starts the whole. */
START_TEST(children_of_children_are_counted)
{
    struct counted counted;
    char script[] = "(\"$0\" forks 100; :); :";

    if (!count((char *[]){ (char *)"/bin/sh", (char *)"-c", script, act_path(), NULL }, &counted))
        return;
    ck_assert_uint_ge(counted.faults, 100 * 5); /* of a shell and its child alone it is not half as many */
    /* who may not count the kernel's part sees no switches, for all of them are there */
    ck_assert(counted.switches >= 100 || (counted.switches == 0 && geteuid() != 0));
    ck_assert_double_eq_tol((double)counted.clock_ns / 1e9, rusage_s(&counted.end.rusage), 0.25);
    ck_assert_double_ge((double)counted.clock_ns / 1e9, 0.5 * rusage_s(&counted.end.rusage));
}
END_TEST

START_TEST(an_event_that_nobody_knows)
{
    const char *const events[] = { "NO_SUCH_EVENT", NULL };
    struct pfm_names names;
    uint64_t value;

    pfm_names_open(&names);
    ck_assert_int_eq(task_counter_open(&names, events, getpid()), -1);
    ck_assert_int_eq(errno, ENOENT);
    ck_assert(!task_counter_read(-1, &value));
    pfm_names_close(&names);
}
END_TEST

/* Opened, but its process has done nothing since: no count is not 0. */
START_TEST(what_has_not_counted_is_not_known)
{
    struct pfm_names names;
    uint64_t value;
    int fd;

    pfm_names_open(&names);
    fd = task_counter_open(&names, switches, getpid());
    if (fd < 0)
        unit_skip("no event of a process here: %s", strerror(errno));
    ck_assert(!task_counter_read(fd, &value));
    pfm_names_close(&names);
}
END_TEST

START_TEST(a_count_of_part_of_the_time)
{
    uint64_t value;

    ck_assert(task_counter_scale(100, 10, 10, &value));
    ck_assert_uint_eq(value, 100);
    ck_assert(task_counter_scale(100, 10, 4, &value));
    ck_assert_uint_eq(value, 250);
    ck_assert(task_counter_scale(UINT64_C(1) << 60, 3000000000, 1000000000, &value));
    ck_assert_uint_eq(value, UINT64_C(3) << 60);
    ck_assert(!task_counter_scale(UINT64_MAX, 2, 1, &value));
    ck_assert(!task_counter_scale(0, 10, 0, &value));
    /* (2^62 - 1)(2^62 - 3) / (2^62 - 2) = 2^62 - 2 - 1 / (2^62 - 2); and one just past 2^64 - 1 */
    ck_assert(task_counter_scale((UINT64_C(1) << 62) - 3, (UINT64_C(1) << 62) - 1, (UINT64_C(1) << 62) - 2, &value));
    ck_assert_uint_eq(value, (UINT64_C(1) << 62) - 3);
    ck_assert(task_counter_scale(UINT64_MAX / 3, 3000000000, 1000000000, &value));
    ck_assert_uint_eq(value, UINT64_MAX);
    ck_assert(!task_counter_scale(UINT64_MAX / 3 + 1, 3000000000, 1000000000, &value));
}
END_TEST

static bool has_hardware(void)
{
    struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE, .size = sizeof attr, .exclude_kernel = 1 };
    const int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

    return fd >= 0 && close(fd) == 0;
}

START_TEST(hardware_counters_or_none)
{
    struct usage_source source = { .driver = &hardware_driver, .cgroup_fd = -1 };
    struct job_options options = { .argv = ACT("spin", "0.2"), .cgroup_fd = -1 };
    struct usage usage = { .cpu_ns = { .known = false } };
    struct error err = { .kind = ERROR_NONE };
    struct job_signals signals;
    struct job_end end;
    struct job job;
    bool opened;

    ck_assert(job_signals_open(&signals, NULL));
    opened = hardware_driver.open(&source, NULL, &err);
    ck_assert_int_eq(opened, has_hardware());
    if (!opened) {
        ck_assert(err.kind == ERROR_ABSENT || err.kind == ERROR_DENIED);
        ck_assert_str_eq(err.what, "no hardware counter for the job");
        ck_assert_ptr_null(source.state);
        return;
    }
    ck_assert(job_start(&job, &signals, &options, NULL));
    hardware_driver.started(&source, job.pid);
    act_finish(&job, &end);
    hardware_driver.read(&source, &end.rusage, &usage);
    hardware_driver.close(&source);
    job_signals_close(&signals);
    ck_assert(usage.cycles.known && usage.instructions.known);
    ck_assert_str_eq(usage.cycles.from, "hardware");
    ck_assert_uint_ge(usage.instructions.value, 10000000);
    ck_assert_uint_ge(usage.cycles.value, 10000000);
}
END_TEST

/* Two CPUs on one cache of 16 MiB, two others on one of their own each; a first level that is larger does not count. */
START_TEST(caches_are_counted_once)
{
    static const char *const shared[] = { "0-1", "0-1", "2", "3" };
    struct tree tree;
    struct cache cache;
    char path[96];

    tree_open(&tree);
    cache = cache_read(&tree.root);
    ck_assert_uint_eq(cache.bytes, 0);
    ck_assert_uint_eq(cache.count, 0);
    tree_put(&tree, "sys/devices/system/cpu/online", "0-3");
    for (int cpu = 0; cpu < 4; cpu++) {
        static const char *const fields[][4] = {
            { "1", "Data", "64M", NULL },
            { "1", "Instruction", "64M", NULL },
            { "3", "Unified", "16384K", NULL },
        };
        for (int index = 0; index < 3; index++) {
            snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/cache/index%d/level", cpu, index);
            tree_put(&tree, path, fields[index][0]);
            snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/cache/index%d/type", cpu, index);
            tree_put(&tree, path, fields[index][1]);
            snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/cache/index%d/size", cpu, index);
            tree_put(&tree, path, fields[index][2]);
            snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/cache/index%d/shared_cpu_list", cpu, index);
            tree_put(&tree, path, shared[cpu]);
        }
    }
    cache = cache_read(&tree.root);
    ck_assert_uint_eq(cache.bytes, 16 * MIB);
    ck_assert_uint_eq(cache.count, 3);
    /* what CPU 0 does not tell CPU 1 does; a list of CPUs that is none is as none */
    tree_put(&tree, "sys/devices/system/cpu/cpu0/cache/index2/size", "nonsense");
    ck_assert_uint_eq(cache_read(&tree.root).count, 3);
    tree_put(&tree, "sys/devices/system/cpu/cpu1/cache/index2/size", "0K");
    ck_assert_uint_eq(cache_read(&tree.root).count, 2);
    tree_put(&tree, "sys/devices/system/cpu/cpu2/cache/index2/shared_cpu_list", "nonsense");
    ck_assert_uint_eq(cache_read(&tree.root).count, 2);
    tree_close(&tree);
}
END_TEST

static void start(struct job *job, struct job_signals *signals, const struct job_options *options)
{
    uint64_t exec_ns;
    int exit_status;

    ck_assert(job_signals_open(signals, NULL));
    ck_assert(job_start(job, signals, options, NULL));
    ck_assert(job_release(job, &exec_ns, &exit_status, NULL));
}

/* A shell with two children, of which one has one of its own. */
START_TEST(a_tree_of_processes)
{
    struct job_options options = {
        .argv = (char *[]){ (char *)"/bin/sh", (char *)"-c", (char *)"sleep 60 & (sleep 60; :) & wait", NULL },
        .cgroup_fd = -1,
    };
    const struct timespec pause = { .tv_nsec = 10000000 };
    struct job_signals signals;
    struct job job;
    pid_t pids[8];
    size_t count = 0;

    start(&job, &signals, &options);
    while ((count = process_family(job.pid, pids, 8)) != 4)
        nanosleep(&pause, NULL);
    ck_assert_int_eq(pids[0], job.pid);
    ck_assert_uint_eq(process_family(job.pid, pids, 2), 2);
    ck_assert_uint_eq(process_family(job.pid, pids, 0), 0);
    count = process_family(job.pid, pids, 8);
    job_abandon(&job);
    for (size_t i = 1; i < count; i++)
        kill(pids[i], SIGKILL);
    job_signals_close(&signals);
}
END_TEST

/* More than the first room: the list grows. */
START_TEST(a_wide_tree_is_whole)
{
    const struct job_options options = {
        .argv = (char *[]){ (char *)"/bin/sh", (char *)"-c",
                            (char *)"i=0; while [ $i -lt 150 ]; do sleep 60 & i=$((i + 1)); done; wait", NULL },
        .cgroup_fd = -1,
    };
    const struct timespec pause = { .tv_nsec = 10000000 };
    struct job_signals signals;
    struct job job;
    pid_t *pids = NULL;
    size_t count = 0;

    start(&job, &signals, &options);
    while (count != 151) {
        free(pids);
        nanosleep(&pause, NULL);
        pids = process_whole_family(job.pid, &count);
        ck_assert_ptr_nonnull(pids);
    }
    ck_assert_int_eq(pids[0], job.pid);
    job_abandon(&job);
    for (size_t i = 1; i < count; i++)
        kill(pids[i], SIGKILL);
    free(pids);
    job_signals_close(&signals);
}
END_TEST

/* A polling that comes late, or after the end, looks at nothing. */
START_TEST(what_is_touched_is_not_known_of_a_short_job)
{
    struct usage_source source = { .driver = &touched_driver, .cgroup_fd = -1, .next_ns = UINT64_MAX };
    struct job_options options = { .argv = ACT("exit", "0"), .cgroup_fd = -1 };
    struct usage usage = { .cpu_ns = { .known = false } };
    struct job_signals signals;
    struct job_end end;
    struct job job;
    uint64_t first_ns;

    if (!touched_driver.open(&source, NULL, NULL)) {
        puts("SKIPPED: the size of the cache is not known here");
        return;
    }
    ck_assert(job_signals_open(&signals, NULL));
    ck_assert(job_start(&job, &signals, &options, NULL));
    touched_driver.started(&source, job.pid);
    first_ns = source.next_ns;
    ck_assert_uint_ne(first_ns, UINT64_MAX);
    act_finish(&job, &end);
    touched_driver.poll(&source, first_ns);
    ck_assert_uint_eq(source.next_ns, first_ns + 700000000);
    touched_driver.poll(&source, first_ns + 10000000000);
    ck_assert_uint_gt(source.next_ns, first_ns + 10000000000);
    touched_driver.read(&source, &end.rusage, &usage);
    ck_assert(!usage.touched_bytes.known);
    ck_assert(usage.cache_bytes.known);
    touched_driver.close(&source);
    job_signals_close(&signals);
}
END_TEST

/* The clock of each CPU runs, whoever uses it: of all together as many seconds as there are CPUs in each second. */
START_TEST(everybody_is_counted)
{
    static const char *const clock[] = { "PERF_COUNT_SW_CPU_CLOCK", NULL };
    static const char *const *const events[HARDWARE_EVENTS] = { clock, clock, clock };
    const double cpus = (double)sysconf(_SC_NPROCESSORS_ONLN);
    struct machine_counter counter;
    uint64_t before[HARDWARE_EVENTS], after[HARDWARE_EVENTS], begun_ns, read_ns;

    if (!machine_counter_open(&counter, events)) {
        printf("SKIPPED: no event of everybody here: %s\n", strerror(errno));
        ck_assert(!machine_counter_read(&counter, before));
        return;
    }
    begun_ns = clock_monotonic_ns();
    ck_assert(machine_counter_read(&counter, before));
    read_ns = clock_monotonic_ns();
    while (clock_monotonic_ns() < read_ns + 50000000)
        continue;
    begun_ns = clock_monotonic_ns() - begun_ns;
    ck_assert(machine_counter_read(&counter, after));
    read_ns = clock_monotonic_ns() - read_ns;
    for (size_t i = 0; i < HARDWARE_EVENTS; i++) {
        ck_assert_double_ge((double)(after[i] - before[i]), 0.99 * cpus * 50e6);
        ck_assert_double_le((double)(after[i] - before[i]), 1.01 * cpus * (double)(begun_ns + read_ns));
    }
    machine_counter_close(&counter);
    ck_assert(!machine_counter_read(&counter, after));
}
END_TEST

UNIT_SUITE("task counter", everybody_is_counted, faults_are_counted_from_execve_on, children_of_children_are_counted,
           an_event_that_nobody_knows, what_has_not_counted_is_not_known, a_count_of_part_of_the_time,
           hardware_counters_or_none, caches_are_counted_once, a_tree_of_processes, a_wide_tree_is_whole,
           what_is_touched_is_not_known_of_a_short_job)
