/* SPDX-License-Identifier: MIT
 * Answers kept on disk. A file is
 *
 *   carbon live cache 1
 *   url https://...
 *   scope GB direct 0
 *   range FROM TO
 *   retrieved SECONDS
 *   valid SECONDS
 *   body BYTES CHECKSUM
 *
 *   and the body. Its name is made of the URL. No key stands in it: those are in headers, or put
 * at the end of an address when it is asked. */
#include "grid/live_cache.h"

#include "base/auto.h"
#include "base/debug.h"
#include "base/sysroot.h"
#include "base/text.h"
#include "grid/live_service.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { FOLDER_SIZE = 3800, PATH_SIZE = 4096, HEAD_MAX = 2048 };
enum { FILES_MAX = 128, LEFT_BEHIND_S = 3600 };

static bool folder_of(const char *service, char path[FOLDER_SIZE])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = 0;

    if (cache && *cache == '/')
        length = snprintf(path, FOLDER_SIZE, "%s/carbon/live/%s", cache, service);
    else if (home && *home)
        length = snprintf(path, FOLDER_SIZE, "%s/.cache/carbon/live/%s", home, service);
    return length > 0 && length < FOLDER_SIZE;
}

static void file_of(const char *folder, const char *url, char *path)
{
    snprintf(path, PATH_SIZE, "%s/%016" PRIx64, folder, text_hash(url, strlen(url)));
}

/* Makes every folder that is missing. */
static bool make_folder(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made)
            return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static char *read_whole(const char *path, size_t *length)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    struct stat status;
    char *bytes;

    debug_file(path, fd >= 0);
    if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > HEAD_MAX + LIVE_DOCUMENT_MAX)
        return NULL;
    bytes = malloc((size_t)status.st_size + 1);
    if (bytes)
        IGNORED(fd_read_up_to(fd, bytes, (size_t)status.st_size, length), "a short file fails when it is parsed");
    if (bytes)
        bytes[*length] = '\0';
    return bytes;
}

/* The rest of a head line that begins like this; the text goes on in the next line. NULL: it does not. */
static char *take_line(char **text, const char *name)
{
    char *line = *text, *end = strchr(line, '\n');
    const size_t length = strlen(name);

    if (!end || strncmp(line, name, length) != 0)
        return NULL;
    *end = '\0';
    *text = end + 1;
    return line + length;
}

static bool take_numbers(char *line, uint64_t *first, uint64_t *second)
{
    char *space = line ? strchr(line, ' ') : NULL;

    if (!line || !second != !space)
        return false;
    if (space)
        *space = '\0';
    return text_to_u64(line, first) && (!space || text_to_u64(space + 1, second));
}

static bool take_head(char **text, struct cached_answer *stored, uint64_t *sum)
{
    char *line = take_line(text, "carbon live cache 1");
    uint64_t length;

    if (!line || *line || !(line = take_line(text, "url ")) || strlen(line) >= sizeof stored->url)
        return false;
    strcpy(stored->url, line);
    if (!(line = take_line(text, "scope ")) || strlen(line) >= sizeof stored->scope)
        return false;
    strcpy(stored->scope, line);
    if (!take_numbers(take_line(text, "range "), &stored->from_s, &stored->to_s) ||
        !take_numbers(take_line(text, "retrieved "), &stored->retrieved_s, NULL) ||
        !take_numbers(take_line(text, "valid "), &stored->valid_until_s, NULL) ||
        !take_numbers(take_line(text, "body "), &length, sum) || !(line = take_line(text, "")) || *line)
        return false;
    stored->length = (size_t)length;
    return true;
}

/* A file that was cut short, changed or written by another version is none. */
static bool read_file(const char *path, struct cached_answer *stored)
{
    size_t length = 0;
    AUTO_FREE char *bytes = read_whole(path, &length);
    char *at = bytes;
    uint64_t sum;

    *stored = (struct cached_answer){ .body = NULL };
    if (!bytes || strlen(bytes) != length || !take_head(&at, stored, &sum) ||
        (size_t)(bytes + length - at) != stored->length || text_hash(at, stored->length) != sum)
        return false;
    stored->body = strdup(at);
    return stored->body;
}

