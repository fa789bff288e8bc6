/* SPDX-License-Identifier: MIT
 * A group that is made for a container: real ones at the roots of the hierarchies, with processes put in as an engine
 * does. */
#include "target/target_made.h"

#include "target/target_groups.h"
#include "usage/cgroup_place.h"

#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

/* A group counts the last steps of a process too, which the kernel no longer tells whoever waits for it. */
#define PARTING_S 0.002

/* A group tells whole microseconds. */
#define WHOLE_NS 1000U

/* False: this user may make none. */
static bool make(struct target *target, char name[ROOT_GROUP_NAME_SIZE])
{
    struct error err = { .kind = ERROR_NONE };

    if (target_make_group(target, ROOT_GROUP_FOLDER, name, &err))
        return true;
    ck_assert_msg(geteuid() != 0 || err.kind == ERROR_ABSENT || err.kind == ERROR_DENIED, "%s: %s", err.what, err.why);
    unit_skip("%s: %s", err.what, err.why);
    return false;
}

/* A path of this group, or of one below it, in a hierarchy; false: it is not there. */
static bool path_in(const char *name, const char *controller, const char *rest, char path[PATH_MAX])
{
    char folder[PATH_MAX - 64];

    return cgroup_folder_named(name, controller, folder, sizeof folder) &&
           snprintf(path, PATH_MAX, "%s%s", folder, rest) < PATH_MAX;
}

static size_t shown(const char *name)
{
    char path[PATH_MAX];
    size_t count = 0;

    for (size_t i = 0; i < GROUP_HIERARCHIES; i++)
        count += path_in(name, group_hierarchies[i], "", path) && access(path, F_OK) == 0;
    return count;
}

/* As an engine: into a group below the one that it was told. */
static void inside(const char *name, const char *below)
{
    for (size_t i = 0; i < GROUP_HIERARCHIES; i++) {
        char path[PATH_MAX], procs[64];
        int fd;
        if (!path_in(name, group_hierarchies[i], below, path))
            continue;
        ck_assert(mkdir(path, 0755) == 0 || errno == EEXIST);
        snprintf(procs, sizeof procs, "%s/cgroup.procs", below);
        ck_assert(path_in(name, group_hierarchies[i], procs, path));
        fd = open(path, O_WRONLY | O_CLOEXEC);
        ck_assert_int_ge(fd, 0);
        ck_assert_int_eq(write(fd, "0", 1), 1);
        close(fd);
    }
}

static pid_t start_inside(const char *name, const char *below, char **argv)
{
    const pid_t pid = fork();

    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        inside(name, below);
        execvp(argv[0], argv);
        _exit(127);
    }
    return pid;
}

/* The CPU seconds that it used in all. */
static double run_inside(const char *name, char **argv)
{
    return wait_cpu_s(start_inside(name, "/c", argv));
}

static void wait_for_end(struct target *target)
{
    struct usage usage;

    for (target_read(target, &usage); !target_ended(target); target_read(target, &usage))
        poll(NULL, 0, 10);
}

START_TEST(all_that_ran_is_there_after_its_group_has_gone)
{
    char name[ROOT_GROUP_NAME_SIZE], path[PATH_MAX];
    struct target target;
    struct usage usage;
    double all_s;

    if (!make(&target, name))
        return;
    ck_assert_str_eq(target_name(&target), name);
    ck_assert_uint_ge(shown(name), 1);
    target_read(&target, &usage);
    ck_assert(!target_ended(&target));
    all_s = run_inside(name, ACT("spin", "0.15", "touch", "48", "spin", "0.15"));
    wait_for_end(&target);
    for (size_t i = 0; i < GROUP_HIERARCHIES; i++)
        if (path_in(name, group_hierarchies[i], "/c", path))
            rmdir(path);
    target_read(&target, &usage);
    ck_assert_double_ge(s_from_ns(usage.cpu_ns.value), 0.3);
    ck_assert_double_le(s_from_ns(usage.cpu_ns.value), all_s + PARTING_S);
    ck_assert(!usage.memory_bytes.known);
    if (usage.memory_peak_bytes.known) {
        ck_assert_uint_ge(usage.memory_peak_bytes.value, 48U << 20);
        ck_assert_uint_le(usage.memory_peak_bytes.value, 52U << 20);
        ck_assert(strcmp(usage.memory_peak_bytes.from, "cgroup") == 0 ||
                  strcmp(usage.memory_peak_bytes.from, "cgroup1") == 0);
    }
    target_close(&target);
    ck_assert_uint_eq(shown(name), 0);
}
END_TEST

