/* SPDX-License-Identifier: MIT
 * Adding lines to a table that others add to at the same time. */
#include "base/c_locale.h"
#include "form/output.h"

#include "base/auto.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static bool cannot_append(struct error *err, const char *path)
{
    return error_errno(err, "cannot append to '%s'", path);
}

static bool lock(int fd, int operation)
{
    int result;

    do
        result = flock(fd, operation);
    while (result != 0 && errno == EINTR);
    return result == 0;
}

/* The first `length` bytes; fewer where the file is shorter. */
static ssize_t read_start(int fd, char *data, size_t length)
{
    size_t filled = 0;

    while (filled < length) {
        const ssize_t got = pread(fd, data + filled, length - filled, (off_t)filled);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        filled += (size_t)got;
    }
    return (ssize_t)filled;
}

/* Names the first column in which two headers differ. Neither has quoted names. */
static void explain_difference(const char *theirs, const char *ours, struct error *err)
{
    for (int column = 1;; column++) {
        const size_t their_length = strcspn(theirs, ",\r\n"), our_length = strcspn(ours, ",\r\n");
        if (their_length != our_length || memcmp(theirs, ours, our_length) != 0) {
            error_why(err, "column %d is '%.*s' there and '%.*s' here", column,
                      (int)(their_length < 60 ? their_length : 60), theirs, (int)our_length, ours);
            return;
        }
        theirs += their_length;
        ours += our_length;
        if (*ours == '\n' || *theirs != ',') {
            error_why(err,
                      *theirs == ','    ? "it has more than the %d columns here"
                      : *theirs == '\r' ? "its lines end in CR LF; column %d is the last"
                      : *ours == ','    ? "it has only %d of the columns here"
                                        : "its line does not end after column %d",
                      column);
            return;
        }
        theirs++;
        ours++;
    }
}

static bool check_header(int fd, const char *path, const char *header_line, struct error *err)
{
    const size_t length = strlen(header_line);
    AUTO_FREE char *start = calloc(1, length + 1);
    const ssize_t got = start ? read_start(fd, start, length) : -1;

    if (got < 0)
        return cannot_append(err, path);
    if (got == 0 || ((size_t)got == length && memcmp(start, header_line, length) == 0))
        return true;
    for (ssize_t i = 0; i < got; i++)
        if (c_iscntrl(start[i]) && start[i] != '\r' && start[i] != '\n')
            start[i] = '?';
    error_set(err, ERROR_USAGE, "'%s' has another header", path);
    explain_difference(start, header_line, err);
    return error_fix(err, "give another file; a new one gets its header");
}

static bool check_regular(int fd, const char *path, struct stat *status, struct error *err)
{
    if (fstat(fd, status) != 0)
        return cannot_append(err, path);
    if (S_ISREG(status->st_mode))
        return true;
    error_set(err, ERROR_USAGE, "cannot append to '%s'", path);
    error_why(err, "not a regular file");
    return error_fix(err, "give a regular file, which has a header");
}

/* Did the last writer leave the last line open? */
static bool line_is_open(int fd, off_t size)
{
    char last = '\n';

    return size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n';
}

static bool write_block(int fd, const struct stat *before, const char *header_line, const char *lines)
{
    const char *first = before->st_size == 0 ? header_line : line_is_open(fd, before->st_size) ? "\n" : "";
    const size_t first_length = strlen(first), length = first_length + strlen(lines);
    AUTO_FREE char *block = malloc(length + 1);
    ssize_t written;
    int number;

    if (!block)
        return false;
    memcpy(block, first, first_length);
    memcpy(block + first_length, lines, length - first_length + 1);
    do
        written = write(fd, block, length);
    while (written < 0 && errno == EINTR);
    if (written == (ssize_t)length)
        return true;
    /* a truncated line would damage the table */
    number = written < 0 ? errno : ENOSPC;
    IGNORED(ftruncate(fd, before->st_size), "the failed write is reported");
    errno = number;
    return false;
}

bool output_append(const char *path, const char *header_line, const char *lines, struct error *err)
{
    AUTO_CLOSE int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    struct stat before;

    if (fd < 0 || !lock(fd, LOCK_EX))
        return cannot_append(err, path);
    if (!check_regular(fd, path, &before, err) || !check_header(fd, path, header_line, err))
        return false;
    if (!write_block(fd, &before, header_line, lines))
        return cannot_append(err, path);
    return fsync(fd) == 0 || cannot_append(err, path);
}

/* Can a file be made where there is none? */
static bool check_folder(const char *path, struct error *err)
{
    const char *slash = strrchr(path, '/');
    char folder[4096] = ".";

    if (slash == path)
        strcpy(folder, "/");
    else if (slash)
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    return faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0 || cannot_append(err, path);
}

bool output_append_check(const char *path, const char *header_line, struct error *err)
{
    AUTO_CLOSE int fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    bool good;

    if (fd < 0)
        good = errno == ENOENT ? check_folder(path, err) : cannot_append(err, path);
    else if (!lock(fd, LOCK_SH))
        good = cannot_append(err, path);
    else
        good = check_regular(fd, path, &status, err) && check_header(fd, path, header_line, err);
    if (!good && err && !err->fix[0])
        error_fix(err, "use another path; nothing has been run yet");
    return good;
}
