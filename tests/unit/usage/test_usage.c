/* SPDX-License-Identifier: MIT
 * What a job used: real jobs, in a real cgroup where this user may make one. */
#include "usage/usage.h"

#include "base/process.h"
#include "base/units.h"

#include "act.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#define MIB (1024.0 * 1024.0)

extern const struct usage_driver process_driver;

static const struct root nowhere = { .fd = -1, .path = "/nowhere" };

/* One job with all that is known of it. */
struct used {
    struct usage_meter meter;
    struct job_end end;
    struct usage usage;
};

static void use(struct used *used, char **argv, bool in_cgroup)
{
    struct job_options options = { .argv = argv, .cgroup_fd = -1 };
    struct job_signals signals;
    struct job job;
    char text[256];
    int output;

    *used = (struct used){ .end = { .exit_status = -1 } };
    usage_open(&used->meter, &nowhere);
    if (in_cgroup)
        options.cgroup_fd = used->meter.cgroup_fd;
    ck_assert(job_signals_open(&signals, NULL));
    output = act_start(&job, &signals, &options);
    if (in_cgroup)
        usage_started(&used->meter, job.pid);
    act_finish(&job, &used->end);
    act_output(output, text, sizeof text);
    usage_read(&used->meter, &used->end.rusage, &used->usage);
    job_signals_close(&signals);
}

static bool has_cgroup(const struct used *used)
{
    if (used->meter.cgroup_fd < 0)
        puts("SKIPPED: this user may make no cgroup here; rusage alone is checked");
    return used->meter.cgroup_fd >= 0;
}

static double rusage_cpu_s(const struct rusage *rusage)
{
    return (double)(rusage->ru_utime.tv_sec + rusage->ru_stime.tv_sec) +
           (double)(rusage->ru_utime.tv_usec + rusage->ru_stime.tv_usec) / 1e6;
}

static double seconds(struct usage_value figure)
{
    ck_assert(figure.known);
    return s_from_ns(figure.value);
}

START_TEST(cpu_time_of_a_loop)
{
    struct used used;

    use(&used, ACT("spin", "0.4", "sleep", "0.2"), true);
    ck_assert_double_ge(seconds(used.usage.cpu_ns), 0.39);
    ck_assert_double_eq_tol(seconds(used.usage.cpu_ns), rusage_cpu_s(&used.end.rusage), 0.01);
    ck_assert_double_ge(seconds(used.usage.user_ns), 0.1);
    ck_assert_double_eq_tol(seconds(used.usage.user_ns) + seconds(used.usage.system_ns), seconds(used.usage.cpu_ns),
                            0.00001);
    ck_assert_str_eq(used.usage.cpu_ns.from, has_cgroup(&used) ? "cgroup" : "rusage");
    ck_assert_str_eq(used.usage.system_ns.from, used.usage.cpu_ns.from);
    if (used.meter.cgroup_fd >= 0)
        ck_assert_int_eq(used.usage.cpu_stall_ns.known, faccessat(used.meter.cgroup_fd, "cpu.pressure", R_OK, 0) == 0);
    ck_assert(used.usage.voluntary_switches.known);
    ck_assert_uint_ge(used.usage.voluntary_switches.value, 1);
    ck_assert_str_eq(used.usage.voluntary_switches.from, "rusage");
    ck_assert(used.usage.minor_faults.known && used.usage.major_faults.known);
    usage_close(&used.meter);
}
END_TEST

START_TEST(cgroup_and_rusage_agree_on_many_short_children)
{
    struct used used;

    use(&used, ACT("forks", "1000"), true);
    ck_assert_int_eq(used.end.exit_status, 0);
    ck_assert_double_ge(rusage_cpu_s(&used.end.rusage), 0.1);
    if (has_cgroup(&used))
        ck_assert_double_eq_tol(seconds(used.usage.cpu_ns) / rusage_cpu_s(&used.end.rusage), 1, 0.05);
    usage_close(&used.meter);
}
END_TEST

START_TEST(memory_peak_is_what_was_touched)
{
    struct used small, large;

    use(&small, ACT("touch", "1"), true);
    usage_close(&small.meter);
    use(&large, ACT("touch", "65"), true);
    usage_close(&large.meter);
    ck_assert(small.usage.memory_peak_bytes.known && large.usage.memory_peak_bytes.known);
    ck_assert_double_eq_tol((double)(large.usage.memory_peak_bytes.value - small.usage.memory_peak_bytes.value) / MIB,
                            64, 5);
    ck_assert_str_eq(large.usage.memory_peak_bytes.from, small.usage.memory_peak_bytes.from);
}
END_TEST

START_TEST(written_bytes_reach_the_device)
{
    struct used used;
    struct stat file;

    use(&used, ACT("write", "act.out", "1048576"), true);
    usage_close(&used.meter);
    ck_assert(used.usage.written_bytes.known && used.usage.read_bytes.known);
    ck_assert_int_eq(stat("act.out", &file), 0);
    unlink("act.out");
    if (major(file.st_dev) == 0)
        puts("SKIPPED: no block device below this folder");
    else
        ck_assert_uint_ge(used.usage.written_bytes.value, 1048576);
}
END_TEST

