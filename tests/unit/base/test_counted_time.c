/* SPDX-License-Identifier: MIT
 * A machine's time is in a sum once: what is new of a span, in any order. */
#include "unit.h"

#include "chance.h"

#include "base/counted_time.h"

#include <stdio.h>

enum { SECONDS = 200, ROUNDS = 500, SPANS = 12 };

static double take(struct counted_time *time, uint64_t start_ns, uint64_t end_ns)
{
    const struct time_span span = { start_ns, end_ns };
    double share = -1;

    ck_assert(counted_time_take(time, &span, 1, &share));
    return share;
}

START_TEST(the_rest_is_new)
{
    struct counted_time time = { .spans = NULL };

    ck_assert_double_eq(take(&time, 10, 20), 1);
    ck_assert_double_eq(take(&time, 10, 20), 0);
    ck_assert_double_eq(take(&time, 12, 14), 0);
    ck_assert_double_eq(take(&time, 15, 25), 0.5);
    ck_assert_double_eq(take(&time, 0, 30), 0.5); /* 0 to 10 and 25 to 30 */
    ck_assert_double_eq(take(&time, 40, 50), 1);
    ck_assert_double_eq(take(&time, 30, 40), 1); /* neighbours share nothing */
    ck_assert_uint_eq(time.count, 1);
    ck_assert_double_eq(take(&time, 7, 7), 1); /* without length */
    counted_time_close(&time);
}
END_TEST

START_TEST(those_given_together_do_not_part_each_other)
{
    const struct time_span spans[] = { { 0, 10 }, { 5, 15 } };
    struct counted_time time = { .spans = NULL };
    double shares[2];

    ck_assert(counted_time_take(&time, spans, 2, shares));
    ck_assert(shares[0] == 1 && shares[1] == 1);
    ck_assert_double_eq(take(&time, 0, 30), 0.5);
    counted_time_close(&time);
}
END_TEST

/* How long the parts are that are not in yet; they are in order, apart, and none of them is. */
static uint64_t rest_of(const struct counted_time *time, uint64_t start_ns, uint64_t end_ns)
{
    struct time_span rest[SPANS + 1];
    const size_t count = counted_time_rest(time, (struct time_span){ start_ns, end_ns }, rest);
    uint64_t sum_ns = 0;

    for (size_t i = 0; i < count; i++) {
        ck_assert(rest[i].start_ns < rest[i].end_ns && rest[i].end_ns <= end_ns);
        ck_assert(i == 0 ? rest[i].start_ns >= start_ns : rest[i].start_ns > rest[i - 1].end_ns);
        ck_assert_uint_eq(counted_time_within_ns(time, rest[i]), 0);
        sum_ns += rest[i].end_ns - rest[i].start_ns;
    }
    return sum_ns;
}

START_TEST(what_is_in_another_is_added)
{
    struct counted_time time = { .spans = NULL }, other = { .spans = NULL };

    take(&other, 0, 10);
    take(&other, 20, 30);
    take(&other, 40, 50);
    ck_assert(counted_time_add_within(&time, &other, (struct time_span){ 5, 45 }));
    ck_assert(counted_time_add_within(&time, &other, (struct time_span){ 60, 70 }));
    ck_assert_uint_eq(time.count, 3);
    ck_assert_uint_eq(counted_time_within_ns(&time, (struct time_span){ 0, 100 }), 5 + 10 + 5);
    counted_time_close(&time);
    counted_time_close(&other);
}
END_TEST

/* Against a list of seconds. */
START_TEST(any_spans_come_to_their_union)
{
    struct chance chance = chance_of(19);

    for (int round = 0; round < ROUNDS; round++) {
        struct counted_time time = { .spans = NULL };
        bool taken[SECONDS] = { false };
        for (int i = 0; i < SPANS; i++) {
            const uint64_t start = (uint64_t)(chance_uniform(&chance) * SECONDS);
            const uint64_t length = 1 + (uint64_t)(chance_uniform(&chance) * (double)(SECONDS - start - 1));
            unsigned fresh = 0;
            for (uint64_t at = start; at < start + length; at++) {
                fresh += !taken[at];
                taken[at] = true;
            }
            ck_assert_uint_eq(rest_of(&time, start, start + length), fresh);
            ck_assert_uint_eq(counted_time_within_ns(&time, (struct time_span){ start, start + length }),
                              length - fresh);
            ck_assert_double_eq_tol(take(&time, start, start + length) * (double)length, fresh, 1e-9);
        }
        counted_time_close(&time);
    }
}
END_TEST

START_TEST(machines_are_apart_and_what_is_over_is_forgotten)
{
    struct counted_times times = { .items = NULL };

    ck_assert_double_eq(take(counted_times_of(&times, "a"), 0, 10), 1);
    ck_assert_double_eq(take(counted_times_of(&times, "b"), 0, 20), 1);
    ck_assert_double_eq(take(counted_times_of(&times, "a"), 5, 15), 0.5);
    counted_times_forget(&times, 15);
    ck_assert_uint_eq(counted_times_of(&times, "a")->count, 0);
    ck_assert_double_eq(take(counted_times_of(&times, "b"), 15, 25), 0.5);
    ck_assert_double_eq(take(counted_times_of(&times, "a"), 15, 25), 1);
    counted_times_close(&times);
    /* however many there are, those that are over are not held */
    for (unsigned i = 0; i < 10000; i++) {
        char machine[16];
        snprintf(machine, sizeof machine, "%u", i);
        counted_times_forget(&times, 10 * i);
        ck_assert_double_eq(take(counted_times_of(&times, machine), 10 * i, 10 * i + 5), 1);
        ck_assert_uint_lt(times.count, 32);
    }
    counted_times_close(&times);
}
END_TEST

/* What is kept as a text is in, until it is over. */
START_TEST(a_text_is_laid_out_when_it_is_wanted)
{
    struct counted_time time = { .spans = NULL };
    struct counted_times times = { .items = NULL };

    ck_assert(counted_time_take_later(&time, "5+10=1", 15));
    ck_assert_str_eq(time.later, "5+10=1");
    ck_assert_uint_eq(time.later_end_ns, 15);
    ck_assert(!counted_time_take_later(&time, "20+10=1", 30)); /* that is in already */
    counted_time_close(&time);
    ck_assert_double_eq(take(&time, 0, 10), 1);
    ck_assert(!counted_time_take_later(&time, "20+10=1", 30));
    counted_time_close(&time);
    ck_assert(counted_time_take_later(counted_times_of(&times, "a"), "5+10=1", 15));
    counted_times_forget(&times, 14);
    ck_assert_uint_eq(counted_times_of(&times, "a")->later_end_ns, 15);
    counted_times_forget(&times, 15);
    ck_assert_uint_eq(counted_times_of(&times, "a")->later_end_ns, 0);
    counted_times_close(&times);
}
END_TEST

UNIT_SUITE("counted_time", the_rest_is_new, those_given_together_do_not_part_each_other, any_spans_come_to_their_union,
           what_is_in_another_is_added,
           machines_are_apart_and_what_is_over_is_forgotten, a_text_is_laid_out_when_it_is_wanted)
