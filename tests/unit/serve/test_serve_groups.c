/* SPDX-License-Identifier: MIT
 * Groups of processes: whose a cgroup is, what each has used, and the energy that is laid on it. */
#include "unit.h"

#include "base/units.h"
#include "commands/serve/group_scan.h"
#include "commands/serve/group_titles.h"
#include "tree.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER_ID "ff23456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define ROOTS_ID "ee23456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
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
    struct groups groups = { .most = 10, .linger_ns = 100 };
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
    struct groups groups = { .most = 2, .linger_ns = 10 };

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

static void put_cpu(const struct tree *tree, const char *group, unsigned us)
{
    char path[400], text[64];

    snprintf(path, sizeof path, "sys/fs/cgroup/%s/cpu.stat", group);
    snprintf(text, sizeof text, "usage_usec %u", us);
    tree_put(tree, path, text);
}

static uint64_t recent_us(const struct groups *groups, enum group_kind kind, const char *id)
{
    struct group_name name = { .kind = kind };
    size_t at;

    snprintf(name.id, sizeof name.id, "%s", id);
    at = groups_find(groups, &name);
    return at == GROUP_NONE ? UINT64_MAX : group_recent_ns(&groups->items[at]) / 1000;
}

START_TEST(a_walk)
{
    struct groups groups = { .most = 100, .linger_ns = 100, .wanted = { true, true, true, true } };
    struct group_scan scan;
    struct tree tree;
    struct error err;

    tree_open(&tree);
    tree_put(&tree, "sys/fs/cgroup/cgroup.controllers", "cpu");
    put_cpu(&tree, "s", 100);
    put_cpu(&tree, "s/docker-" ID ".scope", 60);
    put_cpu(&tree, "s/docker-" ID ".scope/inner", 50);
    ck_assert(group_scan_open(&scan, &tree.root, &err));
    group_scan_walk(&scan, &groups, 1000000, 1);
    ck_assert_uint_eq(recent_us(&groups, GROUP_CONTAINER, ID), 0);
    ck_assert_uint_eq(recent_us(&groups, GROUP_CGROUP, "/s"), UINT64_MAX);
    /* 10 in s itself, 20 in the container itself, 30 in a group below it, 5 in a new one */
    put_cpu(&tree, "s", 165);
    put_cpu(&tree, "s/docker-" ID ".scope", 110);
    put_cpu(&tree, "s/docker-" ID ".scope/inner", 80);
    put_cpu(&tree, "s/new", 5);
    group_scan_walk(&scan, &groups, 1000000, 2);
    ck_assert_uint_eq(recent_us(&groups, GROUP_CONTAINER, ID), 50);
    ck_assert_uint_eq(recent_us(&groups, GROUP_CGROUP, "/s"), 10);
    ck_assert_uint_eq(recent_us(&groups, GROUP_CGROUP, "/s/docker-" ID ".scope"), 20);
    ck_assert_uint_eq(recent_us(&groups, GROUP_CGROUP, "/s/docker-" ID ".scope/inner"), 30);
    ck_assert_uint_eq(recent_us(&groups, GROUP_CGROUP, "/s/new"), 5);
    /* made anew under the same name; and one that has used more than there was since was overlooked before */
    put_cpu(&tree, "s/new", 3);
    put_cpu(&tree, "s/old", 2000000);
    group_scan_walk(&scan, &groups, 1000000000, 3);
    ck_assert_uint_eq(recent_us(&groups, GROUP_CGROUP, "/s/new"), 3);
    ck_assert_uint_eq(recent_us(&groups, GROUP_CGROUP, "/s/old"), UINT64_MAX);
    ck_assert_uint_eq(recent_us(&groups, GROUP_CONTAINER, ID), 0);
    group_scan_close(&scan);
    groups_close(&groups);
    tree_close(&tree);
}
END_TEST

