/* SPDX-License-Identifier: MIT
 * Written beside its place, put there by its name, and both forced to the disk. The one before stays beside it, to be
 * written over: so it needs no more room from then on, and a disk that gets full is no matter. */
#include "commands/serve/state_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool cannot_keep(const char *path, struct error *err)
{
    error_errno(err, "cannot write the state file '%.180s'", path);
    return error_fix(err, "make room there or mend it, or name another file with --state");
}

bool state_file_lock(const char *path, int *fd, struct error *err)
{
    char lock[PATH_MAX];

    snprintf(lock, sizeof lock, "%s.lock", path);
    *fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (*fd < 0)
        return cannot_keep(path, err);
    if (flock(*fd, LOCK_EX | LOCK_NB) == 0)
        return true;
    if (errno != EWOULDBLOCK)
        return cannot_keep(path, err);
    error_set(err, ERROR_USAGE, "another carbon serve keeps its state in '%.180s'", path);
    return error_fix(err, "give each one a file of its own with --state");
}

/* The name, too, is on the disk. Where a folder cannot be forced there, its file system has another way. */
static bool sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX] = ".";
    bool synced;
    int fd;

    if (slash)
        snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return false;
    synced = fsync(fd) == 0 || errno == EINVAL;
    close(fd);
    return synced;
}

/* From the beginning on, over whatever there is. */
static bool put(int fd, const char *text)
{
    const size_t length = strlen(text);

    for (size_t at = 0; at < length;) {
        const ssize_t written = pwrite(fd, text + at, length - at, (off_t)at);
        if (written <= 0 && errno != EINTR)
            return false;
        at += written > 0 ? (size_t)written : 0;
    }
    return ftruncate(fd, (off_t)length) == 0 && fsync(fd) == 0;
}

static bool name_sibling(const char *path, char sibling[PATH_MAX])
{
    if (snprintf(sibling, PATH_MAX, "%s.new", path) < PATH_MAX)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

/* What lies there is written over where it is this user's alone. */
static int open_sibling(const char *sibling)
{
    const int fd = open(sibling, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    struct stat status;

    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
        status.st_nlink == 1)
        return fd;
    if (fd >= 0)
        close(fd);
    unlink(sibling);
    return open(sibling, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

/* Both change places, where the file system can do that and there is another one; musl has no function for it. */
static bool put_in_place(const char *sibling, const char *path)
{
    return syscall(SYS_renameat2, AT_FDCWD, sibling, AT_FDCWD, path, RENAME_EXCHANGE) == 0 ||
           rename(sibling, path) == 0;
}

bool state_file_write(const char *path, const char *text, struct error *err)
{
    char sibling[PATH_MAX];
    bool written;
    int fd;

    if (!name_sibling(path, sibling) || (fd = open_sibling(sibling)) < 0)
        return cannot_keep(path, err);
    written = put(fd, text) && put_in_place(sibling, path) && sync_folder(path);
    if (!written) {
        cannot_keep(path, err);
        unlink(sibling);
    }
    close(fd);
    return written;
}

bool state_file_finish(const char *path, const char *text, struct error *err)
{
    char sibling[PATH_MAX];

    if (!state_file_write(path, text, err))
        return false;
    if (name_sibling(path, sibling))
        unlink(sibling);
    return true;
}

bool state_file_remove(const char *path, struct error *err)
{
    if ((unlink(path) == 0 || errno == ENOENT) && (sync_folder(path) || errno == ENOENT))
        return true;
    return error_errno(err, "'%.180s' cannot be removed", path);
}
