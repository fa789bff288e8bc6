/* SPDX-License-Identifier: MIT
 * Energy of cards on groups, over a driver and a tree that are made here. */
#include "groups/gpu_shares.h"

#include "base/units.h"
#include "tree.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define WEB "/system.slice/web.service"

enum { CARDS = 2 };

static struct gpu_user reported[CARDS][4];
static size_t told_count[CARDS];
static enum gpu_attribution answer[CARDS];

static enum gpu_attribution users(struct energy_source *source, size_t domain, struct gpu_user *list, size_t *count)
{
    (void)source;
    *count = told_count[domain];
    memcpy(list, reported[domain], *count * sizeof *list);
    return answer[domain];
}

static const struct energy_driver card_driver = { .name = "nvml", .users = users }, silent_driver = { .name = "hwmon" };
static struct domain cards[CARDS];
static struct meter meter;
static struct card_use known[ENERGY_MAX_DOMAINS];
static struct groups groups;
static struct group_scan scan;
static struct process_scan processes;
static struct tree tree;
static const struct group_interval interval = { .interval_ns = 5 * NS_PER_S_INT, .pue = 2, .kgco2eq_per_kwh = 0.36 };

static void begin(const struct energy_driver *driver)
{
    memset(told_count, 0, sizeof told_count);
    answer[0] = answer[1] = GPU_ATTRIBUTED;
    memset(known, 0, sizeof known);
    meter = (struct meter){ .source_count = 1, .domain_count = CARDS };
    meter.sources[0] = (struct energy_source){ .driver = driver, .domains = cards, .domain_count = CARDS };
    for (size_t i = 0; i < CARDS; i++)
        meter.domains[i] = (struct meter_domain){ .domain = &cards[i], .source = &meter.sources[0] };
    groups = (struct groups){ .max = 100, .linger_ns = 100, .wanted = { true, true, true, true } };
    scan = (struct group_scan){ .roots = { -1, -1 } };
    tree_open(&tree);
    meter.root = &tree.root;
    tree_put(&tree, "proc/11/cgroup", "4:memory:/elsewhere\n0::" WEB "\n");
    tree_put(&tree, "proc/12/cgroup", "0::/system.slice/docker-" ID ".scope/inner\n");
    tree_put(&tree, "proc/13/cgroup", "5:cpu,cpuacct:/docker/" ID "\n0::/\n");
    groups_begin(&groups, 1);
}

static void end(void)
{
    groups_close(&groups);
    tree_close(&tree);
}

static void use(size_t card, pid_t pid, double busy)
{
    reported[card][told_count[card]++] = (struct gpu_user){ pid, busy };
}

static void attribute(double first_j, double second_j)
{
    const struct gpu_used used[CARDS] = { { 0, first_j, first_j / 5 }, { 1, second_j, second_j / 5 } };

    const struct gpu_walks walks = { &scan, &processes };

    gpu_shares_attribute(&groups, &walks, &meter, known, used, CARDS, &interval);
}

static const struct group *group_of(enum group_kind kind, const char *id)
{
    struct group_name name = { .kind = kind };
    size_t at;

    snprintf(name.id, sizeof name.id, "%s", id);
    at = groups_find(&groups, &name);
    ck_assert_msg(at != GROUP_NONE, "no group %s", id);
    return &groups.items[at];
}

/* 60 % of the first card, and 20 % of it beside 50 % of the second; whom nobody knows, and idle time, are nobody's. */
START_TEST(energy_goes_with_the_time_of_the_card)
{
    begin(&card_driver);
    use(0, 11, 0.6);
    use(0, 12, 0.2);
    use(0, 99, 0.2);
    use(1, 12, 0.5);
    attribute(100, 40);
    const struct group *web = group_of(GROUP_CGROUP, WEB), *docker = group_of(GROUP_CONTAINER, ID);
    ck_assert(web->has[COMPONENT_GPU] && docker->has[COMPONENT_GPU]);
    ck_assert_double_eq_tol(web->energy_j[COMPONENT_GPU], 60, 1e-12);
    ck_assert_double_eq_tol(docker->energy_j[COMPONENT_GPU], 20 + 20, 1e-12);
    ck_assert_double_eq_tol(group_of(GROUP_CGROUP, "/system.slice/docker-" ID ".scope/inner")->energy_j[COMPONENT_GPU],
                            40, 1e-12);
    ck_assert_double_eq_tol(web->power_w[COMPONENT_GPU], 60.0 / 5, 1e-12);
    ck_assert_double_eq_tol(web->kgco2eq, 60 / 3.6e6 * 2 * 0.36, 1e-18);
    end();
}
END_TEST

/* Percents are rounded, and clocks differ: the parts never exceed the whole. */
START_TEST(more_than_there_was_is_all_of_it)
{
    begin(&card_driver);
    use(0, 11, 0.9);
    use(0, 12, 0.6);
    attribute(100, 0);
    ck_assert_double_eq_tol(group_of(GROUP_CGROUP, WEB)->energy_j[COMPONENT_GPU], 60, 1e-12);
    ck_assert_double_eq_tol(group_of(GROUP_CONTAINER, ID)->energy_j[COMPONENT_GPU], 40, 1e-12);
    end();
}
END_TEST

