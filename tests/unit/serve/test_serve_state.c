/* SPDX-License-Identifier: MIT
 * What a counter says of the time between two exporters, and when it says nothing that is certain. */
#include "unit.h"

#include "base/units.h"
#include "commands/serve/state.h"

#include <stdio.h>
#include <string.h>

#define MODULUS_UJ UINT64_C(262143328911)

static const struct domain rapl = {
    .name = "package-0", .access = ACCESS_MSR, .wraps_at_uj = MODULUS_UJ, .max_w = 2000
};

struct between {
    struct state_domain left;
    struct meter_domain now;
    struct state_time time;
};

/* Ten seconds later, 50 J on. */
static struct between ten_seconds(void)
{
    struct between between = {
        .left = { .total_uj = 7, .raw_uj = 1000000, .raw_known = true, .time = { "boot", 100 * NS_PER_S_INT, 0 } },
        .now = { .domain = &rapl, .last_raw_uj = 51000000, .started = true },
        .time = { "boot", 110 * NS_PER_S_INT, 0 },
    };

    return between;
}

static void check_known(const struct between *between, uint64_t expected_uj)
{
    const char *why;
    uint64_t uj;

    ck_assert(state_between(&between->left, &between->now, &between->time, &uj, &why));
    ck_assert_uint_eq(uj, expected_uj);
    ck_assert_ptr_null(why);
}

static void check_unknown(const struct between *between, const char *because)
{
    const char *why;
    uint64_t uj;

    ck_assert(!state_between(&between->left, &between->now, &between->time, &uj, &why));
    ck_assert_uint_eq(uj, 0);
    ck_assert_msg(strstr(why, because) != NULL, "%s", why);
}

START_TEST(forward_and_around)
{
    struct between between = ten_seconds();

    check_known(&between, 50000000);
    between.now.last_raw_uj = between.left.raw_uj;
    check_known(&between, 0);
    between.left.raw_uj = MODULUS_UJ - 1000000;
    between.now.last_raw_uj = 2000000;
    check_known(&between, 3000000);
}
END_TEST

START_TEST(what_is_not_certain)
{
    static const struct domain perf = { .name = "p", .access = ACCESS_PERF };
    static const struct domain gauge = { .name = "g", .access = ACCESS_SENSOR, .poll_ns = 1000 };
    static const struct domain model = { .name = "m", .access = ACCESS_MODEL };
    struct between between = ten_seconds();

    between.time.boottime_ns += 140 * NS_PER_S_INT; /* 2 kW x 150 s is more than one round */
    check_unknown(&between, "wrapped unseen");
    between = ten_seconds();
    between.left.raw_uj = 100000000000; /* back, and not around */
    check_unknown(&between, "reset");
    between = ten_seconds();
    strcpy(between.time.boot_id, "other");
    check_unknown(&between, "was restarted");
    between.left.time.boot_id[0] = between.time.boot_id[0] = '\0';
    check_unknown(&between, "was restarted");
    between = ten_seconds();
    between.time.asleep_ns = NS_PER_S_INT;
    check_unknown(&between, "slept");
    between = ten_seconds();
    between.time.boottime_ns = 1;
    check_unknown(&between, "clock");
    between = ten_seconds();
    between.left.raw_known = false;
    check_unknown(&between, "was kept");
    between = ten_seconds();
    between.now.started = false;
    check_unknown(&between, "cannot be read");
    between = ten_seconds();
    between.now.domain = &perf;
    check_unknown(&between, "begins with the process");
    between.now.domain = &gauge;
    check_unknown(&between, "begins with the process");
    between.now.domain = &model;
    check_unknown(&between, "begins with the process");
}
END_TEST

START_TEST(a_counter_that_never_wraps)
{
    static const struct domain card = { .name = "gpu-0", .access = ACCESS_SENSOR };
    struct between between = ten_seconds();

    between.now.domain = &card;
    between.time.boottime_ns += 100000 * NS_PER_S_INT;
    check_known(&between, 50000000);
    between.left.raw_uj = 900000000;
    check_unknown(&between, "reset");
}
END_TEST

UNIT_SUITE("serve_state", forward_and_around, what_is_not_certain, a_counter_that_never_wraps)
