/* SPDX-License-Identifier: MIT
 * A card's counter that is held against the card's own sensor of power. */
#include "energy/own_sensor.h"
#include "unit.h"

#include "base/units.h"

#define J UINT64_C(1000000)
#define MAX_W 1000.0

static struct domain card = { .resolution_uj = 1 };
static struct own_sensor own;
static uint64_t reported_uj;

static enum counter_fault take(double at_s, uint64_t counter_uj, double power_w)
{
    return own_sensor_take(&own, (uint64_t)(at_s * 1e9) + 1, counter_uj, power_w, MAX_W, &reported_uj);
}

START_TEST(a_counter_that_agrees_is_believed)
{
    own = own_sensor_of(&card, 100000000);
    for (unsigned s = 0; s < 60; s++) {
        ck_assert_int_eq(take(s, 500 * J + s * 200 * J, s % 2 ? 150 : 250), COUNTER_SOUND);
        ck_assert_uint_eq(reported_uj, 500 * J + s * 200 * J);
    }
}
END_TEST

/* From its last move on, which was at 2 s. */
START_TEST(a_frozen_counter_gives_way_to_the_sensor)
{
    own = own_sensor_of(&card, 100000000);
    ck_assert_int_eq(take(0, 100 * J, 200), COUNTER_SOUND);
    ck_assert_int_eq(take(2, 500 * J, 200), COUNTER_SOUND);
    ck_assert_int_eq(take(2.4, 500 * J, 200), COUNTER_SOUND); /* it may not have been refreshed */
    ck_assert_int_eq(take(2.6, 500 * J, 200), COUNTER_FROZEN);
    ck_assert_uint_eq(reported_uj, 620 * J);
}
END_TEST

START_TEST(a_card_that_draws_nothing_may_stand_still)
{
    own = own_sensor_of(&card, 100000000);
    for (unsigned s = 0; s < 100; s++)
        ck_assert_int_eq(take(s, 500 * J, 0.01), COUNTER_SOUND);
}
END_TEST

START_TEST(a_jump_ahead)
{
    own = own_sensor_of(&card, 100000000);
    ck_assert_int_eq(take(0, 100 * J, 200), COUNTER_SOUND);
    ck_assert_int_eq(take(1, 300 * J, 200), COUNTER_SOUND);
    ck_assert_int_eq(take(2, 1500 * J, 200), COUNTER_SOUND); /* 1000 W, and what it may tell at once */
    ck_assert_int_eq(take(3, 2701 * J, 200), COUNTER_IMPOSSIBLE);
    ck_assert_uint_eq(reported_uj, 1700 * J);
}
END_TEST

/* A unit that is wrong by ten is seen after five seconds; a burst that the sensor misses is not. */
START_TEST(what_differs_for_long_contradicts)
{
    for (int less = 0; less < 2; less++) {
        own = own_sensor_of(&card, 100000000);
        for (unsigned s = 0; s < 6; s++)
            ck_assert_int_eq(take(s, 100 * J + s * (less ? 5 * J : 500 * J), 50),
                             s < 5 ? COUNTER_SOUND : COUNTER_DIFFERENT);
    }
    own = own_sensor_of(&card, 100000000);
    for (unsigned s = 0; s < 60; s++)
        ck_assert_int_eq(take(s, 100 * J + s * 50 * J + s / 5 * 600 * J, 50), COUNTER_SOUND);
}
END_TEST

/* A chip that is asked once a second. */
START_TEST(a_slower_counter_has_more_time)
{
    own = own_sensor_of(&card, 1000000000);
    ck_assert_uint_eq(card.held_ns, UINT64_C(5000000000));
    ck_assert_int_eq(take(0, 100 * J, 200), COUNTER_SOUND);
    ck_assert_int_eq(take(4.9, 100 * J, 200), COUNTER_SOUND);
    ck_assert_int_eq(take(5, 100 * J, 200), COUNTER_FROZEN);
    ck_assert_uint_eq(reported_uj, 1100 * J);
    own = own_sensor_of(&card, 1000000000);
    for (unsigned s = 0; s <= 50; s++) /* a third of what it should */
        ck_assert_int_eq(take(s, 100 * J + s * 5 * J, 50), s < 50 ? COUNTER_SOUND : COUNTER_DIFFERENT);
}
END_TEST

/* Steps of 10 J are no standstill. */
START_TEST(a_coarse_counter_stands_between_its_steps)
{
    struct domain coarse = { .resolution_uj = 10 * J };

    own = own_sensor_of(&coarse, 100000000);
    for (unsigned s = 0; s < 40; s++)
        ck_assert_int_eq(take(s, s / 4 * 10 * J, 5), COUNTER_SOUND);
}
END_TEST

static struct reading hold(double at_s, uint64_t counter_uj, int counter_error, double power_w, int power_error)
{
    struct reading reading = { .energy_uj = counter_uj, .error = counter_error };

    own_sensor_hold(&own, &card, (uint64_t)(at_s * 1e9) + 1, power_error, power_w * 1e6, &reading);
    return reading;
}

START_TEST(a_reset_and_a_failure_begin_anew)
{
    card = (struct domain){ .resolution_uj = 1, .component = COMPONENT_GPU, .name = "gpu-0" };
    own = own_sensor_of(&card, 100000000);
    ck_assert_uint_eq(hold(0, 5000 * J, 0, 200, 0).energy_uj, 5000 * J);
    ck_assert_uint_eq(hold(1, 100 * J, 0, 200, 0).energy_uj, 100 * J); /* its driver was loaded anew */
    ck_assert_uint_eq(hold(2, 100 * J, 0, 0, 5).energy_uj, 100 * J);
    ck_assert_int_eq(hold(3, 0, 5, 200, 0).error, 5);
    ck_assert_uint_eq(hold(9, 100 * J, 0, 200, 0).energy_uj, 100 * J);
    ck_assert(!own.left);
    ck_assert_uint_eq(hold(9.5, 100 * J, 0, 200, 0).energy_uj, 200 * J);
    ck_assert(own.left);
    ck_assert_int_eq(card.doubt.notice, NOTICE_FROZEN);
    ck_assert_uint_eq(card.poll_ns, 100000000);
    /* from now on it is a sensor: a failure of it is one */
    ck_assert_uint_eq(hold(10.5, 7, 0, 300, 0).energy_uj, 450 * J);
    ck_assert_int_eq(hold(11, 7, 0, 0, 5).error, 5);
    ck_assert(hold(12, 7, 0, 300, 0).restarted);
}
END_TEST

UNIT_SUITE("own_sensor", a_counter_that_agrees_is_believed, a_frozen_counter_gives_way_to_the_sensor,
           a_card_that_draws_nothing_may_stand_still, a_jump_ahead, what_differs_for_long_contradicts,
           a_slower_counter_has_more_time, a_coarse_counter_stands_between_its_steps, a_reset_and_a_failure_begin_anew)
