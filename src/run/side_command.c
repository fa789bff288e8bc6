/* SPDX-License-Identifier: MIT
 * A command beside the measurement: started, its signals looked after, awaited. */
#include "run/side_command.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/debug.h"
#include "base/units.h"
#include "run/environment.h"
#include "run/exec_error.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STATUS_FAILED = 125 };

static const int taken[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 };

enum { TAKEN = sizeof taken / sizeof taken[0] };

struct side_command {
    const struct side_command_options *options;
    struct side_command_end *end;
    sigset_t before; /* the mask */
    struct sigaction child;
    int fd; /* signalfd */
    pid_t self, pid;
    unsigned signals; /* how many have come */
};

void inherited_signals_read(struct inherited_signals *signals)
{
    sigprocmask(SIG_SETMASK, NULL, &signals->mask);
    sigaction(SIGPIPE, NULL, &signals->pipe);
}

static bool is_taken(const struct side_command *command, int number)
{
    struct sigaction now;

    return !sigismember(&command->options->signals->mask, number) && sigaction(number, NULL, &now) == 0 &&
           now.sa_handler != SIG_IGN;
}

static bool take_signals(struct side_command *command, struct error *err)
{
    const struct sigaction standard = { .sa_handler = SIG_DFL };
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    for (size_t i = 0; i < TAKEN; i++)
        if (is_taken(command, taken[i]))
            sigaddset(&set, taken[i]);
    command->fd = signalfd(-1, &set, SFD_CLOEXEC);
    if (command->fd < 0)
        return error_errno(err, "cannot install signal handlers");
    sigaction(SIGCHLD, &standard, &command->child);
    sigprocmask(SIG_BLOCK, &set, &command->before);
    return true;
}

static void give_signals_back(const struct side_command *command)
{
    sigprocmask(SIG_SETMASK, &command->before, NULL);
    sigaction(SIGCHLD, &command->child, NULL);
    close(command->fd);
}

static bool take_streams(const struct side_command_options *options)
{
    const int input = options->input_fd ? options->input_fd : open("/dev/null", O_RDONLY);

    return input >= 0 && dup2(input, STDIN_FILENO) >= 0 && dup2(options->output_fd, STDOUT_FILENO) >= 0 &&
           dup2(options->error_fd ? options->error_fd : options->output_fd, STDERR_FILENO) >= 0;
}

static _Noreturn void child_run(const struct side_command *command, int failed)
{
    const struct side_command_options *options = command->options;
    const struct sigaction standard = { .sa_handler = SIG_DFL };
    int number;

    if (options->shielded)
        setpgid(0, 0);
    if (options->alone && (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != command->self))
        _exit(STATUS_FAILED);
    if (take_streams(options)) {
        for (size_t i = 0; i < TAKEN; i++)
            if (is_taken(command, taken[i]))
                sigaction(taken[i], &standard, NULL);
        sigaction(SIGPIPE, &options->signals->pipe, NULL);
        sigaction(SIGCHLD, &command->child, NULL);
        sigprocmask(SIG_SETMASK, &options->signals->mask, NULL);
        if (options->environment)
            environ = (char **)options->environment;
        execvp(options->argv[0], options->argv);
    }
    number = errno;
    IGNORED(write(failed, &number, sizeof number), "the parent has gone");
    _exit(STATUS_FAILED);
}

/* A signal that a process sent to carbon alone; from the terminal it has come to all in the foreground. */
static void pass_on(struct side_command *command, const struct signalfd_siginfo *info)
{
    const int number = (int)info->ssi_signo;

    if (number == SIGUSR1 || number == SIGUSR2)
        return;
    if (!command->end->interrupted)
        command->end->interrupted = number;
    command->signals++;
    if (command->options->shielded && command->signals > 1)
        kill(-command->pid, number);
    else if (!command->options->shielded && info->ssi_code <= 0 && (pid_t)info->ssi_pid != command->pid)
        kill(command->pid, number);
}

/* Until a signal comes, or it has taken too long. */
static void rest(struct side_command *command, uint64_t until_ns)
{
    struct pollfd signal = { .fd = command->fd, .events = POLLIN };
    struct signalfd_siginfo info;
    const uint64_t now_ns = clock_monotonic_ns();
    const int left_ms = command->end->late || until_ns == UINT64_MAX ? -1
                        : until_ns > now_ns                          ? (int)((until_ns - now_ns) / NS_PER_MS) + 1
                                                                     : 0;

    if (left_ms == 0) {
        command->end->late = true;
        kill(command->pid, SIGKILL);
    } else if (poll(&signal, 1, left_ms) == 1 && read(command->fd, &info, sizeof info) == sizeof info &&
               info.ssi_signo != SIGCHLD) {
        pass_on(command, &info);
    }
}

static int wait_for(struct side_command *command)
{
    const unsigned limit_s = command->options->limit_s;
    const uint64_t until_ns = limit_s ? clock_monotonic_ns() + limit_s * NS_PER_S_INT : UINT64_MAX;
    int status = 0;
    pid_t ended;

    while ((ended = waitpid(command->pid, &status, WNOHANG)) == 0)
        rest(command, until_ns);
    if (ended < 0)
        return STATUS_FAILED;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static bool start_and_wait(struct side_command *command, struct error *err)
{
    const struct side_command_options *options = command->options;
    char *const *environment = options->environment ? options->environment : environ;
    int ends[2], number = 0;
    ssize_t got;

    if (pipe2(ends, O_CLOEXEC) < 0)
        return error_errno(err, "cannot open a pipe");
    command->pid = fork();
    if (command->pid == 0)
        child_run(command, ends[1]);
    close(ends[1]);
    if (command->pid < 0) {
        close(ends[0]);
        return error_errno(err, "cannot start a process for '%s'", options->argv[0]);
    }
    do
        got = read(ends[0], &number, sizeof number);
    while (got < 0 && errno == EINTR);
    close(ends[0]);
    command->end->exit_status = wait_for(command);
    if (got != sizeof number)
        return true;
    command->end->exit_status = exec_error(options->argv[0], environment_value(environment, "PATH"), number, err);
    return false;
}

bool side_command_run(const struct side_command_options *options, struct side_command_end *end, struct error *err)
{
    struct side_command command = { .options = options, .end = end, .self = getpid(), .fd = -1 };
    bool done;

    *end = (struct side_command_end){ .exit_status = STATUS_FAILED };
    if (!take_signals(&command, err))
        return false;
    DEBUG(DEBUG_RUN, "starting '%s' during the measurement", options->argv[0]);
    done = start_and_wait(&command, err);
    DEBUG(DEBUG_RUN, "'%s' ended with status %d", options->argv[0], end->exit_status);
    give_signals_back(&command);
    if (options->alone && end->interrupted)
        raise(end->interrupted);
    return done;
}
