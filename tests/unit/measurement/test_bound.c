/* SPDX-License-Identifier: MIT
 * What bounds a job: the rules over constructed figures, and real jobs that are bound by one thing each. */
#include "measurement/bottleneck.h"

#include "base/clock.h"
#include "base/cpu_cache.h"

#include "act.h"

#include <linux/magic.h>
#include <math.h>
#include <sys/statfs.h>

#define S UINT64_C(1000000000)
#define MIB (UINT64_C(1) << 20)
#define KNOWN(number) ((struct usage_value){ .known = true, .value = (number), .from = "test" })

static void expect(const struct usage *usage, double seconds, enum bottleneck bound, const char *why)
{
    const struct bottleneck_verdict verdict = bottleneck_of(usage, (uint64_t)(seconds * (double)S), 4);

    ck_assert_str_eq(verdict.why, why);
    ck_assert_str_eq(bottleneck_name(verdict.bound), bottleneck_name(bound));
}

START_TEST(computing_in_the_cache_or_in_memory)
{
#define UNSEEN "; CPU or memory: no hardware counter, and what it touched was not seen"
#define CACHED ", cache 32.0 MiB; no hardware counter"
    static const struct {
        uint64_t cpu_s, cache_mib, peak_mib, touched_mib; /* 0: not known */
        enum bottleneck bound;
        const char *why;
    } cases[] = {
        { 10, 0, 0, 0, BOTTLENECK_UNKNOWN, "1.00 of 4 CPUs busy" UNSEEN },
        { 10, 32, 32, 0, BOTTLENECK_CPU, "1.00 of 4 CPUs busy; memory peak 32.0 MiB" CACHED },
        { 10, 32, 33, 0, BOTTLENECK_UNKNOWN, "1.00 of 4 CPUs busy" UNSEEN },
        { 10, 32, 33, 32, BOTTLENECK_CPU, "1.00 of 4 CPUs busy; touched 32.0 MiB in 0.1 s" CACHED },
        { 10, 32, 33, 64, BOTTLENECK_MIXED, "1.00 of 4 CPUs busy; touched 64.0 MiB in 0.1 s" CACHED },
        { 10, 32, 33, 65, BOTTLENECK_MEMORY, "1.00 of 4 CPUs busy; touched 65.0 MiB in 0.1 s" CACHED },
        { 36, 32, 33, 65, BOTTLENECK_MEMORY, "3.60 of 4 CPUs busy; touched 65.0 MiB in 0.1 s" CACHED },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct usage usage = { .cpu_ns = KNOWN(cases[i].cpu_s * S), .system_ns = KNOWN(S), .io_stall_ns = KNOWN(0) };

        if (cases[i].cache_mib)
            usage.cache_bytes = KNOWN(cases[i].cache_mib * MIB);
        if (cases[i].peak_mib)
            usage.memory_peak_bytes = KNOWN(cases[i].peak_mib * MIB);
        if (cases[i].touched_mib)
            usage.touched_bytes = KNOWN(cases[i].touched_mib * MIB);
        expect(&usage, 10, cases[i].bound, cases[i].why);
    }
}
END_TEST

/* 8e9 instructions in 4e9 cycles: 2 per cycle; 4e7 misses: 5 per 1000. They go before what was touched. */
START_TEST(hardware_counters)
{
    struct usage usage = {
        .cpu_ns = KNOWN(S),
        .io_stall_ns = KNOWN(0),
        .touched_bytes = KNOWN(512 * MIB),
        .cache_bytes = KNOWN(32 * MIB),
        .instructions = KNOWN(8000000000),
        .cycles = KNOWN(4000000000),
        .cache_misses = KNOWN(40000000),
    };

    expect(&usage, 1, BOTTLENECK_CPU, "2.00 instructions per cycle, 5.0 last-level cache misses per 1000 instructions");
    usage.cycles = KNOWN(16000000000);
    expect(&usage, 1, BOTTLENECK_MIXED,
           "0.50 instructions per cycle, 5.0 last-level cache misses per 1000 instructions");
    usage.cache_misses = KNOWN(80000000);
    expect(&usage, 1, BOTTLENECK_MEMORY,
           "0.50 instructions per cycle, 10.0 last-level cache misses per 1000 instructions");
    usage.cache_misses = KNOWN(4000000);
    expect(&usage, 1, BOTTLENECK_CPU, "0.50 instructions per cycle, 0.5 last-level cache misses per 1000 instructions");
    usage.cycles = usage.instructions = KNOWN(0);
    expect(&usage, 1, BOTTLENECK_MEMORY,
           "1.00 of 4 CPUs busy; touched 512 MiB in 0.1 s, cache 32.0 MiB; no hardware counter");
}
END_TEST

