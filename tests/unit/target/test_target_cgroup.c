/* SPDX-License-Identifier: MIT
 * A cgroup that is there already: real groups of both versions, where this user may make them. */
#include "target/target.h"

#include "usage/cgroup_place.h"
#include "usage/cgroup_tree.h"

#include "runner.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

/* A group below this test's own in one hierarchy (NULL: version 2); its folder and its name there. */
struct group {
    struct job_group made;
    char folder[PATH_MAX], name[PATH_MAX];
};

/* A group counts the last steps of a process too, which the kernel no longer tells whoever waits for it; here of a
 * hundred of them. */
#define PARTING_S 0.05

/* False: this user may make none there. */
static bool group_open(struct group *group, const char *controller)
{
    char own[PATH_MAX - 64], real[PATH_MAX];

    if (!cgroup_folder_of_process(0, controller, own, sizeof own) || !job_group_open(&group->made, own, NULL)) {
        printf("SKIPPED: no group can be made in the hierarchy of %s\n", controller ? controller : "version 2");
        return false;
    }
    snprintf(group->folder, sizeof group->folder, "%s/%s", own, group->made.name);
    ck_assert_ptr_nonnull(realpath(group->folder, real));
    strcpy(group->folder, real);
    ck_assert(cgroup_name_of(group->folder, group->name, sizeof group->name));
    return true;
}

