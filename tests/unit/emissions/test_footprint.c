/* SPDX-License-Identifier: MIT
 * emissions/footprint and emissions/duty: sums that can be redone by hand. */
#include "emissions/factor.h"

#include "unit.h"

#include <math.h>
#include <string.h>

#define CLOSE 1e-12

static void check_relative(double value, double expected, double tolerance)
{
    ck_assert_msg(fabs(value - expected) <= fabs(expected) * tolerance, "%.17g, expected %.17g", value, expected);
}

START_TEST(one_kilowatt_hour_is_3600000_joules)
{
    const struct footprint footprint = footprint_of(3.6e6, 1, 0.5);

    ck_assert_double_eq(footprint.it_kwh, 1);
    ck_assert_double_eq(footprint.facility_kwh, 1);
    ck_assert_double_eq(footprint.kgco2eq, 0.5);
}
END_TEST

/* The published annual figure of a broker at 8 hours a day: 31.27 kgCO2eq. */
START_TEST(a_year_at_eight_hours_a_day)
{
    double hours;
    struct error err;

    ck_assert(duty_hours_per_year("8h/d", &hours, &err));
    ck_assert_double_eq(hours, 2920);
    const struct footprint footprint = footprint_of(100.9447441101074 * hours * 3600, 1.25, 84.879 / 1000);
    check_relative(footprint.it_kwh, 294.758652801513608, CLOSE);
    check_relative(footprint.facility_kwh, 368.44831600189201, CLOSE);
    check_relative(footprint.kgco2eq, 31.273524613924593, CLOSE);
    ck_assert_double_eq(round(footprint.kgco2eq * 100) / 100, 31.27);
}
END_TEST

START_TEST(a_published_figure_of_an_hour)
{
    const struct footprint footprint = footprint_of(1.58 * 3.6e6, 1, 56.039 / 1000);

    check_relative(footprint.kgco2eq, 0.08854162, CLOSE);
    ck_assert_double_eq(round(footprint.kgco2eq * 1e4) / 1e4, 0.0885);
}
END_TEST

START_TEST(small_and_negative_energies_stay_what_they_are)
{
    check_relative(footprint_of(0.048, 1, 0.4).it_kwh, 1.3333333333333333e-8, CLOSE);
    check_relative(footprint_of(7920, 1, 0.4).kgco2eq, 0.00088, CLOSE);
    check_relative(footprint_of(-3.6e6, 1.5, 0.2).kgco2eq, -0.3, CLOSE);
    ck_assert_double_eq(footprint_of(3.6e6, 1.2, 0).kgco2eq, 0);
    ck_assert(isnan(footprint_of(NAN, 1, 0.4).kgco2eq));
    ck_assert(isnan(footprint_of(NAN, 1, 0.4).it_kwh));
    ck_assert(isnan(footprint_of(1, 1, NAN).kgco2eq));
    ck_assert_double_eq(footprint_of(3.6e6, 1, NAN).it_kwh, 1);
}
END_TEST

START_TEST(bases_have_names)
{
    enum factor_basis basis;

    ck_assert(factor_basis_of("direct", &basis));
    ck_assert_int_eq(basis, FACTOR_DIRECT);
    ck_assert(factor_basis_of("lifecycle", &basis));
    ck_assert_int_eq(basis, FACTOR_LIFECYCLE);
    ck_assert(!factor_basis_of("Direct", &basis));
    ck_assert(!factor_basis_of("", &basis));
    ck_assert_str_eq(factor_basis_name(FACTOR_DIRECT), "direct");
    ck_assert_str_eq(factor_basis_name(FACTOR_LIFECYCLE), "lifecycle");
}
END_TEST

START_TEST(duties_are_read)
{
    static const struct {
        const char *text;
        double hours;
    } duties[] = {
        { "8h/d", 2920 },  { "24h/d", 8760 }, { "8h/d x 250", 2000 }, { "8h/dx250", 2000 }, { " 7.5 h/d x 220 ", 1650 },
        { "2000h", 2000 }, { "8760h", 8760 }, { "0.5h", 0.5 },        { "50%", 4380 },      { "100 %", 8760 },
        { "12.5%", 1095 },
    };

    for (size_t i = 0; i < sizeof duties / sizeof duties[0]; i++) {
        struct error err = { 0 };
        double hours = NAN;
        ck_assert_msg(duty_hours_per_year(duties[i].text, &hours, &err), "%s: %s", duties[i].text, err.what);
        ck_assert_double_eq(hours, duties[i].hours);
    }
}
END_TEST

START_TEST(duties_that_no_year_has_are_refused)
{
    static const char *const duties[] = {
        "",     "8",     "h",          "8h/d x",   "25h/d", "0h",   "0%",   "101%",   "8761h",
        "8h/w", "-8h/d", "8h/d x 366", "8h/d x 0", "9e3h",  "nan%", "infh", "8h/d y", "8h/d x 250 x",
        "50%%", "8 0h",  "8h/day",     "0x10h",
    };

    for (size_t i = 0; i < sizeof duties / sizeof duties[0]; i++) {
        struct error err = { 0 };
        double hours = 77;
        ck_assert_msg(!duty_hours_per_year(duties[i], &hours, &err), "'%s' was read as %g h", duties[i], hours);
        ck_assert_int_eq(err.kind, ERROR_USAGE);
        ck_assert_ptr_nonnull(strstr(err.what, duties[i]));
        ck_assert_str_eq(err.fix, "write it as 8h/d, '8h/d x 250', 2000h or 50%");
        ck_assert_double_eq(hours, 77);
    }
}
END_TEST

UNIT_SUITE("footprint", one_kilowatt_hour_is_3600000_joules, a_year_at_eight_hours_a_day, a_published_figure_of_an_hour,
           small_and_negative_energies_stay_what_they_are, bases_have_names, duties_are_read,
           duties_that_no_year_has_are_refused)
