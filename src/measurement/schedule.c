/* SPDX-License-Identifier: MIT
 * In which order the runs of one command or several are done. */
#include "measurement/schedule.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

const char *order_name(enum order order)
{
    return order == ORDER_SHUFFLED ? "shuffled" : "interleaved";
}

enum order order_of(const char *name)
{
    return strcmp(name, order_name(ORDER_SHUFFLED)) == 0 ? ORDER_SHUFFLED : ORDER_INTERLEAVED;
}

/* splitmix64 (Steele, Lea and Flood 2014): a state of one word, good enough to shuffle. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t mixed = *state += UINT64_C(0x9e3779b97f4a7c15);

    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ (mixed >> 31);
}

/* Fisher and Yates; the bias of the remainder is below 2^-50 for any number of commands. */
static void shuffle(struct step *round, size_t count, uint64_t *state)
{
    for (size_t i = count; i > 1; i--) {
        const size_t other = (size_t)(next_random(state) % i);
        const struct step stored = round[i - 1];
        round[i - 1] = round[other];
        round[other] = stored;
    }
}

bool schedule_make(struct schedule *schedule, size_t commands, size_t warmups, size_t runs, enum order order,
                   uint64_t seed, struct error *err)
{
    const size_t rounds = warmups + runs;

    schedule->count = commands * rounds;
    schedule->steps = calloc(schedule->count ? schedule->count : 1, sizeof *schedule->steps);
    if (!schedule->steps)
        return error_errno(err, "no memory for %zu runs", schedule->count);
    for (size_t round = 0; round < rounds; round++) {
        struct step *steps = schedule->steps + round * commands;
        for (size_t i = 0; i < commands; i++)
            steps[i] = (struct step){
                .command = i,
                .warmup = round < warmups,
                .number = round < warmups ? round + 1 : round - warmups + 1,
            };
        if (order == ORDER_SHUFFLED)
            shuffle(steps, commands, &seed);
    }
    return true;
}

void schedule_close(struct schedule *schedule)
{
    free(schedule->steps);
    *schedule = (struct schedule){ NULL, 0 };
}

uint64_t schedule_seed(void)
{
    uint32_t seed;

    if (getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed)
        seed = (uint32_t)clock_monotonic_ns();
    return seed;
}