/* The daemons of a test, which are this process's by now. */
static void kill_children(void)
{
    pid_t children[8];
    const size_t count = process_children(children, 8);

    for (size_t i = 0; i < count && i < 8; i++)
        kill(children[i], SIGKILL);
    while (wait(NULL) > 0)
        continue;
}

START_TEST(daemon_left_behind_is_named_and_counted)
{
    char names[64], none[64];
    struct used used;
    size_t alive;

    use(&used, ACT("daemon-spin", "30", "daemon", "60"), true);
    alive = usage_alive(&used.meter, names, sizeof names);
    ck_assert_uint_eq(alive, 2);
    ck_assert_str_eq(names, "act-daemon");
    for (struct usage now = used.usage; has_cgroup(&used); now = (struct usage){ .cpu_ns = { .known = false } }) {
        usage_read(&used.meter, &used.end.rusage, &now);
        if (seconds(now.cpu_ns) >= rusage_cpu_s(&used.end.rusage) + 0.02)
            break;
        usleep(10000);
    }
    usage_close(&used.meter);
    /* they are carbon's children now, and not those of a later job */
    use(&used, ACT("exit", "0"), true);
    ck_assert_uint_eq(usage_alive(&used.meter, none, sizeof none), 0);
    ck_assert_str_eq(none, "");
    usage_close(&used.meter);
    kill_children();
}
END_TEST

START_TEST(orphans_are_seen_without_a_cgroup)
{
    struct usage_source source = { .driver = &process_driver, .cgroup_fd = -1 };
    struct job_options options = { .argv = ACT("daemon", "60"), .cgroup_fd = -1 };
    struct job_signals signals;
    struct job_end end;
    struct job job;
    char names[64] = "";
    pid_t ended;

    ck_assert(job_signals_open(&signals, NULL));
    ck_assert(process_driver.open(&source, &nowhere, NULL));
    ck_assert(job_start(&job, &signals, &options, NULL));
    act_finish(&job, &end);
    ended = fork();
    if (ended == 0)
        _exit(0);
    ck_assert_int_eq(waitid(P_PID, (id_t)ended, &(siginfo_t){ .si_pid = 0 }, WEXITED | WNOWAIT), 0);
    ck_assert_uint_eq(process_driver.alive(&source, names, sizeof names), 1);
    ck_assert_str_eq(names, "act-daemon");
    process_driver.close(&source);
    job_signals_close(&signals);
    kill_children();
}
END_TEST

START_TEST(figures_of_an_unused_cgroup_are_not_the_jobs)
{
    struct used used;

    use(&used, ACT("spin", "0.1"), false);
    ck_assert_str_eq(used.usage.cpu_ns.from, "rusage");
    ck_assert_double_ge(seconds(used.usage.cpu_ns), 0.09);
    ck_assert_str_eq(used.usage.memory_peak_bytes.from, "rusage");
    ck_assert_str_eq(used.usage.written_bytes.from, "rusage");
    usage_close(&used.meter);
}
END_TEST

START_TEST(job_runs_where_the_cgroup_is_refused)
{
    struct job_options options = { .argv = ACT("exit", "7") };
    struct job_signals signals;
    struct job_end end;
    struct job job;

    options.cgroup_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ck_assert(job_signals_open(&signals, NULL));
    ck_assert(job_start(&job, &signals, &options, NULL));
    act_finish(&job, &end);
    ck_assert_int_eq(end.exit_status, 7);
    job_signals_close(&signals);
    close(options.cgroup_fd);
}
END_TEST

/* As in some containers, and as before Linux 5.3. */
static void forbid_clone3(void)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), /* the number of the call */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 38 /* ENOSYS */),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = { .len = sizeof steps / sizeof steps[0], .filter = steps };

    ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    ck_assert_int_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

START_TEST(job_goes_into_its_cgroup_without_clone3)
{
    struct used used;

    forbid_clone3();
    use(&used, ACT("spin", "0.2", "exit", "7"), true);
    ck_assert_int_eq(used.end.exit_status, 7);
    ck_assert_str_eq(used.usage.cpu_ns.from, has_cgroup(&used) ? "cgroup" : "rusage");
    ck_assert_double_ge(seconds(used.usage.cpu_ns), 0.19);
    ck_assert_double_eq_tol(seconds(used.usage.cpu_ns), rusage_cpu_s(&used.end.rusage), 0.01);
    usage_close(&used.meter);
}
END_TEST

/* Where the group of a job is. */
static void group_path(const struct usage_meter *meter, char *path, size_t size)
{
    char link[64];
    ssize_t length;

    snprintf(link, sizeof link, "/proc/self/fd/%d", meter->cgroup_fd);
    length = readlink(link, path, size - 1);
    ck_assert_int_gt(length, 0);
    path[length] = '\0';
}

