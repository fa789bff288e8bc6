/* SPDX-License-Identifier: MIT
 * Which files are one and the same. */
#include "io/file_register.h"

#include "base/text.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_LINKS = 40 };

struct identity {
    bool known;
    dev_t device;
    ino_t number;
};

struct claim {
    enum file_use use;
    char *called, *path, *name; /* name: in its folder; NULL: it has no place */
    int descriptor;             /* -1: none */
    struct identity file, folder;
};

struct file_register {
    struct claim *claims;
    size_t count;
};

int file_descriptor(const char *path)
{
    uint64_t number;

    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    if (strncmp(path, "/dev/fd/", 8) == 0 && text_to_u64(path + 8, &number) && number <= INT_MAX)
        return (int)number;
    return -1;
}

bool file_target(const char *path, char *target, size_t size)
{
    char link[PATH_MAX];
    ssize_t length;

    if (!*path || strlen(path) >= size) {
        errno = *path ? ENAMETOOLONG : ENOENT;
        return false;
    }
    text_copy(target, size, path);
    for (int links = 0; (length = readlink(target, link, sizeof link - 1)) > 0; links++) {
        char *name = link[0] == '/' ? NULL : strrchr(target, '/');
        const size_t folder = name ? (size_t)(name - target) + 1 : 0;
        if (links == MAX_LINKS || folder + (size_t)length >= size) {
            errno = links == MAX_LINKS ? ELOOP : ENAMETOOLONG;
            return false;
        }
        memcpy(target + folder, link, (size_t)length);
        target[folder + (size_t)length] = '\0';
    }
    return true;
}

static struct identity identity_of(const struct stat *status)
{
    return (struct identity){ true, status->st_dev, status->st_ino };
}

static bool same(const struct identity *a, const struct identity *b)
{
    return a->known && b->known && a->device == b->device && a->number == b->number;
}

/* What can hold a result: of devices and folders none is lost. */
static bool holds_something(const struct stat *status)
{
    return !S_ISDIR(status->st_mode) && !S_ISCHR(status->st_mode);
}

/* A path that cannot be followed has no place: opening it will tell why. */
static bool find_place(struct claim *claim)
{
    char target[PATH_MAX], *slash;
    struct stat status;

    if (!file_target(claim->path, target, sizeof target))
        return true;
    if (stat(target, &status) == 0) {
        if (!holds_something(&status))
            return true;
        claim->file = identity_of(&status);
    }
    slash = strrchr(target, '/');
    claim->name = strdup(slash ? slash + 1 : target);
    if (slash)
        slash[slash == target ? 1 : 0] = '\0';
    if (stat(slash ? target : ".", &status) == 0)
        claim->folder = identity_of(&status);
    return claim->name != NULL;
}

static void find_stream(struct claim *claim)
{
    struct stat status;

    if (fstat(claim->descriptor, &status) == 0 && S_ISREG(status.st_mode))
        claim->file = identity_of(&status);
}

static bool claim_open(struct claim *claim, enum file_use use, const char *called, const char *path)
{
    *claim = (struct claim){ .use = use, .called = strdup(called), .path = strdup(path) };
    claim->descriptor = use == FILE_READ && strcmp(path, "-") == 0 ? STDIN_FILENO : file_descriptor(path);
    if (!claim->called || !claim->path)
        return false;
    if (claim->descriptor < 0)
        return find_place(claim);
    find_stream(claim);
    return true;
}

static void claim_close(struct claim *claim)
{
    free(claim->called);
    free(claim->path);
    free(claim->name);
}

/* "", or ".7" after FILE.partial: what output.h tries next where that is taken. */
static bool is_number_or_nothing(const char *rest)
{
    return !*rest || (*rest == '.' && rest[1] && strspn(rest + 1, "0123456789") == strlen(rest + 1));
}

