/* SPDX-License-Identifier: MIT
 * A job's own process, from the fork to its execve. */
#include "run/job_parts.h"

#include "base/auto.h"
#include "run/job.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As fork, into a cgroup where the kernel lets it; *inside tells. Kernels before 5.7 and some
 * seccomp filters have no clone3 with a cgroup. The child may call only what is safe after a fork
 * of a program with threads. */
static pid_t fork_into(int cgroup_fd, bool *inside)
{
    struct clone_args arguments = { .flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD };
    pid_t pid = -1;

    if (cgroup_fd >= 0) {
        arguments.cgroup = (uint64_t)cgroup_fd;
        pid = (pid_t)syscall(SYS_clone3, &arguments, sizeof arguments);
    }
    *inside = pid >= 0;
    return pid >= 0 ? pid : fork();
}

static void move_into(int cgroup_fd)
{
    AUTO_CLOSE int fd = openat(cgroup_fd, "cgroup.procs", O_WRONLY | O_CLOEXEC);

    /* refused: the group stays empty, and usage takes no figure from an empty group */
    IGNORED(write(fd, "0", 1), "the group stays empty, and has no figures");
}

static bool write_number(int fd, int number)
{
    return write(fd, &number, sizeof number) == sizeof number;
}

/* The old number is closed, for where no execve does it. */
static bool move_up(int *fd, int above)
{
    const int old = *fd;

    *fd = fcntl(old, F_DUPFD_CLOEXEC, above);
    close(old);
    return *fd >= 0;
}

/* First out of the way with the ends of the pipes, which may have the numbers. False: errno says why. */
static bool take_given(const struct job_options *options, struct child_ends *ends)
{
    int above = 0;

    for (size_t i = 0; i < options->given_count; i++)
        if (options->given[i].number >= above)
            above = options->given[i].number + 1;
    if (!move_up(&ends->gate, above) || !move_up(&ends->failed, above))
        return false;
    for (size_t i = 0; i < options->given_count; i++)
        if (dup2(options->given[i].fd, options->given[i].number) < 0)
            return false;
    return true;
}

/* The parent sees the pipe close, as with execve. */
static _Noreturn void child_work(const struct job *job, const struct child_ends *ends)
{
    close(ends->gate);
    close(ends->failed);
    _exit(job->work(job->context));
}

static _Noreturn void child_run(const struct job *job, const struct job_options *options, struct child_ends *ends)
{
    char byte;
    ssize_t got;

    /* with this end open in the child the gate would never be seen to close */
    close(job->gate);
    if (options->given_count && !take_given(options, ends))
        _exit(125);
    sigaction(SIGPIPE, &job->signals->original_pipe, NULL);
    sigaction(SIGCHLD, &job->signals->original_child, NULL);
    sigprocmask(SIG_SETMASK, &job->signals->original, NULL);
    if (!write_number(ends->failed, 0))
        _exit(125);
    do
        got = read(ends->gate, &byte, 1);
    while (got < 0 && errno == EINTR);
    if (got != 1)
        _exit(125);
    environ = (char **)job->environment; /* execvp searches its PATH */
    if (!options->folder || chdir(options->folder) == 0) {
        if (job->work)
            child_work(job, ends);
        execvp(job->argv[0], job->argv);
    }
    write_number(ends->failed, errno);
    _exit(126);
}

pid_t job_fork(const struct job *job, const struct job_options *options, struct child_ends ends, bool *inside)
{
    const pid_t pid = fork_into(options->cgroup_fd, inside);

    if (pid == 0) {
        if (options->cgroup_fd >= 0 && !*inside)
            move_into(options->cgroup_fd);
        child_run(job, options, &ends);
    }
    return pid;
}