static void put(const struct group *group, const char *file, const char *text)
{
    const int fd = openat(group->made.fd, file, O_WRONLY | O_CLOEXEC);

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

static void put_in(const struct group *group, pid_t pid)
{
    char text[16];

    snprintf(text, sizeof text, "%d", pid);
    put(group, "cgroup.procs", text);
}

static void open_path(struct target *target, const char *path)
{
    struct error err = { .kind = ERROR_NONE };

    ck_assert_msg(target_open_cgroup(target, path, &err), "%s: %s", err.what, err.why);
}

START_TEST(all_that_ran_in_a_group_of_version_2)
{
    struct runner runner = { .pid = 0 };
    struct group group;
    struct target by_folder, by_name;
    struct usage usage;
    double all_s;

    if (!group_open(&group, NULL))
        return;
    take_orphans();
    runner_start(&runner, ACT("hold", "USR1", "spin", "0.1", "hold", "USR1", "spin", "0.2", "forks-spin", "100",
                              "0.001", "daemon-spin", "0.2", "await", "hold", "USR1"));
    put_in(&group, runner.pid);
    runner_go_on(&runner, NULL);
    open_path(&by_folder, group.folder);
    open_path(&by_name, group.name + 1);
    ck_assert_str_eq(target_name(&by_name), group.name);
    ck_assert_str_eq(target_name(&by_folder), group.name);
    ck_assert_int_eq(target_fd(&by_name), -1);
    ck_assert_double_lt(target_cpu_s(&by_folder), 0.1); /* what was before does not count */
    runner_go_on(&runner, NULL);
    /* not looked at in between, and yet all is there: 0.5 s, and what 100 forks take */
    target_read(&by_name, &usage);
    ck_assert_str_eq(usage.cpu_ns.from, "cgroup");
    ck_assert_double_ge(s_from_ns(usage.cpu_ns.value), 0.5);
    ck_assert_double_eq_tol(s_from_ns(usage.user_ns.value + usage.system_ns.value), s_from_ns(usage.cpu_ns.value),
                            0.00001);
    ck_assert_double_ge(target_cpu_s(&by_folder), s_from_ns(usage.cpu_ns.value));
    ck_assert(usage.cpu_stall_ns.known == (faccessat(group.made.fd, "cpu.pressure", R_OK, 0) == 0));
    ck_assert(!usage.minor_faults.known);
    ck_assert(!target_ended(&by_name));
    all_s = runner_end(&runner) - 0.1;
    all_s += orphans_cpu_s();
    ck_assert_double_le(s_from_ns(usage.cpu_ns.value), all_s + PARTING_S);
    while (!target_ended(&by_name))
        poll(NULL, 0, 10);
    ck_assert(target_ended(&by_folder));
    job_group_close(&group.made);
    /* there is nothing to be read any more, and what was known stands */
    ck_assert(target_ended(&by_folder));
    ck_assert_double_ge(target_cpu_s(&by_folder), 0.5);
    target_close(&by_folder);
    target_close(&by_name);
}
END_TEST

START_TEST(groups_of_version_1)
{
    static const char *const controllers[] = { "cpuacct", "memory" };
    struct runner runner = { .pid = 0 };
    struct group group;
    struct target target;
    struct usage usage;
    double all_s;

    for (size_t i = 0; i < sizeof controllers / sizeof controllers[0]; i++) {
        if (!group_open(&group, controllers[i]))
            continue;
        runner_start(&runner, ACT("touch", "48", "hold", "USR1", "spin", "0.2", "touch", "16", "hold", "USR1"));
        put_in(&group, runner.pid);
        open_path(&target, group.folder);
        ck_assert_str_eq(target_name(&target), group.name);
        runner_go_on(&runner, NULL);
        target_read(&target, &usage);
        if (i == 0) {
            ck_assert_str_eq(usage.cpu_ns.from, "cgroup1");
            ck_assert_double_ge(s_from_ns(usage.cpu_ns.value), 0.2);
            ck_assert_uint_eq(usage.user_ns.value + usage.system_ns.value, usage.cpu_ns.value);
            ck_assert(!usage.memory_peak_bytes.known);
        } else { /* what was touched elsewhere stays there */
            ck_assert_str_eq(usage.memory_peak_bytes.from, "cgroup1");
            ck_assert_uint_ge(usage.memory_peak_bytes.value, 16U << 20);
            ck_assert_uint_le(usage.memory_peak_bytes.value, 24U << 20);
        }
        ck_assert(!target_ended(&target));
        all_s = runner_end(&runner);
        if (i == 0)
            ck_assert_double_le(s_from_ns(usage.cpu_ns.value), all_s);
        while (!target_ended(&target))
            poll(NULL, 0, 10);
        job_group_close(&group.made);
        target_close(&target);
    }
}
END_TEST

START_TEST(memory_of_before_is_not_the_peak)
{
    struct runner runner = { .pid = 0 };
    struct group group;
    struct target target;
    struct usage usage;

    if (!group_open(&group, "memory"))
        return;
    runner_start(&runner, ACT("hold", "USR1", "forks", "1", "hold", "USR1"));
    put_in(&group, runner.pid);
    /* a neighbour that has gone by the time the group is looked at */
    {
        struct runner large = { .pid = 0 };
        runner_start(&large, ACT("hold", "USR1", "touch", "64", "hold", "USR1"));
        put_in(&group, large.pid);
        runner_go_on(&large, NULL);
        runner_end(&large);
    }
    for (int i = 0; i < 100 && target_open_cgroup(&target, group.folder, NULL); i++) {
        target_read(&target, &usage);
        if (usage.memory_peak_bytes.value < 32U << 20)
            break;
        target_close(&target);
        poll(NULL, 0, 20);
    }
    runner_go_on(&runner, NULL);
    target_read(&target, &usage);
    ck_assert(usage.memory_peak_bytes.known);
    ck_assert_uint_gt(usage.memory_peak_bytes.value, 0);
    ck_assert_uint_lt(usage.memory_peak_bytes.value, 32U << 20);
    runner_end(&runner);
    target_close(&target);
    job_group_close(&group.made);
}
END_TEST

START_TEST(the_same_group_in_another_hierarchy_is_read_too)
{
    struct runner runner = { .pid = 0 };
    struct group second, first;
    struct target target;
    struct usage usage;

    if (!group_open(&second, NULL))
        return;
    if (!group_open(&first, "cpuacct") || strcmp(first.name, second.name) != 0) {
        puts("SKIPPED: no two hierarchies where the names are the same");
    } else {
        runner_start(&runner, ACT("hold", "USR1", "spin", "0.1", "hold", "USR1"));
        put_in(&first, runner.pid);
        open_path(&target, first.folder); /* the group of version 2 holds somebody else, or nobody */
        runner_go_on(&runner, NULL);
        target_read(&target, &usage);
        ck_assert_str_eq(usage.cpu_ns.from, "cgroup1");
        ck_assert(!usage.cpu_stall_ns.known);
        target_close(&target);
        runner_end(&runner);
        runner_start(&runner, ACT("hold", "USR1", "spin", "0.1", "hold", "USR1"));
        put_in(&first, runner.pid);
        put_in(&second, runner.pid);
        open_path(&target, first.folder);
        runner_go_on(&runner, NULL);
        target_read(&target, &usage);
        ck_assert_str_eq(usage.cpu_ns.from, "cgroup1");
        ck_assert(usage.cpu_stall_ns.known == (faccessat(second.made.fd, "cpu.pressure", R_OK, 0) == 0));
        target_close(&target);
        runner_end(&runner);
        job_group_close(&first.made);
    }
    job_group_close(&second.made);
}
END_TEST

START_TEST(the_machine_is_a_group_as_well)
{
    char text[64];
    struct target target;
    struct usage usage;

    if (!target_open_cgroup(&target, "/", NULL)) {
        puts("SKIPPED: no hierarchy shows its root here");
        return;
    }
    act_run(ACT("spin", "0.1"), text, sizeof text);
    target_read(&target, &usage);
    if (usage.cpu_ns.known)
        ck_assert_double_ge(s_from_ns(usage.cpu_ns.value), 0.1 - 0.02);
    ck_assert(!target_ended(&target));
    target_close(&target);
}
END_TEST

static void open_denied(void *with)
{
    struct target target;
    struct error err;

    become_nobody();
    check_refusal(target_open_cgroup(&target, with, &err), &err, ERROR_DENIED, "permission denied");
}

START_TEST(what_is_no_group_to_follow_is_refused)
{
    struct runner runner = { .pid = 0 };
    struct group group, inner;
    struct target target;
    struct error err;

    check_refusal(target_open_cgroup(&target, "/tmp", &err), &err, ERROR_USAGE, "not of a cgroup file system");
    ck_assert_str_eq(err.what, "cgroup '/tmp' cannot be followed");
    if (!group_open(&group, NULL))
        return;
    check_refusal(target_open_cgroup(&target, "no/such.service", &err), &err, ERROR_ABSENT, "no hierarchy has");
    check_refusal(target_open_cgroup(&target, group.folder, &err), &err, ERROR_ABSENT, "no process is in it");
    check_refusal(target_open_cgroup(&target, group.name, &err), &err, ERROR_ABSENT, "no process is in it");
    runner_start(&runner, ACT("hold", "USR1", "hold", "USR1"));
    put_in(&group, runner.pid);
    ck_assert(job_group_open(&inner.made, group.folder, NULL));
    snprintf(inner.folder, sizeof inner.folder, "%.3000s/%s", group.folder, inner.made.name);
    put(&inner, "cgroup.type", "threaded");
    check_refusal(target_open_cgroup(&target, inner.folder, &err), &err, ERROR_USAGE, "threaded");
    job_group_close(&inner.made);
    if (geteuid() == 0) {
        ck_assert_int_eq(fchmod(group.made.fd, 0700), 0);
        check_apart(open_denied, group.folder);
        check_apart(open_denied, group.name);
    }
    runner_end(&runner);
    job_group_close(&group.made);
}
END_TEST

static void open_without_proc(void *with)
{
    struct target target;
    struct error err;

    (void)with;
    check_refusal(target_open_cgroup(&target, "x.service", &err), &err, ERROR_ABSENT,
                  "no cgroup file system is mounted");
}

START_TEST(without_a_hierarchy_there_is_no_group)
{
    check_apart_without("/proc", open_without_proc, NULL);
}
END_TEST

/* 16 MiB are touched, and a file of 8 MiB is written and stays in the page cache. */
START_TEST(a_look_for_a_time_series)
{
    static const char *const controllers[] = { NULL, "cpuacct", "memory" };
    struct target_now first, second;
    struct group group;
    struct target target;
    struct usage usage;

    for (size_t i = 0; i < sizeof controllers / sizeof controllers[0]; i++) {
        struct runner runner = { .pid = 0 };
        double all_s;
        if (!group_open(&group, controllers[i]))
            continue;
        runner_start(&runner,
                     ACT("hold", "USR1", "spin", "0.1", "touch", "16", "write", "now.out", "8388608", "hold", "USR1"));
        put_in(&group, runner.pid);
        open_path(&target, group.folder);
        target_now(&target, &first);
        runner_go_on(&runner, NULL);
        target_now(&target, &second);
        target_read(&target, &usage);
        ck_assert_uint_ge(second.time_ns, first.time_ns + 100000000);
        if (second.cpu_ns.known) {
            ck_assert_double_ge(s_from_ns(second.cpu_ns.value), 0.1);
            ck_assert_str_eq(second.cpu_ns.from, usage.cpu_ns.from);
        } else {
            ck_assert_str_eq(controllers[i], "memory");
        }
        if (second.memory_bytes.known) {
            const uint64_t grown = second.memory_bytes.value - first.memory_bytes.value;
            const uint64_t cached = second.memory_bytes.value - second.working_set_bytes.value;
            ck_assert_uint_ge(grown, 24U << 20);
            ck_assert_uint_le(grown, 32U << 20);
            ck_assert_uint_ge(cached, 7U << 20);
            ck_assert_uint_le(cached, 10U << 20);
            ck_assert_uint_eq(usage.memory_bytes.value, second.memory_bytes.value);
            ck_assert_uint_eq(usage.working_set_bytes.value, second.working_set_bytes.value);
        }
        all_s = runner_end(&runner);
        if (second.cpu_ns.known)
            ck_assert_double_le(s_from_ns(second.cpu_ns.value), all_s);
        while (!target_ended(&target))
            poll(NULL, 0, 10);
        target_read(&target, &usage); /* what is left of it in the cache is nobody's */
        ck_assert(!usage.memory_bytes.known && !usage.working_set_bytes.known);
        unlink("now.out");
        target_close(&target);
        job_group_close(&group.made);
    }
}
END_TEST

UNIT_SUITE("target_cgroup", all_that_ran_in_a_group_of_version_2, groups_of_version_1, memory_of_before_is_not_the_peak,
           the_same_group_in_another_hierarchy_is_read_too, the_machine_is_a_group_as_well,
           what_is_no_group_to_follow_is_refused, without_a_hierarchy_there_is_no_group, a_look_for_a_time_series)