START_TEST(waiting_for_block_devices)
{
    struct usage usage = { .cpu_ns = KNOWN(S), .io_stall_ns = KNOWN(8 * S) };

    expect(&usage, 10, BOTTLENECK_IO, "waited for block devices 80 % of the time; 0.10 of 4 CPUs busy");
    usage.cpu_ns = KNOWN(5 * S);
    usage.io_stall_ns = KNOWN(5 * S);
    expect(&usage, 10, BOTTLENECK_MIXED,
           "0.50 of 4 CPUs busy; waited for block devices 50 % of the time, for neither 0 %");
    usage.io_stall_ns = KNOWN(S);
    usage.cpu_ns = KNOWN(S);
    expect(&usage, 10, BOTTLENECK_IDLE, "0.10 of 4 CPUs busy; waited for block devices 10 % of the time");
    usage.cpu_ns = KNOWN(4 * S);
    expect(&usage, 10, BOTTLENECK_MIXED,
           "0.40 of 4 CPUs busy; waited for block devices 10 % of the time, for neither 50 %");
}
END_TEST

/* 4 MiB/s are I/O, a quarter of a MiB/s is none, between them nobody knows. */
START_TEST(bytes_where_the_waiting_is_not_known)
{
    struct usage usage = { .cpu_ns = KNOWN(S), .read_bytes = KNOWN(10 * MIB), .written_bytes = KNOWN(30 * MIB) };

    expect(&usage, 10, BOTTLENECK_IO, "0.10 of 4 CPUs busy; 4.00 MiB/s to and from block devices");
    usage.written_bytes = KNOWN(0);
    expect(&usage, 10, BOTTLENECK_UNKNOWN,
           "0.10 of 4 CPUs busy; 1.00 MiB/s to and from block devices; no figure of how long it waited for them");
    usage.read_bytes = KNOWN(MIB);
    expect(&usage, 10, BOTTLENECK_IDLE, "0.10 of 4 CPUs busy; 102 KiB/s to and from block devices");
    usage.cpu_ns = KNOWN(5 * S);
    expect(&usage, 10, BOTTLENECK_MIXED, "0.50 of 4 CPUs busy; 102 KiB/s to and from block devices");
    usage.read_bytes.known = false;
    usage.cpu_ns = KNOWN(0);
    expect(&usage, 10, BOTTLENECK_UNKNOWN,
           "0.00 of 4 CPUs busy; how much it read and wrote is not known; no figure of how long it waited for them");
}
END_TEST

START_TEST(others_had_the_cpu)
{
    struct usage usage = {
        .cpu_ns = KNOWN(3 * S),
        .read_bytes = KNOWN(0),
        .written_bytes = KNOWN(0),
        .involuntary_switches = KNOWN(200),
        .voluntary_switches = KNOWN(200),
    };

    expect(&usage, 10, BOTTLENECK_IDLE, "0.30 of 4 CPUs busy; 0 B/s to and from block devices");
    usage.voluntary_switches = KNOWN(199);
    expect(&usage, 10, BOTTLENECK_UNKNOWN,
           "0.30 of 4 CPUs busy; others had the CPU 20 times a second, and for how long is not known");
    usage.involuntary_switches = KNOWN(199);
    usage.voluntary_switches = KNOWN(0);
    expect(&usage, 10, BOTTLENECK_IDLE, "0.30 of 4 CPUs busy; 0 B/s to and from block devices");
}
END_TEST

