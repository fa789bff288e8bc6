/* SPDX-License-Identifier: MIT
 * The folder as one file: a tar archive (POSIX ustar; names of more than 100 bytes as GNU tar has them). */
#include "commands/bug/bug.h"

#include "base/auto.h"
#include "base/sysroot.h"
#include "ledger/packed.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 512, NAME_BYTES = 100 };

struct bug_archive_header {
    char name[NAME_BYTES], mode[8], owner[8], group[8], size[12], time[12], sum[8], kind, link[NAME_BYTES];
    char magic[8], user[32], group_name[32], major[8], minor[8], prefix[155], rest[12];
};
_Static_assert(sizeof(struct bug_archive_header) == BLOCK, "a block of an archive");

static void octal(char *field, size_t size, unsigned long long number)
{
    char text[32];

    snprintf(text, sizeof text, "%0*llo", (int)size - 1, number);
    memcpy(field, text, size);
}

static void put_padded(FILE *out, const char *bytes, size_t length)
{
    static const char zeros[BLOCK];

    fwrite(bytes, 1, length, out);
    fwrite(zeros, 1, (BLOCK - length % BLOCK) % BLOCK, out);
}

static void put_header(FILE *out, char kind, const char *name, const char *link, const struct stat *status, size_t size)
{
    struct bug_archive_header header = { .kind = kind, .magic = "ustar" };
    unsigned sum = 0;

    memcpy(header.magic + 6, "00", 2);
    memcpy(header.name, name, strnlen(name, NAME_BYTES));
    memcpy(header.link, link, strnlen(link, NAME_BYTES));
    octal(header.mode, sizeof header.mode, status->st_mode & 0777);
    octal(header.owner, sizeof header.owner, 0);
    octal(header.group, sizeof header.group, 0);
    octal(header.size, sizeof header.size, size);
    octal(header.time, sizeof header.time, (unsigned long long)status->st_mtime);
    memset(header.sum, ' ', sizeof header.sum);
    for (size_t i = 0; i < sizeof header; i++)
        sum += ((const unsigned char *)&header)[i];
    octal(header.sum, sizeof header.sum - 1, sum);
    fwrite(&header, 1, sizeof header, out);
}

/* A name that the header's field is too short for goes before it. */
static void put_long(FILE *out, char kind, const char *name)
{
    const struct stat none = { .st_mode = 0 };
    const size_t length = strlen(name);

    if (length <= NAME_BYTES)
        return;
    put_header(out, kind, "././@LongLink", "", &none, length + 1);
    put_padded(out, name, length + 1);
}

static bool put_entry(FILE *out, char kind, const char *name, const char *link, const struct stat *status,
                      const char *bytes, size_t length)
{
    put_long(out, 'K', link);
    put_long(out, 'L', name);
    put_header(out, kind, name, link, status, length);
    put_padded(out, bytes, length);
    return !ferror(out);
}

/* A file without any permission represents one that could not be read: it is empty. */
static bool put_file(FILE *out, int folder, const char *entry, const char *name, const struct stat *status,
                     struct error *err)
{
    AUTO_CLOSE int fd = openat(folder, entry, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    AUTO_FREE char *bytes = fd >= 0 ? malloc((size_t)status->st_size + 1) : NULL;
    size_t length = 0;

    if (fd < 0 && errno == EACCES)
        return put_entry(out, '0', name, "", status, "", 0);
    if (!bytes || !fd_read_up_to(fd, bytes, (size_t)status->st_size, &length))
        return error_errno(err, "cannot read '%s'", name);
    return put_entry(out, '0', name, "", status, bytes, length);
}

static bool put_folder(FILE *out, int above, const char *entry, const char *name, struct error *err);

static bool put_any(FILE *out, int folder, const char *entry, const char *name, struct error *err)
{
    char link[PATH_MAX];
    struct stat status;
    ssize_t length;

    if (fstatat(folder, entry, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return error_errno(err, "cannot read '%s'", name);
    if (S_ISDIR(status.st_mode))
        return put_entry(out, '5', name, "", &status, "", 0) && put_folder(out, folder, entry, name, err);
    if (!S_ISLNK(status.st_mode))
        return put_file(out, folder, entry, name, &status, err);
    length = readlinkat(folder, entry, link, sizeof link - 1);
    if (length < 0)
        return error_errno(err, "cannot read '%s'", name);
    link[length] = '\0';
    return put_entry(out, '2', name, link, &status, "", 0);
}

static bool put_folder(FILE *out, int above, const char *entry, const char *name, struct error *err)
{
    const int fd = openat(above, entry, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    AUTO_CLOSEDIR DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *next;
    char path[PATH_MAX];

    if (!dir) {
        if (fd >= 0)
            close(fd);
        return error_errno(err, "cannot read '%s'", name);
    }
    while ((next = readdir(dir))) {
        if (strcmp(next->d_name, ".") == 0 || strcmp(next->d_name, "..") == 0)
            continue;
        if (snprintf(path, sizeof path, "%s/%s", name, next->d_name) >= (int)sizeof path)
            return error_set(err, ERROR_SYSTEM, "the path of '%s' is too long", next->d_name);
        if (!put_any(out, dirfd(dir), next->d_name, path, err))
            return false;
    }
    return true;
}

static bool write_out(FILE *out, const char *bytes, size_t length, struct error *err)
{
    return fwrite(bytes, 1, length, out) == length || error_errno(err, "cannot write the report");
}

bool bug_archive(const struct bug *bug, bool plain, FILE *out, struct error *err)
{
    static const char end[2 * BLOCK];
    AUTO_CLOSE int work = open(bug->folders.work, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char *bytes = NULL, *packed;
    size_t length = 0;
    FILE *archive = work >= 0 ? open_memstream(&bytes, &length) : NULL;
    bool good;

    if (!archive)
        return error_errno(err, "cannot pack the report");
    good = put_any(archive, work, BUG_FOLDER, BUG_FOLDER, err);
    fwrite(end, 1, sizeof end, archive);
    if (fclose(archive) != 0 && good)
        good = error_errno(err, "cannot pack the report");
    if (good && !plain) {
        packed = packed_gzip(bytes, length, &length, err);
        free(bytes);
        bytes = packed;
        good = bytes;
    }
    good = good && write_out(out, bytes, length, err);
    free(bytes);
    return good;
}
