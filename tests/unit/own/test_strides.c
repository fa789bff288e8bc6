/* SPDX-License-Identifier: MIT
 * Strides: taken of a window that grows, joined where they are many, and picked out again. */
#include "unit.h"

#include "base/cpu_ticks.h"
#include "base/units.h"
#include "own/strides.h"

#include <string.h>

#define S NS_PER_S_INT
#define MS (S / 1000)

enum { DOMAINS = 2 };

struct bench {
    struct strider strider;
    struct window window;
    uint64_t job_ns;
};

/* One for all tests: each runs in a process of its own. */
static struct bench b;

static void begin(void)
{
    memset(&b, 0, sizeof b);
    b.strider.strides = strides_new(DOMAINS, 200 * MS);
    ck_assert_ptr_nonnull(b.strider.strides);
    b.window.start_ns = 10 * S;
    b.window.machine_busy_known = true;
    strider_open(&b.strider, b.window.start_ns, true, NULL);
}

static void end(void)
{
    strides_free(b.strider.strides);
}

/* The window goes on, at 10 W and 3 W, everything and the job with so many CPUs. */
static void pass(uint64_t duration_ns, double busy, double job)
{
    b.window.duration_ns += duration_ns;
    b.window.energy_uj[0] += duration_ns / 100;
    b.window.energy_uj[1] += 3 * duration_ns / 1000;
    b.window.machine_busy_ns += (uint64_t)(busy * (double)duration_ns);
    b.job_ns += (uint64_t)(job * (double)duration_ns);
}

static void take(void)
{
    strider_take(&b.strider, &b.window, (struct stride_usage){ .job_ns = &b.job_ns });
}

static void is(size_t i, uint64_t start_ns, uint64_t duration_ns, double busy, double job)
{
    const struct stride *stride = &b.strider.strides->items[i];

    ck_assert_uint_eq(stride->start_ns, 10 * S + start_ns);
    ck_assert_uint_eq(stride->duration_ns, duration_ns);
    ck_assert_uint_eq(stride->busy_ns, (uint64_t)(busy * (double)duration_ns));
    ck_assert_uint_eq(stride->job_ns, (uint64_t)(job * (double)duration_ns));
    ck_assert_uint_eq(stride_energy_uj(b.strider.strides, i)[0], duration_ns / 100);
    ck_assert_uint_eq(stride_energy_uj(b.strider.strides, i)[1], 3 * duration_ns / 1000);
}

/* A second while nobody else is busy, 200 ms while somebody is. */
START_TEST(they_are_long_while_nobody_is_there)
{
    ck_assert_uint_eq(b.strider.next_ns, 11 * S);
    pass(S, 1.05, 1);
    take();
    ck_assert(!b.strider.strides->concurrent);
    ck_assert_uint_eq(b.strider.next_ns, 12 * S);
    pass(S, 2, 1);
    take();
    ck_assert(b.strider.strides->concurrent);
    ck_assert_uint_eq(b.strider.next_ns, 12 * S + 200 * MS);
    pass(200 * MS, 2, 1);
    b.window.carbon_busy_ns += 200 * MS; /* they were carbon */
    take();
    ck_assert_uint_eq(b.strider.next_ns, 13 * S + 200 * MS);
    ck_assert_uint_eq(b.strider.strides->count, 3);
    is(0, 0, S, 1.05, 1);
    is(1, S, S, 2, 1);
    is(2, 2 * S, 200 * MS, 2, 1);
    strider_open(&b.strider, 20 * S, true, NULL);
    ck_assert_uint_eq(b.strider.next_ns, 21 * S);
}
END_TEST

/* What is left at the end goes to the one before, or is one of its own; of a window that is shorter there is none. */
START_TEST(they_end_with_the_window)
{
    static const struct {
        uint64_t rest_ns;
        size_t count;
    } cases[] = { { 99 * MS, 1 }, { 100 * MS, 2 } };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        end();
        begin();
        pass(S, 2, 1);
        take();
        pass(cases[i].rest_ns, 2, 1);
        strider_close(&b.strider, &b.window, (struct stride_usage){ .job_ns = &b.job_ns });
        ck_assert_uint_eq(b.strider.strides->count, cases[i].count);
        is(0, 0, cases[i].count == 1 ? S + 99 * MS : S, 2, 1);
        if (cases[i].count == 2)
            is(1, S, 100 * MS, 2, 1);
        b.window = (struct window){ .start_ns = 20 * S, .machine_busy_known = true };
        strider_open(&b.strider, 20 * S, true, NULL);
        pass(99 * MS, 2, 1);
        strider_close(&b.strider, &b.window, (struct stride_usage){ .job_ns = &b.job_ns });
        ck_assert_uint_eq(b.strider.strides->count, cases[i].count);
    }
}
END_TEST

