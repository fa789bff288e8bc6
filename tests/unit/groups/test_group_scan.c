/* SPDX-License-Identifier: MIT
 * Walks through the tree of control groups: what each has used since the last, and names that were forged. */
#include "unit.h"

#include "groups/group_scan.h"
#include "tree.h"

#include <stdio.h>
#include <string.h>

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER_ID "ff23456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define ROOTS_ID "ee23456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define UID "1a2b3c4d-0000-4000-8000-00000000000a"

static struct tree tree;
static struct groups groups;
static struct group_scan scan;
static struct error err;

static void begin(void)
{
    for (size_t i = 0; i < GROUP_HIERARCHIES_SEEN; i++)
        scan.roots[i] = -1;
    tree_open(&tree);
}

static void end(void)
{
    group_scan_close(&scan);
    groups_close(&groups);
    tree_close(&tree);
}

static void walk(uint64_t at_most_ns, uint64_t now_ns)
{
    groups_begin(&groups, now_ns);
    group_scan_walk(&scan, &groups, at_most_ns);
    groups_end(&groups);
}

static void put_cpu(const char *group, unsigned us)
{
    char path[400], text[64];

    snprintf(path, sizeof path, "sys/fs/cgroup/%s/cpu.stat", group);
    snprintf(text, sizeof text, "usage_usec %u", us);
    tree_put(&tree, path, text);
}

static uint64_t recent_us(enum group_kind kind, const char *id)
{
    struct group_name name = { .kind = kind };
    size_t at;

    snprintf(name.id, sizeof name.id, "%s", id);
    at = groups_find(&groups, &name);
    return at == GROUP_NONE ? UINT64_MAX : group_recent_ns(&groups.items[at]) / 1000;
}

START_TEST(a_walk)
{
    groups = (struct groups){ .max = 100, .linger_ns = 100, .wanted = { true, true, true, true } };
    tree_put(&tree, "sys/fs/cgroup/cgroup.controllers", "cpu");
    put_cpu("s", 100);
    put_cpu("s/docker-" ID ".scope", 60);
    put_cpu("s/docker-" ID ".scope/inner", 50);
    ck_assert(group_scan_open(&scan, &tree.root, &err));
    walk(1000000, 1);
    ck_assert_uint_eq(recent_us(GROUP_CONTAINER, ID), 0);
    ck_assert_uint_eq(recent_us(GROUP_CGROUP, "/s"), UINT64_MAX);
    /* 10 in s itself, 20 in the container itself, 30 in a group below it, 5 in a new one */
    put_cpu("s", 165);
    put_cpu("s/docker-" ID ".scope", 110);
    put_cpu("s/docker-" ID ".scope/inner", 80);
    put_cpu("s/new", 5);
    walk(1000000, 2);
    ck_assert_uint_eq(recent_us(GROUP_CONTAINER, ID), 50);
    ck_assert_uint_eq(recent_us(GROUP_CGROUP, "/s"), 10);
    ck_assert_uint_eq(recent_us(GROUP_CGROUP, "/s/docker-" ID ".scope"), 20);
    ck_assert_uint_eq(recent_us(GROUP_CGROUP, "/s/docker-" ID ".scope/inner"), 30);
    ck_assert_uint_eq(recent_us(GROUP_CGROUP, "/s/new"), 5);
    /* made anew under the same name; and one that has used more than there was since was overlooked before */
    put_cpu("s/new", 3);
    put_cpu("s/old", 2000000);
    walk(1000000000, 3);
    ck_assert_uint_eq(recent_us(GROUP_CGROUP, "/s/new"), 3);
    ck_assert_uint_eq(recent_us(GROUP_CGROUP, "/s/old"), UINT64_MAX);
    ck_assert_uint_eq(recent_us(GROUP_CONTAINER, ID), 0);
}
END_TEST

/* A kubelet and a runtime of different drivers: the container's folder is elsewhere than its pod's, which is empty. */
START_TEST(a_pod_of_which_only_a_name_tells)
{
    static const char pod[] = "kubepods.slice/kubepods-pod1a2b3c4d_0000_4000_8000_00000000000a.slice";
    static const char container[] =
        "system.slice/k3s.service/kubepods-pod1a2b3c4d_0000_4000_8000_00000000000a.slice:cri-containerd:" ID;

    groups = (struct groups){ .max = 100, .linger_ns = 100, .wanted = { false, true, true, false } };
    tree_put(&tree, "sys/fs/cgroup/cgroup.controllers", "cpu");
    put_cpu(pod, 0);
    put_cpu(container, 10);
    ck_assert(group_scan_open(&scan, &tree.root, &err));
    walk(1000000, 1);
    put_cpu(container, 80);
    walk(1000000, 2);
    ck_assert_uint_eq(recent_us(GROUP_CONTAINER, ID), 70);
    ck_assert_uint_eq(recent_us(GROUP_POD, UID), 70);
}
END_TEST

