/* SPDX-License-Identifier: MIT
 * Jobs: how they start, are held, stopped and let go. Real processes only. */
#include "base/clock.h"
#include "base/units.h"

#include "act.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static void pause_s(double seconds)
{
    const struct timespec time = { .tv_sec = (time_t)seconds,
                                   .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9) };

    nanosleep(&time, NULL);
}

START_TEST(gate_holds)
{
    const struct job_options options = { .argv = ACT("write", "proof", "1"), .cgroup_fd = -1 };
    struct job_signals signals;
    struct job_end end;
    struct job job;
    char folder[64];

    enter_folder(folder);
    ck_assert(job_signals_open(&signals, NULL));
    ck_assert(job_start(&job, &signals, &options, NULL));
    pause_s(0.1);
    ck_assert_int_eq(access("proof", F_OK), -1);
    act_finish(&job, &end);
    ck_assert_int_eq(end.exit_status, 0);
    ck_assert_int_eq(access("proof", F_OK), 0);
    job_signals_close(&signals);
    remove_folder(folder);
}
END_TEST

START_TEST(nothing_runs_when_carbon_dies_first)
{
    const struct job_options options = { .argv = ACT("write", "proof", "1"), .cgroup_fd = -1 };
    struct job_signals signals;
    struct job job;
    char folder[64];
    int pipe_fds[2], status;
    pid_t carbon, held;

    enter_folder(folder);
    ck_assert_int_eq(pipe(pipe_fds), 0);
    carbon = fork();
    if (carbon == 0) {
        if (!job_signals_open(&signals, NULL) || !job_start(&job, &signals, &options, NULL) ||
            write(pipe_fds[1], &job.pid, sizeof job.pid) != sizeof job.pid)
            _exit(1);
        raise(SIGKILL);
    }
    ck_assert_int_eq(waitpid(carbon, &status, 0), carbon);
    ck_assert(WIFSIGNALED(status));
    ck_assert_int_eq(read(pipe_fds[0], &held, sizeof held), sizeof held);
    /* the pipe is also the held child's: it ends when the child has */
    close(pipe_fds[1]);
    ck_assert_int_eq(read(pipe_fds[0], &held, sizeof held), 0);
    ck_assert_int_eq(access("proof", F_OK), -1);
    remove_folder(folder);
}
END_TEST

START_TEST(signal_at_the_gate_ends_all)
{
    const struct job_options options = { .argv = ACT("write", "proof", "1"), .cgroup_fd = -1 };
    struct error err = { .kind = ERROR_NONE };
    struct job_signals signals;
    struct job job;
    uint64_t exec_ns;
    int exit_status = 0;
    char folder[64];

    enter_folder(folder);
    ck_assert(job_signals_open(&signals, NULL));
    ck_assert(job_start(&job, &signals, &options, NULL));
    kill(job.pid, SIGTERM);
    kill(getpid(), SIGTERM);
    pause_s(0.1);
    ck_assert(!job_release(&job, &exec_ns, &exit_status, &err));
    ck_assert_int_eq(exit_status, 143);
    ck_assert_int_eq(signals.interrupted, SIGTERM);
    ck_assert_int_eq(access("proof", F_OK), -1);
    job_signals_close(&signals);
    remove_folder(folder);
}
END_TEST

START_TEST(abandon_ends_the_held_the_stopped_and_the_stubborn)
{
    struct job_options options = { .argv = ACT("write", "proof", "1"), .cgroup_fd = -1 };
    struct job_signals signals;
    struct job job = { .pid = 0 };
    uint64_t exec_ns, start_ns;
    int exit_status, output;
    char folder[64];

    enter_folder(folder);
    job_abandon(&job);
    ck_assert(job_signals_open(&signals, NULL));
    ck_assert(job_start(&job, &signals, &options, NULL));
    job_abandon(&job);
    ck_assert_int_eq(job.pid, 0);
    ck_assert_int_eq(access("proof", F_OK), -1);

    options.argv = ACT("sleep", "600");
    ck_assert(job_start(&job, &signals, &options, NULL));
    ck_assert(job_release(&job, &exec_ns, &exit_status, NULL));
    kill(job.pid, SIGSTOP);
    ck_assert_int_eq(waitid(P_PID, (id_t)job.pid, &(siginfo_t){ .si_pid = 0 }, WSTOPPED | WNOWAIT), 0);
    start_ns = clock_monotonic_ns();
    job_abandon(&job);
    ck_assert_uint_lt(clock_monotonic_ns() - start_ns, 600 * NS_PER_S_INT); /* its own end was not waited for */

    options.argv = ACT("count", "TERM", "30");
    output = act_start(&job, &signals, &options);
    ck_assert(job_release(&job, &exec_ns, &exit_status, NULL));
    while (lseek(output, 0, SEEK_END) == 0) /* its "ready": SIGTERM does not end it any more */
        pause_s(0.01);
    start_ns = clock_monotonic_ns();
    job_abandon(&job);
    ck_assert_uint_ge(clock_monotonic_ns() - start_ns, 2 * NS_PER_S_INT);
    ck_assert_int_eq(job.pid, 0);
    close(output);
    job_signals_close(&signals);
    remove_folder(folder);
}
END_TEST

