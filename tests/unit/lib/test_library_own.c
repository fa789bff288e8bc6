/* SPDX-License-Identifier: MIT
 * What of a piece was the process's own: over counters and ticks that only the test moves, and its own CPU time. */
#include "library_fixture.h"
#include "unit.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define RANGE_UJ 262143328850

/* A busy CPU of the half machine adds 1.4 times what one of the full machine does. How near a piece's power is to that
 * of its load goes by how soon its ticks follow its mark. */
#define CLOSE 0.1

static double cpu_s(void)
{
    struct timespec used;
    struct rusage children;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    getrusage(RUSAGE_CHILDREN, &children);
    return (double)used.tv_sec + (double)used.tv_nsec / 1e9 +
           (double)(children.ru_utime.tv_sec + children.ru_stime.tv_sec) +
           (double)(children.ru_utime.tv_usec + children.ru_stime.tv_usec) / 1e6;
}

/* Until it has used so much more. */
static void spin(double s)
{
    const double until_s = cpu_s() + s;

    while (cpu_s() < until_s)
        continue;
}

/* Ticks of the machine's two CPUs. */
static void stat_is(unsigned long busy, unsigned long idle)
{
    char text[256];

    snprintf(text, sizeof text, "cpu  %lu 0 0 %lu 0 0 0 0 0 0\ncpu0 %lu 0 0 %lu 0 0 0 0 0 0\ncpu1 0 0 0 0 0 0 0 0 0 0",
             busy, idle, busy, idle);
    tree_put(&tree, "proc/stat", text);
}

static void tree_of_two_cpus(void)
{
    tree_open(&tree);
    tree_put(&tree, "proc/cpuinfo",
             "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 94\nflags\t\t: fpu\n\n"
             "processor\t: 1\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 94\nflags\t\t: fpu");
    tree_put(&tree, "sys/devices/system/cpu/online", "0-1");
    stat_is(1000, 100000);
}

/* A piece of 250 ms in which the machine had so many ticks. */
static carbon_mark piece(unsigned long busy, unsigned long idle, double spun_s)
{
    const carbon_mark start = carbon_now(meter);

    stat_is(busy, idle);
    spin(spun_s);
    pause_ms(250);
    return start;
}

/* The powers of the idle, the half and the full machine are what it tells of its gross energy. */
START_TEST(a_model_goes_by_the_cpu_time_of_the_process)
{
    tree_of_two_cpus();
    meter_of((carbon_options){ .zone = "FR", .pue = 2 });
    carbon_mark start = piece(1000, 200000, 0);
    const carbon_energy idle = carbon_since(meter, start);
    start = piece(101000, 300000, 0);
    const carbon_energy half = carbon_since(meter, start);
    const double before_s = cpu_s();
    start = piece(201000, 300000, 0.05);
    const carbon_mark end = carbon_now(meter);
    const double max_s = cpu_s() - before_s;
    const carbon_energy full = carbon_between(meter, start, end);
    const carbon_own own = carbon_own_between(meter, start, end);
    const double slope_w = (full.joules / full.seconds - idle.joules / idle.seconds) / 2;

    ck_assert_double_gt(half.joules / half.seconds, idle.joules / idle.seconds);
    ck_assert_str_eq(own.method, "cpu-time");
    ck_assert_double_eq(own.seconds, full.seconds);
    ck_assert_double_ge(own.cpu_s, 0.05);
    ck_assert_double_le(own.cpu_s, max_s);
    ck_assert_double_eq_tol(own.joules / (slope_w * own.cpu_s), 1, CLOSE);
    ck_assert_double_lt(own.low_j, own.joules);
    ck_assert_double_gt(own.high_j, own.joules);
    ck_assert_double_eq_tol(own.kwh, own.joules / 3.6e6, 1e-15);
    ck_assert_double_eq_tol(own.kgco2eq, own.kwh * 2 * carbon_about(meter)->kgco2eq_per_kwh, 1e-15);

    /* of the half machine: what it draws above idle, for the one CPU that is busy; and of a piece that is too short for
     * ticks by the load before it, where nobody else had the CPU in it */
    carbon_own brief;
    double brief_w;
    uint64_t ticks = 0;
    do {
        ticks += 100000;
        start = piece(201000 + ticks, 300000 + ticks, 0.02);
        const carbon_own beside = carbon_own_between(meter, start, carbon_now(meter));
        ck_assert_double_eq_tol(
            beside.joules / beside.cpu_s / (half.joules / half.seconds - idle.joules / idle.seconds), 1, CLOSE);
        start = carbon_now(meter);
        spin(0.01);
        brief = carbon_own_between(meter, start, carbon_now(meter));
        ck_assert_double_ge(brief.cpu_s, 0.01);
        brief_w = beside.joules / beside.cpu_s;
    } while (brief.seconds > 0.05);
    ck_assert_double_eq_tol(brief.joules / brief.cpu_s, brief_w, CLOSE * slope_w);
}
END_TEST

