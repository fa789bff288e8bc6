/* SPDX-License-Identifier: MIT
 * Counters that wrap, jump and stand still: what one step of them is. */
#include "unit.h"

#include "base/units.h"
#include "chance.h"
#include "energy/bounds.h"
#include "meter/meter.h"

#include <math.h>

#define NS_PER_MS UINT64_C(1000000)
#define RANGE_UJ UINT64_C(262143328850) /* max_energy_range_uj at 2^-14 J */
#define MODULUS_UJ (RANGE_UJ + 61)
#define SMALL_MODULUS_UJ (UINT64_C(65532610987) + 15)

/* Of a counter that is refreshed every millisecond. */
static struct counter_step step_of(uint64_t before_uj, uint64_t after_uj, uint64_t wraps_at_uj, uint64_t elapsed_ns)
{
    const struct domain counter = {
        .name = "package-0", .component = COMPONENT_PACKAGE, .wraps_at_uj = wraps_at_uj, .update_ns = NS_PER_MS
    };

    return counter_step(&counter, before_uj, after_uj, elapsed_ns);
}

START_TEST(forward_is_the_difference)
{
    const struct counter_step step = step_of(1000, 1500, MODULUS_UJ, NS_PER_S_INT);

    ck_assert_int_eq(step.kind, STEP_FORWARD);
    ck_assert_uint_eq(step.uj, 500);
    ck_assert(!step.ambiguous);
}
END_TEST

/* What stands still goes forward by nothing; what is at its end or beyond it has begun anew. */
START_TEST(bounds_of_a_step)
{
    ck_assert_int_eq(step_of(1000, 1000, MODULUS_UJ, NS_PER_S_INT).kind, STEP_FORWARD);
    ck_assert_int_eq(step_of(MODULUS_UJ, 5, MODULUS_UJ, NS_PER_S_INT).kind, STEP_RESET);
    ck_assert_int_eq(step_of(MODULUS_UJ - 1, 5, MODULUS_UJ, NS_PER_S_INT).kind, STEP_WRAP);
    ck_assert_uint_eq(step_of(MODULUS_UJ - 1, 5, MODULUS_UJ, NS_PER_S_INT).uj, 6);
    /* 2 kW for a second, and a refresh of a millisecond before it, are 2,002 J */
    ck_assert(!step_of(0, 1000, 2002000000, NS_PER_S_INT).ambiguous);
    ck_assert(step_of(0, 1000, 2001999999, NS_PER_S_INT).ambiguous);
}
END_TEST

START_TEST(wrap_adds_one_modulus)
{
    const struct counter_step step = step_of(RANGE_UJ - 10, 5, MODULUS_UJ, NS_PER_S_INT);

    ck_assert_int_eq(step.kind, STEP_WRAP);
    ck_assert_uint_eq(step.uj, 10 + 61 + 5);
}
END_TEST

START_TEST(backward_step_beyond_any_power_is_a_reset)
{
    const struct counter_step step = step_of(26792000000, 9000000, MODULUS_UJ, NS_PER_S_INT);

    ck_assert_int_eq(step.kind, STEP_RESET);
    ck_assert_uint_eq(step.uj, 0);
}
END_TEST

START_TEST(backward_step_without_a_known_range_is_a_reset)
{
    ck_assert_int_eq(step_of(RANGE_UJ - 10, 5, 0, NS_PER_S_INT).kind, STEP_RESET);
}
END_TEST

START_TEST(crossed_reads_are_jitter)
{
    ck_assert_int_eq(step_of(1000569, 1000000, SMALL_MODULUS_UJ, NS_PER_S_INT).kind, STEP_JITTER);
    /* 2 kW are the most that a second and the millisecond of the refresh before it may have gained: 2002 J */
    ck_assert_int_eq(step_of(63530611002, 0, SMALL_MODULUS_UJ, NS_PER_S_INT).kind, STEP_WRAP);
    ck_assert_int_eq(step_of(63530611002, 1, SMALL_MODULUS_UJ, NS_PER_S_INT).kind, STEP_RESET);
    /* a joule is, a microjoule more is not */
    ck_assert_int_eq(step_of(5000000, 4000000, SMALL_MODULUS_UJ, NS_PER_S_INT).kind, STEP_JITTER);
    ck_assert_int_eq(step_of(5000000, 3999999, SMALL_MODULUS_UJ, NS_PER_S_INT).kind, STEP_RESET);
}
END_TEST