START_TEST(descriptors_of_carbon_stay_with_carbon)
{
    char before[256] = "", after[256];
    const int passed_on = dup(STDIN_FILENO);
    DIR *dir = opendir("/proc/self/fd");
    char number[16];

    for (const struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.' && atoi(entry->d_name) != dirfd(dir))
            strcat(strcat(before, entry->d_name), " ");
    closedir(dir);
    snprintf(number, sizeof number, " %d ", passed_on);
    ck_assert_ptr_nonnull(strstr(before, number));
    act_run(ACT("fds"), after, sizeof after);
    strcat(before, "\n");
    ck_assert_str_eq(after, before);
    close(passed_on);
}
END_TEST

static void set_handler(int number, void (*handler)(int))
{
    ck_assert_int_eq(sigaction(number, &(struct sigaction){ .sa_handler = handler }, NULL), 0);
}

static bool is_blocked(int number)
{
    sigset_t now;

    sigprocmask(SIG_SETMASK, NULL, &now);
    return sigismember(&now, number) == 1;
}

static bool handles(int number, void (*handler)(int))
{
    struct sigaction now;

    sigaction(number, NULL, &now);
    return now.sa_handler == handler;
}

START_TEST(mask_and_dispositions_are_the_callers)
{
    char text[256];
    sigset_t set;

    /* who runs this test in a background, or under nohup, ignores some */
    sigemptyset(&set);
    sigprocmask(SIG_SETMASK, &set, NULL);
    for (int number = 1; number < NSIG; number++)
        (void)!sigaction(number, &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
    act_run(ACT("mask"), text, sizeof text);
    ck_assert_str_eq(text, "blocked: ignored:\n");
    ck_assert(!is_blocked(SIGINT) && !is_blocked(SIGCHLD));
    ck_assert(handles(SIGPIPE, SIG_DFL));

    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGTSTP);
    sigprocmask(SIG_BLOCK, &set, NULL);
    set_handler(SIGPIPE, SIG_IGN);
    set_handler(SIGCHLD, SIG_IGN);
    set_handler(SIGINT, SIG_IGN);
    ck_assert_int_eq(act_run(ACT("mask", "exit", "7"), text, sizeof text).exit_status, 7);
    ck_assert_str_eq(text, "blocked: USR1 TSTP ignored: INT PIPE CHLD\n");
    ck_assert(is_blocked(SIGUSR1) && !is_blocked(SIGTERM));
    ck_assert(handles(SIGPIPE, SIG_IGN));
}
END_TEST

START_TEST(affinity_is_the_callers_or_the_one_asked_for)
{
    struct job_options options = { .cgroup_fd = -1, .cpus_size = sizeof(cpu_set_t) };
    struct job_signals signals;
    struct job_end end;
    struct error err;
    struct job job;
    cpu_set_t mine, one;
    char text[4096], expected[16];
    int cpu = CPU_SETSIZE - 1, output;

    ck_assert_int_eq(sched_getaffinity(0, sizeof mine, &mine), 0);
    while (!CPU_ISSET(cpu, &mine))
        cpu--;
    snprintf(expected, sizeof expected, "%d \n", cpu);
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);

    options.argv = ACT("cpus");
    options.cpus = &one;
    ck_assert(job_signals_open(&signals, NULL));
    output = act_start(&job, &signals, &options);
    act_finish(&job, &end);
    act_output(output, text, sizeof text);
    ck_assert_str_eq(text, expected);

    CPU_ZERO(&one);
    CPU_SET(CPU_SETSIZE - 1, &one);
    ck_assert(!job_start(&job, &signals, &options, &err));
    ck_assert_int_eq(job.pid, 0);
    job_signals_close(&signals);

    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
    act_run(ACT("cpus"), text, sizeof text);
    ck_assert_str_eq(text, expected);
}
END_TEST

START_TEST(wait_without_a_job_sleeps_until_the_deadline)
{
    struct job_signals signals;
    struct job nobody = { .gate = -1, .failed = -1, .signals = &signals };
    uint64_t until_ns;

    ck_assert(job_signals_open(&signals, NULL));
    ck_assert_int_eq(job_wait(&nobody, 0), JOB_DEADLINE);
    until_ns = clock_monotonic_ns() + 30 * 1000 * 1000;
    ck_assert_int_eq(job_wait(&nobody, until_ns), JOB_DEADLINE);
    ck_assert_uint_ge(clock_monotonic_ns(), until_ns);
    job_signals_close(&signals);
    job_signals_close(&signals);
}
END_TEST

