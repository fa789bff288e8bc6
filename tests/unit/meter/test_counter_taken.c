/* SPDX-License-Identifier: MIT
 * What a meter makes of a counter's readings: those that fail, sleeps, counters that come back. */
#include "unit.h"

#include "base/units.h"
#include "meter/meter.h"

#include <errno.h>

#define RANGE_UJ UINT64_C(262143328850) /* max_energy_range_uj at 2^-14 J */
#define MODULUS_UJ (RANGE_UJ + 61)
#define SMALL_MODULUS_UJ (UINT64_C(65532610987) + 15)

static struct domain package;
static struct meter_domain state;

static void begin(void)
{
    package = (struct domain){ .name = "package-0", .component = COMPONENT_PACKAGE, .wraps_at_uj = MODULUS_UJ };
    state = (struct meter_domain){ .domain = &package };
}

/* A sound reading, so many seconds from the beginning. */
static void take(uint64_t energy_uj, unsigned at_s)
{
    meter_domain_take(&state, &(struct reading){ .energy_uj = energy_uj }, at_s * NS_PER_S_INT, false);
}

/* A sum is no more than it can hold. */
START_TEST(a_total_does_not_overflow)
{
    package.wraps_at_uj = 0;
    state.total_uj = UINT64_MAX - 5;
    take(10, 0);
    take(15, 1);
    ck_assert_uint_eq(state.total_uj, UINT64_MAX);
    ck_assert_uint_eq(state.resets, 0);
    take(16, 2);
    ck_assert_uint_eq(state.total_uj, UINT64_MAX);
    ck_assert_uint_eq(state.resets, 1);
}
END_TEST

/* An hour at 700 W through a counter of 65.5 kJ, read every 10 s. */
START_TEST(an_hour_of_wraps_loses_nothing)
{
    uint64_t used_uj = 0;

    package.wraps_at_uj = SMALL_MODULUS_UJ;
    for (unsigned s = 0; s <= 3600; s += 10) {
        const struct reading reading = { .energy_uj = (123456 + used_uj) % SMALL_MODULUS_UJ };
        meter_domain_take(&state, &reading, s * NS_PER_S_INT, false);
        used_uj += UINT64_C(7000000001); /* in 10 s */
    }
    ck_assert_uint_eq(state.total_uj, 360 * UINT64_C(7000000001));
    ck_assert_uint_eq(state.wraps, 38);
    ck_assert_uint_eq(state.resets + state.missed_reads + state.ambiguous_gaps, 0);
    /* and then not for 33 s, in which 2 kW would have come round */
    take(1, 3633);
    ck_assert_uint_eq(state.ambiguous_gaps, 1);
    ck_assert_uint_eq(state.total_uj, 360 * UINT64_C(7000000001));
    ck_assert_uint_eq(state.hole_ns[HOLE_FAILED], 33 * NS_PER_S_INT);
    ck_assert_uint_eq(state.holes[HOLE_FAILED], 1);
}
END_TEST

START_TEST(failed_reads_are_not_zero)
{
    take(5000000, 0);
    meter_domain_take(&state, &(struct reading){ .error = EACCES }, NS_PER_S_INT, false);
    ck_assert_uint_eq(state.total_uj, 0);
    take(9000000, 2);
    ck_assert_uint_eq(state.total_uj, 4000000);
    ck_assert_uint_eq(state.missed_reads, 1);
    ck_assert_int_eq(state.last_error, EACCES);
}
END_TEST

START_TEST(a_suspend_is_left_out)
{
    take(5000000, 1);
    meter_domain_take(&state, &(struct reading){ .energy_uj = 8000000 }, 3 * NS_PER_S_INT, true);
    ck_assert_uint_eq(state.total_uj, 0);
    meter_domain_take(&state, &(struct reading){ .energy_uj = 1000 }, 4 * NS_PER_S_INT, true);
    take(2001000, 5);
    ck_assert_uint_eq(state.total_uj, 2000000);
    ck_assert_uint_eq(state.lost, 2);
    ck_assert_uint_eq(state.lost_ns, 3 * NS_PER_S_INT);
    ck_assert_uint_eq(state.wraps + state.resets, 0);
}
END_TEST

START_TEST(a_counter_found_again_starts_anew)
{
    take(5000000, 1);
    take(6000000, 2);
    meter_domain_take(&state, &(struct reading){ .error = ENODEV }, 3 * NS_PER_S_INT, false);
    meter_domain_take(&state, &(struct reading){ .energy_uj = 900, .restarted = true }, 6 * NS_PER_S_INT, false);
    ck_assert_uint_eq(state.total_uj, 1000000);
    take(500900, 7);
    ck_assert_uint_eq(state.total_uj, 1500000);
    ck_assert_uint_eq(state.lost, 1);
    ck_assert_uint_eq(state.lost_ns, 4 * NS_PER_S_INT);
    ck_assert_uint_eq(state.missed_reads, 1);
    ck_assert_uint_eq(state.resets, 0);
}
END_TEST

START_TEST(after_jitter_the_higher_value_stands)
{
    const uint64_t values[] = { 1000000, 2000000, 1999431, 3000000 };

    for (unsigned i = 0; i < 4; i++)
        meter_domain_take(&state, &(struct reading){ .energy_uj = values[i] }, i * NS_PER_S_INT, false);
    ck_assert_uint_eq(state.total_uj, 2000000);
}
END_TEST

START_TEST(a_sensor_read_too_seldom_is_told)
{
    const struct domain machine = { .name = "machine", .poll_ns = NS_PER_S_INT };

    state.domain = &machine;
    take(1, 1);
    ck_assert(!state.moved);
    take(2, 11);
    ck_assert_uint_eq(state.unwatched_ns, 0);
    ck_assert(state.moved); /* by a microjoule */
    meter_domain_take(&state, &(struct reading){ .energy_uj = 3, .constant_power = true }, 22 * NS_PER_S_INT, false);
    ck_assert_uint_eq(state.unwatched_ns, 11 * NS_PER_S_INT);
    ck_assert(state.still);
    take(4, 33);
    ck_assert_uint_eq(state.unwatched_ns, 22 * NS_PER_S_INT);
    ck_assert(!state.still);
}
END_TEST

START_TEST(what_is_known_to_be_off_uses_nothing)
{
    const struct domain domain = { .name = "gpu", .poll_ns = NS_PER_S_INT };
    struct meter_domain still = { .domain = &domain }, off = { .domain = &domain };

    for (unsigned s = 1; s < 4; s++) {
        meter_domain_take(&still, &(struct reading){ .energy_uj = 0 }, s * NS_PER_S_INT, false);
        meter_domain_take(&off, &(struct reading){ .energy_uj = 0, .off = true }, s * NS_PER_S_INT, false);
    }
    ck_assert(!still.moved); /* unknown */
    ck_assert(off.moved);    /* 0 */
    ck_assert_uint_eq(off.total_uj, 0);
}
END_TEST

UNIT_SUITE_IN("counter_taken", begin, NULL, a_total_does_not_overflow, an_hour_of_wraps_loses_nothing,
              failed_reads_are_not_zero, a_suspend_is_left_out, a_counter_found_again_starts_anew,
              after_jitter_the_higher_value_stands, a_sensor_read_too_seldom_is_told,
              what_is_known_to_be_off_uses_nothing)