/* Whether `other` has a name that the file of `claim` has for a time, or that SQLite gives to what lies beside it. */
static bool uses_name(const struct claim *claim, const char *other)
{
    static const char *const siblings[] = { "-wal", "-shm", "-journal", "-spool" };
    const size_t length = strlen(claim->name);
    const char *rest = other + length;

    if (strncmp(claim->name, other, length) != 0)
        return false;
    if (claim->use == FILE_WRITTEN)
        return strncmp(rest, ".partial", 8) == 0 && is_number_or_nothing(rest + 8);
    for (size_t i = 0; claim->use == FILE_LEDGER && i < sizeof siblings / sizeof siblings[0]; i++)
        if (strcmp(rest, siblings[i]) == 0)
            return true;
    return false;
}

static bool same_place(const struct claim *a, const struct claim *b)
{
    return a->name && b->name && same(&a->folder, &b->folder) &&
           (strcmp(a->name, b->name) == 0 || uses_name(a, b->name) || uses_name(b, a->name));
}

static bool is_output(const struct claim *claim)
{
    return claim->use == FILE_WRITTEN || claim->use == FILE_ADDED;
}

/* Lines that are added to a file by two who open it for that both come there; all else is lost or mixed. */
static bool hits(const struct claim *a, const struct claim *b)
{
    const bool stream = a->use == FILE_STREAM || b->use == FILE_STREAM;

    if (!is_output(a) && !is_output(b))
        return false;
    if (stream && (a->use == FILE_ADDED || b->use == FILE_ADDED))
        return false;
    if (a->descriptor >= 0 && b->descriptor >= 0)
        return !stream && a->descriptor == b->descriptor;
    return same(&a->file, &b->file) || same_place(a, b);
}

static bool fail_hit(const struct claim *old, const struct claim *new, struct error *err)
{
    const struct claim *giving = is_output(new) ? new : old, *other = giving == new ? old : new;

    if (giving->descriptor == STDOUT_FILENO && other->descriptor == STDOUT_FILENO) {
        error_set(err, ERROR_USAGE, "%s and %s cannot both be standard output", giving->called, other->called);
        return error_fix(err, "%s with the name of a file", giving->called);
    }
    if (strcmp(giving->path, other->path) == 0)
        error_set(err, ERROR_USAGE, "%s and %s are one file: '%.120s'", giving->called, other->called, giving->path);
    else
        error_set(err, ERROR_USAGE, "%s and %s are one file: '%.60s' and '%.60s'", giving->called, other->called,
                  giving->path, other->path);
    error_why(err, "%s",
              other->use == FILE_READ     ? "an input file would be replaced"
              : other->use == FILE_LEDGER ? "the ledger would be replaced, with all its records"
                                          : "one of them would be lost");
    return error_fix(err, "nothing has been run yet; give %s a file of its own", giving->called);
}

struct file_register *file_register_open(void)
{
    return calloc(1, sizeof(struct file_register));
}

void file_register_close(struct file_register *files)
{
    for (size_t i = 0; files && i < files->count; i++)
        claim_close(&files->claims[i]);
    if (files)
        free(files->claims);
    free(files);
}

static bool none_is_hit(const struct file_register *files, const struct claim *claim, struct error *err)
{
    for (size_t i = 0; i < files->count; i++)
        if (hits(&files->claims[i], claim))
            return fail_hit(&files->claims[i], claim, err);
    return true;
}

static bool no_memory(struct error *err)
{
    return error_errno(err, "no memory for the names of files");
}

bool file_register_add(struct file_register *files, enum file_use use, const char *called, const char *path,
                       struct error *err)
{
    struct claim *claims = realloc(files->claims, (files->count + 1) * sizeof *claims);
    struct claim claim;

    if (!claims)
        return no_memory(err);
    files->claims = claims;
    if (claim_open(&claim, use, called, path) ? none_is_hit(files, &claim, err) : no_memory(err)) {
        claims[files->count++] = claim;
        return true;
    }
    claim_close(&claim);
    return false;
}

bool file_register_allows(const struct file_register *files, const char *called, const char *path, struct error *err)
{
    struct claim claim;
    const bool good = claim_open(&claim, FILE_WRITTEN, called, path) ? none_is_hit(files, &claim, err) : no_memory(err);

    claim_close(&claim);
    return good;
}
