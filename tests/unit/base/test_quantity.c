/* SPDX-License-Identifier: MIT
 * Quantities as people type them: each unit against its size by hand, and what is none. */
#include "base/parse_quantity.h"
#include "unit.h"

#include <math.h>
#include <string.h>

#define COUNT(items) (sizeof(items) / sizeof(items)[0])

START_TEST(durations_have_units)
{
    static const char *const wrong[] = {
        "", "2", "h", "2x", "0h", "-2h", "2h3", "30m2h", "2h2h", "2 hh", "5M", "2h-5m"
    };
    double value;

    ck_assert(quantity_duration("90m", &value) && value == 5400);
    ck_assert(quantity_duration("2h", &value) && value == 7200);
    ck_assert(quantity_duration("2h30m", &value) && value == 9000);
    ck_assert(quantity_duration("1.5 d", &value) && value == 129600);
    ck_assert(quantity_duration("45s", &value) && value == 45);
    ck_assert(quantity_duration("250 ms", &value) && value == 0.25);
    for (size_t i = 0; i < COUNT(wrong); i++)
        ck_assert_msg(!quantity_duration(wrong[i], &value), "'%s'", wrong[i]);
}
END_TEST

START_TEST(each_text_has_its_value)
{
    static const struct {
        enum quantity quantity;
        const char *text;
        double value;
    } reported[] = {
        { QUANTITY_INTENSITY, "41", 41 },
        { QUANTITY_INTENSITY, "41g", 41 },
        { QUANTITY_INTENSITY, "41 g", 41 },
        { QUANTITY_INTENSITY, "41 g/kWh", 41 },
        { QUANTITY_INTENSITY, "41gCO2/kWh", 41 },
        { QUANTITY_INTENSITY, "41 gCO2eq per kWh", 41 },
        { QUANTITY_INTENSITY, "41 g CO₂e / kWh", 41 },
        { QUANTITY_INTENSITY, "41gco2-eq/kwh", 41 },
        { QUANTITY_INTENSITY, "0.041kg", 41 },
        { QUANTITY_INTENSITY, "0.041 kgCO2eq/kWh", 41 },
        { QUANTITY_INTENSITY, "41kg/MWh", 41 },
        { QUANTITY_INTENSITY, "0.041 tCO2e/MWh", 41 },
        { QUANTITY_INTENSITY, "41000 mg/kWh", 41 },
        { QUANTITY_INTENSITY, "1000 lb/MWh", 453.59237 },
        { QUANTITY_INTENSITY, "100 g/MJ", 360 },
        { QUANTITY_INTENSITY, "4.1e1g", 41 },
        { QUANTITY_SECONDS, "5", 5 },
        { QUANTITY_SECONDS, "5s", 5 },
        { QUANTITY_SECONDS, "1.5 hours", 5400 },
        { QUANTITY_SECONDS, "1m 30s", 90 },
        { QUANTITY_HOURS, "8h", 8 },
        { QUANTITY_HOURS, "90min", 1.5 },
        { QUANTITY_HOURS, "2d", 48 },
        { QUANTITY_YEARS, "4y", 4 },
        { QUANTITY_YEARS, "730d", 2 },
        { QUANTITY_POWER, "100W", 100 },
        { QUANTITY_POWER, "0.1kW", 100 },
        { QUANTITY_POWER, "100w", 100 },
        { QUANTITY_POWER, "500mW", 0.5 },
        { QUANTITY_ENERGY, "1.3kWh", 4.68e6 },
        { QUANTITY_ENERGY, "1.3kwh", 4.68e6 },
        { QUANTITY_ENERGY, "400 Wh", 1.44e6 },
        { QUANTITY_ENERGY, "5MJ", 5e6 },
        { QUANTITY_ENERGY, "5mJ", 5e-3 },
        { QUANTITY_ENERGY, "3.6e6 J", 3.6e6 },
        { QUANTITY_ENERGY, "0J", 0 },
        { QUANTITY_SHARE, "50%", 0.5 },
        { QUANTITY_SHARE, "0.5", 0.5 },
        { QUANTITY_PERCENT, "5 %", 5 },
        { QUANTITY_PERCENT, "5", 5 },
        { QUANTITY_MASS, "1200 kgCO2eq", 1200 },
        { QUANTITY_MASS, "1.2t", 1200 },
        { QUANTITY_GIGABYTES, "8GiB", 8.589934592 },
        { QUANTITY_GIGABYTES, "512MB", 0.512 },
        { QUANTITY_MEGABYTES, "1GB", 1000 },
        { QUANTITY_WATER, "1.8 L/kWh", 1.8 },
        { QUANTITY_WATER, "1800mL/kWh", 1.8 },
    };
    double value;

    for (size_t i = 0; i < COUNT(reported); i++) {
        ck_assert_msg(quantity_of(reported[i].quantity, reported[i].text, &value), "'%s' is refused", reported[i].text);
        ck_assert_msg(fabs(value - reported[i].value) <= 1e-14 * reported[i].value, "'%s': %.17g", reported[i].text,
                      value);
    }
}
END_TEST