START_TEST(a_child_counts_once_it_is_waited_for)
{
    int status;

    tree_of_two_cpus();
    meter_of((carbon_options){ .zone = "FR" });
    const carbon_mark start = piece(201000, 100000, 0);
    const pid_t child = fork();
    if (child == 0) {
        carbon_own of_parent;
        spin(0.05);
        of_parent = carbon_own_between(meter, start, carbon_now(meter));
        _exit(strcmp(of_parent.method, "unknown") == 0 && isnan(of_parent.joules) && isnan(of_parent.cpu_s) ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_double_ge(carbon_own_between(meter, start, carbon_now(meter)).cpu_s, 0.05);
}
END_TEST

START_TEST(of_a_meter_it_is_net)
{
    meter_of_counters(RANGE_UJ);
    const carbon_mark a = carbon_now(meter);
    set_uj(PACKAGE, 6000000);
    pause_ms(20);
    const carbon_mark b = carbon_now(meter);
    set_uj(PACKAGE, 10000000);
    set_uj(MEMORY, 1500000);
    pause_ms(20);
    const carbon_mark c = carbon_now(meter);
    carbon_own own = carbon_own_between(meter, b, c);

    ck_assert_str_eq(own.method, "unknown"); /* at most all of it */
    ck_assert(isnan(own.joules) && isnan(own.low_j) && isnan(own.kgco2eq));
    ck_assert_double_eq_tol(own.high_j, 4.5, 1e-9);
    ck_assert_int_eq(carbon_set_idle(meter, &a, &b, &failure), 0);
    own = carbon_own_between(meter, b, c);
    ck_assert_str_eq(own.method, "net");
    ck_assert_double_eq_tol(own.joules, carbon_between(meter, b, c).net_j, 1e-9);
    ck_assert(isnan(own.low_j) && isnan(own.high_j));
}
END_TEST

START_TEST(sizes_and_marks_of_others)
{
    struct {
        carbon_own own;
        double more;
    } wide = { .more = -1 };
    carbon_own narrow = { .kwh = -1 };

    meter_of_counters(RANGE_UJ);
    const carbon_mark start = carbon_now(meter), end = carbon_now(meter);
    carbon_own_between_sized(meter, &start, &end, &wide.own, sizeof wide);
    ck_assert_double_eq(wide.more, 0);
    carbon_own_between_sized(meter, &start, &end, &narrow, offsetof(carbon_own, kwh));
    ck_assert_double_eq(narrow.kwh, -1);
    const carbon_own wrong = carbon_own_between(meter, end, start);
    ck_assert_str_eq(wrong.method, "unknown");
    ck_assert(isnan(wrong.seconds) && isnan(wrong.cpu_s) && isnan(wrong.joules));
}
END_TEST

UNIT_SUITE_IN("library-own", NULL, close_meter, a_model_goes_by_the_cpu_time_of_the_process,
              a_child_counts_once_it_is_waited_for, of_a_meter_it_is_net, sizes_and_marks_of_others)
