/* SPDX-License-Identifier: MIT
 * Batteries that lose what they give, and such that were made up. */
#include "energy/battery_life.h"
#include "unit.h"

#include "base/units.h"

#define FULL_UJ (50 * 3600 * 1e6) /* 50 Wh, of which 2 % are 3600 J */

static struct battery_life life;

static void begin(void)
{
    life = (struct battery_life){ .begun = false };
}

static bool lives(double at_s, double power_w, double charge)
{
    return battery_lives(&life, (uint64_t)(at_s * 1e9) + 1, power_w * UJ_PER_J, charge, FULL_UJ);
}

/* In steps of a per cent, 1800 J: at 10 W one in 180 s. */
START_TEST(a_charge_that_falls_is_a_batterys)
{
    for (int s = 0; s < 3600; s++)
        ck_assert_msg(lives(s, 10, 50e6 - s / 180 * 0.5e6), "%d s", s);
}
END_TEST

START_TEST(a_charge_that_stands_while_2_per_cent_are_drawn_is_none)
{
    for (int s = 0; s < 360; s++)
        ck_assert_msg(lives(s, s % 2 ? 9 : 11, 40e6), "%d s", s); /* whatever its power does */
    ck_assert(!lives(362, 10, 40e6));
    ck_assert(!lives(363, 10, 40e6));
    ck_assert(lives(364, 10, 39e6));
}
END_TEST

/* 3600 J in 36 s are much: a controller may not have looked yet. */
START_TEST(a_minute_is_waited)
{
    for (int s = 0; s < 60; s++)
        ck_assert_msg(lives(s, 100, 40e6), "%d s", s);
    ck_assert(!lives(60, 100, 40e6));
}
END_TEST

START_TEST(without_a_charge_the_power_must_change)
{
    for (int s = 0; s < 300; s++)
        ck_assert_msg(lives(s, 5, 0), "%d s", s);
    ck_assert(!lives(300, 5, 0));
    ck_assert(lives(301, 5.001, 0));
    for (int s = 302; s < 601; s++)
        ck_assert_msg(lives(s, 5.001, 0), "%d s", s);
    battery_life_missed(&life);
    ck_assert(lives(700, 5.001, 0));
    ck_assert(lives(999, 5.001, 0));
    ck_assert(!lives(1000, 5.001, 0));
}
END_TEST

UNIT_SUITE_IN("battery_life", begin, NULL, a_charge_that_falls_is_a_batterys,
              a_charge_that_stands_while_2_per_cent_are_drawn_is_none, a_minute_is_waited,
              without_a_charge_the_power_must_change)