START_TEST(stopped_job_has_not_ended)
{
    const struct job_options options = { .argv = ACT("hold", "USR1", "exit", "5"), .cgroup_fd = -1 };
    struct job_signals signals;
    struct job_end end;
    struct job job;
    uint64_t exec_ns, until_ns;
    int exit_status, output;

    ck_assert(job_signals_open(&signals, NULL));
    output = act_start(&job, &signals, &options);
    ck_assert(job_release(&job, &exec_ns, &exit_status, NULL));
    while (lseek(output, 0, SEEK_END) == 0) /* its "ready" */
        pause_s(0.01);
    kill(job.pid, SIGSTOP);
    ck_assert_int_eq(waitid(P_PID, (id_t)job.pid, &(siginfo_t){ .si_pid = 0 }, WSTOPPED | WNOWAIT), 0);
    kill(job.pid, SIGUSR1); /* it would end now */
    until_ns = clock_monotonic_ns() + NS_PER_S_INT / 10;
    ck_assert_int_eq(job_wait(&job, until_ns), JOB_DEADLINE);
    kill(job.pid, SIGCONT);
    ck_assert_int_eq(job_wait(&job, UINT64_MAX), JOB_ENDED);
    ck_assert_int_eq(job_wait(&job, UINT64_MAX), JOB_ENDED);
    ck_assert(job_reap(&job, &end, NULL));
    ck_assert_int_eq(end.exit_status, 5);
    ck_assert_uint_ge(end.end_ns, until_ns);
    close(output);
    job_signals_close(&signals);
}
END_TEST

static double cpu_s(const struct rusage *rusage)
{
    return (double)rusage->ru_utime.tv_sec + (double)rusage->ru_stime.tv_sec +
           ((double)rusage->ru_utime.tv_usec + (double)rusage->ru_stime.tv_usec) / 1e6;
}

START_TEST(orphans_are_reaped_and_counted)
{
    char text[64];
    struct rusage before, after;
    struct job_end end;

    ck_assert_int_eq(getrusage(RUSAGE_CHILDREN, &before), 0);
    end = act_run(ACT("daemon-spin", "1", "await", "sleep", "0.1"), text, sizeof text);
    ck_assert_int_eq(getrusage(RUSAGE_CHILDREN, &after), 0);
    ck_assert_int_eq(end.rusage.ru_minflt, after.ru_minflt - before.ru_minflt);
    ck_assert_int_eq(end.rusage.ru_nvcsw, after.ru_nvcsw - before.ru_nvcsw);
    ck_assert_int_eq(end.rusage.ru_nivcsw, after.ru_nivcsw - before.ru_nivcsw);
    ck_assert_double_ge(cpu_s(&end.rusage), 0.99);
    ck_assert_double_le(cpu_s(&end.rusage), 1.9);
    /* a child that its parent never waited for, ended when the parent ends */
    end = act_run(ACT("forget", "1", "await", "sleep", "0.1", "touch", "32"), text, sizeof text);
    ck_assert_double_ge(cpu_s(&end.rusage), 0.99);
    ck_assert_double_le(cpu_s(&end.rusage), 1.9);
    ck_assert_int_ge(end.rusage.ru_maxrss, 32 * 1024);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
}
END_TEST

START_TEST(children_from_before_are_not_the_jobs)
{
    char text[64];
    const pid_t before = fork();
    struct job_end end;

    if (before == 0) {
        execv(act_path(), ACT("touch", "64"));
        _exit(1);
    }
    ck_assert_int_eq(waitid(P_PID, (id_t)before, &(siginfo_t){ .si_pid = 0 }, WEXITED | WNOWAIT), 0);
    end = act_run(ACT("exit", "0"), text, sizeof text);
    ck_assert_int_lt(end.rusage.ru_maxrss, 64 * 1024);
    ck_assert_int_eq(waitpid(before, NULL, 0), -1);
}
END_TEST

UNIT_SUITE("job", gate_holds, nothing_runs_when_carbon_dies_first, signal_at_the_gate_ends_all,
           abandon_ends_the_held_the_stopped_and_the_stubborn, descriptors_of_carbon_stay_with_carbon,
           mask_and_dispositions_are_the_callers, affinity_is_the_callers_or_the_one_asked_for,
           wait_without_a_job_sleeps_until_the_deadline, stopped_job_has_not_ended, orphans_are_reaped_and_counted,
           children_from_before_are_not_the_jobs)