/* What its job used is not known for a while: a stride lasts until it is. How roughly it is told goes with it. */
START_TEST(it_lasts_until_the_job_is_known)
{
    pass(S, 2, 1);
    strider_take(&b.strider, &b.window, (struct stride_usage){ .job_ns = NULL });
    ck_assert_uint_eq(b.strider.next_ns, 12 * S);
    pass(S, 2, 1);
    strider_take(&b.strider, &b.window, (struct stride_usage){ .job_ns = &b.job_ns, .job_cpu_roundings = 2 });
    ck_assert_uint_eq(b.strider.strides->count, 1);
    is(0, 0, 2 * S, 2, 1);
    ck_assert_uint_eq(b.strider.strides->items[0].job_cpu_roundings, 2);
    pass(50 * MS, 2, 1);
    strider_close(&b.strider, &b.window, (struct stride_usage){ .job_ns = &b.job_ns, .job_cpu_roundings = 3 });
    ck_assert_uint_eq(b.strider.strides->items[0].job_cpu_roundings, 3);
}
END_TEST

/* Nothing is kept where a part of it is not known. */
START_TEST(what_is_not_known_is_left_out)
{
    pass(S, 2, 1);
    b.window.unknown_ns[1] = 1;
    take();
    pass(S, 2, 1);
    b.window.machine_busy_known = false;
    take();
    ck_assert_uint_eq(b.strider.strides->count, 0);
    ck_assert_uint_eq(b.strider.next_ns, 13 * S);
    b.window.machine_busy_known = true;
    pass(S, 2, 1);
    take();
    ck_assert_uint_eq(b.strider.strides->count, 1);
    is(0, 2 * S, S, 2, 1);
    strider_open(&b.strider, 20 * S, false, NULL);
    ck_assert_uint_eq(b.strider.next_ns, UINT64_MAX);
    take();
    strider_close(&b.strider, &b.window, (struct stride_usage){ .job_ns = &b.job_ns });
    ck_assert_uint_eq(b.strider.strides->count, 1);
}
END_TEST

static const struct window *window_at(const void *of, size_t i)
{
    return (const struct window *)of + i;
}

/* Two windows, more than there is room for: they are joined, never over the gap between; all that was is still there.
 */
START_TEST(many_are_joined)
{
    struct window windows[2];
    struct strides *within;
    uint64_t lasted_ns = 0, energy_uj = 0;

    for (int i = 0; i < 3 * STRIDES_MAX; i++) {
        if (i == 701) {
            windows[0] = b.window;
            b.window = (struct window){ .start_ns = 500 * S, .machine_busy_known = true };
            b.job_ns = 0;
            strider_open(&b.strider, b.window.start_ns, true, NULL);
        }
        pass(200 * MS, 2, 1);
        take();
    }
    windows[1] = b.window;
    ck_assert_uint_le(b.strider.strides->count, STRIDES_MAX);
    ck_assert_uint_ge(b.strider.strides->count, STRIDES_MAX / 4);
    for (size_t i = 0; i < b.strider.strides->count; i++) {
        const struct stride *stride = &b.strider.strides->items[i];
        ck_assert(stride->start_ns + stride->duration_ns <= windows[0].start_ns + windows[0].duration_ns ||
                  stride->start_ns >= windows[1].start_ns);
        ck_assert_uint_eq(stride->busy_ns, 2 * stride->duration_ns);
        ck_assert_uint_eq(stride->job_ns, stride->duration_ns);
        lasted_ns += stride->duration_ns;
        energy_uj += stride_energy_uj(b.strider.strides, i)[1];
    }
    ck_assert_uint_eq(lasted_ns, 3 * STRIDES_MAX * 200 * MS);
    ck_assert_uint_eq(energy_uj, 3 * lasted_ns / 1000);
    within = strides_within(b.strider.strides, &(struct window_list){ window_at, &windows[1], 1 });
    lasted_ns = 0;
    for (size_t i = 0; i < within->count; i++)
        lasted_ns += within->items[i].duration_ns;
    ck_assert_uint_eq(lasted_ns, windows[1].duration_ns);
    ck_assert(within->concurrent);
    strides_free(within);
}
END_TEST

/* More windows than strides: the last ones have none. */
START_TEST(many_windows_are_not_joined)
{
    for (uint64_t i = 0; i < STRIDES_MAX + 50; i++) {
        b.window = (struct window){ .start_ns = (10 + 2 * i) * S, .machine_busy_known = true };
        strider_open(&b.strider, b.window.start_ns, true, NULL);
        b.job_ns = 0;
        pass(S, 2, 1);
        strider_close(&b.strider, &b.window, (struct stride_usage){ .job_ns = &b.job_ns });
    }
    ck_assert_uint_eq(b.strider.strides->count, STRIDES_MAX);
}
END_TEST

START_TEST(they_are_as_long_as_it_takes)
{
    ck_assert_uint_eq(stride_shortest_ns(0), 20 * tick_ns());
    ck_assert_uint_eq(stride_shortest_ns(MS), 20 * tick_ns());
    ck_assert_uint_eq(stride_shortest_ns(60 * MS), 300 * MS);
    ck_assert_uint_eq(stride_shortest_ns(100 * MS), 500 * MS);
    ck_assert_uint_eq(stride_shortest_ns(101 * MS), 0);
}
END_TEST

UNIT_SUITE_IN("strides", begin, end, they_are_long_while_nobody_is_there, they_end_with_the_window,
              it_lasts_until_the_job_is_known, what_is_not_known_is_left_out, many_are_joined,
              many_windows_are_not_joined, they_are_as_long_as_it_takes)
