/* SPDX-License-Identifier: MIT
 * Groups of processes: the energy that is laid on each, how many there may be, and their titles. */
#include "unit.h"

#include "base/units.h"
#include "groups/group_scan.h"
#include "groups/group_titles.h"
#include "tree.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define UID "1a2b3c4d-0000-4000-8000-00000000000a"

START_TEST(shares)
{
    /* 1 s of 4 x 2 s */
    ck_assert_double_eq(group_share(NS_PER_S_INT, NS_PER_S_INT, 4, 2 * NS_PER_S_INT), 0.125);
    ck_assert_double_eq(group_share(0, NS_PER_S_INT, 4, 2 * NS_PER_S_INT), 0);
    /* more time than there was: of all that was used */
    ck_assert_double_eq(group_share(NS_PER_S_INT, 10 * NS_PER_S_INT, 1, NS_PER_S_INT), 0.1);
    ck_assert_double_eq(group_share(0, 0, 1, 0), 0);
}
END_TEST

static struct group_interval interval_of(double package_j, double memory_j)
{
    struct group_interval interval = {
        .interval_ns = 5 * NS_PER_S_INT, .cpus = 2, .pue = 1.5, .kgco2eq_per_kwh = 0.36
    };

    for (size_t i = 0; i < COMPONENT_COUNT; i++)
        interval.energy_j[i] = interval.power_w[i] = NAN;
    interval.energy_j[COMPONENT_PACKAGE] = package_j;
    interval.energy_j[COMPONENT_MEMORY] = memory_j;
    interval.power_w[COMPONENT_PACKAGE] = package_j / s_from_ns(interval.interval_ns);
    interval.power_w[COMPONENT_MEMORY] = memory_j / s_from_ns(interval.interval_ns);
    return interval;
}

static size_t take(struct groups *groups, enum group_kind kind, const char *id)
{
    struct group_name name = { .kind = kind };

    snprintf(name.id, sizeof name.id, "%s", id);
    return groups_take(groups, &name);
}

START_TEST(energy_by_cpu_time)
{
    struct groups groups = { .max = 10, .linger_ns = 100 };
    const struct group_interval first = interval_of(100, 20), second = interval_of(50, NAN);
    size_t a, b, pod;

    groups_begin(&groups, 1);
    a = take(&groups, GROUP_CONTAINER, "a");
    b = take(&groups, GROUP_CONTAINER, "b");
    pod = take(&groups, GROUP_POD, "a");
    ck_assert_uint_ne(a, b);
    ck_assert_uint_ne(a, pod);
    groups.items[a].recent_ns[0] = 2 * NS_PER_S_INT; /* of 10 s */
    groups.items[b].recent_ns[0] = NS_PER_S_INT;
    groups.items[b].recent_ns[1] = 3 * NS_PER_S_INT; /* both hierarchies have it: the greater, never both */
    groups_attribute(&groups, &first);
    ck_assert_double_eq_tol(groups.items[a].energy_j[COMPONENT_PACKAGE], 20, 1e-12);
    ck_assert_double_eq_tol(groups.items[b].energy_j[COMPONENT_PACKAGE], 30, 1e-12);
    ck_assert_double_eq_tol(groups.items[b].energy_j[COMPONENT_MEMORY], 6, 1e-12);
    ck_assert_double_eq_tol(groups.items[a].power_w[COMPONENT_PACKAGE], 4, 1e-12);
    ck_assert_double_eq_tol(groups.items[a].kgco2eq, 24 / 3.6e6 * 1.5 * 0.36, 1e-18);
    ck_assert(!groups.items[a].has[COMPONENT_GPU]);
    ck_assert_double_eq(groups.items[pod].energy_j[COMPONENT_PACKAGE], 0);
    groups_begin(&groups, 2);
    groups.items[a].recent_ns[0] = 10 * NS_PER_S_INT;
    groups_attribute(&groups, &second);
    ck_assert_double_eq_tol(groups.items[a].energy_j[COMPONENT_PACKAGE], 70, 1e-12);
    ck_assert_double_eq_tol(groups.items[a].energy_j[COMPONENT_MEMORY], 4, 1e-12);
    ck_assert(isnan(groups.items[a].power_w[COMPONENT_MEMORY]));
    ck_assert_uint_eq(groups.items[a].cpu_ns, 12 * NS_PER_S_INT);
    groups_close(&groups);
}
END_TEST

