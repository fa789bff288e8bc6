/* SPDX-License-Identifier: MIT
 * Forks, and shuts off what is not for the child. */
#include "run/side_process.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIDE_FD = STDERR_FILENO + 1 };

static _Noreturn void be_side_process(int fd, pid_t parent, void (*work)(void *context, int fd), void *context)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    /* the counters are the parent's alone */
    if (dup2(fd, SIDE_FD) == SIDE_FD && getppid() == parent) {
        IGNORED(syscall(SYS_close_range, SIDE_FD + 1, ~0U, 0), "older kernels have no such call");
        work(context, SIDE_FD);
    }
    _exit(0);
}

bool side_process_open(struct side_process *process, void (*work)(void *context, int fd), void *context)
{
    const pid_t parent = getpid();
    int ends[2], error;

    *process = (struct side_process){ .fd = -1 };
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    process->pid = fork();
    if (process->pid == 0)
        be_side_process(ends[1], parent, work, context);
    error = errno;
    close(ends[1]);
    if (process->pid > 0) {
        process->fd = ends[0];
        return true;
    }
    close(ends[0]);
    errno = error;
    return false;
}

void side_process_close(struct side_process *process)
{
    if (process->fd < 0)
        return;
    close(process->fd);
    kill(process->pid, SIGKILL);
    waitpid(process->pid, NULL, 0);
    process->fd = -1;
}
