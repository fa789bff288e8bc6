/* SPDX-License-Identifier: MIT
 * Energy of a card on its processes, over a driver that is made here. */
#include "meter/gpu_split.h"

#include "base/units.h"
#include "unit.h"

#include <string.h>

static struct gpu_user users[3];
static size_t user_count;
static enum gpu_attribution answer;

static enum gpu_attribution tell(struct energy_source *source, size_t domain, struct gpu_user list[GPU_MAX_USERS],
                                 size_t *count)
{
    ck_assert_uint_eq(domain, 1);
    ck_assert_ptr_nonnull(source->domains);
    memcpy(list, users, user_count * sizeof *list);
    *count = user_count;
    return answer;
}

static const struct energy_driver card_driver = { .name = "nvml", .users = tell }, other_driver = { .name = "hwmon" };
static const struct root recorded = { .live = false };
static struct domain cards[2];
static struct meter meter;
static struct gpu_split split;
static struct gpu_parts parts;

static void begin(const struct energy_driver *driver)
{
    meter = (struct meter){ .root = &recorded, .source_count = 1, .domain_count = 1 };
    meter.sources[0] = (struct energy_source){ .driver = driver, .domains = cards, .domain_count = 2 };
    meter.domains[0] = (struct meter_domain){ .domain = &cards[1], .source = &meter.sources[0] };
    answer = GPU_ATTRIBUTED;
    user_count = 0;
    split = (struct gpu_split){ .waiting_j = 0 };
    ck_assert_int_eq(gpu_split_take(&meter, 0, 0, 0, &split, &parts), driver->users ? GPU_ATTRIBUTED : GPU_NOT_ASKED);
}

static enum gpu_attribution take(double energy_j, uint64_t interval_ns)
{
    return gpu_split_take(&meter, 0, energy_j, interval_ns, &split, &parts);
}

static void use(pid_t pid, double busy)
{
    users[user_count++] = (struct gpu_user){ pid, busy };
}

START_TEST(each_process_has_its_part)
{
    begin(&card_driver);
    use(7, 0.5);
    use(8, 0.3);
    ck_assert_int_eq(take(200, NS_PER_S_INT), GPU_ATTRIBUTED);
    ck_assert_uint_eq(parts.count, 2);
    ck_assert_double_eq_tol(parts.items[0].energy_j, 200 * 0.5, 1e-9);
    ck_assert_double_eq_tol(parts.items[1].energy_j, 200 * 0.3, 1e-9);
    ck_assert_double_eq(parts.of_j, 200);
    use(9, 0.8); /* 160 % of the time there was */
    take(200, NS_PER_S_INT);
    ck_assert_double_eq_tol(parts.items[2].energy_j, 200 * 0.8 / 1.6, 1e-9);
}
END_TEST

/* Asked more often than the driver takes samples: what was used in between goes by the next one. */
START_TEST(what_is_not_told_yet_waits)
{
    begin(&card_driver);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(take(20, NS_PER_S_INT / 5), GPU_ATTRIBUTED);
        ck_assert_uint_eq(parts.over_ns, 0);
        ck_assert_double_eq(parts.of_j, 0);
    }
    use(7, 0.6);
    take(20, NS_PER_S_INT / 5);
    ck_assert_double_eq_tol(parts.items[0].energy_j, 100 * 0.6, 1e-9);
    ck_assert_double_eq_tol(parts.of_j, 100, 1e-9);
    ck_assert_uint_eq(parts.over_ns, NS_PER_S_INT);
}
END_TEST

/* A sample period without a sample: no process used it. */
START_TEST(at_rest_it_is_nobodys)
{
    begin(&card_driver);
    take(30, GPU_SAMPLE_NS / 2);
    ck_assert_int_eq(take(30, GPU_SAMPLE_NS / 2), GPU_ATTRIBUTED);
    ck_assert_uint_eq(parts.count, 0);
    ck_assert_double_eq_tol(parts.of_j, 60, 1e-9);
    use(7, 1);
    take(10, GPU_SAMPLE_NS / 2);
    ck_assert_double_eq_tol(parts.items[0].energy_j, 10, 1e-9);
}
END_TEST

START_TEST(not_told_is_nobodys_and_said)
{
    begin(&card_driver);
    use(7, 1);
    answer = GPU_PARTITIONED;
    ck_assert_int_eq(take(10, NS_PER_S_INT), GPU_PARTITIONED);
    ck_assert_uint_eq(parts.count, 0);
    begin(&other_driver);
    ck_assert_int_eq(take(10, NS_PER_S_INT), GPU_NOT_ASKED);
}
END_TEST

UNIT_SUITE("gpu_split", each_process_has_its_part, what_is_not_told_yet_waits, at_rest_it_is_nobodys,
           not_told_is_nobodys_and_said)
