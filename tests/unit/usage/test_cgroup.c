/* SPDX-License-Identifier: MIT
 * Cgroups of both versions: where they are, what their files say, and a job in those of version 1 alone. */
#include "base/process.h"
#include "base/units.h"
#include "usage/cgroup_figures.h"
#include "usage/cgroup_place.h"
#include "usage/cgroup_tree.h"

#include "act.h"

#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

extern const struct usage_driver cgroup1_driver;

static const struct root nowhere = { .fd = -1, .path = "/nowhere" };

static double s_of(const struct timeval *time)
{
    return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

START_TEST(version_1_alone_counts_all_there_was)
{
    struct usage_source source = { .driver = &cgroup1_driver, .cgroup_fd = -1, .next_ns = UINT64_MAX };
    struct job_options options = { .argv = ACT("ignore", "CHLD", "forget", "0.2", "daemon-spin", "0.2", "await",
                                               "touch", "32", "daemon", "60"),
                                   .cgroup_fd = -1 };
    struct usage usage = { .cpu_ns = { .known = false } };
    struct job_signals signals;
    struct job_end end;
    struct job job;
    pid_t left;
    double missed_s;
    char names[64] = "", folder[PATH_MAX];

    if (!cgroup1_driver.open(&source, &nowhere, NULL) ||
        !cgroup_folder_of_process(0, "cpuacct", folder, sizeof folder)) {
        puts("SKIPPED: this user may make no group of version 1 here");
        cgroup1_driver.close(&source);
        return;
    }
    ck_assert(job_signals_open(&signals, NULL));
    ck_assert(job_start(&job, &signals, &options, NULL));
    cgroup1_driver.started(&source, job.pid);
    act_finish(&job, &end);
    cgroup1_driver.read(&source, &end.rusage, &usage);
    /* rusage misses what nobody waited for: 0.2 s, and what it took to begin and end it */
    missed_s = s_from_ns(usage.cpu_ns.value) - s_of(&end.rusage.ru_utime) - s_of(&end.rusage.ru_stime);
    ck_assert_double_ge(missed_s, 0.2);
    ck_assert_double_lt(missed_s, 0.4); /* twice */
    ck_assert_double_ge(s_from_ns(usage.cpu_ns.value), 0.4);
    ck_assert_str_eq(usage.cpu_ns.from, "cgroup1");
    ck_assert_uint_eq(usage.user_ns.value + usage.system_ns.value, usage.cpu_ns.value);
    if (usage.memory_peak_bytes.known) {
        ck_assert_uint_ge(usage.memory_peak_bytes.value, 32U << 20);
        ck_assert_uint_le(usage.memory_peak_bytes.value, 48U << 20);
    }
    ck_assert(!usage.written_bytes.known && !usage.minor_faults.known);
    ck_assert_uint_eq(cgroup1_driver.alive(&source, names, sizeof names), 1);
    ck_assert_str_eq(names, "act-daemon");
    cgroup1_driver.close(&source);
    job_signals_close(&signals);
    ck_assert_uint_eq(process_children(&left, 1), 1);
    kill(left, SIGKILL);
    ck_assert_int_eq(waitpid(left, NULL, 0), left);
}
END_TEST

/* A file of a group, in a folder like any other. */
static void put(int folder_fd, const char *name, const char *text)
{
    const int fd = openat(folder_fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

START_TEST(files_of_both_versions)
{
    static const struct usage nothing = { .cpu_ns = { .known = false } };
    static const char blkio[] = "blkio.throttle.io_service_bytes_recursive";
    struct usage usage = nothing;
    char path[64];
    int fd;

    enter_folder(path);
    fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ck_assert(!cgroup2_has_run(fd));
    put(fd, "cpu.stat", "usage_usec 0\nuser_usec 0\nsystem_usec 0\n");
    ck_assert(!cgroup2_has_run(fd));
    put(fd, "cpu.stat", "usage_usec 1500\nuser_usec 1000\nsystem_usec 500\nnr_periods 0\n");
    put(fd, "cpu.pressure", "some avg10=0.00 avg60=3.60 avg300=9.03 total=59535409\nfull avg10=0 total=7\n");
    put(fd, "memory.pressure", "some avg10=0.00 avg60=0.00 avg300=0.00 total=12\n");
    put(fd, "io.pressure", "");
    ck_assert(cgroup2_has_run(fd));
    cgroup2_figures(fd, &usage);
    ck_assert_uint_eq(usage.cpu_ns.value, 1500000);
    ck_assert_uint_eq(usage.system_ns.value, 500000);
    ck_assert_uint_eq(usage.cpu_stall_ns.value, UINT64_C(59535409000));
    ck_assert_uint_eq(usage.memory_stall_ns.value, 12000);
    ck_assert(!usage.io_stall_ns.known && !usage.memory_peak_bytes.known && !usage.read_bytes.known);

    /* version 1, beside it: what is known stands */
    put(fd, "cpuacct.usage", "1000000007\n");
    put(fd, "cpuacct.usage_user", "300000000\n");
    put(fd, "cpuacct.usage_sys", "100000000\n");
    put(fd, "memory.max_usage_in_bytes", "4096\n");
    put(fd, blkio, "Total 0\n");
    cgroup1_figures(fd, &usage);
    cgroup1_split_cpu(&usage);
    ck_assert_str_eq(usage.cpu_ns.from, "cgroup");
    ck_assert_uint_eq(usage.user_ns.value, 1000000);
    ck_assert_uint_eq(usage.memory_peak_bytes.value, 4096);
    ck_assert_str_eq(usage.memory_peak_bytes.from, "cgroup1");
    ck_assert(!usage.read_bytes.known); /* a sum alone: nothing is counted */

    usage = nothing;
    put(fd, blkio, "1023:5 Read 8192\n1023:5 Write 512\n1023:5 Total 8704\n1023:6 Read 100\nTotal 8804\n");
    cgroup1_figures(fd, &usage);
    cgroup1_split_cpu(&usage);
    ck_assert_uint_eq(usage.cpu_ns.value, 1000000007);
    ck_assert_uint_eq(usage.user_ns.value, 750000005);
    ck_assert_uint_eq(usage.system_ns.value, 250000002);
    ck_assert_uint_eq(usage.read_bytes.value, 8292);
    ck_assert(!usage.written_bytes.known);
    close(fd);
    remove_folder(path);
}
END_TEST

/* What mountinfo says, with the group "/user/a b", to the folder; "" where no mount shows the group. */
static const char *folder_of(const char *mountinfo, const char *controller)
{
    static char path[4096];
    char cgroup[] = "7:cpuset:/set\n4:cpu,cpuacct:/own\n1:name=systemd:/x\n0::/user/a b\n", *mounts = strdup(mountinfo);
    FILE *first = fmemopen(cgroup, strlen(cgroup), "r"), *second = fmemopen(mounts, strlen(mounts), "r");

    ck_assert(first && second);
    if (!cgroup_folder_of(first, second, controller, path, sizeof path))
        path[0] = '\0';
    fclose(first);
    fclose(second);
    free(mounts);
    return path;
}

START_TEST(own_group_is_found_in_the_mount_that_shows_it)
{
    ck_assert_str_eq(folder_of("30 24 0:26 / /sys/fs/cgroup rw - cgroup2 x rw\n", NULL), "/sys/fs/cgroup/user/a b");
    ck_assert_str_eq(folder_of("30 24 0:26 /other /mnt rw - cgroup2 x rw\n"
                               "31 24 0:26 /user /my\\040groups rw - cgroup2 x rw\n",
                               NULL),
                     "/my groups/a b");
    ck_assert_str_eq(folder_of("30 24 0:26 / /sys/fs/cgroup rw - cgroup x rw\n", NULL), "");
    /* no escape: kept as it is, up to its end and no further */
    ck_assert_str_eq(folder_of("30 24 0:26 / /x\\7 rw - cgroup2 x rw\n", NULL), "/x\\7/user/a b");
    ck_assert_str_eq(folder_of("30 24 0:26 / /x\\ rw - cgroup2 x rw\n", NULL), "/x\\/user/a b");
}
END_TEST

START_TEST(groups_of_version_1_are_found_by_a_controller)
{
    static const char mounts[] = "30 24 0:26 / /cg/cpuset rw - cgroup cgroup rw,cpuset\n"
                                 "31 24 0:27 / /cg/both rw,relatime shared:4 - cgroup cgroup rw,cpuacct,cpu\n"
                                 "32 24 0:28 / /cg/2 rw - cgroup2 cgroup2 rw,cpuacct\n";

    ck_assert_str_eq(folder_of(mounts, "cpuacct"), "/cg/both/own");
    ck_assert_str_eq(folder_of(mounts, "cpu"), "/cg/both/own");
    ck_assert_str_eq(folder_of(mounts, "cpuset"), "/cg/cpuset/set");
    ck_assert_str_eq(folder_of(mounts, "memory"), "");
    ck_assert_str_eq(folder_of(mounts, "cpua"), "");
    ck_assert_str_eq(folder_of(mounts, NULL), "/cg/2/user/a b");
}
END_TEST

static void lay_out(int above_fd, int pid, uint64_t namespace)
{
    char name[64];

    snprintf(name, sizeof name, "carbon-%d-0-%" PRIu64, pid, namespace);
    ck_assert_int_eq(mkdirat(above_fd, name, 0755), 0);
}

static bool is_there(int above_fd, int pid, uint64_t namespace)
{
    char name[64];

    snprintf(name, sizeof name, "carbon-%d-0-%" PRIu64, pid, namespace);
    return faccessat(above_fd, name, F_OK, 0) == 0;
}

static uint64_t own_namespace(void)
{
    struct stat own;

    ck_assert_int_eq(stat("/proc/self/ns/pid", &own), 0);
    return own.st_ino;
}

static pid_t one_that_has_gone(void)
{
    const pid_t pid = fork();

    if (pid == 0)
        _exit(0);
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
    return pid;
}

static size_t removed_count;

static void note_removed(const char *name)
{
    ck_assert_int_eq(strncmp(name, "carbon", 6), 0);
    removed_count++;
}

START_TEST(groups_of_the_dead_are_removed_and_of_nobody_else)
{
    const uint64_t own = own_namespace();
    const pid_t gone = one_that_has_gone();
    char path[64], slice[64];
    int fd;

    enter_folder(path);
    fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    lay_out(fd, gone, own);
    lay_out(fd, gone, own + 1); /* who knows */
    lay_out(fd, gone, 0);
    lay_out(fd, getpid(), own);
    ck_assert_int_eq(mkdirat(fd, "carbon-1-0", 0755), 0);
    snprintf(slice, sizeof slice, "carbon_%d_0_%" PRIu64 ".slice", gone, own);
    ck_assert_int_eq(mkdirat(fd, slice, 0755), 0);
    cgroup_remove_stale(fd, note_removed);
    ck_assert_uint_eq(removed_count, 2);
    ck_assert_int_ne(faccessat(fd, slice, F_OK, 0), 0);
    ck_assert(!is_there(fd, gone, own) && is_there(fd, gone, own + 1) && is_there(fd, gone, 0));
    ck_assert(is_there(fd, getpid(), own) && faccessat(fd, "carbon-1-0", F_OK, 0) == 0);
    close(fd);
    remove_folder(path);
}
END_TEST

/* In a namespace of its own the number of the carbon that made a group is nobody's. */
START_TEST(a_carbon_of_another_namespace_removes_no_living_ones_group)
{
    char path[64], name[64];
    int fd, status;
    pid_t pid;

    enter_folder(path);
    fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    cgroup_own_name(name, sizeof name, 0, '-');
    ck_assert_int_eq(mkdirat(fd, name, 0755), 0);
    pid = (pid_t)syscall(SYS_clone, SIGCHLD | CLONE_NEWPID | (geteuid() ? CLONE_NEWUSER : 0), NULL, NULL, NULL, NULL);
    if (pid == 0) {
        cgroup_remove_stale(fd, NULL);
        _exit(faccessat(fd, name, F_OK, 0) == 0 ? 0 : 1);
    }
    if (pid < 0) {
        puts("SKIPPED: this user may make no PID namespace here");
    } else {
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_int_eq(status, 0);
    }
    close(fd);
    remove_folder(path);
}
END_TEST

UNIT_SUITE("cgroup", version_1_alone_counts_all_there_was, files_of_both_versions,
           own_group_is_found_in_the_mount_that_shows_it, groups_of_version_1_are_found_by_a_controller,
           groups_of_the_dead_are_removed_and_of_nobody_else,
           a_carbon_of_another_namespace_removes_no_living_ones_group)
