/* SPDX-License-Identifier: MIT
 * Stamps of libcarbon: the energy between two times by the readings of its thread, over counters that only the test
 * moves. What was used between two stamps is known exactly, however late the thread reads. */
#include "library_fixture.h"
#include "unit.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#define RANGE_UJ 262143328850

/* Reads by the thread meanwhile only on a very busy machine. */
#define SELDOM_S 10

enum { STEPS = 600, PIECES = 4000, LEAST_READINGS = 64, RESOLUTION_MS = 1 };

/* In place, so that no reader finds the file empty. */
static void move(int fd, uint64_t uj)
{
    char text[24];
    const int length = snprintf(text, sizeof text, "%018llu\n", (unsigned long long)uj);

    ck_assert_int_eq(pwrite(fd, text, (size_t)length, 0), length);
}

static int counter(const char *folder)
{
    char path[600];
    int fd;

    snprintf(path, sizeof path, "%s/%s/energy_uj", tree.path, folder);
    fd = open(path, O_WRONLY | O_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    return fd;
}

static uint32_t state = 20261201;

static uint32_t random_below(uint32_t limit)
{
    state = state * 1664525 + 1013904223;
    return (uint32_t)(((uint64_t)state * limit) >> 32);
}

/* The thread reads every millisecond, and keeps few readings, so that old ones are thinned out. */
START_TEST(what_was_used_is_within_the_bounds)
{
    static uint64_t stamps[STEPS + 1], package_uj[STEPS + 1], memory_uj[STEPS + 1];
    int package, memory;

    tree_of_counters(RANGE_UJ);
    package = counter(PACKAGE);
    memory = counter(MEMORY);
    package_uj[0] = 5000000;
    memory_uj[0] = 1000000;
    meter_of((carbon_options){ .zone = "FR", .sample_interval_s = 0.001, .sample_readings = LEAST_READINGS });
    ck_assert_uint_eq(carbon_about(meter)->sample_ns, 1000000);
    pause_ms(RESOLUTION_MS);
    stamps[0] = carbon_stamp();
    for (int i = 1; i <= STEPS; i++) {
        package_uj[i] = package_uj[i - 1] + 1 + random_below(20000);
        memory_uj[i] = memory_uj[i - 1] + 1 + random_below(5000);
        move(package, package_uj[i]);
        move(memory, memory_uj[i]);
        if (random_below(3) == 0)
            pause_ms(1 + random_below(3));
        stamps[i] = carbon_stamp();
    }
    for (int i = 0; i < PIECES; i++) {
        const uint32_t a = random_below(STEPS), b = a + 1 + random_below(STEPS - a);
        const double used_j =
            (double)(package_uj[b] - package_uj[a]) / 1e6 + (double)(memory_uj[b] - memory_uj[a]) / 1e6;
        const carbon_energy piece = carbon_between_stamps(meter, stamps[a], stamps[b]);
        ck_assert_msg(piece.low_j <= used_j && used_j <= piece.high_j, "%g J is not in %g to %g J", used_j, piece.low_j,
                      piece.high_j);
        ck_assert_msg(piece.low_j <= piece.joules + 1e-9 && piece.joules <= piece.high_j + 1e-9,
                      "%g J is not in %g to %g J", piece.joules, piece.low_j, piece.high_j);
        ck_assert_double_eq_tol(piece.seconds, (double)(stamps[b] - stamps[a]) / 1e9, 1e-12);
        ck_assert_double_eq_tol(piece.component_j[CARBON_PACKAGE] + piece.component_j[CARBON_MEMORY], piece.joules,
                                1e-9);
        ck_assert_uint_ne(piece.doubts & CARBON_DOUBT_INTERPOLATED, 0);
        ck_assert_int_eq(piece.quality, CARBON_MEASURED);
    }
    close(package);
    close(memory);
    close_meter();
}
END_TEST

/* Pieces that follow one another add up to the whole, and in it power is constant between two readings: a tenth of the
 * time is a tenth of the energy. */
START_TEST(between_readings_power_is_constant)
{
    uint64_t start, end, before_ns, after_ns;
    double sum_j = 0, tenth_j = NAN;

    tree_of_counters(RANGE_UJ);
    before_ns = carbon_stamp();
    meter_of((carbon_options){ .zone = "FR", .sample_interval_s = SELDOM_S });
    start = carbon_stamp();
    set_uj(PACKAGE, 6000000);
    pause_ms(50);
    end = carbon_stamp();
    const carbon_energy whole = carbon_between_stamps(meter, start, end);
    after_ns = carbon_stamp();
    const uint64_t part_ns = (end - start) / 10;
    for (int i = 0; i < 10; i++) {
        const uint64_t from = start + (uint64_t)i * part_ns, to = i < 9 ? from + part_ns : end;
        tenth_j = carbon_between_stamps(meter, from, to).joules;
        sum_j += tenth_j;
    }
    const uint64_t all_ns = after_ns - before_ns;
    close_meter();
    ck_assert_double_eq_tol(sum_j, whole.joules, 1e-9);
    ck_assert_double_le(whole.joules, 1 + 1e-9);
    ck_assert_double_ge(whole.high_j, 1);
    ck_assert_double_le(whole.low_j, whole.joules);
    if (all_ns < 400000000) { /* no reading of the thread lay within */
        ck_assert_double_ge(whole.joules, (double)(end - start) / (double)all_ns);
        ck_assert_double_eq_tol(tenth_j, whole.joules / 10, 1e-6);
        ck_assert_double_eq(whole.low_j, 0);
        ck_assert_double_eq_tol(whole.high_j, 1, 1e-3);
    }
}
END_TEST

START_TEST(what_is_not_known_is_said)
{
    uint64_t start;
    carbon_energy piece;

    tree_of_counters(RANGE_UJ);
    meter_of((carbon_options){ .zone = "FR" });
    start = carbon_stamp();
    piece = carbon_between_stamps(meter, start, carbon_stamp());
    ck_assert(isnan(piece.joules) && isnan(piece.low_j) && isnan(piece.high_j));
    ck_assert_uint_eq(piece.doubts, CARBON_DOUBT_UNREAD);
    ck_assert_uint_eq(carbon_about(meter)->sample_ns, 0);
    carbon_close(meter);

    meter_of((carbon_options){ .zone = "FR", .sample_interval_s = 0.01 });
    piece = carbon_between_stamps(meter, start, carbon_stamp()); /* it began before the first reading */
    ck_assert(isnan(piece.joules));
    ck_assert_uint_eq(piece.doubts, CARBON_DOUBT_UNREAD);
    start = carbon_stamp();
    ck_assert_uint_eq(carbon_between_stamps(meter, start, start - 1).doubts, CARBON_DOUBT_MARKS);
    ck_assert_uint_eq(carbon_between_stamps(meter, start, start + UINT64_C(3600000000000)).doubts, CARBON_DOUBT_MARKS);

    /* half a joule, a reset, and a joule more */
    set_uj(PACKAGE, 5500000);
    pause_ms(100);
    set_uj(PACKAGE, 17);
    pause_ms(100);
    set_uj(PACKAGE, 1000017);
    piece = carbon_between_stamps(meter, start, carbon_stamp());
    close_meter();
    ck_assert(isnan(piece.joules) && isnan(piece.high_j) && isnan(piece.component_j[CARBON_PACKAGE]));
    ck_assert_uint_ne(piece.doubts & CARBON_DOUBT_RESET, 0);
    ck_assert_double_le(piece.low_j, 1.5);
}
END_TEST

static void refuse(double interval_s, size_t readings)
{
    carbon_options options = { .zone = "FR", .root = tree.path };

    options.sample_interval_s = interval_s;
    options.sample_readings = readings;
    ck_assert_ptr_null(carbon_open(&options, &failure));
    ck_assert_int_eq(failure.kind, CARBON_ERROR_USAGE);
}

START_TEST(an_impossible_interval_is_refused)
{
    tree_of_counters(RANGE_UJ);
    /* SAMPLE_MIN_S, SAMPLE_MAX_S and SAMPLE_READINGS_MIN */
    refuse(0.0009, 0);
    refuse(-1, 0);
    refuse(NAN, 0);
    refuse(10.1, 0);
    refuse(0.01, LEAST_READINGS - 1);
    close_meter();
}
END_TEST

/* It has the readings of its parent, and takes those that it needs itself. */
START_TEST(a_child_reads_itself)
{
    int status;

    tree_of_counters(RANGE_UJ);
    meter_of((carbon_options){ .zone = "FR", .sample_interval_s = SELDOM_S });
    const uint64_t start = carbon_stamp();
    set_uj(PACKAGE, 6000000);
    const pid_t child = fork();
    if (child == 0) {
        alarm(30);
        set_uj(PACKAGE, 6500000);
        const carbon_energy both = carbon_between_stamps(meter, start, carbon_stamp());
        const uint64_t own = carbon_stamp();
        set_uj(PACKAGE, 7000000);
        const carbon_energy after = carbon_between_stamps(meter, own, carbon_stamp());
        const bool good = both.low_j <= 1.5 && both.high_j >= 1.5 && both.high_j < 1.6;
        const bool own_good = after.low_j <= 0.5 && after.high_j >= 0.5 && after.joules > 0;
        carbon_close(meter);
        _exit(good && own_good ? 0 : 1);
    }
    ck_assert_int_gt(child, 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    const carbon_energy mine = carbon_between_stamps(meter, start, carbon_stamp());
    ck_assert(mine.low_j <= 2 && mine.high_j >= 2);
    close_meter();
}
END_TEST

UNIT_SUITE("library_stamps", what_was_used_is_within_the_bounds, between_readings_power_is_constant,
           what_is_not_known_is_said, an_impossible_interval_is_refused, a_child_reads_itself)
