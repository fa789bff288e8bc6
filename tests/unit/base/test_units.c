/* SPDX-License-Identifier: MIT
 * base/units: the unit that each size is told in, at both sides of every boundary. */
#include "unit.h"

#include "base/clock.h"

#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>

struct reported {
    double value;
    const char *text;
};

static void check(const char *(*form)(double value, char out[UNITS_SIZE]), const struct reported *reported,
                  size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char out[UNITS_SIZE];

        ck_assert_str_eq(form(reported[i].value, out), reported[i].text);
        ck_assert_ptr_eq(form(reported[i].value, out), out);
        if (reported[i].value > 0 && isfinite(reported[i].value)) { /* the same below 0 */
            char negative[UNITS_SIZE + 1];

            snprintf(negative, sizeof negative, "-%s", reported[i].text);
            ck_assert_str_eq(form(-reported[i].value, out), negative);
        }
    }
}

#define CHECK(form, reported) check(form, reported, sizeof(reported) / sizeof(reported)[0])

START_TEST(energies)
{
    static const struct reported reported[] = {
        { 0, "0 J" },
        { NAN, "unknown" },
        { INFINITY, "unknown" },
        { -INFINITY, "unknown" },
        { 2.5e-8, "0.0250 µJ" },
        { 1e-6, "1.00 µJ" },
        { 9.99e-4, "999 µJ" },
        { 9.994e-4, "999 µJ" },
        { 9.996e-4, "1.00 mJ" },
        { 1e-3, "1.00 mJ" },
        { 0.9994, "999 mJ" },
        { 0.9996, "1.00 J" },
        { 1, "1.00 J" },
        { 9.994, "9.99 J" },
        { 9.996, "10.0 J" },
        { 99.96, "100 J" },
        { 999.4, "999 J" },
        { 999.6, "1000 J" },
        { 1000, "1000 J" },
        { 9994, "9994 J" },
        { 9996, "10.0 kJ" },
        { 10000, "10.0 kJ" },
        { 9.994e5, "999 kJ" },
        { 9.996e5, "1.00 MJ" },
        { 9.994e8, "999 MJ" },
        { 9.996e8, "1.00 GJ" },
        { 9.994e11, "999 GJ" },
        { 9.996e11, "1.00 TJ" },
        { 5e15, "5000 TJ" },
    };

    CHECK(units_energy, reported);
}
END_TEST

START_TEST(powers)
{
    static const struct reported reported[] = {
        { 0, "0 W" },          { NAN, "unknown" },     { 9.994e-4, "999 µW" }, { 9.996e-4, "1.00 mW" },
        { 0.9994, "999 mW" },  { 0.9996, "1.00 W" },   { 999.4, "999 W" },     { 999.6, "1.00 kW" },
        { 9.994e5, "999 kW" }, { 9.996e5, "1.00 MW" },
    };

    CHECK(units_power, reported);
}
END_TEST

START_TEST(masses)
{
    static const struct reported reported[] = {
        { 0, "0 gCO2eq" },           { NAN, "unknown" },           { 1e-9, "1.00 µgCO2eq" },
        { 9.994e-7, "999 µgCO2eq" }, { 9.996e-7, "1.00 mgCO2eq" }, { 9.994e-4, "999 mgCO2eq" },
        { 9.996e-4, "1.00 gCO2eq" }, { 0.9994, "999 gCO2eq" },     { 0.9996, "1.00 kgCO2eq" },
        { 999.4, "999 kgCO2eq" },    { 999.6, "1.00 tCO2eq" },
    };

    CHECK(units_mass, reported);
}
END_TEST

/* 1024 of each are one of the next. */
START_TEST(sizes)
{
    static const struct reported reported[] = {
        { 0, "0 B" },         { 1, "1.00 B" },         { 1023, "1023 B" },         { 1024, "1.00 KiB" },
        { 1536, "1.50 KiB" }, { 1048576, "1.00 MiB" }, { 1073741824, "1.00 GiB" }, { 1099511627776, "1.00 TiB" },
    };

    CHECK(units_bytes, reported);
}
END_TEST

