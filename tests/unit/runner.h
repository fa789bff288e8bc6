/* SPDX-License-Identifier: MIT
 * Commands that run beside a test, which tell when they are ready and go on at a signal (act hold SIGNAL). */
#ifndef TESTS_RUNNER_H
#define TESTS_RUNNER_H

#include "base/units.h"
#include "target/target.h"

#include "act.h"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* How often a target is looked at meanwhile. */
enum { LOOK_MS = 20 };

struct runner {
    pid_t pid;
    int said;      /* what it says */
    char line[64]; /* the last */
};

/* The next line; the target, if any, is looked at until it comes. */
static inline const char *runner_line(struct runner *runner, struct target *target)
{
    struct pollfd said = { .fd = runner->said, .events = POLLIN };
    struct usage usage;
    size_t length = 0;

    do {
        while (poll(&said, 1, LOOK_MS) == 0)
            if (target)
                target_read(target, &usage);
        ck_assert_int_eq(read(runner->said, &runner->line[length], 1), 1);
    } while (runner->line[length] != '\n' && ++length < sizeof runner->line - 1);
    runner->line[length] = '\0';
    return runner->line;
}

/* Starts a command and waits for its first line. */
static inline void runner_start(struct runner *runner, char **argv)
{
    int ends[2];

    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    runner->pid = fork();
    if (runner->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(ends[1], STDOUT_FILENO);
        execvp(argv[0], argv);
        _exit(127);
    }
    ck_assert_int_gt(runner->pid, 0);
    close(ends[1]);
    runner->said = ends[0];
    runner_line(runner, NULL);
}

/* Until it is ready again. */
static inline void runner_go_on(struct runner *runner, struct target *target)
{
    ck_assert_int_eq(kill(runner->pid, SIGUSR1), 0);
    ck_assert_str_eq(runner_line(runner, target), "ready");
}

/* CPU seconds of a child and of all that it waited for, as the kernel tells at its end. */
static inline double wait_cpu_s(pid_t pid)
{
    struct rusage rusage;

    ck_assert_int_eq(wait4(pid, NULL, 0, &rusage), pid);
    return (double)(rusage.ru_utime.tv_sec + rusage.ru_stime.tv_sec) +
           (double)(rusage.ru_utime.tv_usec + rusage.ru_stime.tv_usec) / 1e6;
}

/* The CPU seconds that it used from its beginning on. */
static inline double runner_end(struct runner *runner)
{
    double cpu_s;

    kill(runner->pid, SIGKILL);
    cpu_s = wait_cpu_s(runner->pid);
    close(runner->said);
    return cpu_s;
}

/* What nobody in a runner's tree waits for becomes this process's child, from now on. */
static inline void take_orphans(void)
{
    ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
}

/* The CPU seconds of the orphans, all of which have ended or are about to. */
static inline double orphans_cpu_s(void)
{
    double cpu_s = 0;

    for (siginfo_t info; waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) == 0;)
        cpu_s += wait_cpu_s(info.si_pid);
    return cpu_s;
}

static inline double target_cpu_s(struct target *target)
{
    struct usage usage;

    target_read(target, &usage);
    ck_assert(usage.cpu_ns.known);
    return s_from_ns(usage.cpu_ns.value);
}

/* That a target was refused, and how. */
static inline void check_refusal(bool opened, const struct error *err, enum error_kind kind, const char *why)
{
    ck_assert(!opened);
    ck_assert_msg(err->kind == kind && strstr(err->why, why), "%s: %s", err->what, err->why);
    ck_assert_str_ne(err->fix, "");
}

/* An empty folder in its place, which this process alone sees; false, and says so, where nothing can be mounted. */
static inline bool hide(const char *folder)
{
    if (unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
        mount("none", folder, "tmpfs", 0, NULL) == 0)
        return true;
    puts("SKIPPED: nothing can be mounted here");
    return false;
}

/* A check in a process of its own, which may give up its rights or change what it sees; in place of the folder, if any,
 * there is an empty one. */
static inline void check_apart_without(const char *folder, void (*check)(void *with), void *with)
{
    const pid_t pid = fork();
    int status = 0;

    if (pid == 0) {
        if (!folder || hide(folder))
            check(with);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
}

static inline void check_apart(void (*check)(void *with), void *with)
{
    check_apart_without(NULL, check, with);
}

static inline void become_nobody(void)
{
    ck_assert_int_eq(setgid(65534), 0);
    ck_assert_int_eq(setuid(65534), 0);
}

#endif