START_TEST(no_more_than_so_many)
{
    struct groups groups = { .max = 2, .linger_ns = 10 };

    groups_begin(&groups, 100);
    ck_assert_uint_eq(take(&groups, GROUP_POD, "a"), 0);
    ck_assert_uint_eq(take(&groups, GROUP_POD, "b"), 1);
    ck_assert_uint_eq(take(&groups, GROUP_POD, "c"), GROUP_NONE);
    ck_assert_uint_eq(take(&groups, GROUP_POD, "a"), 0);
    ck_assert_uint_eq(take(&groups, GROUP_POD, "c"), GROUP_NONE);
    groups_end(&groups);
    ck_assert_uint_eq(groups.left_out[GROUP_POD], 1);
    /* "b" has ended: it lingers as long as nobody wants its place */
    groups_begin(&groups, 105);
    ck_assert_uint_eq(take(&groups, GROUP_POD, "a"), 0);
    groups_forget(&groups, 105);
    ck_assert_uint_eq(groups.count, 2);
    ck_assert_uint_eq(take(&groups, GROUP_POD, "c"), GROUP_NONE);
    groups_begin(&groups, 110);
    ck_assert_uint_eq(groups.count, 1);
    ck_assert_uint_eq(take(&groups, GROUP_POD, "a"), 0);
    ck_assert_uint_eq(take(&groups, GROUP_POD, "c"), 1);
    groups_begin(&groups, 130);
    groups_forget(&groups, 130);
    ck_assert_uint_eq(groups.count, 0);
    groups_close(&groups);
}
END_TEST

/* A user who makes one group after another leaves room for root's. */
START_TEST(room_for_roots)
{
    struct groups groups = { .max = 8, .linger_ns = 10 };
    struct group_name name = { .kind = GROUP_CONTAINER, .user = "1000" };

    groups_begin(&groups, 1);
    for (int i = 0; i < 10; i++) {
        snprintf(name.id, sizeof name.id, "%d", i);
        (void)groups_take(&groups, &name);
    }
    groups_end(&groups);
    ck_assert_uint_eq(groups.count, 6);
    ck_assert_uint_eq(groups.left_out[GROUP_CONTAINER], 4);
    ck_assert_uint_ne(take(&groups, GROUP_CONTAINER, "a"), GROUP_NONE);
    ck_assert_uint_ne(take(&groups, GROUP_CONTAINER, "b"), GROUP_NONE);
    groups_close(&groups);
}
END_TEST

START_TEST(titles)
{
    struct groups groups = { .max = 10, .linger_ns = 100 };
    struct tree tree;
    struct title_answer answer;
    char message[TITLE_MESSAGE_SIZE];
    size_t pod, container, unknown;

    tree_open(&tree);
    tree_put(&tree, "var/log/pods/shop_cart-0_" UID "/x", "");
    tree_put(&tree, "var/log/containers/cart-0_shop_main-web-" ID ".log", "");
    tree_put(&tree, "var/log/containers/a-b.c_x_y", "");
    groups_begin(&groups, 1);
    pod = take(&groups, GROUP_POD, UID);
    container = take(&groups, GROUP_CONTAINER, ID);
    unknown = take(&groups, GROUP_CONTAINER, "ff");
    group_titles_find(&groups, &tree.root, -1);
    ck_assert_str_eq(groups.items[pod].title, "cart-0");
    ck_assert_str_eq(groups.items[pod].space, "shop");
    ck_assert_str_eq(groups.items[container].title, "main-web");
    ck_assert_str_eq(groups.items[unknown].title, "");
    ck_assert(groups.items[unknown].named); /* nobody can be asked: it stays without */
    answer = (struct title_answer){ .id = "ab12", .engine = "docker", .title = "web 1" };
    ck_assert(title_answer_read(message, (size_t)title_answer_write(&answer, message), &answer));
    ck_assert_str_eq(answer.title, "web 1");
    answer = (struct title_answer){ .id = "ab12", .engine = "-" };
    ck_assert(title_answer_read(message, (size_t)title_answer_write(&answer, message), &answer));
    ck_assert_str_eq(answer.title, "");
    ck_assert(!title_answer_read("xyz", 3, &answer));
    groups_close(&groups);
    tree_close(&tree);
}
END_TEST

UNIT_SUITE("serve_groups", shares, energy_by_cpu_time, no_more_than_so_many, room_for_roots, titles)
