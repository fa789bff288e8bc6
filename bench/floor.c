/* SPDX-License-Identifier: MIT
 * The least that a start with its ledger costs: a program of the C library alone that makes a cgroup of version 2
 * (where it may), runs `true` in it, waits, removes it, and appends a record of 28 KB to a file with one fdatasync.
 *
 *     floor FILE */
#include <fcntl.h>
#include <linux/sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RECORD_BYTES = 28 << 10 };

/* -1: there is none, or it may not be made. */
static int make_group(char path[128])
{
    static const char *const mounts[] = { "/sys/fs/cgroup/unified", "/sys/fs/cgroup" };

    for (size_t i = 0; i < sizeof mounts / sizeof mounts[0]; i++) {
        char known[128];
        snprintf(known, sizeof known, "%s/cgroup.procs", mounts[i]);
        snprintf(path, 128, "%s/carbon-floor-%d", mounts[i], (int)getpid());
        if (access(known, F_OK) == 0 && mkdir(path, 0755) == 0)
            return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    }
    return -1;
}

static int run_true(int group)
{
    struct clone_args arguments = {
        .flags = group >= 0 ? CLONE_INTO_CGROUP : 0,
        .exit_signal = SIGCHLD,
        .cgroup = (unsigned)(group >= 0 ? group : 0),
    };
    const pid_t pid = (pid_t)syscall(SYS_clone3, &arguments, sizeof arguments);
    int status = -1;

    if (pid == 0) {
        execlp("true", "true", (char *)NULL);
        _exit(127);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    char path[128], record[RECORD_BYTES];
    const int group = make_group(path);
    int failed = run_true(group), file;

    if (group >= 0)
        failed |= rmdir(path) != 0;
    memset(record, ' ', sizeof record);
    file = open(argc > 1 ? argv[1] : "/dev/null", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    failed |= file < 0 || write(file, record, sizeof record) != (ssize_t)sizeof record || fdatasync(file) != 0;
    return failed;
}
