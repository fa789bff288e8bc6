/* SPDX-License-Identifier: MIT
 * What a target used in a window, by what it told at both ends. */
#include "unit.h"

#include "measurement/attach.h"

#define S UINT64_C(1000000000)

static struct usage reported;

static void nothing(struct target *target)
{
    (void)target;
}

static void tell(const struct target *target, struct usage *so_far)
{
    (void)target;
    *so_far = reported;
}

static const struct target_kind telling = { .poll = nothing, .read = tell };

static struct usage_value figure(uint64_t value)
{
    return (struct usage_value){ .known = true, .value = value, .from = "cgroup" };
}

/* Between what it told first and what it tells now. */
static struct run between(const struct usage *before, bool from_nothing)
{
    struct target target = { .kind = &telling, .fd = -1, .from_nothing = from_nothing };
    struct run run = { .command = 0 };

    attach_usage(&target, before, &run);
    return run;
}

START_TEST(one_that_ran_before)
{
    const struct usage before = { .cpu_ns = figure(3 * S), .written_bytes = figure(10), .oom_kills = figure(2) };
    struct run run;

    reported = (struct usage){
        .cpu_ns = figure(5 * S),
        .user_ns = figure(4 * S),
        .written_bytes = figure(9),
        .oom_kills = figure(3),
        .memory_peak_bytes = figure(77),
    };
    run = between(&before, false);
    ck_assert(run.usage.cpu_ns.known && run.usage.memory_peak_bytes.known && run.usage.oom_kills.known);
    ck_assert_uint_eq(run.usage.cpu_ns.value, 2 * S);
    ck_assert_uint_eq(run.usage.oom_kills.value, 1);
    ck_assert_uint_eq(run.usage.memory_peak_bytes.value, 77);
    ck_assert(!run.usage.user_ns.known);       /* nobody knows what it was at the start */
    ck_assert(!run.usage.written_bytes.known); /* it shrank: another's counter */
    ck_assert(!run.usage.system_ns.known);     /* nobody tells */
    reported.cpu_ns.known = false;
    run = between(&before, false);
    ck_assert(!run.usage.cpu_ns.known);
}
END_TEST

START_TEST(one_that_began_within)
{
    const struct usage before = { .written_bytes = figure(1) };
    struct run run;

    reported = (struct usage){ .cpu_ns = figure(5 * S), .written_bytes = figure(9), .cpu_stall_ns = figure(S) };
    run = between(&before, true);
    ck_assert(run.usage.cpu_ns.known);
    ck_assert_uint_eq(run.usage.cpu_ns.value, 5 * S);
    ck_assert_str_eq(run.usage.cpu_ns.from, "cgroup");
    ck_assert_uint_eq(run.usage.written_bytes.value, 8); /* a figure that was told stands */
    ck_assert_uint_eq(run.usage.cpu_stall_ns.value, S);
    ck_assert(!run.usage.user_ns.known);
    reported = (struct usage){ .cpu_ns = { .known = false } };
    run = between(&before, true); /* it ended unseen */
    ck_assert(!run.usage.cpu_ns.known && !run.usage.written_bytes.known);
}
END_TEST

UNIT_SUITE("attach", one_that_ran_before, one_that_began_within)
