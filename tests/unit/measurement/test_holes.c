/* SPDX-License-Identifier: MIT
 * Random series with resets, sleeps and counters that vanish: what is told never exceeds the truth, and what is missing
 * is said. */
#include "measurement/measurement.h"
#include "unit.h"

#include "base/units.h"
#include "chance.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { SERIES = 400, SAMPLES = 120 };
#define RANGE_UJ UINT64_C(262143328850)
#define MS UINT64_C(1000000)

/* One counter under a power that changes, and what happens to it. */
struct world {
    struct chance chance;
    struct domain domain;
    struct meter_domain state;
    double truth_uj, power_w;
    uint64_t now_ns, counter_uj, last_good_ns;
    bool gone, restarted, slept;
    uint64_t planted_ns; /* from the last good reading before a fault to the first good one after, all of them */
    bool faulty;         /* a fault since the last good reading */
};

/* A moment: what the meter says, and what is true. */
struct moment {
    struct sample sample;
    double truth_uj;
    uint64_t planted_ns;
};

static struct moment moments[SAMPLES];

static bool happens(struct world *world, double probability)
{
    return chance_uniform(&world->chance) < probability;
}

static void pass(struct world *world, uint64_t ns)
{
    const double used_uj = world->power_w * (double)ns / 1e3;

    world->now_ns += ns;
    world->truth_uj += used_uj;
    world->counter_uj = (world->counter_uj + (uint64_t)used_uj) % RANGE_UJ;
}

static void do_harm(struct world *world, double each)
{
    if (happens(world, each)) {
        world->counter_uj = 0;
        world->faulty = true;
    }
    if (happens(world, each)) {
        world->truth_uj += 30e6; /* used asleep */
        world->slept = world->faulty = true;
    }
    if (world->gone ? happens(world, 0.4) : happens(world, each)) {
        world->gone = !world->gone;
        world->restarted = world->faulty = true;
        world->counter_uj = 1000 * UINT64_C(1000000);
    }
}

static struct moment read_at(struct world *world)
{
    const struct reading reading = { .energy_uj = world->counter_uj,
                                     .error = world->gone ? ENODEV : 0,
                                     .restarted = world->restarted };
    struct moment moment = { .truth_uj = world->truth_uj };

    meter_domain_take(&world->state, &reading, world->now_ns, world->slept && !world->gone);
    if (!world->gone) {
        if (world->faulty)
            world->planted_ns += world->now_ns - world->last_good_ns;
        world->last_good_ns = world->now_ns;
        world->restarted = world->slept = world->faulty = false;
    }
    moment.planted_ns = world->planted_ns;
    moment.sample = (struct sample){ .time_ns = world->now_ns, .boottime_ns = world->now_ns };
    moment.sample.energy_uj[0] = world->state.total_uj;
    moment.sample.read[0] = !world->gone;
    moment.sample.unknown_ns[0] = world->state.unknown_ns;
    moment.sample.hole[0] = (uint8_t)world->state.hole;
    return moment;
}

/* Far from the counter's end: that a reset there looks like a wrap no reading can tell. */
static void simulate(uint64_t seed, double harm_each)
{
    struct world world = { .chance = chance_of(seed), .now_ns = 1, .counter_uj = 5000 * UINT64_C(1000000) };

    world.domain = (struct domain){ .component = COMPONENT_PACKAGE, .wraps_at_uj = RANGE_UJ };
    world.state = (struct meter_domain){ .domain = &world.domain };
    for (size_t i = 0; i < SAMPLES; i++) {
        const uint64_t steps = 1 + chance_word(&world.chance) % 5;
        moments[i] = read_at(&world);
        for (uint64_t step = 0; step < steps; step++) {
            world.power_w = 300 * chance_uniform(&world.chance);
            pass(&world, (1 + chance_word(&world.chance) % 200) * MS);
            do_harm(&world, harm_each);
        }
    }
}

static void check_window(const struct moment *start, const struct moment *end, uint64_t seed)
{
    const struct window window = window_between(&start->sample, &end->sample);
    const double truth_uj = end->truth_uj - start->truth_uj;
    const uint64_t planted_ns = end->planted_ns - start->planted_ns;

    if (!window.known[0])
        return;
    ck_assert_msg((double)window.energy_uj[0] <= truth_uj + SAMPLES * 5, "seed %lu: more than the truth", seed);
    ck_assert_uint_eq(window_known_ns(&window, 0) + window.unknown_ns[0], window.duration_ns);
    /* a counter that was reset and has counted beyond where it was is not told from one that was not */
    ck_assert_msg(window.unknown_ns[0] <= planted_ns, "seed %lu: called unknown though known", seed);
    ck_assert(window.unknown_ns[0] ? window.hole[0] != HOLE_NONE : window.hole[0] == HOLE_NONE);
    if (!planted_ns)
        ck_assert_double_eq_tol((double)window.energy_uj[0], truth_uj, SAMPLES * 5);
}

START_TEST(never_more_than_the_truth)
{
    for (uint64_t seed = 1; seed <= SERIES; seed++) {
        simulate(seed, 0.02);
        for (size_t start = 0; start < SAMPLES; start += 7)
            for (size_t end = start + 1; end < SAMPLES; end += 5)
                check_window(&moments[start], &moments[end], seed);
    }
}
END_TEST

START_TEST(nothing_is_missing_where_nothing_was_planted)
{
    for (uint64_t seed = 1; seed <= SERIES; seed++) {
        simulate(seed, 0);
        for (size_t end = 1; end < SAMPLES; end++) {
            ck_assert_uint_eq(moments[end].sample.unknown_ns[0], 0);
            check_window(&moments[0], &moments[end], seed);
        }
    }
}
END_TEST

START_TEST(names_of_holes)
{
    for (int hole = HOLE_NONE; hole < HOLE_COUNT; hole++)
        ck_assert_int_eq(hole_of(hole_name((enum hole)hole)), hole);
    ck_assert_int_eq(hole_of("of another release"), HOLE_NONE);
}
END_TEST

UNIT_SUITE("holes", never_more_than_the_truth, nothing_is_missing_where_nothing_was_planted, names_of_holes)