START_TEST(waiting_for_memory_or_a_cpu)
{
    struct usage usage = {
        .cpu_ns = KNOWN(5 * S),
        .io_stall_ns = KNOWN(4 * S),
        .memory_stall_ns = KNOWN(5 * S / 2),
        .memory_peak_bytes = KNOWN(MIB),
        .cache_bytes = KNOWN(32 * MIB),
    };

    expect(&usage, 10, BOTTLENECK_MEMORY,
           "waited for memory to be freed or swapped in 25 % of the time; 0.50 of 4 CPUs busy");
    usage.memory_stall_ns = KNOWN(S);
    usage.io_stall_ns = KNOWN(0);
    usage.cpu_stall_ns = KNOWN(5 * S);
    expect(&usage, 10, BOTTLENECK_CPU,
           "0.50 of 4 CPUs busy, waited for one 50 % of the time; memory peak 1.00 MiB, cache "
           "32.0 MiB; no hardware counter");
}
END_TEST

START_TEST(copying_is_both)
{
    struct usage usage = {
        .cpu_ns = KNOWN(S),
        .system_ns = KNOWN(9 * S / 10),
        .io_stall_ns = KNOWN(0),
        .read_bytes = KNOWN(0),
        .written_bytes = KNOWN(300 * MIB),
    };

    expect(&usage, 1, BOTTLENECK_MIXED,
           "1.00 of 4 CPUs busy, 90 % of it the kernel's; 300 MiB/s to and from block devices");
}
END_TEST

START_TEST(what_is_not_known_is_no_verdict)
{
    struct usage usage = { .io_stall_ns = KNOWN(0) };

    expect(&usage, 1, BOTTLENECK_UNKNOWN, "its CPU time is not known");
    usage.cpu_ns = KNOWN(S / 20);
    expect(&usage, 0.05, BOTTLENECK_UNKNOWN, "it ran for 50 ms, too short to tell");
    expect(&usage, 0, BOTTLENECK_UNKNOWN, "it ran for 0 ms, too short to tell");
}
END_TEST

/* As measurement/workload.c does. */
static struct bottleneck_verdict run(char **argv, struct usage *usage, uint64_t *duration_ns)
{
    struct job_options options = { .argv = argv };
    struct job_signals signals;
    struct usage_meter meter;
    struct error err = { .kind = ERROR_NONE };
    struct job_end end;
    struct job job;
    uint64_t exec_ns;
    int exit_status;

    *usage = (struct usage){ .cpu_ns = { .known = false } };
    usage_open(&meter, NULL);
    options.cgroup_fd = meter.cgroup_fd;
    ck_assert(job_signals_open(&signals, NULL));
    ck_assert(job_start(&job, &signals, &options, NULL));
    usage_started(&meter, job.pid);
    ck_assert_msg(job_release(&job, &exec_ns, &exit_status, &err), "%s: %s", err.what, err.why);
    while (job_wait(&job, usage_next_ns(&meter)) != JOB_ENDED)
        usage_poll(&meter, clock_monotonic_ns());
    ck_assert(job_reap(&job, &end, NULL));
    ck_assert_int_eq(end.exit_status, 0);
    usage_read(&meter, &end.rusage, usage);
    usage_close(&meter);
    job_signals_close(&signals);
    *duration_ns = end.end_ns - exec_ns;
    return bottleneck_of(usage, *duration_ns, (int)sysconf(_SC_NPROCESSORS_ONLN));
}

/* That other work of this machine took the CPU for no more than a moment: what bounds the job is its own then. */
static bool was_left_alone(const struct usage *usage, uint64_t duration_ns)
{
    if (usage->cpu_stall_ns.known)
        return usage->cpu_stall_ns.value < duration_ns / 20;
    return usage->involuntary_switches.known && usage->involuntary_switches.value * S < 5 * duration_ns;
}

/* The first run that was left alone is judged, and no other; false: there was none among RUNS. */
static bool is_bound(enum bottleneck bound, char **argv, struct usage *usage)
{
    enum { RUNS = 3 };
    struct bottleneck_verdict verdict = { .bound = BOTTLENECK_UNKNOWN };
    uint64_t duration_ns;

    for (int i = 0; i < RUNS; i++) {
        verdict = run(argv, usage, &duration_ns);
        printf("%s: %s\n", bottleneck_name(verdict.bound), verdict.why);
        if (!was_left_alone(usage, duration_ns))
            continue;
        ck_assert_msg(verdict.bound == bound, "not %s, but %s: %s", bottleneck_name(bound),
                      bottleneck_name(verdict.bound), verdict.why);
        return true;
    }
    printf("SKIPPED: other work of this machine had the CPU, so that no job could be judged as bound by: %s\n",
           bottleneck_name(bound));
    return false;
}