/* A kubelet and a runtime of different drivers: the container's folder is elsewhere than its pod's, which is empty. */
START_TEST(a_pod_of_which_only_a_name_tells)
{
    static const char pod[] = "kubepods.slice/kubepods-pod1a2b3c4d_0000_4000_8000_00000000000a.slice";
    static const char container[] =
        "system.slice/k3s.service/kubepods-pod1a2b3c4d_0000_4000_8000_00000000000a.slice:cri-containerd:" ID;
    struct groups groups = { .most = 100, .linger_ns = 100, .wanted = { false, true, true, false } };
    struct group_scan scan;
    struct tree tree;
    struct error err;

    tree_open(&tree);
    tree_put(&tree, "sys/fs/cgroup/cgroup.controllers", "cpu");
    put_cpu(&tree, pod, 0);
    put_cpu(&tree, container, 10);
    ck_assert(group_scan_open(&scan, &tree.root, &err));
    group_scan_walk(&scan, &groups, 1000000, 1);
    put_cpu(&tree, container, 80);
    group_scan_walk(&scan, &groups, 1000000, 2);
    ck_assert_uint_eq(recent_us(&groups, GROUP_CONTAINER, ID), 70);
    ck_assert_uint_eq(recent_us(&groups, GROUP_POD, UID), 70);
    group_scan_close(&scan);
    groups_close(&groups);
    tree_close(&tree);
}
END_TEST

static size_t left_out(struct group_scan *scan, struct groups *groups)
{
    group_scan_walk(scan, groups, 1000000, groups->walked_ns + 1);
    return groups->left_out[GROUP_CGROUP];
}

/* Those that have used something and found no room, as long as they are there, however idle. */
START_TEST(left_out_until_they_go)
{
    struct groups groups = { .most = 1, .linger_ns = 100, .wanted = { true, true, true, true } };
    struct group_scan scan;
    struct tree tree;
    struct error err;
    char path[PATH_MAX];

    tree_open(&tree);
    tree_put(&tree, "sys/fs/cgroup/cgroup.controllers", "cpu");
    for (int i = 0; i < 4; i++)
        put_cpu(&tree, (const char *[]){ "a", "b", "c", "idle" }[i], 10);
    ck_assert(group_scan_open(&scan, &tree.root, &err));
    ck_assert_uint_eq(left_out(&scan, &groups), 0);
    for (int i = 0; i < 3; i++)
        put_cpu(&tree, (const char *[]){ "a", "b", "c" }[i], 20);
    ck_assert_uint_eq(left_out(&scan, &groups), 2);
    ck_assert_uint_eq(left_out(&scan, &groups), 2);
    ck_assert_uint_eq(groups.count, 1);
    snprintf(path, sizeof path, "%s/sys/fs/cgroup%s", tree.path, groups.items[0].name.id);
    nftw(path, tree_remove_one, 8, FTW_DEPTH | FTW_PHYS);
    ck_assert_uint_eq(left_out(&scan, &groups), 2); /* its place is free from the next walk on */
    ck_assert_uint_eq(left_out(&scan, &groups), 1);
    group_scan_close(&scan);
    groups_close(&groups);
    tree_close(&tree);
}
END_TEST

/* A user may call a group of his own what he likes: it is his, and no other's of that name. */
START_TEST(forged_names)
{
    static const char service[] = "user.slice/user-1000.slice/user@1000.service";
    struct groups groups = { .most = 100, .linger_ns = 100, .wanted = { true, true, true, true } };
    struct group_name his = { .kind = GROUP_CONTAINER, .id = ID, .user = "1000" };
    static const char *const forged[] = { ("docker-" ID ".scope"), "slurm/uid_0/job_42", ("kubepods/pod" UID) };
    struct group_scan scan;
    struct tree tree;
    struct error err;
    char path[256];

    tree_open(&tree);
    tree_put(&tree, "sys/fs/cgroup/cgroup.controllers", "cpu");
    put_cpu(&tree, "system.slice/docker-" ID ".scope", 10);
    put_cpu(&tree, "slurm/uid_0/job_42", 10);
    put_cpu(&tree, "kubepods/pod" UID, 10);
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < sizeof forged / sizeof forged[0]; i++) {
            snprintf(path, sizeof path, "%s/%s", service, forged[i]);
            put_cpu(&tree, path, round ? 910 : 10);
        }
        if (!round)
            ck_assert(group_scan_open(&scan, &tree.root, &err));
        group_scan_walk(&scan, &groups, 1000000, 1 + (uint64_t)round);
    }
    ck_assert_uint_eq(recent_us(&groups, GROUP_CONTAINER, ID), 0);
    ck_assert_uint_eq(recent_us(&groups, GROUP_SLURM, "42"), 0);
    ck_assert_uint_eq(recent_us(&groups, GROUP_POD, UID), 0);
    ck_assert_uint_eq(group_recent_ns(&groups.items[groups_find(&groups, &his)]), 900000);
    snprintf(path, sizeof path, "/%s/slurm/uid_0/job_42", service);
    ck_assert_uint_eq(recent_us(&groups, GROUP_CGROUP, path), 900);
    group_scan_close(&scan);
    groups_close(&groups);
    tree_close(&tree);
}
END_TEST

