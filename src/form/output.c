/* SPDX-License-Identifier: MIT
 * Files that are complete or missing: written in the same folder, then renamed. */
#include "form/output.h"

#include "base/text.h"
#include "form/sheet.h"
#include "io/file_register.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_PARTIALS = 1000, PATH_SIZE = 4096 + 4096 };

static bool cannot_open(struct error *err, const char *path)
{
    const int number = errno;

    error_errno(err, "cannot write '%s'", path);
    if (number == ENOENT)
        error_why(err, "directory does not exist; nothing has been run yet");
    if (number != ENOENT || !strchr(path, '/') || strpbrk(path, " '\"$`\\!*?;&|<>()"))
        return error_fix(err, "use another path; nothing has been run yet");
    return error_fix(err, "mkdir -p %.*s", (int)(strrchr(path, '/') - path), path);
}

static int folder_of(const struct output *output)
{
    return output->in_folder ? output->folder_fd : AT_FDCWD;
}

/* Path of the partial file, for the user. */
static const char *partial_path(const struct output *output, char path[PATH_SIZE])
{
    const char *slash = strrchr(output->path, '/');
    const int folder = output->in_folder && output->partial[0] ? (int)(slash - output->path) + 1 : 0;

    snprintf(path, PATH_SIZE, "%.*s%s", folder, output->path, output->partial);
    return path;
}

static bool open_in_place(struct output *output, int fd, struct error *err)
{
    output->in_place = true;
    output->partial[0] = '\0';
    output->file = fd < 0 ? NULL : fdopen(fd, "w");
    if (output->file)
        return true;
    cannot_open(err, output->path);
    if (fd >= 0)
        close(fd);
    return false;
}

/* A new file in the target's folder, under an unused name. -1: see errno. */
static int create_partial(struct output *output)
{
    int fd = -1;

    for (int i = 0; i < MAX_PARTIALS; i++) {
        const int length =
            snprintf(output->partial, sizeof output->partial, i ? "%s.partial.%d" : "%s.partial", output->target, i);
        if ((size_t)length >= sizeof output->partial) {
            errno = ENAMETOOLONG;
            break;
        }
        fd = openat(folder_of(output), output->partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            break;
    }
    if (fd < 0)
        output->partial[0] = '\0';
    return fd;
}

/* The file that is replaced keeps its mode and, where they may be set, its owner and group. */
static void take_over_mode(int fd, const struct stat *old)
{
    const bool same_group = fchown(fd, old->st_uid, old->st_gid) == 0 || fchown(fd, (uid_t)-1, old->st_gid) == 0;

    /* what was for one group is not for another */
    IGNORED(fchmod(fd, old->st_mode & (same_group ? 0777U : 0707U)), "the mode of a new file stays");
}

static bool open_sibling(struct output *output, const struct stat *old, struct error *err)
{
    int fd;

    /* a rename would replace a file that one may not write */
    if (old && faccessat(folder_of(output), output->target, W_OK, AT_EACCESS) != 0)
        return cannot_open(err, output->path);
    fd = create_partial(output);
    if (fd < 0)
        return cannot_open(err, output->path);
    if (old)
        take_over_mode(fd, old);
    output->file = fdopen(fd, "w");
    if (output->file)
        return true;
    cannot_open(err, output->path);
    close(fd);
    unlinkat(folder_of(output), output->partial, 0);
    return false;
}

bool output_open(struct output *output, const char *path, struct error *err)
{
    /* an open descriptor: opening its name again would start at the file's beginning, and renaming over its target
     * would take the file away from other writers */
    const int descriptor = file_descriptor(path);
    struct stat old;

    *output = (struct output){ .file = NULL };
    text_copy(output->path, sizeof output->path, descriptor == STDOUT_FILENO ? "standard output" : path);
    if (descriptor >= 0)
        return open_in_place(output, fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), err);
    if (!file_target(path, output->target, sizeof output->target))
        return cannot_open(err, path);
    if (stat(output->target, &old) != 0)
        return errno == ENOENT ? open_sibling(output, NULL, err) : cannot_open(err, path);
    if (S_ISREG(old.st_mode))
        return open_sibling(output, &old, err);
    return open_in_place(output, open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY), err);
}

bool output_open_sheet(struct output *output, const char *path, struct error *err)
{
    FILE *table;

    if (!output_open(output, path, err))
        return false;
    table = open_memstream(&output->table, &output->table_length);
    if (!table) {
        error_errno(err, "cannot write '%s'", path);
        output_keep_partial(output, NULL, 0);
        return false;
    }
    output->behind = output->file;
    output->file = table;
    return true;
}

/* The file on the disk. */
static FILE *real_file(const struct output *output)
{
    return output->behind ? output->behind : output->file;
}

/* What was gathered goes to the file on the disk, which is the file from then on. */
static bool write_sheet(struct output *output)
{
    const bool gathered = !ferror(output->file);
    char *safe = NULL;
    size_t length;
    bool good;

    if (!output->behind)
        return true;
    good = fclose(output->file) == 0 && gathered &&
           (!output->table_length || ((safe = sheet_text(output->table, output->table_length, &length)) &&
                                      fwrite(safe, 1, length, output->behind) == length));
    output->file = output->behind;
    output->behind = NULL;
    free(output->table);
    output->table = NULL;
    free(safe);
    return good;
}