/* Powers of ten are put behind the digits, so that a unit changes no bit. */
START_TEST(powers_of_ten_are_exact)
{
    static const char *const pairs[][2] = {
        { "41.44g", "0.04144kg" },
        { "84.879g", "0.084879 kg" },
        { "23.52", "0.02352kg" },
        { "712.3 g", "0.7123t/MWh" },
    };
    double one, other;

    for (size_t i = 0; i < COUNT(pairs); i++) {
        ck_assert(quantity_of(QUANTITY_INTENSITY, pairs[i][0], &one));
        ck_assert(quantity_of(QUANTITY_INTENSITY, pairs[i][1], &other) && one == other);
    }
    ck_assert(quantity_scaled(QUANTITY_INTENSITY, "84.879", -3, &one) && one == 0.084879);
    ck_assert(quantity_scaled(QUANTITY_INTENSITY, "0.084879kg", -3, &one) && one == 0.084879);
}
END_TEST

START_TEST(what_is_none_is_refused)
{
    static const struct {
        enum quantity quantity;
        const char *text;
    } wrong[] = {
        { QUANTITY_ENERGY, "5" },
        { QUANTITY_ENERGY, "5kw" },
        { QUANTITY_ENERGY, "1eJ" },
        { QUANTITY_ENERGY, "5J5J" },
        { QUANTITY_ENERGY, "5mwh" },
        { QUANTITY_POWER, "5Mw" },
        { QUANTITY_INTENSITY, "41t" },
        { QUANTITY_INTENSITY, "41G" },
        { QUANTITY_INTENSITY, "41kWh" },
        { QUANTITY_INTENSITY, "g" },
        { QUANTITY_INTENSITY, "41 g/kWh x" },
        { QUANTITY_SHARE, "50%%" },
        { QUANTITY_SECONDS, "nan" },
        { QUANTITY_SECONDS, "1e999s" },
        { QUANTITY_SECONDS, "0,5s" },
        { QUANTITY_POWER, "" },
        { QUANTITY_POWER, "--5W" },
        { QUANTITY_NONE, "5W" },
        { QUANTITY_SECONDS, "5a-unit-whose-name-is-longer-than-any-other" },
    };
    double value;

    for (size_t i = 0; i < COUNT(wrong); i++)
        ck_assert_msg(!quantity_of(wrong[i].quantity, wrong[i].text, &value), "'%s'", wrong[i].text);
    ck_assert_str_eq(quantity_named_by("5kWh"), "energy");
    ck_assert_str_eq(quantity_named_by("5 g/kWh"), "intensity");
    ck_assert_ptr_null(quantity_named_by("5"));
    ck_assert_ptr_null(quantity_named_by("5x"));
}
END_TEST

UNIT_SUITE("quantity", durations_have_units, each_text_has_its_value, powers_of_ten_are_exact, what_is_none_is_refused)
