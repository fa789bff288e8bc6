/* SPDX-License-Identifier: MIT
 * Whether a function uses more than before: false findings where nothing changed, and a change that is found. */
#include "commands/profile/profile_change.h"

#include "unit.h"

#include <math.h>

/* A small generator of its own, so that each run of the test is the same. */
static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 9007199254740992.0;
}

static double normal(uint64_t *state)
{
    return sqrt(-2 * log(1 - uniform(state))) * cos(2 * M_PI * uniform(state));
}

enum { FUNCTIONS = 4, SAMPLES = 2000 };
static const double parts[FUNCTIONS] = { 0.6, 0.3, 0.09, 0.01 };

/* One profile of a job of 10 J that varies by so much from run to run; the second function is so many times as dear. */
static void profile_once(uint64_t *state, double varies, double dearer, struct function_change *changes,
                         struct profiled_side *side, size_t which)
{
    const double scale = 1 + varies * normal(state), own_j = 10 * scale * (1 + parts[1] * (dearer - 1));
    uint64_t counts[FUNCTIONS] = { 0 };

    for (size_t i = 0; i < SAMPLES; i++) {
        double at = uniform(state) * (1 + parts[1] * (dearer - 1));
        size_t function = 0;
        for (; function + 1 < FUNCTIONS; function++) {
            const double part = parts[function] * (function == 1 ? dearer : 1);
            if (at < part)
                break;
            at -= part;
        }
        counts[function]++;
    }
    for (size_t i = 0; i < FUNCTIONS; i++) {
        struct function_use *use = &changes[i].sides[which];
        const double j = own_j * (double)counts[i] / SAMPLES;
        use->sum_j += j;
        use->sum_jj += j * j;
        use->samples += counts[i];
    }
    side->own_j = (side->own_j * (double)side->profiles + own_j) / (double)(side->profiles + 1);
    side->samples += SAMPLES;
    side->profiles++;
}

static void compare_profiles(uint64_t *state, size_t each, double dearer, struct function_change changes[FUNCTIONS])
{
    struct profiled_side sides[2] = { { .profiles = 0 } };

    for (size_t i = 0; i < FUNCTIONS; i++)
        changes[i] = (struct function_change){ .name = "f", .library = "l" };
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < each; i++)
            profile_once(state, 0.03, side ? dearer : 1, changes, &sides[side], side);
    ck_assert(function_changes_judge(changes, FUNCTIONS, sides, NULL));
}

static bool any_significant(const struct function_change changes[FUNCTIONS])
{
    for (size_t i = 0; i < FUNCTIONS; i++)
        if (changes[i].significant)
            return true;
    return false;
}

/* 5 % of 1000 are 50; 66 are the 99th percentile of a binomial distribution. */
START_TEST(where_nothing_changed_few_differ)
{
    struct function_change changes[FUNCTIONS];

    for (size_t each = 1; each <= 5; each += 2) {
        uint64_t state = each;
        size_t found = 0;
        for (size_t i = 0; i < 1000; i++) {
            compare_profiles(&state, each, 1, changes);
            found += any_significant(changes);
        }
        ck_assert_msg(found <= 66, "%zu of 1000 with %zu profiles of each", found, each);
    }
}
END_TEST

/* The second function uses half as much again: it is found, and no other. */
START_TEST(what_changed_is_found)
{
    for (size_t each = 1; each <= 5; each += 4) {
        uint64_t state = 7;
        size_t found = 0, others = 0;
        for (size_t i = 0; i < 200; i++) {
            struct function_change changes[FUNCTIONS];
            compare_profiles(&state, each, 1.5, changes);
            found += changes[1].significant && changes[1].difference_j > 0;
            others += changes[0].significant || changes[2].significant || changes[3].significant;
        }
        ck_assert_msg(found >= 190, "%zu of 200 with %zu profiles of each", found, each);
        /* one each: the others have a smaller part of more joules, which sampling blurs */
        ck_assert_msg(others <= (each == 1 ? 40 : 20), "%zu of 200 with %zu profiles of each", others, each);
    }
}
END_TEST

/* By hand: 40 of 100 samples of 10 J, then 60 of 100 of 10 J; z of both tests 0.2 / sqrt(2 x 0.24 / 100). */
START_TEST(one_of_each_by_its_samples)
{
    const struct profiled_side sides[2] = { { 1, 10, 100 }, { 1, 10, 100 } };
    struct function_change changes[] = {
        { .name = "f", .library = "l", .sides = { { 4, 16, 40 }, { 6, 36, 60 } } },
        { .name = "g", .library = "l", .sides = { { 0.4, 0.16, 4 }, { 0.5, 0.25, 5 } } },
    };

    ck_assert(function_changes_judge(changes, 2, sides, NULL));
    ck_assert_double_eq_tol(changes[0].difference_j, 2, 1e-12);
    ck_assert_double_eq_tol(changes[0].deviation_j, 10 * sqrt(2 * 0.24 / 100), 1e-9);
    ck_assert_double_eq_tol(changes[0].chance, erfc(0.2 / sqrt(2 * 0.24 / 100) / sqrt(2)), 1e-9);
    ck_assert_double_eq_tol(changes[0].chance_of_all, changes[0].chance, 1e-12);
    ck_assert(changes[0].significant);
    ck_assert_uint_lt(changes[1].sides[0].samples + changes[1].sides[1].samples, FUNCTION_SAMPLES_MIN);
    ck_assert(isnan(changes[1].chance) && isnan(changes[1].chance_of_all) && !changes[1].significant);
    ck_assert_double_eq_tol(function_change_half_j(&changes[0]), 1.959963985 * changes[0].deviation_j, 1e-6);
}
END_TEST

UNIT_SUITE("change", where_nothing_changed_few_differ, what_changed_is_found, one_of_each_by_its_samples)
