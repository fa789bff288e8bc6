/* SPDX-License-Identifier: MIT
 * Signals to a job: from a real terminal, from other processes, and from the job itself. */
#include "act.h"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

/* What a process that stands for carbon tells the test at its end. */
struct reported {
    bool done;
    int interrupted, interruptions;
    struct job_end end;
};

/* Measures one job as carbon would, and tells. */
static void be_carbon(char **argv, int report_fd)
{
    const struct job_options options = { .argv = argv, .cgroup_fd = -1 };
    struct reported reported = { .done = false };
    struct job_signals signals;
    enum job_event event;
    struct job job;
    uint64_t exec_ns;
    int exit_status;

    if (job_signals_open(&signals, NULL) && job_start(&job, &signals, &options, NULL) &&
        job_release(&job, &exec_ns, &exit_status, NULL)) {
        while ((event = job_wait(&job, UINT64_MAX)) != JOB_ENDED)
            reported.interruptions += event == JOB_INTERRUPTED;
        reported.done = job_reap(&job, &reported.end, NULL);
        reported.interrupted = signals.interrupted;
        job_signals_close(&signals);
    }
    _exit(write(report_fd, &reported, sizeof reported) == sizeof reported ? 0 : 1);
}

/* A carbon that runs beside the test. */
struct carbon {
    pid_t pid;
    int report_fd;
    int output_fd; /* of its job: a pipe, or the terminal's other side */
    char output[4096];
    size_t length, seen;
};

enum { ON_A_PIPE, ON_A_TERMINAL };

static void carbon_start(struct carbon *carbon, int where, char **argv)
{
    int report[2], output[2];

    *carbon = (struct carbon){ .pid = -1 };
    ck_assert_int_eq(pipe2(report, O_CLOEXEC), 0);
    if (where == ON_A_TERMINAL) {
        carbon->pid = forkpty(&carbon->output_fd, NULL, NULL, NULL);
    } else {
        ck_assert_int_eq(pipe2(output, O_CLOEXEC), 0);
        carbon->output_fd = output[0];
        carbon->pid = fork();
        if (carbon->pid == 0) {
            setpgid(0, 0);
            dup2(output[1], STDOUT_FILENO);
        }
        close(output[1]);
    }
    ck_assert_int_ge(carbon->pid, 0);
    if (carbon->pid == 0)
        be_carbon(argv, report[1]);
    close(report[1]);
    carbon->report_fd = report[0];
}

/* Reads what the job prints until the text comes, after the one expected before. */
static void carbon_expect(struct carbon *carbon, const char *text)
{
    struct pollfd output = { .fd = carbon->output_fd, .events = POLLIN };
    const char *found;

    while (!(found = strstr(carbon->output + carbon->seen, text))) {
        ssize_t got = 0;
        if (poll(&output, 1, -1) == 1)
            got = read(carbon->output_fd, carbon->output + carbon->length, sizeof carbon->output - 1 - carbon->length);
        ck_assert_msg(got > 0, "no '%s' in '%s'", text, carbon->output);
        carbon->length += (size_t)got;
    }
    carbon->seen = (size_t)(found - carbon->output) + strlen(text);
}

static struct reported carbon_finish(struct carbon *carbon)
{
    struct reported reported;

    ck_assert_int_eq(read(carbon->report_fd, &reported, sizeof reported), sizeof reported);
    ck_assert_int_eq(waitpid(carbon->pid, NULL, 0), carbon->pid);
    ck_assert(reported.done);
    close(carbon->report_fd);
    close(carbon->output_fd);
    return reported;
}

/* It was interrupted by this signal, or by none (0), and its job ended so. */
static struct reported carbon_ends(struct carbon *carbon, int interrupted, int exit_status)
{
    const struct reported reported = carbon_finish(carbon);

    ck_assert_int_eq(reported.interrupted, interrupted);
    ck_assert_int_eq(reported.end.exit_status, exit_status);
    return reported;
}

static void type(const struct carbon *carbon, const char *keys)
{
    ck_assert_int_eq(write(carbon->output_fd, keys, strlen(keys)), (ssize_t)strlen(keys));
}

START_TEST(ctrl_c_comes_once)
{
    struct carbon carbon;
    struct reported reported;

    carbon_start(&carbon, ON_A_TERMINAL, ACT("count", "INT", "0.5", "exit", "4"));
    carbon_expect(&carbon, "ready");
    type(&carbon, "\003");
    carbon_expect(&carbon, "INT came 1 times");
    reported = carbon_ends(&carbon, SIGINT, 4);
    ck_assert_int_eq(reported.interruptions, 1);
}
END_TEST

START_TEST(ctrl_c_may_end_the_job)
{
    struct carbon carbon;
    struct reported reported;

    carbon_start(&carbon, ON_A_TERMINAL, ACT("print", "ready", "sleep", "20"));
    carbon_expect(&carbon, "ready");
    type(&carbon, "\003");
    reported = carbon_ends(&carbon, SIGINT, 130);
    ck_assert_int_eq(reported.end.signal, SIGINT);
}
END_TEST

