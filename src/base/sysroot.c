/* SPDX-License-Identifier: MIT
 * Reading under a root directory. */
#include "base/sysroot.h"

#include "base/auto.h"
#include "base/debug.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool root_open(struct root *root, const char *path, struct error *err)
{
    *root = (struct root){ .fd = -1, .live = strcmp(path, "/") == 0 };
    if (strlen(path) >= sizeof root->path)
        return error_set(err, ERROR_USAGE, "the root directory's path is too long");
    snprintf(root->path, sizeof root->path, "%s", path);
    root->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (root->fd < 0)
        return error_errno(err, "cannot open the root directory '%s'", path);
    return true;
}

void root_close(struct root *root)
{
    if (root->fd >= 0)
        close(root->fd);
    root->fd = -1;
}

void root_typed_path(const struct root *root, const char *path, char *typed, size_t size)
{
    const size_t length = strlen(root->path);
    const char *slash = length && root->path[length - 1] == '/' ? "" : "/";

    snprintf(typed, size, "%s%s%s", root->path, slash, path);
}

static bool cannot_read(const struct root *root, const char *path, struct error *err)
{
    char typed[512];
    const int number = errno;

    root_typed_path(root, path, typed, sizeof typed);
    errno = number;
    return error_errno(err, "cannot read '%s'", typed);
}

static void debug_opened(const struct root *root, const char *path, bool opened)
{
    char typed[512];
    const int number = errno;

    if (!debug_is_on(DEBUG_FILES))
        return;
    root_typed_path(root, path, typed, sizeof typed);
    errno = number;
    debug_file(typed, opened);
}

int root_open_file(const struct root *root, const char *path, struct error *err)
{
    const int fd =
        openat(root->fd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK); /* of a pipe nothing is waited for */

    debug_opened(root, path, fd >= 0);
    if (fd < 0)
        cannot_read(root, path, err);
    return fd;
}

DIR *root_open_dir(const struct root *root, const char *path, struct error *err)
{
    const int fd = openat(root->fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);

    debug_opened(root, path, dir);
    if (!dir) {
        cannot_read(root, path, err);
        if (fd >= 0)
            close(fd);
    }
    return dir;
}

bool fd_read_up_to(int fd, char *bytes, size_t max, size_t *length)
{
    for (*length = 0; *length < max;) {
        const ssize_t got = read(fd, bytes + *length, max - *length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0;
        *length += (size_t)got;
    }
    return true;
}

bool root_read_text(const struct root *root, const char *path, char *text, size_t size, struct error *err)
{
    AUTO_CLOSE int fd = root_open_file(root, path, err);
    size_t length;

    if (fd < 0)
        return false;
    if (!fd_read_up_to(fd, text, size - 1, &length))
        return cannot_read(root, path, err);
    while (length && strchr(" \t\r\n", text[length - 1]))
        length--;
    text[length] = '\0';
    return true;
}

bool root_read_head(const struct root *root, const char *path, const char *until, char *text, size_t size)
{
    AUTO_CLOSE int fd = root_open_file(root, path, NULL);
    size_t length = 0;

    text[0] = '\0';
    while (fd >= 0 && length < size - 1 && !(until && strstr(text, until))) {
        const ssize_t got = read(fd, text + length, size - 1 - length);
        if (got <= 0)
            break;
        length += (size_t)got;
        text[length] = '\0';
    }
    return length > 0;
}

bool root_read_u64(const struct root *root, const char *path, uint64_t *value, struct error *err)
{
    AUTO_CLOSE int fd = root_open_file(root, path, err);
    int number;

    if (fd < 0)
        return false;
    number = fd_read_u64(fd, value);
    if (!number)
        return true;
    errno = number;
    cannot_read(root, path, err);
    return number == EBADMSG ? error_why(err, "it does not hold a number") : false;
}

bool root_exists(const struct root *root, const char *path)
{
    return faccessat(root->fd, path, F_OK, 0) == 0;
}

/* Takes digits off the text and adds them to *value. False: none, or more than it holds. */
static bool take_digits(const char **at, const char *end, uint64_t *value)
{
    const char *begin = *at;

    for (; *at < end && **at >= '0' && **at <= '9'; ++*at) {
        const uint64_t digit = (uint64_t)(**at - '0');
        if (*value > (UINT64_MAX - digit) / 10)
            return false;
        *value = *value * 10 + digit;
    }
    return *at > begin;
}

static bool is_end(const char *at, const char *end)
{
    return at == end || *at == '\n' || *at == '\0' || *at == ' ';
}

int fd_read_u64(int fd, uint64_t *value)
{
    char text[32];
    const ssize_t got = pread(fd, text, sizeof text, 0);
    const char *at = text;
    uint64_t sum = 0;

    if (got < 0)
        return errno;
    if (!take_digits(&at, text + got, &sum) || !is_end(at, text + got))
        return EBADMSG;
    *value = sum;
    return 0;
}

int fd_read_number(int fd, double *value)
{
    char text[48];
    const ssize_t got = pread(fd, text, sizeof text, 0);
    const char *at = text, *point = NULL, *end;
    uint64_t sum = 0;
    double scale = 1;
    bool negative;

    if (got < 0)
        return errno;
    end = text + got;
    negative = got > 0 && *at == '-';
    at += negative;
    if (!take_digits(&at, end, &sum))
        return EBADMSG;
    if (at < end && *at == '.') {
        point = ++at;
        if (!take_digits(&at, end, &sum))
            return EBADMSG;
        for (; point < at; point++)
            scale *= 10;
    }
    if (!is_end(at, end))
        return EBADMSG;
    *value = (negative ? -(double)sum : (double)sum) / scale;
    return 0;
}