static void give(const struct tree *tree, const char *group, uid_t user)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/sys/fs/cgroup/%s", tree->path, group);
    ck_assert(chown(path, user, user) == 0);
}

static uint64_t users_us(const struct groups *groups, enum group_kind kind, const char *id, const char *user)
{
    struct group_name name = { .kind = kind };
    size_t at;

    snprintf(name.id, sizeof name.id, "%s", id);
    snprintf(name.user, sizeof name.user, "%s", user);
    at = groups_find(groups, &name);
    return at == GROUP_NONE ? UINT64_MAX : group_recent_ns(&groups->items[at]) / 1000;
}

/* Wherever root has given a group away, and in one that others may write to: what is made below is called by its user,
 * who takes nothing from a container of root's either. The first who was given one counts. */
START_TEST(forged_below_what_was_given)
{
    static const char *const used[] = { ("given/docker-" ID ".scope"),      ("given/slurm/job_42"),
                                        "given/kubepods/pod" UID,           ("given/of_another/docker/" OTHER_ID),
                                        ("docker/" ROOTS_ID "/docker/" ID), ("open/docker-" ID ".scope"),
                                        ("open/docker-" OTHER_ID ".scope") };
    struct groups groups = { .most = 100, .linger_ns = 100, .wanted = { true, true, true, true } };
    size_t owners[GROUP_KINDS];
    struct group_scan scan;
    struct tree tree;
    struct error err;

    if (geteuid() != 0)
        return; /* nobody else can give */
    tree_open(&tree);
    tree_put(&tree, "sys/fs/cgroup/cgroup.controllers", "cpu");
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < sizeof used / sizeof used[0]; i++)
            put_cpu(&tree, used[i], round ? 10 + (1U << i) : 10);
        put_cpu(&tree, "docker/" ROOTS_ID, round ? 510 : 10);
        give(&tree, "given", 1001);
        give(&tree, "given/of_another", 1002);
        give(&tree, "docker/" ROOTS_ID, 1003);
        give(&tree, "open/docker-" ID ".scope", 1004);
        ck_assert(round || group_scan_open(&scan, &tree.root, &err));
        ck_assert(fchmodat(scan.roots[0], "open", 0777, 0) == 0);
        group_scan_walk(&scan, &groups, 1000000, 1 + (uint64_t)round);
    }
    ck_assert_uint_eq(recent_us(&groups, GROUP_CONTAINER, ID), UINT64_MAX);
    ck_assert_uint_eq(recent_us(&groups, GROUP_SLURM, "42"), UINT64_MAX);
    ck_assert_uint_eq(recent_us(&groups, GROUP_POD, UID), UINT64_MAX);
    ck_assert_uint_eq(users_us(&groups, GROUP_CONTAINER, ID, "1001"), 1);
    ck_assert_uint_eq(users_us(&groups, GROUP_POD, UID, "1001"), 4);
    ck_assert_uint_eq(users_us(&groups, GROUP_CONTAINER, OTHER_ID, "1001"), 8);
    ck_assert_uint_eq(recent_us(&groups, GROUP_CONTAINER, ROOTS_ID), 500); /* also what it called otherwise */
    ck_assert_uint_eq(users_us(&groups, GROUP_CONTAINER, ID, "1003"), UINT64_MAX);
    ck_assert_uint_eq(users_us(&groups, GROUP_CONTAINER, ID, "1004"), 32);
    ck_assert_uint_eq(recent_us(&groups, GROUP_CONTAINER, OTHER_ID), 64);
    ck_assert_uint_eq(recent_us(&groups, GROUP_CGROUP, "/given/slurm/job_42"), 2);
    /* what a card tells of a process goes the same way */
    group_scan_owners(&scan, &groups, "/given/docker-" ID ".scope", owners);
    ck_assert_str_eq(groups.items[owners[GROUP_CONTAINER]].name.user, "1001");
    group_scan_owners(&scan, &groups, "/given/slurm/job_42", owners);
    ck_assert_uint_eq(owners[GROUP_SLURM], GROUP_NONE);
    group_scan_owners(&scan, &groups, "/docker/" ROOTS_ID "/docker/" ID, owners);
    ck_assert_str_eq(groups.items[owners[GROUP_CONTAINER]].name.id, ROOTS_ID);
    group_scan_close(&scan);
    groups_close(&groups);
    tree_close(&tree);
}
END_TEST

