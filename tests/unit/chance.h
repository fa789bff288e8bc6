/* SPDX-License-Identifier: MIT
 * Random numbers that are the same each time: xoshiro256++ (Blackman and Vigna), seeded by splitmix64. */
#ifndef TESTS_CHANCE_H
#define TESTS_CHANCE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

struct chance {
    uint64_t state[4];
    double spare; /* Box and Muller make two at once */
    bool has_spare;
};

static inline struct chance chance_of(uint64_t seed)
{
    struct chance chance = { .has_spare = false };

    for (int i = 0; i < 4; i++) {
        uint64_t mixed = seed += UINT64_C(0x9e3779b97f4a7c15);
        mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
        chance.state[i] = mixed ^ (mixed >> 31);
    }
    return chance;
}

static inline uint64_t chance_rotated(uint64_t word, int by)
{
    return word << by | word >> (64 - by);
}

static inline uint64_t chance_word(struct chance *chance)
{
    uint64_t *const s = chance->state;
    const uint64_t word = chance_rotated(s[0] + s[3], 23) + s[0], shifted = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = chance_rotated(s[3], 45);
    return word;
}

/* Above 0, below 1. */
static inline double chance_uniform(struct chance *chance)
{
    return ((double)(chance_word(chance) >> 12) + 0.5) * 0x1p-52;
}

/* Of mean 0 and deviation 1. */
static inline double chance_normal(struct chance *chance)
{
    double radius, angle;

    if (chance->has_spare) {
        chance->has_spare = false;
        return chance->spare;
    }
    radius = sqrt(-2 * log(chance_uniform(chance)));
    angle = 2 * M_PI * chance_uniform(chance);
    chance->spare = radius * sin(angle);
    chance->has_spare = true;
    return radius * cos(angle);
}

#endif