/* 300 W in reads of 0.1 ms: the counter stands still for nine of ten, and the tenth has a whole millisecond's 0.3 J. */
START_TEST(a_refresh_in_a_short_interval_is_a_wrap)
{
    const struct domain slow = { .component = COMPONENT_PACKAGE,
                                 .wraps_at_uj = MODULUS_UJ,
                                 .update_ns = 100 * NS_PER_MS };

    ck_assert_int_eq(step_of(MODULUS_UJ - 100000, 200000, MODULUS_UJ, NS_PER_MS / 10).kind, STEP_WRAP);
    ck_assert_uint_eq(step_of(MODULUS_UJ - 100000, 200000, MODULUS_UJ, NS_PER_MS / 10).uj, 300000);
    ck_assert_int_eq(step_of(MODULUS_UJ - 100000, 200000, MODULUS_UJ, 0).kind, STEP_WRAP);
    /* 2 kW for 1.1 ms are 2.2 J */
    ck_assert_int_eq(step_of(MODULUS_UJ - 2200000, 0, MODULUS_UJ, NS_PER_MS / 10).kind, STEP_WRAP);
    ck_assert_int_eq(step_of(MODULUS_UJ - 2200000, 1, MODULUS_UJ, NS_PER_MS / 10).kind, STEP_RESET);
    /* as slow as it says to be: 2 kW for 100.1 ms */
    ck_assert_int_eq(counter_step(&slow, MODULUS_UJ - 200200000, 0, NS_PER_MS / 10).kind, STEP_WRAP);
    ck_assert_int_eq(counter_step(&slow, MODULUS_UJ - 200200000, 1, NS_PER_MS / 10).kind, STEP_RESET);
}
END_TEST

/* What a counter shows at that moment: the energy up to its last refresh. */
static uint64_t refreshed_uj(double power_w, uint64_t time_ns, uint64_t update_ns)
{
    return (uint64_t)(power_w * (double)(time_ns - time_ns % update_ns) / 1e3);
}

/* Whatever the interval, the refresh, the power and where the counter stands: no wrap is missed, none is made up, none
 * is called a reset, and the total is what the counter has counted. */
START_TEST(wraps_are_wraps_at_every_interval)
{
    static const uint64_t updates_ns[] = { 0, NS_PER_MS, 2 * NS_PER_MS, 20 * NS_PER_MS, 100 * NS_PER_MS, NS_PER_S_INT };
    static const uint64_t moduli_uj[] = { MODULUS_UJ, SMALL_MODULUS_UJ, UINT64_C(1) << 32 };
    struct chance chance = chance_of(1);
    unsigned wraps = 0, short_wraps = 0;

    for (unsigned trial = 0; trial < 20000; trial++) {
        const struct domain counter = { .name = "package-0",
                                        .component = COMPONENT_PACKAGE,
                                        .wraps_at_uj = moduli_uj[chance_word(&chance) % 3],
                                        .update_ns = updates_ns[chance_word(&chance) % 6] };
        const uint64_t update_ns = counter.update_ns ? counter.update_ns : NS_PER_MS;
        /* from 1 to 1999 W; from 1 µs to 1 s; the wrap somewhere in some updates around the first reads */
        const double power_w = pow(1999, chance_uniform(&chance));
        const double most_ns = pow(10, 3 + 6 * chance_uniform(&chance));
        const uint64_t ahead_uj = (uint64_t)(chance_uniform(&chance) * power_w * (most_ns + (double)update_ns) / 1e3);
        const uint64_t begin_uj = counter.wraps_at_uj - ahead_uj - 1;
        uint64_t time_ns = chance_word(&chance) % update_ns;
        const uint64_t first_uj = refreshed_uj(power_w, time_ns, update_ns);
        struct meter_domain state = { .domain = &counter };

        for (unsigned read = 0; read < 8; read++) {
            const uint64_t counted_uj = refreshed_uj(power_w, time_ns, update_ns) - first_uj;
            const struct reading reading = { .energy_uj = (begin_uj + counted_uj) % counter.wraps_at_uj };
            const unsigned before = state.wraps;
            const uint64_t since_ns = time_ns - state.last_time_ns;

            meter_domain_take(&state, &reading, time_ns, false);
            ck_assert_uint_eq(state.resets, 0);
            ck_assert_uint_eq(state.total_uj, counted_uj);
            ck_assert_uint_eq(state.wraps, (begin_uj + counted_uj) / counter.wraps_at_uj);
            short_wraps += read && state.wraps > before && since_ns < update_ns;
            time_ns += 1 + (uint64_t)(chance_uniform(&chance) * most_ns);
        }
        wraps += state.wraps;
    }
    /* the trials were of what they are for */
    unit_tried(wraps, "A counter wraps, also unseen");
    ck_assert_uint_gt(wraps, 5000);
    ck_assert_uint_gt(short_wraps, 1000);
}
END_TEST