/* A user who makes one group after another leaves room for root's. */
START_TEST(room_for_roots)
{
    struct groups groups = { .most = 8, .linger_ns = 10 };
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

/* What is in folders that are too many or too deep is counted with the group above, and they are counted. */
START_TEST(a_walk_that_is_cut)
{
    struct groups groups = { .most = 100, .linger_ns = 100, .wanted = { true, true, true, true } };
    struct group_scan scan;
    struct tree tree;
    struct error err;
    char path[64];

    tree_open(&tree);
    tree_put(&tree, "sys/fs/cgroup/cgroup.controllers", "cpu");
    ck_assert(group_scan_open(&scan, &tree.root, &err));
    scan.most_folders = 10;
    scan.most_deep = 3;
    for (int round = 0; round < 2; round++) {
        put_cpu(&tree, "a", round ? 75 : 10);
        put_cpu(&tree, "a/b", round ? 65 : 10);
        put_cpu(&tree, "a/b/c", round ? 60 : 10);
        put_cpu(&tree, "a/b/c/d", round ? 50 : 10);
        put_cpu(&tree, "a/b/c/d/e", round ? 40 : 10);
        group_scan_walk(&scan, &groups, 1000000, 1 + (uint64_t)round);
    }
    ck_assert_uint_eq(groups.unentered, 1);
    ck_assert_uint_eq(groups.left_out[GROUP_CGROUP], 1); /* at least: d, and who knows what below it */
    ck_assert_uint_eq(recent_us(&groups, GROUP_CGROUP, "/a/b/c"), 50);
    ck_assert_uint_eq(recent_us(&groups, GROUP_CGROUP, "/a/b"), 5);
    tree_put(&tree, "sys/fs/cgroup/cgroup.stat", "nr_descendants 5\nnr_dying_descendants 7\n");
    group_scan_walk(&scan, &groups, 1000000, 3);
    ck_assert_uint_eq(groups.unentered, 2); /* the kernel knows */
    for (int i = 0; i < 10; i++) {
        snprintf(path, sizeof path, "many%d", i);
        put_cpu(&tree, path, 10);
    }
    tree_put(&tree, "sys/fs/cgroup/cgroup.stat", "nr_descendants 15\n");
    group_scan_walk(&scan, &groups, 1000000, 4);
    ck_assert_uint_eq(groups.unentered, 5);
    group_scan_close(&scan);
    groups_close(&groups);
    tree_close(&tree);
}
END_TEST

/* Paths longer than the text that an id has. */
START_TEST(long_paths)
{
    struct groups groups = { .most = 100, .linger_ns = 1, .wanted = { true, false, false, false } };
    size_t owners[GROUP_KINDS];
    struct group_scan scan;
    struct group_name name;
    struct tree tree;
    struct error err;
    static const char *const path[] = { "/" ID ID ID "/" ID ID "/0", "/" ID ID ID "/" ID ID "/..1" };

    tree_open(&tree);
    tree_put(&tree, "sys/fs/cgroup/cgroup.controllers", "cpu");
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned i = 0; i < 2; i++)
            put_cpu(&tree, path[i] + 1, round ? (i ? 21 : 17) : 10);
        ck_assert(round || group_scan_open(&scan, &tree.root, &err));
        group_scan_walk(&scan, &groups, 1000000, 1 + round);
    }
    for (unsigned i = 0; i < 2; i++) {
        group_name_by_path(path[i], &name);
        ck_assert_uint_eq(group_recent_ns(&groups.items[groups_find(&groups, &name)]), i ? 11000 : 7000);
        ck_assert_str_eq(group_name_id(&groups.items[groups_find(&groups, &name)].name), path[i]);
        group_scan_owners(&scan, &groups, path[i], owners);
        ck_assert_uint_eq(owners[GROUP_CGROUP], groups_find(&groups, &name));
    }
    ck_assert_uint_eq(groups.count, 2);
    groups_forget(&groups, 10);
    ck_assert_uint_eq(groups.count, 0);
    group_scan_close(&scan);
    groups_close(&groups);
    tree_close(&tree);
}
END_TEST

START_TEST(titles)
{
    struct groups groups = { .most = 10, .linger_ns = 100 };
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

UNIT_SUITE("serve_groups", shares, energy_by_cpu_time, no_more_than_so_many, a_walk, a_pod_of_which_only_a_name_tells,
           left_out_until_they_go, forged_names, forged_below_what_was_given, room_for_roots, a_walk_that_is_cut,
           long_paths, titles)
