/* SPDX-License-Identifier: MIT
 * The order of runs: whole rounds, and the same again from the same seed. */
#include "unit.h"

#include "measurement/schedule.h"

#include <stdio.h>
#include <string.h>

/* "aA bB" with warm-ups in small letters: the commands in order. */
static const char *letters(size_t commands, size_t warmups, size_t runs, enum order order, uint64_t seed, char *out)
{
    struct schedule schedule;
    struct error err;

    ck_assert_msg(schedule_make(&schedule, commands, warmups, runs, order, seed, &err), "%s", err.what);
    ck_assert_uint_eq(schedule.count, commands * (warmups + runs));
    for (size_t i = 0; i < schedule.count; i++)
        out[i] = (char)((schedule.steps[i].warmup ? 'a' : 'A') + (int)schedule.steps[i].command);
    out[schedule.count] = '\0';
    schedule_close(&schedule);
    return out;
}

START_TEST(rounds_are_interleaved)
{
    char out[64];

    ck_assert_str_eq(letters(2, 1, 3, ORDER_INTERLEAVED, 0, out), "abABABAB");
    ck_assert_str_eq(letters(1, 0, 2, ORDER_INTERLEAVED, 0, out), "AA");
    ck_assert_str_eq(letters(3, 0, 0, ORDER_INTERLEAVED, 0, out), "");
}
END_TEST

START_TEST(each_shuffled_round_has_every_command_once)
{
    char out[512], again[512];
    size_t swapped = 0;

    letters(2, 0, 200, ORDER_SHUFFLED, 7, out);
    for (size_t round = 0; round < 200; round++) {
        ck_assert(strncmp(out + 2 * round, "AB", 2) == 0 || strncmp(out + 2 * round, "BA", 2) == 0);
        swapped += out[2 * round] == 'B';
    }
    /* 100 expected, deviation 7.1 */
    ck_assert_uint_gt(swapped, 70);
    ck_assert_uint_lt(swapped, 130);
    ck_assert_str_eq(letters(2, 0, 200, ORDER_SHUFFLED, 7, again), out);
    ck_assert_str_ne(letters(2, 0, 200, ORDER_SHUFFLED, 8, again), out);
}
END_TEST

START_TEST(numbers_count_from_one_within_warmups_and_runs)
{
    struct schedule schedule;
    struct error err;

    ck_assert(schedule_make(&schedule, 2, 2, 2, ORDER_SHUFFLED, 1, &err));
    for (size_t i = 0; i < schedule.count; i++)
        ck_assert_uint_eq(schedule.steps[i].number, i / 2 % 2 + 1);
    schedule_close(&schedule);
}
END_TEST

UNIT_SUITE("schedule", rounds_are_interleaved, each_shuffled_round_has_every_command_once,
           numbers_count_from_one_within_warmups_and_runs)