static struct cache live_cache(void)
{
    struct cache cache;
    struct root root;

    ck_assert(root_open(&root, "/", NULL));
    cache = cache_read(&root);
    root_close(&root);
    return cache;
}

START_TEST(a_loop_is_bound_by_the_cpu)
{
    struct usage usage;

    if (live_cache().bytes == 0) {
        puts("SKIPPED: the size of the cache is not known here");
        return;
    }
    is_bound(BOTTLENECK_CPU, ACT("spin", "0.6"), &usage);
    is_bound(BOTTLENECK_CPU,
             (char *[]){ (char *)"/bin/sh", (char *)"-c", (char *)"\"$0\" spin 0.5; :", act_path(), NULL }, &usage);
}
END_TEST

/* Four times the cache that the job's threads have; as text in MiB. The pages are made to be there, which a virtual
 * machine's host may take its time for, before any job is judged. */
static bool memory_to_stream(unsigned threads, char mib[16])
{
    const struct cache cache = live_cache();
    const uint64_t bytes = 4 * cache.bytes * (threads < cache.count ? threads : cache.count);
    struct usage usage;
    uint64_t duration_ns;

    if (bytes == 0 || bytes > 1024 * MIB) {
        puts("SKIPPED: the cache is not known, or too large for a test");
        return false;
    }
    snprintf(mib, 16, "%d", (int)(bytes / MIB));
    run(ACT("stream", mib, "0.1"), &usage, &duration_ns);
    return true;
}

START_TEST(a_stream_is_bound_by_memory)
{
    struct usage usage;
    char mib[16];

    if (!memory_to_stream(1, mib))
        return;
    if (!is_bound(BOTTLENECK_MEMORY, ACT("stream", mib, "0.8"), &usage) || !usage.touched_bytes.known)
        return;
    ck_assert_str_eq(usage.touched_bytes.from, "touched");
    ck_assert_uint_le(usage.touched_bytes.value, (uint64_t)atoi(mib) * MIB + 16 * MIB);
    ck_assert_uint_ge(usage.touched_bytes.value, 2 * usage.cache_bytes.value);
    is_bound(BOTTLENECK_MEMORY,
             (char *[]){ (char *)"/bin/sh", (char *)"-c", (char *)"\"$0\" stream $1 0.7; :", act_path(), mib, NULL },
             &usage);
}
END_TEST

START_TEST(threads_that_stream_are_bound_by_memory)
{
    struct usage usage;
    char mib[16];

    if (memory_to_stream(2, mib))
        is_bound(BOTTLENECK_MEMORY, ACT("stream-threads", "2", mib, "0.7"), &usage);
}
END_TEST

START_TEST(past_the_page_cache_is_bound_by_io)
{
    struct usage usage;
    struct statfs at;

    ck_assert_int_eq(statfs(".", &at), 0);
    if (at.f_type == TMPFS_MAGIC || at.f_type == OVERLAYFS_SUPER_MAGIC) {
        puts("SKIPPED: no block device below this folder");
        return;
    }
    is_bound(BOTTLENECK_IO, ACT("disk", "32", "0.6"), &usage);
    is_bound(BOTTLENECK_IO,
             (char *[]){ (char *)"/bin/sh", (char *)"-c", (char *)"\"$0\" disk 32 0.6; :", act_path(), NULL }, &usage);
}
END_TEST

START_TEST(sleep_is_idle)
{
    struct usage usage;

    is_bound(BOTTLENECK_IDLE, ACT("sleep", "0.4"), &usage);
    is_bound(BOTTLENECK_IDLE, (char *[]){ (char *)"/bin/sh", (char *)"-c", (char *)"sleep 0.3; :", NULL }, &usage);
}
END_TEST

UNIT_SUITE("bound", computing_in_the_cache_or_in_memory, hardware_counters, waiting_for_block_devices,
           bytes_where_the_waiting_is_not_known, others_had_the_cpu, waiting_for_memory_or_a_cpu, copying_is_both,
           what_is_not_known_is_no_verdict, a_loop_is_bound_by_the_cpu, a_stream_is_bound_by_memory,
           threads_that_stream_are_bound_by_memory, past_the_page_cache_is_bound_by_io, sleep_is_idle)
