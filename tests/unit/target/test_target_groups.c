/* SPDX-License-Identifier: MIT
 * A group by its files, laid out in folders like any other: marks of memory, what the kernel killed, monitors. */
#include "target/target_groups.h"

#include "base/auto.h"

#include "runner.h"

#include <fcntl.h>
#include <sys/stat.h>

static int group;
static char path[64];

/* A file of the group, or of one below it. */
static void put(const char *name, const char *text)
{
    AUTO_CLOSE int fd = openat(group, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
}

static void put_cpu(const char *name, unsigned used_us)
{
    char text[128];

    snprintf(text, sizeof text, "usage_usec %u\nuser_usec %u\nsystem_usec %u\n", used_us, used_us / 2, used_us / 2);
    put(name, text);
}

static void begin(void)
{
    enter_folder(path);
    ck_assert_int_eq(chmod(path, 0755), 0);
    group = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    put("cgroup.events", "populated 1\n");
    put("cgroup.controllers", "cpu memory\n");
    put_cpu("cpu.stat", 0);
    put("memory.current", "1000\n");
    put("memory.stat", "inactive_file 0\n");
    put("memory.peak", "9000\n");
}

static struct target open_it(enum groups_from from)
{
    struct target target;
    const int fd = dup(group);

    ck_assert(target_open_groups(&target, &fd, 1, from, "it", NULL));
    return target;
}

static struct usage look(struct target *target)
{
    struct usage usage;

    target_read(target, &usage);
    return usage;
}

static void end(struct target *target)
{
    target_close(target);
    close(group);
    remove_folder(path);
}

static void check_peak(struct target *target, uint64_t bytes, const char *from)
{
    const struct usage usage = look(target);

    ck_assert(usage.memory_peak_bytes.known);
    ck_assert_uint_eq(usage.memory_peak_bytes.value, bytes);
    ck_assert_str_eq(usage.memory_peak_bytes.from, from);
}

/* Linux 6.12: what is written to it begins the mark anew. */
START_TEST(a_mark_that_begins_with_the_target)
{
    struct target target;
    char text[16] = "";

    begin();
    target = open_it(GROUPS_SINCE_NOW);
    {
        AUTO_CLOSE int fd = openat(group, "memory.peak", O_RDONLY | O_CLOEXEC);
        ck_assert_int_gt(read(fd, text, sizeof text - 1), 0);
        ck_assert_str_ne(text, "9000\n");
    }
    put("memory.peak", "1200\n"); /* above what any look saw, and below the mark of old */
    check_peak(&target, 1200, "cgroup");
    put("memory.current", "1100\n");
    put("memory.peak", "5000\n");
    check_peak(&target, 5000, "cgroup");
    ck_assert_int_eq(unlinkat(group, "memory.peak", 0), 0);
    check_peak(&target, 5000, "cgroup");
    end(&target);
}
END_TEST

/* Before that nobody can write to it. */
static struct target open_without_rights(void)
{
    struct target target;

    ck_assert_int_eq(fchmodat(group, "memory.peak", 0444, 0), 0);
    if (geteuid())
        return open_it(GROUPS_SINCE_NOW);
    ck_assert_int_eq(seteuid(65534), 0);
    target = open_it(GROUPS_SINCE_NOW);
    ck_assert_int_eq(seteuid(0), 0);
    return target;
}

static void put_mark(const char *text)
{
    ck_assert_int_eq(unlinkat(group, "memory.peak", 0), 0);
    put("memory.peak", text);
}

START_TEST(a_mark_from_before_the_target)
{
    struct target target;

    begin();
    target = open_without_rights();
    check_peak(&target, 1000, "cgroup samples");
    put("memory.current", "2000\n");
    check_peak(&target, 2000, "cgroup samples");
    put("memory.current", "1500\n");
    check_peak(&target, 2000, "cgroup samples");
    put_mark("9500\n"); /* it has risen since */
    check_peak(&target, 9500, "cgroup");
    end(&target);
}
END_TEST

START_TEST(what_the_kernel_killed)
{
    struct target target;

    begin();
    put("memory.events", "low 0\nhigh 0\nmax 20\noom 3\noom_kill 2\noom_group_kill 0\n");
    target = open_it(GROUPS_SINCE_NOW);
    ck_assert_uint_eq(look(&target).oom_kills.value, 0);
    put("memory.events", "low 0\nhigh 0\nmax 90\noom 4\noom_kill 5\n");
    ck_assert_uint_eq(look(&target).oom_kills.value, 3);
    end(&target);

    begin();
    target = open_it(GROUPS_SINCE_NOW);
    ck_assert(!look(&target).oom_kills.known);
    end(&target);
}
END_TEST

/* An engine that looks after a container from within the group that was made for it. */
static void with_monitor(const char *folder)
{
    char stat_file[128];
    struct target target;
    struct target_now now;

    begin();
    target = open_it(GROUPS_SINCE_MADE_WAIT);
    ck_assert(!look(&target).cpu_ns.known); /* nobody has been in it: it may be that nobody comes */
    ck_assert_int_eq(mkdirat(group, folder, 0755), 0);
    snprintf(stat_file, sizeof stat_file, "%s/cpu.stat", folder);
    put_cpu(stat_file, 300000);
    put_cpu("cpu.stat", 1000000);
    ck_assert_uint_eq(look(&target).cpu_ns.value, 700000000);
    ck_assert_uint_eq(look(&target).user_ns.value, 350000000);
    put_cpu(stat_file, 400000);
    put_cpu("cpu.stat", 1600000);
    target_now(&target, &now);
    ck_assert_uint_eq(now.cpu_ns.value, 1200000000);
    /* it goes with its container; the group above has all that it used */
    ck_assert_int_eq(unlinkat(group, stat_file, 0), 0);
    ck_assert_int_eq(unlinkat(group, folder, AT_REMOVEDIR), 0);
    put_cpu("cpu.stat", 1700000);
    put("cgroup.events", "populated 0\n");
    ck_assert_uint_eq(look(&target).cpu_ns.value, 1300000000);
    ck_assert(target_ended(&target));
    end(&target);
}

START_TEST(a_monitor_is_not_the_container)
{
    with_monitor("conmon");
    with_monitor("libpod-conmon-0123.scope");
}
END_TEST

UNIT_SUITE("target_groups", a_mark_that_begins_with_the_target, a_mark_from_before_the_target, what_the_kernel_killed,
           a_monitor_is_not_the_container)
