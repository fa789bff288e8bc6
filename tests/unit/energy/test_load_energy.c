/* SPDX-License-Identifier: MIT
 * CPU time to load, and load to energy. */
#include "energy/load_energy.h"
#include "power/power_curve.h"
#include "unit.h"

#include <errno.h>
#include <math.h>

#define MS UINT64_C(1000000)

START_TEST(a_line_of_proc_stat_is_busy_and_all)
{
    static const char text[] = "cpu  100 20 30 1000 50 6 4 70 99 9\ncpu3 1 0 1 10 0 0 0 0 0 0\nintr 5\n";
    struct ticks ticks;
    const char *next;
    int cpu;

    next = ticks_of_line(text, &cpu, &ticks);
    ck_assert_int_eq(cpu, -1);
    ck_assert_uint_eq(ticks.busy, 100 + 20 + 30 + 6 + 4); /* guests are inside user and nice */
    ck_assert_uint_eq(ticks.all, 160 + 1000 + 50 + 70);   /* stolen time passes, but is not busy */
    next = ticks_of_line(next, &cpu, &ticks);
    ck_assert_int_eq(cpu, 3);
    ck_assert_uint_eq(ticks.busy, 2);
    ck_assert_ptr_null(ticks_of_line(next, &cpu, &ticks));
}
END_TEST

START_TEST(old_kernels_have_fewer_fields_and_cut_lines_are_none)
{
    struct ticks ticks;
    int cpu;

    ck_assert_ptr_nonnull(ticks_of_line("cpu 10 0 5 85\n", &cpu, &ticks));
    ck_assert_uint_eq(ticks.busy, 15);
    ck_assert_uint_eq(ticks.all, 100);
    ck_assert_ptr_null(ticks_of_line("cpu 10 0 5 85", &cpu, &ticks));
    ck_assert_ptr_null(ticks_of_line("cpu one two\n", &cpu, &ticks));
    ck_assert_ptr_null(ticks_of_line("cpux 1 2 3\n", &cpu, &ticks));
    ck_assert_ptr_null(ticks_of_line("", &cpu, &ticks));
}
END_TEST

/* 10 W idle to 50 W, a straight line. */
static struct power_curve line_curve(void)
{
    struct power_curve curve = { .a = NAN };

    for (int i = 0; i < CURVE_POINTS; i++)
        curve.at_w[i] = 10 + 4 * i;
    return curve;
}

/* Of a processor of one CPU with that curve. */
static struct power_curve curve;
static struct load_energy energy;

static void begin(void)
{
    curve = line_curve();
    energy = (struct load_energy){ .curve = &curve, .factor = 1 };
}

static uint64_t at(struct load_energy *load, uint64_t now_ns, uint64_t busy, uint64_t all)
{
    uint64_t energy_uj = 0;

    ck_assert_int_eq(load_energy_at(load, now_ns, (struct ticks){ busy, all }, &energy_uj), 0);
    return energy_uj;
}

START_TEST(energy_is_power_at_the_mean_load_times_time)
{
    energy.factor = 2;
    /* 1 s with 2 CPUs: 50 of 200 ticks busy, 20 W, twice */
    ck_assert_uint_eq(at(&energy, 1000 * MS, 50, 200), 40000000);
    /* 2 s idle */
    ck_assert_uint_eq(at(&energy, 3000 * MS, 50, 600), 80000000);
    /* and 0.5 s busy */
    ck_assert_uint_eq(at(&energy, 3500 * MS, 150, 700), 130000000);
}
END_TEST

START_TEST(many_small_steps_add_up_to_one_long_one)
{
    struct load_energy small = { .curve = &curve, .factor = 1 }, large = small;
    uint64_t now_ns = 0, busy = 0, all = 0, before_uj = 0;

    /* 10 s in steps of 1 ms on 2 CPUs whose ticks of 10 ms come now and then, in bursts of work */
    for (int step = 1; step <= 10000; step++) {
        now_ns += MS;
        if (step % 5 == 0) {
            all++;
            busy += step % 1700 < 600;
        }
        const uint64_t now_uj = at(&small, now_ns, busy, all);
        ck_assert_uint_ge(now_uj, before_uj);
        before_uj = now_uj;
    }
    ck_assert_uint_eq(all, 2000);
    ck_assert_uint_eq(before_uj, at(&large, now_ns, busy, all));
}
END_TEST

START_TEST(an_open_piece_is_told_at_idle_until_a_tick_says_more)
{
    ck_assert_uint_eq(at(&energy, 5 * MS, 0, 0), 50000);      /* 10 W for 5 ms */
    ck_assert_uint_eq(at(&energy, 10 * MS, 1, 1), 500000);    /* 50 W for 10 ms */
    ck_assert_uint_eq(at(&energy, 20 * MS, 1, 3), 500000);    /* 23.3 W for 20 ms would be less: the higher stays */
    ck_assert_uint_eq(at(&energy, 50 * MS, 1, 5), 900000);    /* 18 W for 50 ms */
    ck_assert_uint_eq(at(&energy, 100 * MS, 1, 10), 1400000); /* settled: 14 W for 100 ms */
    ck_assert_uint_eq(energy.since_ns, 100 * MS);
}
END_TEST

START_TEST(ticks_that_stand_still_are_an_error)
{
    uint64_t energy_uj = 77;

    ck_assert_uint_eq(at(&energy, 100 * MS, 0, 0), 1000000);
    ck_assert_int_eq(load_energy_at(&energy, 101 * MS, (struct ticks){ 0, 0 }, &energy_uj), ENODATA);
    ck_assert_uint_eq(energy_uj, 77);
    /* when they go on, nothing of the time is lost: half busy */
    ck_assert_uint_eq(at(&energy, 400 * MS, 20, 40), 12000000);
}
END_TEST

START_TEST(ticks_that_go_back_keep_the_last_load)
{
    ck_assert_uint_eq(at(&energy, 1000 * MS, 100, 200), 30000000);
    ck_assert_uint_eq(at(&energy, 2000 * MS, 40, 90), 60000000); /* a CPU was taken away: half busy still */
    ck_assert_uint_eq(at(&energy, 3000 * MS, 40, 190), 70000000);
}
END_TEST

START_TEST(a_busy_share_above_one_is_full_load)
{
    ck_assert_uint_eq(at(&energy, 1000 * MS, 103, 100), 50000000);
}
END_TEST

UNIT_SUITE_IN("load_energy", begin, NULL, a_line_of_proc_stat_is_busy_and_all,
              old_kernels_have_fewer_fields_and_cut_lines_are_none, energy_is_power_at_the_mean_load_times_time,
              many_small_steps_add_up_to_one_long_one, an_open_piece_is_told_at_idle_until_a_tick_says_more,
              ticks_that_stand_still_are_an_error, ticks_that_go_back_keep_the_last_load,
              a_busy_share_above_one_is_full_load)