bool cached_read(const char *service, const char *url, struct cached_answer *stored)
{
    char folder[FOLDER_SIZE], path[PATH_SIZE];

    *stored = (struct cached_answer){ .body = NULL };
    if (!folder_of(service, folder))
        return false;
    file_of(folder, url, path);
    if (read_file(path, stored) && strcmp(stored->url, url) == 0)
        return true;
    cached_close(stored);
    return false;
}

void cached_close(struct cached_answer *stored)
{
    free(stored->body);
    stored->body = NULL;
}

/* Removes temporary files of killed processes, and the oldest files if there are too many. */
static void prune(const char *folder)
{
    AUTO_CLOSEDIR DIR *dir = opendir(folder);
    const time_t now = time(NULL);
    char oldest[NAME_MAX + 1] = "";
    time_t oldest_time = 0;
    size_t count = 0;

    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        struct stat status;
        if (fstatat(dirfd(dir), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode))
            continue;
        if (strncmp(entry->d_name, ".new.", 5) == 0) {
            if (now - status.st_mtime > LEFT_BEHIND_S)
                unlinkat(dirfd(dir), entry->d_name, 0);
            continue;
        }
        count++;
        if (!*oldest || status.st_mtime < oldest_time) {
            strcpy(oldest, entry->d_name);
            oldest_time = status.st_mtime;
        }
    }
    if (dir && count > FILES_MAX)
        unlinkat(dirfd(dir), oldest, 0);
}

static bool write_whole(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        const ssize_t written = write(fd, bytes, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

bool cached_write(const char *service, const struct cached_answer *stored, struct error *err)
{
    char folder[FOLDER_SIZE], path[PATH_SIZE], temporary[PATH_SIZE], head[HEAD_MAX];
    bool written;
    int fd, length;

    if (!folder_of(service, folder))
        return true;
    file_of(folder, stored->url, path);
    snprintf(temporary, sizeof temporary, "%s/.new.XXXXXX", folder);
    length = snprintf(head, sizeof head,
                      "carbon live cache 1\nurl %s\nscope %s\nrange %" PRIu64 " %" PRIu64 "\nretrieved %" PRIu64
                      "\nvalid %" PRIu64 "\nbody %zu %" PRIu64 "\n\n",
                      stored->url, stored->scope, stored->from_s, stored->to_s, stored->retrieved_s,
                      stored->valid_until_s, stored->length, text_hash(stored->body, stored->length));
    if (length < 0 || length >= HEAD_MAX || stored->length > LIVE_DOCUMENT_MAX)
        return error_set(err, ERROR_SYSTEM, "the answer is too large to be kept");
    /* a temporary file of mkostemp is its owner's alone */
    fd = make_folder(folder) ? mkostemp(temporary, O_CLOEXEC) : -1;
    if (fd < 0)
        return error_errno(err, "the answer cannot be kept in '%.180s'", folder);
    written = write_whole(fd, head, (size_t)length) && write_whole(fd, stored->body, stored->length);
    written = close(fd) == 0 && written && rename(temporary, path) == 0;
    if (!written) {
        error_errno(err, "the answer cannot be kept in '%.180s'", folder);
        unlink(temporary);
        return false;
    }
    prune(folder);
    return true;
}

static int compare_retrieved(const void *first, const void *second)
{
    const struct cached_answer *a = first, *b = second;

    return a->retrieved_s > b->retrieved_s ? -1 : a->retrieved_s < b->retrieved_s;
}

struct cached_answer *cached_all(const char *service, const char *scope, uint64_t from_s, uint64_t to_s, size_t *count)
{
    char folder[FOLDER_SIZE], path[PATH_SIZE];
    struct cached_answer *list = calloc(2 * FILES_MAX, sizeof *list);
    AUTO_CLOSEDIR DIR *dir = list && folder_of(service, folder) ? opendir(folder) : NULL;

    *count = 0;
    for (struct dirent *entry; dir && *count < 2 * FILES_MAX && (entry = readdir(dir));) {
        struct cached_answer *stored = &list[*count];
        if (entry->d_name[0] == '.' || snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= PATH_SIZE)
            continue;
        if (read_file(path, stored) && strcmp(stored->scope, scope) == 0 && stored->from_s < to_s &&
            stored->to_s > from_s)
            (*count)++;
        else
            cached_close(stored);
    }
    if (*count > 1)
        qsort(list, *count, sizeof *list, compare_retrieved);
    return list;
}