START_TEST(job_may_use_ctrl_c_for_itself)
{
    struct carbon carbon;
    struct reported reported;

    carbon_start(&carbon, ON_A_TERMINAL, ACT("count", "INT", "0.3", "count", "INT", "0.3", "count", "QUIT", "0.3"));
    for (int i = 0; i < 3; i++) {
        carbon_expect(&carbon, "ready");
        type(&carbon, i < 2 ? "\003" : "\034");
        carbon_expect(&carbon, "came 1 times");
    }
    reported = carbon_ends(&carbon, SIGINT, 0);
    ck_assert_int_eq(reported.interruptions, 3);
}
END_TEST

START_TEST(ctrl_c_reaches_a_job_that_left_the_group)
{
    struct carbon carbon;

    carbon_start(&carbon, ON_A_TERMINAL, ACT("own-group", "count", "INT", "0.3", "exit", "4"));
    carbon_expect(&carbon, "ready");
    type(&carbon, "\003");
    carbon_expect(&carbon, "INT came 1 times");
    carbon_ends(&carbon, SIGINT, 4);
}
END_TEST

START_TEST(terminal_is_the_jobs)
{
    struct carbon carbon;

    carbon_start(&carbon, ON_A_TERMINAL, ACT("tty"));
    carbon_expect(&carbon, "0:terminal 1:terminal 2:terminal foreground");
    ck_assert_int_eq(carbon_finish(&carbon).end.exit_status, 0);
}
END_TEST

START_TEST(hangup_of_the_terminal_reaches_the_job)
{
    struct carbon carbon;

    carbon_start(&carbon, ON_A_TERMINAL, ACT("trap", "HUP", "6"));
    carbon_expect(&carbon, "ready");
    close(carbon.output_fd);
    carbon.output_fd = -1;
    carbon_ends(&carbon, SIGHUP, 6);
}
END_TEST

START_TEST(signal_to_carbon_alone_is_passed_on)
{
    static const struct {
        const char *name;
        int number, interrupted;
    } cases[] = {
        { "TERM", SIGTERM, SIGTERM }, { "INT", SIGINT, SIGINT }, { "QUIT", SIGQUIT, SIGQUIT },
        { "HUP", SIGHUP, SIGHUP },    { "USR1", SIGUSR1, 0 },    { "USR2", SIGUSR2, 0 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char expected[32];
        struct carbon carbon;
        struct reported reported;

        carbon_start(&carbon, ON_A_PIPE, ACT("count", cases[i].name, "0.2", "exit", "4"));
        carbon_expect(&carbon, "ready");
        kill(carbon.pid, cases[i].number);
        snprintf(expected, sizeof expected, "%s came 1 times", cases[i].name);
        carbon_expect(&carbon, expected);
        reported = carbon_ends(&carbon, cases[i].interrupted, 4);
        ck_assert_int_eq(reported.interruptions, cases[i].interrupted ? 1 : 0);
    }
}
END_TEST

START_TEST(signal_of_the_job_is_not_passed_back)
{
    struct carbon carbon;

    carbon_start(&carbon, ON_A_PIPE, ACT("signal-parent", "TERM", "sleep", "0.3", "exit", "4"));
    carbon_ends(&carbon, SIGTERM, 4);
    carbon_start(
        &carbon, ON_A_PIPE,
        (char *[]){ (char *)"sh", (char *)"-c", (char *)"(kill -s INT $PPID; sleep 0.5) & sleep 0.8; exit 5", NULL });
    carbon_ends(&carbon, SIGINT, 5);
    carbon_start(&carbon, ON_A_PIPE, ACT("signal-group", "USR1", "sleep", "0.3", "exit", "4"));
    carbon_ends(&carbon, 0, 4);
}
END_TEST

START_TEST(ignored_signal_stays_ignored)
{
    struct carbon carbon;

    signal(SIGHUP, SIG_IGN);
    carbon_start(&carbon, ON_A_PIPE, ACT("print", "ready", "sleep", "0.3", "exit", "4"));
    carbon_expect(&carbon, "ready");
    kill(carbon.pid, SIGHUP);
    carbon_ends(&carbon, 0, 4);
}
END_TEST

START_TEST(signal_in_a_baseline_ends_the_sleep)
{
    struct job_signals signals;
    struct job nobody = { .gate = -1, .failed = -1, .signals = &signals };

    ck_assert(job_signals_open(&signals, NULL));
    raise(SIGUSR1);
    raise(SIGTERM);
    raise(SIGINT);
    ck_assert_int_eq(job_wait(&nobody, UINT64_MAX), JOB_INTERRUPTED);
    /* of two that wait the kernel gives the lower number first */
    ck_assert_int_eq(signals.interrupted, SIGINT);
    /* one that nobody waits for any more does not end carbon either */
    raise(SIGINT);
    job_signals_close(&signals);
}
END_TEST

UNIT_SUITE("job signals", ctrl_c_comes_once, ctrl_c_may_end_the_job, job_may_use_ctrl_c_for_itself,
           ctrl_c_reaches_a_job_that_left_the_group, terminal_is_the_jobs, hangup_of_the_terminal_reaches_the_job,
           signal_to_carbon_alone_is_passed_on, signal_of_the_job_is_not_passed_back, ignored_signal_stays_ignored,
           signal_in_a_baseline_ends_the_sleep)
