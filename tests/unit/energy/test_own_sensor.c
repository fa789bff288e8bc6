/* SPDX-License-Identifier: MIT
 * A card's counter that is held against the card's own sensor of power. */
#include "energy/own_sensor.h"
#include "unit.h"

#include "base/units.h"

#define J UINT64_C(1000000)
#define MOST_W 1000.0

static struct own_sensor own;
static uint64_t told_uj;

static enum counter_fault take(double at_s, uint64_t counter_uj, double power_w)
{
    return own_sensor_take(&own, (uint64_t)(at_s * 1e9) + 1, counter_uj, power_w, MOST_W, &told_uj);
}

START_TEST(a_counter_that_agrees_is_believed)
{
    own = OWN_SENSOR_NONE;
    for (unsigned s = 0; s < 60; s++) {
        ck_assert_int_eq(take(s, 500 * J + s * 200 * J, s % 2 ? 150 : 250), COUNTER_SOUND);
        ck_assert_uint_eq(told_uj, 500 * J + s * 200 * J);
    }
}
END_TEST

/* From its last move on, which was at 2 s. */
START_TEST(a_frozen_counter_gives_way_to_the_sensor)
{
    own = OWN_SENSOR_NONE;
    ck_assert_int_eq(take(0, 100 * J, 200), COUNTER_SOUND);
    ck_assert_int_eq(take(2, 500 * J, 200), COUNTER_SOUND);
    ck_assert_int_eq(take(2.4, 500 * J, 200), COUNTER_SOUND); /* it may not have been refreshed */
    ck_assert_int_eq(take(2.6, 500 * J, 200), COUNTER_FROZEN);
    ck_assert_uint_eq(told_uj, 620 * J);
}
END_TEST

START_TEST(a_card_that_draws_nothing_may_stand_still)
{
    own = OWN_SENSOR_NONE;
    for (unsigned s = 0; s < 100; s++)
        ck_assert_int_eq(take(s, 500 * J, 0.01), COUNTER_SOUND);
}
END_TEST

START_TEST(a_jump_ahead)
{
    own = OWN_SENSOR_NONE;
    ck_assert_int_eq(take(0, 100 * J, 200), COUNTER_SOUND);
    ck_assert_int_eq(take(1, 300 * J, 200), COUNTER_SOUND);
    ck_assert_int_eq(take(2, 1500 * J, 200), COUNTER_SOUND); /* 1000 W, and what it may tell at once */
    ck_assert_int_eq(take(3, 2701 * J, 200), COUNTER_IMPOSSIBLE);
    ck_assert_uint_eq(told_uj, 1700 * J);
}
END_TEST

/* A unit that is wrong by ten is seen after five seconds; a burst that the sensor misses is not. */
START_TEST(what_differs_for_long_contradicts)
{
    for (int less = 0; less < 2; less++) {
        own = OWN_SENSOR_NONE;
        for (unsigned s = 0; s < 6; s++)
            ck_assert_int_eq(take(s, 100 * J + s * (less ? 5 * J : 500 * J), 50),
                             s < 5 ? COUNTER_SOUND : COUNTER_DIFFERENT);
    }
    own = OWN_SENSOR_NONE;
    for (unsigned s = 0; s < 60; s++)
        ck_assert_int_eq(take(s, 100 * J + s * 50 * J + s / 5 * 600 * J, 50), COUNTER_SOUND);
}
END_TEST

START_TEST(a_reset_and_a_failure_begin_anew)
{
    own = OWN_SENSOR_NONE;
    ck_assert_int_eq(take(0, 5000 * J, 200), COUNTER_SOUND);
    ck_assert_int_eq(take(1, 100 * J, 200), COUNTER_SOUND);
    ck_assert_uint_eq(told_uj, 100 * J);
    own_sensor_missed(&own);
    ck_assert_int_eq(take(9, 100 * J, 200), COUNTER_SOUND);
    ck_assert_int_eq(take(9.5, 100 * J, 200), COUNTER_FROZEN);
    ck_assert_uint_eq(told_uj, 200 * J);
}
END_TEST

UNIT_SUITE("own_sensor", a_counter_that_agrees_is_believed, a_frozen_counter_gives_way_to_the_sensor,
           a_card_that_draws_nothing_may_stand_still, a_jump_ahead, what_differs_for_long_contradicts,
           a_reset_and_a_failure_begin_anew)
