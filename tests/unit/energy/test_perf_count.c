/* SPDX-License-Identifier: MIT
 * The arithmetic of perf's counts: none is lost, and a step back is a wrap or a fault. */
#include "energy/perf_count.h"
#include "unit.h"

#include <errno.h>

/* Counts are 2^-32 J; the unit of most Intel packages is 61035 nJ, that is 262143 of them. */
enum { HARDWARE_UNIT = 262143 };

static struct perf_count rapl_count(void)
{
    return (struct perf_count){ .uj_per_count = 1e6L / 0x1p32L };
}

START_TEST(fractions_are_not_lost)
{
    struct perf_count count = rapl_count();
    uint64_t raw = 0;

    /* 2^32 counts in steps of 4099: each is 0.95 µJ */
    while (raw + 4099 < UINT64_C(1) << 32) {
        raw += 4099;
        ck_assert_int_eq(perf_count_add(&count, raw), 0);
    }
    ck_assert_int_eq(perf_count_add(&count, UINT64_C(1) << 32), 0);
    ck_assert_uint_eq(count.energy_uj, 1000000);
    ck_assert(count.rest_uj == 0);
}
END_TEST

START_TEST(a_year_of_counts_is_exact)
{
    struct perf_count count = rapl_count();
    uint64_t raw = 0;

    /* 700 W read every 10 s: 7000 J a step, far beyond 2^64 counts in the end */
    for (int i = 0; i < 365 * 8640; i++) {
        raw += UINT64_C(7000) << 32;
        ck_assert_int_eq(perf_count_add(&count, raw), 0);
    }
    ck_assert_uint_eq(count.energy_uj, UINT64_C(365) * 8640 * 7000 * 1000000);
}
END_TEST

START_TEST(nanojoule_scale)
{
    struct perf_count count = { .uj_per_count = 1e-9 * 1e6L };

    ck_assert_int_eq(perf_count_add(&count, 999), 0);
    ck_assert_uint_eq(count.energy_uj, 0);
    ck_assert_int_eq(perf_count_add(&count, 1500), 0);
    ck_assert_uint_eq(count.energy_uj, 1);
    ck_assert_int_eq(perf_count_add(&count, UINT64_C(3600000000000)), 0);
    ck_assert_uint_eq(count.energy_uj, UINT64_C(3600000000));
}
END_TEST

START_TEST(step_back_by_the_range_is_a_wrap)
{
    static const uint64_t units[] = { 1, HARDWARE_UNIT, 65532, 65712 };

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        struct perf_count count = { .uj_per_count = 1 };
        const uint64_t unit = units[i];
        uint64_t raw = 0;

        /* up to 1000 units below the end, in uneven steps; then 1500 on */
        ck_assert_int_eq(perf_count_add(&count, raw += 1000003 * unit), 0);
        ck_assert_int_eq(perf_count_add(&count, raw += 1000001 * unit), 0);
        raw += ((UINT64_C(1) << 32) - 1000 - 2000004) * unit;
        ck_assert_int_eq(perf_count_add(&count, raw), 0);
        raw += 1500 * unit - (unit << 32);
        ck_assert_int_eq(perf_count_add(&count, raw), 0);
        ck_assert_uint_eq(count.energy_uj, ((UINT64_C(1) << 32) + 500) * unit);
        ck_assert_int_eq(perf_count_add(&count, raw + 7 * unit), 0);
        ck_assert_uint_eq(count.energy_uj, ((UINT64_C(1) << 32) + 507) * unit);
    }
}
END_TEST

START_TEST(wrap_below_zero)
{
    struct perf_count count = { .uj_per_count = 1 };

    /* the register was near its end when the event was opened: the count turns negative */
    ck_assert_int_eq(perf_count_add(&count, 5), 0);
    ck_assert_int_eq(perf_count_add(&count, 12), 0);
    ck_assert_int_eq(perf_count_add(&count, 20 - (UINT64_C(1) << 32)), 0);
    ck_assert_uint_eq(count.energy_uj, 20);
}
END_TEST

START_TEST(other_steps_back_are_faults)
{
    struct perf_count count = { .uj_per_count = 1 };
    const uint64_t high = UINT64_C(1) << 31;

    ck_assert_int_eq(perf_count_add(&count, high + 1), 0);
    ck_assert_int_eq(perf_count_add(&count, high + 4), 0);
    ck_assert_int_eq(perf_count_add(&count, 4), EIO); /* a failed read counts as a register of 0 */
    ck_assert_uint_eq(count.energy_uj, high + 4);
    ck_assert_int_eq(perf_count_add(&count, 10), 0); /* and on from there */
    ck_assert_uint_eq(count.energy_uj, high + 10);
    ck_assert_int_eq(perf_count_add(&count, 9), EIO);
    ck_assert_uint_eq(count.energy_uj, high + 10);
}
END_TEST

UNIT_SUITE("perf_count", fractions_are_not_lost, a_year_of_counts_is_exact, nanojoule_scale,
           step_back_by_the_range_is_a_wrap, wrap_below_zero, other_steps_back_are_faults)