START_TEST(durations)
{
    static const struct reported reported[] = {
        { 0, "0 s" },
        { NAN, "unknown" },
        { 9.994e-4, "999 µs" },
        { 9.996e-4, "1.00 ms" },
        { 0.9994, "999 ms" },
        { 0.9996, "1.00 s" },
        { 12.44, "12.4 s" },
        { 599.4, "599 s" },
        { 600, "10 min 00 s" },
        { 659.4, "10 min 59 s" },
        { 659.6, "11 min 00 s" },
        { 3599.4, "59 min 59 s" },
        { 3599.6, "1 h 00 min" },
        { 3720, "1 h 02 min" },
        { 35999, "9 h 59 min" },
        { 36000, "10 h 00 min" },
        { 36029, "10 h 00 min" },
        { 36031, "10 h 01 min" },
    };

    CHECK(units_duration, reported);
}
END_TEST

START_TEST(digits)
{
    static const struct {
        double value;
        int digits;
        const char *text;
    } reported[] = {
        { 0, 3, "0.00" },
        { 9.994, 3, "9.99" },
        { 9.996, 3, "10.0" },
        { 0.09996, 3, "0.100" },
        { 1e-4, 3, "0.000100" },
        { 9.9e-5, 3, "9.90e-05" },
        { 9.9e14, 3, "990000000000000" },
        { 1e15, 3, "1.00e+15" },
        { 12345, 3, "12345" },
        { 12.345, 2, "12" },
        { -9.996, 3, "-10.0" },
        { NAN, 3, "unknown" },
    };

    for (size_t i = 0; i < sizeof reported / sizeof reported[0]; i++) {
        char out[UNITS_SIZE];

        ck_assert_str_eq(units_digits(reported[i].value, reported[i].digits, out), reported[i].text);
    }
}
END_TEST

START_TEST(conversions)
{
    ck_assert_double_eq(j_from_uj(1500000), 1.5);
    ck_assert_double_eq(s_from_ns(2500000000), 2.5);
    ck_assert_double_eq(J_PER_KWH, 1000.0 * 3600);
    ck_assert_double_eq(HOURS_PER_YEAR, 365.0 * 24);
}
END_TEST

START_TEST(the_first_line_of_a_text)
{
    char line[32];

    text_first_line("\n    DCMI request failed  \r\nand more\n", line, sizeof line);
    ck_assert_str_eq(line, "DCMI request failed");
    text_first_line("a\033[1mb\n", line, sizeof line);
    ck_assert_str_eq(line, "a?[1mb");
    text_first_line(" \n\n", line, sizeof line);
    ck_assert_str_eq(line, "");
    text_first_line("0123456789012345678901234567890123456789", line, sizeof line);
    ck_assert_str_eq(line, "0123456789012345678901234567890");
}
END_TEST

/* Slewing is none; what is told is by how much, with its sign. */
START_TEST(a_clock_that_was_set)
{
    const uint64_t begun_ns = UINT64_C(1790000000000000000), s_ns = UINT64_C(1000000000);

    ck_assert_int_eq(clock_set_ns(begun_ns, begun_ns + 10 * s_ns, 10 * s_ns), 0);
    ck_assert_int_eq(clock_set_ns(begun_ns, begun_ns + 10 * s_ns + s_ns / 2, 10 * s_ns), 0);
    ck_assert_int_eq(clock_set_ns(begun_ns, begun_ns + 86400 * s_ns + 40 * s_ns, 86400 * s_ns), 0);
    ck_assert_int_eq(clock_set_ns(begun_ns, begun_ns + 3610 * s_ns, 10 * s_ns), (int64_t)(3600 * s_ns));
    ck_assert_int_eq(clock_set_ns(begun_ns, begun_ns - 3590 * s_ns, 10 * s_ns), -(int64_t)(3600 * s_ns));
    ck_assert_int_eq(clock_set_ns(begun_ns, begun_ns - 7 * 86400 * s_ns + 10 * s_ns, 10 * s_ns),
                     -(int64_t)(7 * 86400 * s_ns));
}
END_TEST

UNIT_SUITE("units", energies, powers, masses, sizes, durations, digits, conversions, the_first_line_of_a_text,
           a_clock_that_was_set)