static size_t left_out(void)
{
    walk(1000000, groups.walked_ns + 1);
    return groups.left_out[GROUP_CGROUP];
}

/* Those that have used something and found no room, as long as they are there, however idle. */
START_TEST(left_out_until_they_go)
{
    char path[PATH_MAX];

    groups = (struct groups){ .max = 1, .linger_ns = 100, .wanted = { true, true, true, true } };
    tree_put(&tree, "sys/fs/cgroup/cgroup.controllers", "cpu");
    for (int i = 0; i < 4; i++)
        put_cpu((const char *[]){ "a", "b", "c", "idle" }[i], 10);
    ck_assert(group_scan_open(&scan, &tree.root, &err));
    ck_assert_uint_eq(left_out(), 0);
    for (int i = 0; i < 3; i++)
        put_cpu((const char *[]){ "a", "b", "c" }[i], 20);
    ck_assert_uint_eq(left_out(), 2);
    ck_assert_uint_eq(left_out(), 2);
    ck_assert_uint_eq(groups.count, 1);
    snprintf(path, sizeof path, "%s/sys/fs/cgroup%s", tree.path, groups.items[0].name.id);
    nftw(path, tree_remove_one, 8, FTW_DEPTH | FTW_PHYS);
    ck_assert_uint_eq(left_out(), 2); /* its place is free from the next walk on */
    ck_assert_uint_eq(left_out(), 1);
}
END_TEST

/* A user may call a group of his own what he likes: it is his, and no other's of that name. */
START_TEST(forged_names)
{
    static const char service[] = "user.slice/user-1000.slice/user@1000.service";
    struct group_name his = { .kind = GROUP_CONTAINER, .id = ID, .user = "1000" };
    static const char *const forged[] = { ("docker-" ID ".scope"), "slurm/uid_0/job_42", ("kubepods/pod" UID) };
    char path[256];

    groups = (struct groups){ .max = 100, .linger_ns = 100, .wanted = { true, true, true, true } };
    tree_put(&tree, "sys/fs/cgroup/cgroup.controllers", "cpu");
    put_cpu("system.slice/docker-" ID ".scope", 10);
    put_cpu("slurm/uid_0/job_42", 10);
    put_cpu("kubepods/pod" UID, 10);
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < sizeof forged / sizeof forged[0]; i++) {
            snprintf(path, sizeof path, "%s/%s", service, forged[i]);
            put_cpu(path, round ? 910 : 10);
        }
        if (!round)
            ck_assert(group_scan_open(&scan, &tree.root, &err));
        walk(1000000, 1 + (uint64_t)round);
    }
    ck_assert_uint_eq(recent_us(GROUP_CONTAINER, ID), 0);
    ck_assert_uint_eq(recent_us(GROUP_SLURM, "42"), 0);
    ck_assert_uint_eq(recent_us(GROUP_POD, UID), 0);
    ck_assert_uint_eq(group_recent_ns(&groups.items[groups_find(&groups, &his)]), 900000);
    snprintf(path, sizeof path, "/%s/slurm/uid_0/job_42", service);
    ck_assert_uint_eq(recent_us(GROUP_CGROUP, path), 900);
}
END_TEST

static void give(const char *group, uid_t user)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/sys/fs/cgroup/%s", tree.path, group);
    ck_assert(chown(path, user, user) == 0);
}

static uint64_t users_us(enum group_kind kind, const char *id, const char *user)
{
    struct group_name name = { .kind = kind };
    size_t at;

    snprintf(name.id, sizeof name.id, "%s", id);
    snprintf(name.user, sizeof name.user, "%s", user);
    at = groups_find(&groups, &name);
    return at == GROUP_NONE ? UINT64_MAX : group_recent_ns(&groups.items[at]) / 1000;
}

/* Wherever root has given a group away, and in one that others may write to: what is made below is called by its user,
 * who takes nothing from a container of root's either. The first who was given one counts. */
