/* SPDX-License-Identifier: MIT
 * Written beside its place, put there by its name, and both forced to the disk. */
#include "commands/serve/state_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

bool state_file_lock(const char *path, int *fd, struct error *err)
{
    char lock[PATH_MAX];

    snprintf(lock, sizeof lock, "%s.lock", path);
    *fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (*fd < 0)
        return error_errno(err, "the state cannot be kept in '%.180s'", path);
    if (flock(*fd, LOCK_EX | LOCK_NB) == 0)
        return true;
    if (errno != EWOULDBLOCK)
        return error_errno(err, "the state cannot be kept in '%.180s'", path);
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

static bool put(int fd, const char *text)
{
    size_t length = strlen(text);

    while (length) {
        const ssize_t written = write(fd, text, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        text += written;
        length -= (size_t)written;
    }
    return fsync(fd) == 0;
}

/* Its name is the same each time, for one that was killed leaves it behind. */
static int open_beside(const char *path, char temporary[PATH_MAX])
{
    if (snprintf(temporary, PATH_MAX, "%s.new", path) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    unlink(temporary);
    return open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

bool state_file_write(const char *path, const char *text, struct error *err)
{
    char temporary[PATH_MAX];
    const int fd = open_beside(path, temporary);
    bool written;

    if (fd < 0)
        return error_errno(err, "the state cannot be kept in '%.180s'", path);
    written = put(fd, text) && rename(temporary, path) == 0 && sync_folder(path);
    if (!written) {
        error_errno(err, "the state cannot be kept in '%.180s'", path);
        unlink(temporary);
    }
    close(fd);
    return written;
}

bool state_file_remove(const char *path, struct error *err)
{
    if ((unlink(path) == 0 || errno == ENOENT) && (sync_folder(path) || errno == ENOENT))
        return true;
    return error_errno(err, "'%.180s' cannot be removed", path);
}