/* A counter that starts anew farther from its end than any power brings it. */
START_TEST(resets_are_resets_at_every_interval)
{
    struct chance chance = chance_of(2);

    for (unsigned trial = 0; trial < 20000; trial++) {
        const struct domain counter = { .component = COMPONENT_PACKAGE,
                                        .wraps_at_uj = SMALL_MODULUS_UJ,
                                        .update_ns = chance_word(&chance) % NS_PER_S_INT };
        const uint64_t elapsed_ns = (uint64_t)pow(10, 9 * chance_uniform(&chance));
        const double update_ns = counter.update_ns ? (double)counter.update_ns : (double)NS_PER_MS;
        const uint64_t most_uj = (uint64_t)(bounds_class_w(COMPONENT_PACKAGE) * ((double)elapsed_ns + update_ns) / 1e3);
        const uint64_t after_uj = (uint64_t)(chance_uniform(&chance) * 1e6);
        const uint64_t highest_uj = SMALL_MODULUS_UJ - (most_uj > after_uj ? most_uj - after_uj : 0) - 2;
        const uint64_t before_uj = 2000001 + (uint64_t)(chance_uniform(&chance) * (double)(highest_uj - 2000001));
        const struct counter_step step = counter_step(&counter, before_uj, after_uj, elapsed_ns);

        ck_assert_int_eq(step.kind, STEP_RESET);
        ck_assert_uint_eq(step.uj, 0);
    }
}
END_TEST

START_TEST(long_gap_may_hide_a_wrap)
{
    /* 65.5 kJ at 2 kW are 32.8 s */
    ck_assert(!step_of(0, 1000, SMALL_MODULUS_UJ, 32 * NS_PER_S_INT).ambiguous);
    ck_assert(step_of(0, 1000, SMALL_MODULUS_UJ, 33 * NS_PER_S_INT).ambiguous);
    ck_assert(!step_of(0, 1000, 0, 1000 * NS_PER_S_INT).ambiguous);
}
END_TEST

START_TEST(a_counter_is_read_twice_before_it_can_wrap)
{
    const struct domain large = { .component = COMPONENT_PACKAGE, .wraps_at_uj = SMALL_MODULUS_UJ };
    const struct domain small = { .component = COMPONENT_PACKAGE, .wraps_at_uj = 4000000000 };
    const struct domain denied = { .wraps_at_uj = 1000000, .problem.kind = ERROR_DENIED }, endless = { .name = "x" };
    struct meter meter = { .domain_count = 3, .domains = { { .domain = &endless }, { .domain = &denied } } };

    meter.domains[2].domain = &large;
    ck_assert_uint_eq(meter_keep_alive_ns(&meter), 10 * NS_PER_S_INT);
    meter.domains[2].domain = &small; /* 4 kJ at 2 kW are 2 s */
    ck_assert_uint_eq(meter_keep_alive_ns(&meter), NS_PER_S_INT);
}
END_TEST

/* As often as the quickest sensor of power wants; what cannot be read wants nothing. */
START_TEST(sensors_are_polled_as_the_quickest_wants)
{
    struct domain slow[] = { { .poll_ns = 7000 }, { .poll_ns = 5000 } };
    struct domain quick[] = { { .poll_ns = 0 },
                              { .poll_ns = 1000, .problem.kind = ERROR_DENIED },
                              { .poll_ns = 3000 } };
    struct meter meter = { .source_count = 2 };

    ck_assert_uint_eq(meter_poll_ns(&meter), 0);
    meter.sources[0] = (struct energy_source){ .domains = slow, .domain_count = 2 };
    ck_assert_uint_eq(meter_poll_ns(&meter), 5000);
    meter.sources[1] = (struct energy_source){ .domains = quick, .domain_count = 3 };
    ck_assert_uint_eq(meter_poll_ns(&meter), 3000);
}
END_TEST

UNIT_SUITE("counter", forward_is_the_difference, bounds_of_a_step, wrap_adds_one_modulus,
           backward_step_beyond_any_power_is_a_reset, backward_step_without_a_known_range_is_a_reset,
           crossed_reads_are_jitter, a_refresh_in_a_short_interval_is_a_wrap, wraps_are_wraps_at_every_interval,
           resets_are_resets_at_every_interval, long_gap_may_hide_a_wrap, a_counter_is_read_twice_before_it_can_wrap,
           sensors_are_polled_as_the_quickest_wants)