START_TEST(forged_below_what_was_given)
{
    static const char *const used[] = { ("given/docker-" ID ".scope"),      ("given/slurm/job_42"),
                                        "given/kubepods/pod" UID,           ("given/of_another/docker/" OTHER_ID),
                                        ("docker/" ROOTS_ID "/docker/" ID), ("open/docker-" ID ".scope"),
                                        ("open/docker-" OTHER_ID ".scope") };
    size_t owners[GROUP_KINDS];

    groups = (struct groups){ .max = 100, .linger_ns = 100, .wanted = { true, true, true, true } };
    if (geteuid() != 0)
        return; /* nobody else can give */
    tree_put(&tree, "sys/fs/cgroup/cgroup.controllers", "cpu");
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < sizeof used / sizeof used[0]; i++)
            put_cpu(used[i], round ? 10 + (1U << i) : 10);
        put_cpu("docker/" ROOTS_ID, round ? 510 : 10);
        give("given", 1001);
        give("given/of_another", 1002);
        give("docker/" ROOTS_ID, 1003);
        give("open/docker-" ID ".scope", 1004);
        ck_assert(round || group_scan_open(&scan, &tree.root, &err));
        ck_assert(fchmodat(scan.roots[0], "open", 0777, 0) == 0);
        walk(1000000, 1 + (uint64_t)round);
    }
    ck_assert_uint_eq(recent_us(GROUP_CONTAINER, ID), UINT64_MAX);
    ck_assert_uint_eq(recent_us(GROUP_SLURM, "42"), UINT64_MAX);
    ck_assert_uint_eq(recent_us(GROUP_POD, UID), UINT64_MAX);
    ck_assert_uint_eq(users_us(GROUP_CONTAINER, ID, "1001"), 1);
    ck_assert_uint_eq(users_us(GROUP_POD, UID, "1001"), 4);
    ck_assert_uint_eq(users_us(GROUP_CONTAINER, OTHER_ID, "1001"), 8);
    ck_assert_uint_eq(recent_us(GROUP_CONTAINER, ROOTS_ID), 500); /* also what it called otherwise */
    ck_assert_uint_eq(users_us(GROUP_CONTAINER, ID, "1003"), UINT64_MAX);
    ck_assert_uint_eq(users_us(GROUP_CONTAINER, ID, "1004"), 32);
    ck_assert_uint_eq(recent_us(GROUP_CONTAINER, OTHER_ID), 64);
    ck_assert_uint_eq(recent_us(GROUP_CGROUP, "/given/slurm/job_42"), 2);
    /* what a card tells of a process goes the same way */
    group_scan_owners(&scan, &groups, "/given/docker-" ID ".scope", owners);
    ck_assert_str_eq(groups.items[owners[GROUP_CONTAINER]].name.user, "1001");
    group_scan_owners(&scan, &groups, "/given/slurm/job_42", owners);
    ck_assert_uint_eq(owners[GROUP_SLURM], GROUP_NONE);
    group_scan_owners(&scan, &groups, "/docker/" ROOTS_ID "/docker/" ID, owners);
    ck_assert_str_eq(groups.items[owners[GROUP_CONTAINER]].name.id, ROOTS_ID);
}
END_TEST

/* What is in folders that are too many or too deep is counted with the group above, and they are counted. */
START_TEST(a_walk_that_is_cut)
{
    char path[64];

    groups = (struct groups){ .max = 100, .linger_ns = 100, .wanted = { true, true, true, true } };
    tree_put(&tree, "sys/fs/cgroup/cgroup.controllers", "cpu");
    ck_assert(group_scan_open(&scan, &tree.root, &err));
    scan.max_folders = 10;
    scan.max_deep = 3;
    for (int round = 0; round < 2; round++) {
        put_cpu("a", round ? 75 : 10);
        put_cpu("a/b", round ? 65 : 10);
        put_cpu("a/b/c", round ? 60 : 10);
        put_cpu("a/b/c/d", round ? 50 : 10);
        put_cpu("a/b/c/d/e", round ? 40 : 10);
        walk(1000000, 1 + (uint64_t)round);
    }
    ck_assert_uint_eq(groups.unentered, 1);
    ck_assert_uint_eq(groups.left_out[GROUP_CGROUP], 1); /* at least: d, and who knows what below it */
    ck_assert_uint_eq(recent_us(GROUP_CGROUP, "/a/b/c"), 50);
    ck_assert_uint_eq(recent_us(GROUP_CGROUP, "/a/b"), 5);
    tree_put(&tree, "sys/fs/cgroup/cgroup.stat", "nr_descendants 5\nnr_dying_descendants 7\n");
    walk(1000000, 3);
    ck_assert_uint_eq(groups.unentered, 2); /* the kernel knows */
    for (int i = 0; i < 10; i++) {
        snprintf(path, sizeof path, "many%d", i);
        put_cpu(path, 10);
    }
    tree_put(&tree, "sys/fs/cgroup/cgroup.stat", "nr_descendants 15\n");
    walk(1000000, 4);
    ck_assert_uint_eq(groups.unentered, 5);
}
END_TEST

/* Paths longer than the text that an id has. */
START_TEST(long_paths)
{
    size_t owners[GROUP_KINDS];
    struct group_name name;
    static const char *const path[] = { "/" ID ID ID "/" ID ID "/0", "/" ID ID ID "/" ID ID "/..1" };

    groups = (struct groups){ .max = 100, .linger_ns = 1, .wanted = { true, false, false, false } };
    tree_put(&tree, "sys/fs/cgroup/cgroup.controllers", "cpu");
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned i = 0; i < 2; i++)
            put_cpu(path[i] + 1, round ? (i ? 21 : 17) : 10);
        ck_assert(round || group_scan_open(&scan, &tree.root, &err));
        walk(1000000, 1 + round);
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
}
END_TEST

UNIT_SUITE_IN("serve_walk", begin, end, a_walk, a_pod_of_which_only_a_name_tells, left_out_until_they_go, forged_names,
              forged_below_what_was_given, a_walk_that_is_cut, long_paths)
