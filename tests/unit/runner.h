/* SPDX-License-Identifier: MIT
 * Commands that run beside a test, which tell when they are ready and go on at a signal (act hold SIGNAL). */
#ifndef TESTS_RUNNER_H
#define TESTS_RUNNER_H

#include "base/units.h"
#include "usage/target.h"

#include "act.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

/* How often a target is looked at meanwhile. */
enum { LOOK_MS = 20 };

struct runner {
    pid_t pid;
    int said; /* what it says */
    char line[64]; /* the last */
};

/* The next line; the target, if any, is looked at until it comes. */
static inline const char *runner_line(struct runner *runner, struct target *target)
{
    struct pollfd said = { .fd = runner->said, .events = POLLIN };
    struct usage usage;
    size_t length = 0;

    do {
        for (int i = 0; poll(&said, 1, LOOK_MS) == 0; i++) {
            ck_assert_int_lt(i, 30000 / LOOK_MS);
            if (target)
                target_read(target, &usage);
        }
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

static inline void runner_end(struct runner *runner)
{
    kill(runner->pid, SIGKILL);
    ck_assert_int_eq(waitpid(runner->pid, NULL, 0), runner->pid);
    close(runner->said);
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

/* A check in a process of its own, which may give up its rights or change what it sees. */
static inline void check_apart(void (*check)(void *with), void *with)
{
    const pid_t pid = fork();
    int status = 0;

    if (pid == 0) {
        check(with);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
}

static inline void become_nobody(void)
{
    ck_assert_int_eq(setgid(65534), 0);
    ck_assert_int_eq(setuid(65534), 0);
}

#endif
