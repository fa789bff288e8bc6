/* SPDX-License-Identifier: MIT
 * A folder in memory (TMPDIR, else /dev/shm) that the files of one input are laid out in, and removed from again. */
#ifndef TESTS_FUZZ_FOLDER_H
#define TESTS_FUZZ_FOLDER_H

#include "fuzz.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/stat.h>

enum { FOLDER_MAX = 1024, FOLDER_PATH_SIZE = 512 };

static struct folder {
    char path[256];
    int fd;
    char *made[FOLDER_MAX]; /* in this order, without the last '/' */
    size_t count;
} folder = { .fd = -1 };

static void folder_clear(void)
{
    while (folder.count) {
        char *path = folder.made[--folder.count];
        if (unlinkat(folder.fd, path, 0) != 0)
            FUZZ_MUST(unlinkat(folder.fd, path, AT_REMOVEDIR) == 0);
        free(path);
    }
}

static void folder_remove(void)
{
    folder_clear();
    close(folder.fd);
    rmdir(folder.path);
}

/* Made once for all inputs. */
static inline void folder_open(void)
{
    const char *above = getenv("TMPDIR");

    if (folder.fd >= 0)
        return;
    if (!above)
        above = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    FUZZ_MUST(snprintf(folder.path, sizeof folder.path, "%s/carbon-fuzz.XXXXXX", above) < (int)sizeof folder.path);
    FUZZ_MUST(mkdtemp(folder.path));
    folder.fd = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    FUZZ_MUST(folder.fd >= 0);
    FUZZ_MUST(atexit(folder_remove) == 0);
}

static void folder_note(const char *path)
{
    folder.made[folder.count] = strdup(path);
    FUZZ_MUST(folder.made[folder.count]);
    folder.count++;
}

/* Nothing outside of the folder is ever touched, whatever the input says. */
static inline bool folder_may(const char *path)
{
    size_t length;

    if (!*path || *path == '/' || strlen(path) >= FOLDER_PATH_SIZE)
        return false;
    for (const char *part = path; *part; part += length + (part[length] == '/')) {
        length = strcspn(part, "/");
        if (!length || length > 255 || (length == 1 && part[0] == '.') || (length == 2 && !memcmp(part, "..", 2)))
            return false;
    }
    return true;
}

/* The folders on the way to a path. False: something else stands there. */
static bool folder_way(const char *path)
{
    char way[FOLDER_PATH_SIZE];

    strcpy(way, path);
    for (char *slash = way; (slash = strchr(slash, '/')); slash++) {
        if (folder.count >= FOLDER_MAX - 1)
            return false;
        *slash = '\0';
        if (mkdirat(folder.fd, way, 0755) == 0)
            folder_note(way);
        else if (errno != EEXIST)
            return false;
        *slash = '/';
    }
    return true;
}

static inline void folder_write(const char *path, const void *content, size_t length, bool fresh)
{
    const int fd = openat(folder.fd, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);

    if (fd < 0)
        return;
    if (fresh)
        folder_note(path);
    FUZZ_MUST(write(fd, content, length) == (ssize_t)length);
    close(fd);
}

/* "a/b" becomes a file with this content (a second time, with another), "a/b/" a folder, "@a/b" a link to it. */
static inline void folder_put(const char *path, const char *content)
{
    const bool link = *path == '@', below = strchr(path, '/');
    struct stat status;

    path += link;
    if (!folder_may(path) || (below && !folder_way(path)) || path[strlen(path) - 1] == '/' ||
        folder.count >= FOLDER_MAX)
        return;
    if (!link)
        folder_write(path, content, strlen(content), fstatat(folder.fd, path, &status, AT_SYMLINK_NOFOLLOW) != 0);
    else if (folder_may(content) && symlinkat(content, folder.fd, path) == 0)
        folder_note(path);
}

#endif