START_TEST(version_1_has_its_own_paths)
{
    begin(&card_driver);
    scan.paths_of = 1;
    use(0, 13, 1);
    attribute(100, 0);
    ck_assert_double_eq_tol(group_of(GROUP_CONTAINER, ID)->energy_j[COMPONENT_GPU], 100, 1e-12);
    ck_assert_str_eq(group_of(GROUP_CONTAINER, ID)->name.engine, "docker");
    end();
}
END_TEST

/* Nobody used it: that is 0. Nobody tells: that is unknown, and what was told before stays. */
START_TEST(unknown_is_not_0)
{
    const struct group *web;
    struct group_name name = { .kind = GROUP_CGROUP, .id = WEB };

    begin(&card_driver);
    groups_take(&groups, &name);
    answer[0] = answer[1] = GPU_SILENT;
    attribute(100, 40);
    web = group_of(GROUP_CGROUP, WEB);
    ck_assert(!web->has[COMPONENT_GPU]);
    ck_assert(isnan(web->power_w[COMPONENT_GPU]));
    answer[0] = answer[1] = GPU_ATTRIBUTED;
    attribute(100, 40);
    ck_assert(web->has[COMPONENT_GPU]);
    ck_assert_double_eq(web->energy_j[COMPONENT_GPU], 0);
    ck_assert_double_eq(web->power_w[COMPONENT_GPU], 0);
    answer[1] = GPU_PARTITIONED; /* one of two */
    use(0, 11, 0.5);
    attribute(100, 40);
    ck_assert_double_eq_tol(web->energy_j[COMPONENT_GPU], 50, 1e-12);
    ck_assert(isnan(web->power_w[COMPONENT_GPU]));
    end();
    begin(&silent_driver);
    groups_take(&groups, &name);
    attribute(100, 40);
    ck_assert(!group_of(GROUP_CGROUP, WEB)->has[COMPONENT_GPU]);
    end();
}
END_TEST

/* The second interval has 50 J above the 10 W of the first card's lowest, and 30 J above the 2 W of the other's: each
 * card's to those who used it, as they used it. */
START_TEST(own_energy_lies_above_the_idle_power_of_its_card)
{
    begin(&card_driver);
    reported[0][0] = reported[1][0] = (struct gpu_user){ 0 };
    attribute(50, 10);
    use(0, 11, 0.6);
    use(0, 12, 0.2);
    use(0, 99, 0.2);
    use(1, 12, 0.5);
    groups.idle.idle_j = 0;
    for (size_t i = 0; i < COMPONENT_COUNT; i++)
        groups.idle_w[i] = NAN;
    attribute(100, 40);
    const struct group *web = group_of(GROUP_CGROUP, WEB), *docker = group_of(GROUP_CONTAINER, ID);
    ck_assert(web->has_own[COMPONENT_GPU] && docker->has_own[COMPONENT_GPU]);
    ck_assert_double_eq_tol(web->own_j[COMPONENT_GPU], 30, 1e-12);
    ck_assert_double_eq_tol(web->own_w[COMPONENT_GPU], 6, 1e-12);
    ck_assert_double_eq_tol(web->own_kgco2eq, 30 / 3.6e6 * 2 * 0.36, 1e-18);
    ck_assert_double_eq_tol(docker->own_j[COMPONENT_GPU], 10 + 30, 1e-12);
    ck_assert_double_eq_tol(groups.idle.idle_j, 50 + 10, 1e-12);
    ck_assert_double_eq_tol(groups.idle_w[COMPONENT_GPU], 10 + 2, 1e-12);
    ck_assert_int_eq(groups.own_method[COMPONENT_GPU], OWN_SHARE);
    answer[1] = GPU_PARTITIONED; /* what is told before stays, and power now is not known */
    attribute(100, 40);
    ck_assert_double_eq_tol(web->own_j[COMPONENT_GPU], 60, 1e-12);
    ck_assert(isnan(web->own_w[COMPONENT_GPU]));
    end();
}
END_TEST

/* Until a second has been seen nobody knows what is idle; a card that nobody answers for is no idle power. */
START_TEST(own_is_unknown_without_an_idle_power)
{
    const struct group_interval shorter = { .interval_ns = NS_PER_S_INT / 2, .pue = 1, .kgco2eq_per_kwh = 1 };
    const struct gpu_used used = { 0, 50, 100 };
    const struct gpu_walks walks = { &scan, &processes };

    begin(&card_driver);
    use(0, 11, 1);
    gpu_shares_attribute(&groups, &walks, &meter, known, &used, 1, &shorter);
    ck_assert_double_eq_tol(group_of(GROUP_CGROUP, WEB)->energy_j[COMPONENT_GPU], 50, 1e-12);
    ck_assert(!group_of(GROUP_CGROUP, WEB)->has_own[COMPONENT_GPU]);
    ck_assert(isnan(group_of(GROUP_CGROUP, WEB)->own_w[COMPONENT_GPU]));
    end();
    begin(&silent_driver);
    groups.idle = (struct groups_idle){ .known = true };
    attribute(100, 40);
    ck_assert_double_eq(groups.idle.energy_j, 0);
    ck_assert_double_eq(groups.idle.power_w, 0);
    ck_assert_double_eq(groups.idle.idle_j, 0);
    end();
}
END_TEST

UNIT_SUITE("gpu_shares", energy_goes_with_the_time_of_the_card, more_than_there_was_is_all_of_it,
           version_1_has_its_own_paths, unknown_is_not_0, own_energy_lies_above_the_idle_power_of_its_card,
           own_is_unknown_without_an_idle_power)