static void close_folder(struct output *output)
{
    if (output->in_folder)
        close(output->folder_fd);
    output->in_folder = false;
}

static bool is_one_name(const char *name)
{
    return *name && !strchr(name, '/') && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

bool output_open_in(struct output *output, const char *folder, const char *name, struct error *err)
{
    struct stat old;
    bool there;

    *output = (struct output){ .folder_fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC) };
    output->in_folder = output->folder_fd >= 0;
    snprintf(output->path, sizeof output->path, "%.3000s/%.1000s", folder, name);
    text_copy(output->target, sizeof output->target, name);
    if (!output->in_folder)
        return cannot_open(err, output->path);
    there = fstatat(output->folder_fd, name, &old, AT_SYMLINK_NOFOLLOW) == 0;
    if (is_one_name(name) && !(there && S_ISDIR(old.st_mode)) &&
        open_sibling(output, there && S_ISREG(old.st_mode) ? &old : NULL, err))
        return true;
    if (!is_one_name(name) || (there && S_ISDIR(old.st_mode))) {
        errno = there && S_ISDIR(old.st_mode) ? EISDIR : EINVAL;
        cannot_open(err, output->path);
    }
    close_folder(output);
    return false;
}

bool output_restart(struct output *output, struct error *err)
{
    if (output->in_place)
        return true;
    /* what could not be written before must not come back */
    __fpurge(output->file);
    clearerr(output->file);
    if (fseeko(output->file, 0, SEEK_SET) == 0 && ftruncate(fileno(real_file(output)), 0) == 0)
        return true;
    return error_errno(err, "cannot write '%s'", output->partial);
}

static bool replace(struct output *output, const char *text, size_t length, struct error *err)
{
    const int fd = fileno(real_file(output));
    size_t wrote = 0;

    while (wrote < length) {
        const ssize_t got = pwrite(fd, text + wrote, length - wrote, (off_t)wrote);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return error_errno(err, "cannot write '%s'", output->partial);
        wrote += (size_t)got;
    }
    return ftruncate(fd, (off_t)length) == 0 || error_errno(err, "cannot write '%s'", output->partial);
}

static bool make_safe(struct output *output, struct error *err)
{
    char *safe;

    if (!output->behind || !output->length)
        return true;
    safe = sheet_text(output->text, output->length, &output->length);
    if (!safe)
        return error_errno(err, "cannot write '%s'", output->partial);
    free(output->text);
    output->text = safe;
    return true;
}

FILE *output_begin_rewrite(struct output *output)
{
    return output->anew = output->in_place ? output->file : open_memstream(&output->text, &output->length);
}

bool output_rewrite(struct output *output, bool written, struct error *err)
{
    bool good = output->anew ? written : error_errno(err, "cannot write '%s'", output->partial);

    if (output->anew && !output->in_place)
        good = fclose(output->anew) == 0 && written && make_safe(output, err) &&
               replace(output, output->text, output->length, err);
    free(output->text);
    output->anew = NULL;
    output->text = NULL;
    return good;
}

bool output_replace(struct output *output, const char *earlier, struct error *err)
{
    /* what was there must not be lost before this is safe */
    if (fsync(fileno(real_file(output))) != 0 || rename(output->partial, earlier) != 0)
        return error_errno(err, "cannot replace '%s'", earlier);
    text_copy(output->partial, sizeof output->partial, earlier);
    return true;
}

static bool flush_all(struct output *output)
{
    if (ferror(output->file) || fflush(output->file) != 0)
        return false;
    /* a rename must not reach the disk before the content */
    return output->in_place || fsync(fileno(output->file)) == 0 || errno == EINVAL;
}

bool output_failed(const struct output *output, struct error *err)
{
    char path[PATH_SIZE];

    if (!err)
        return false;
    snprintf(err->what, sizeof err->what, "cannot write '%.240s'", output->path);
    return output->in_place ? false : error_fix(err, "the partial result is in '%.280s'", partial_path(output, path));
}

bool output_finish(struct output *output, struct error *err)
{
    bool good;
    int number;

    errno = 0;
    good = write_sheet(output) && flush_all(output);
    number = errno ? errno : EIO;
    if (fclose(output->file) != 0 && good) {
        good = false;
        number = errno;
    }
    output->file = NULL;
    if (good && !output->in_place &&
        renameat(folder_of(output), output->partial, folder_of(output), output->target) != 0) {
        good = false;
        number = errno;
    }
    if (good) {
        output->partial[0] = '\0';
    } else {
        errno = number;
        error_errno(err, "cannot write");
        output_failed(output, err);
    }
    close_folder(output);
    return good;
}

void output_keep_partial(struct output *output, char *stored, size_t size)
{
    char path[PATH_SIZE];
    struct stat now;

    if (output->file) {
        IGNORED(write_sheet(output), "as much as there is");
        fclose(output->file);
    }
    output->file = NULL;
    if (output->partial[0] && fstatat(folder_of(output), output->partial, &now, 0) == 0 && now.st_size == 0) {
        unlinkat(folder_of(output), output->partial, 0);
        output->partial[0] = '\0';
    }
    if (stored)
        text_copy(stored, size, partial_path(output, path));
    close_folder(output);
}

bool output_end(struct output *output, bool written, struct error *err)
{
    if (written)
        return output_finish(output, err);
    output_keep_partial(output, NULL, 0);
    return false;
}