/* It lives for milliseconds and nobody looks meanwhile. */
START_TEST(however_short_it_was)
{
    char name[ROOT_GROUP_NAME_SIZE];
    struct target target;
    struct usage usage;
    struct target_now now;
    double all_s;

    if (!make(&target, name))
        return;
    all_s = run_inside(name, ACT("spin", "0.003"));
    wait_for_end(&target);
    target_read(&target, &usage);
    ck_assert_double_ge(s_from_ns(usage.cpu_ns.value), 0.003);
    ck_assert_double_le(s_from_ns(usage.cpu_ns.value), all_s + PARTING_S);
    target_now(&target, &now);
    ck_assert_uint_eq(now.cpu_ns.value, usage.cpu_ns.value);
    target_close(&target); /* with what is left below */
    ck_assert_uint_eq(shown(name), 0);
}
END_TEST

/* The engine's process beside it runs while both are read, and has its own time all the same. */
START_TEST(a_busy_monitor_takes_nothing_from_it)
{
    char name[ROOT_GROUP_NAME_SIZE];
    struct usage usage = { .cpu_ns = { .known = false } }, at_last;
    struct target target;
    struct target_now now;
    uint64_t highest_ns = 0;
    double all_s;
    pid_t pid;

    if (!make(&target, name))
        return;
    all_s = run_inside(name, ACT("spin", "0.05"));
    pid = start_inside(name, "/libpod-conmon-1.scope", ACT("spin", "0.5"));
    while (waitpid(pid, NULL, WNOHANG) == 0) {
        target_read(&target, &usage);
        target_now(&target, &now);
        ck_assert_uint_ge(now.cpu_ns.value, highest_ns);
        highest_ns = now.cpu_ns.value;
    }
    wait_for_end(&target);
    target_read(&target, &at_last);
    ck_assert_uint_le(highest_ns, at_last.cpu_ns.value + WHOLE_NS);
    ck_assert_uint_le(at_last.cpu_ns.value, usage.cpu_ns.value + WHOLE_NS);
    ck_assert_double_ge(s_from_ns(at_last.cpu_ns.value), 0.05);
    ck_assert_double_le(s_from_ns(at_last.cpu_ns.value), all_s + PARTING_S);
    target_close(&target);
}
END_TEST

START_TEST(two_have_names_of_their_own)
{
    char first_name[ROOT_GROUP_NAME_SIZE], second_name[ROOT_GROUP_NAME_SIZE];
    struct target first, second;

    if (!make(&first, first_name))
        return;
    ck_assert(make(&second, second_name));
    ck_assert_str_ne(first_name, second_name);
    run_inside(second_name, ACT("spin", "0.1"));
    ck_assert_double_ge(target_cpu_s(&second), 0.1);
    {
        struct usage usage;
        target_read(&first, &usage);
        ck_assert(!usage.cpu_ns.known || usage.cpu_ns.value == 0);
    }
    target_close(&first);
    target_close(&second);
}
END_TEST

static void make_and_die(void *with)
{
    struct target target;
    char name[ROOT_GROUP_NAME_SIZE];

    (void)with;
    ck_assert(make(&target, name));
    run_inside(name, ACT("spin", "0.001"));
}

START_TEST(what_a_killed_carbon_left_is_cleared)
{
    char name[ROOT_GROUP_NAME_SIZE], left[ROOT_GROUP_NAME_SIZE];
    struct stat namespace;
    struct target target;
    pid_t pid;

    if (!make(&target, name))
        return;
    target_close(&target);
    ck_assert_int_eq(stat("/proc/self/ns/pid", &namespace), 0);
    pid = fork();
    if (pid == 0) {
        make_and_die(NULL);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
    snprintf(left, sizeof left, "/carbon-%d-0-%ju", pid, (uintmax_t) namespace.st_ino);
    ck_assert_uint_ge(shown(left), 1);
    ck_assert(make(&target, name));
    ck_assert_uint_eq(shown(left), 0);
    target_close(&target);
}
END_TEST

static void make_as_nobody(void *with)
{
    char name[ROOT_GROUP_NAME_SIZE];
    struct target target;
    struct error err;

    (void)with;
    become_nobody();
    check_refusal(target_make_group(&target, ROOT_GROUP_FOLDER, name, &err), &err, ERROR_DENIED, "permission denied");
}

START_TEST(a_user_without_rights_is_told)
{
    char name[ROOT_GROUP_NAME_SIZE];
    struct target target;

    if (!make(&target, name))
        return;
    target_close(&target);
    if (geteuid() == 0)
        check_apart(make_as_nobody, NULL);
}
END_TEST

UNIT_SUITE("target_made", all_that_ran_is_there_after_its_group_has_gone, however_short_it_was,
           a_busy_monitor_takes_nothing_from_it, two_have_names_of_their_own, what_a_killed_carbon_left_is_cleared,
           a_user_without_rights_is_told)
