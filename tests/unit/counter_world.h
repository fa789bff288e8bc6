/* SPDX-License-Identifier: MIT
 * A counter under a power that changes, with resets, sleeps and times in which it is gone: what a meter makes of it,
 * beside what is true. */
#ifndef TESTS_COUNTER_WORLD_H
#define TESTS_COUNTER_WORLD_H

#include "chance.h"
#include "meter/meter.h"

#include <errno.h>

#define WORLD_RANGE_UJ UINT64_C(262143328850)
#define WORLD_MS UINT64_C(1000000)

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

static inline bool world_chance(struct world *world, double probability)
{
    return chance_uniform(&world->chance) < probability;
}

static inline void world_pass(struct world *world, uint64_t ns)
{
    const double used_uj = world->power_w * (double)ns / 1e3;

    world->now_ns += ns;
    world->truth_uj += used_uj;
    world->counter_uj = (world->counter_uj + (uint64_t)used_uj) % WORLD_RANGE_UJ;
}

static inline void world_harm(struct world *world, double each)
{
    if (world_chance(world, each)) {
        world->counter_uj = 0;
        world->faulty = true;
    }
    if (world_chance(world, each)) {
        world->truth_uj += 30e6; /* used asleep */
        world->slept = world->faulty = true;
    }
    if (world->gone ? world_chance(world, 0.4) : world_chance(world, each)) {
        world->gone = !world->gone;
        world->restarted = world->faulty = true;
        world->counter_uj = 1000 * UINT64_C(1000000);
    }
}

/* Far from the counter's end: that a reset there looks like a wrap no reading can tell. */
static inline void world_begin(struct world *world, uint64_t seed)
{
    *world = (struct world){ .chance = chance_of(seed), .now_ns = 1, .counter_uj = 5000 * UINT64_C(1000000) };
    world->domain = (struct domain){ .component = COMPONENT_PACKAGE, .wraps_at_uj = WORLD_RANGE_UJ };
    world->state = (struct meter_domain){ .domain = &world->domain };
}

/* One reading, into the sample's place of this domain; the sample's time is the world's. */
static inline void world_read(struct world *world, struct sample *sample, size_t domain)
{
    const struct reading reading = { .energy_uj = world->counter_uj,
                                     .error = world->gone ? ENODEV : 0,
                                     .restarted = world->restarted };

    meter_domain_take(&world->state, &reading, world->now_ns, world->slept && !world->gone);
    if (!world->gone) {
        if (world->faulty)
            world->planted_ns += world->now_ns - world->last_good_ns;
        world->last_good_ns = world->now_ns;
        world->restarted = world->slept = world->faulty = false;
    }
    sample->time_ns = sample->boottime_ns = world->now_ns;
    sample->energy_uj[domain] = world->state.total_uj;
    sample->read[domain] = !world->gone;
    sample->unknown_ns[domain] = world->state.unknown_ns;
    sample->hole[domain] = (uint8_t)world->state.hole;
}

#endif