START_TEST(groups_that_the_job_made_are_removed)
{
    static const char script[] = "mkdir -p $0/inner/most $0/other && echo 0 > $0/inner/most/cgroup.procs && "
                                 "\"$1\" daemon 60 spin 0.2";
    struct job_options options = { .cgroup_fd = -1 };
    char path[PATH_MAX], names[64];
    struct usage usage = { .cpu_ns = { .known = false } };
    struct job_signals signals;
    struct usage_meter meter;
    struct job_end end;
    struct process daemon;
    struct job job;
    pid_t left = 0;

    usage_open(&meter, &nowhere);
    if (meter.cgroup_fd < 0) {
        ck_assert_uint_ge(meter.count, 1);
        puts("SKIPPED: this user may make no cgroup here");
        usage_close(&meter);
        return;
    }
    group_path(&meter, path, sizeof path);
    options.argv = (char *[]){ (char *)"sh", (char *)"-c", (char *)script, path, act_path(), NULL };
    options.cgroup_fd = meter.cgroup_fd;
    ck_assert(job_signals_open(&signals, NULL));
    ck_assert(job_start(&job, &signals, &options, NULL));
    act_finish(&job, &end);
    ck_assert_int_eq(end.exit_status, 0);
    usage_read(&meter, &end.rusage, &usage);
    ck_assert_double_ge(seconds(usage.cpu_ns), 0.19);
    ck_assert_uint_eq(usage_alive(&meter, names, sizeof names), 1);
    ck_assert_str_eq(names, "act-daemon");
    usage_close(&meter);
    ck_assert_int_eq(access(path, F_OK), -1);
    ck_assert_uint_eq(process_children(&left, 1), 1);
    ck_assert(process_read(left, &daemon));
    ck_assert_int_ne(daemon.state, 'Z');
    usage_close(&meter);
    job_signals_close(&signals);
    kill_children();
}
END_TEST

START_TEST(each_job_has_a_cgroup_of_its_own)
{
    struct usage_meter first, second;
    char one[PATH_MAX], two[PATH_MAX];

    usage_open(&first, &nowhere);
    usage_open(&second, &nowhere);
    ck_assert_uint_ge(first.count, 1);
    ck_assert_uint_eq(first.count, second.count);
    if (first.cgroup_fd >= 0) {
        group_path(&first, one, sizeof one);
        group_path(&second, two, sizeof two);
        ck_assert_str_ne(one, two);
        usage_close(&first);
        ck_assert_int_eq(access(one, F_OK), -1);
        ck_assert_int_eq(access(two, F_OK), 0);
        usage_close(&second);
        ck_assert_int_eq(access(two, F_OK), -1);
    }
    usage_close(&first);
    usage_close(&second);
    ck_assert_int_eq(first.cgroup_fd, -1);
}
END_TEST

START_TEST(group_of_a_killed_carbon_is_cleared_away)
{
    struct usage_meter meter, next;
    char path[PATH_MAX];
    int paths[2];
    pid_t carbon;

    ck_assert_int_eq(pipe(paths), 0);
    carbon = fork();
    if (carbon == 0) {
        usage_open(&meter, &nowhere);
        if (meter.cgroup_fd >= 0)
            group_path(&meter, path, sizeof path);
        else
            path[0] = '\0';
        _exit(write(paths[1], path, sizeof path) == sizeof path ? 0 : 1);
    }
    ck_assert_int_eq(read(paths[0], path, sizeof path), sizeof path);
    if (path[0])
        ck_assert_int_eq(access(path, F_OK), 0);
    ck_assert_int_eq(waitpid(carbon, NULL, 0), carbon);
    usage_open(&next, &nowhere);
    ck_assert_int_eq(next.cgroup_fd >= 0, path[0] != '\0');
    ck_assert_int_eq(access(path, F_OK), -1);
    usage_close(&next);
}
END_TEST

START_TEST(processes_are_read_whatever_their_name)
{
    char names[16] = "";
    struct process process;

    ck_assert_int_eq(prctl(PR_SET_NAME, "a) (b \x1b[1m"), 0);
    ck_assert(process_read(getpid(), &process));
    ck_assert_str_eq(process.name, "a) (b ?[1m");
    ck_assert_int_eq(process.parent, getppid());
    ck_assert_int_eq(process.state, 'R');
    ck_assert(!process_read(0x7fffffff, &process));
    process_name_add("sleep", names, sizeof names);
    process_name_add("slee", names, sizeof names);
    process_name_add("sleep", names, sizeof names);
    process_name_add("too-long", names, sizeof names);
    ck_assert_str_eq(names, "sleep, slee");
}
END_TEST

UNIT_SUITE("usage", cpu_time_of_a_loop, cgroup_and_rusage_agree_on_many_short_children, memory_peak_is_what_was_touched,
           written_bytes_reach_the_device, daemon_left_behind_is_named_and_counted, orphans_are_seen_without_a_cgroup,
           figures_of_an_unused_cgroup_are_not_the_jobs, job_runs_where_the_cgroup_is_refused,
           job_goes_into_its_cgroup_without_clone3, groups_that_the_job_made_are_removed,
           each_job_has_a_cgroup_of_its_own, group_of_a_killed_carbon_is_cleared_away,

           processes_are_read_whatever_their_name)
