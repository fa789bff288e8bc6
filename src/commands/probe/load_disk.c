/* SPDX-License-Identifier: MIT
 * The loads of a block device: blocks of a file that has no name, past the page cache where the file system lets them
 * (O_DIRECT), and else written through it one by one. */
#include "base/auto.h"
#include "base/units.h"
#include "commands/probe/load_worker.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statfs.h>

#define BLOCK_BYTES (UINT64_C(1) << 20)
#define ALIGNED 4096

enum { WRITE_BLOCKS = 256, READ_BLOCKS = 64 };

static uint64_t blocks_of(enum load_kind kind)
{
    return kind == LOAD_DISK_READ ? READ_BLOCKS : WRITE_BLOCKS;
}

/* Where a file cannot be born without a name it loses it at once, and no signal comes in between. */
static int open_without_name(const char *folder)
{
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    char path[PATH_MAX];
    sigset_t all, before;

    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
        return fd;
    if (snprintf(path, sizeof path, "%s/carbon-load.XXXXXX", folder) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return fd;
}

static bool has_room(int fd, uint64_t bytes, const char *folder, struct error *err)
{
    char needed[UNITS_SIZE], free_text[UNITS_SIZE];
    struct rlimit max;
    struct statfs at;

    units_bytes((double)bytes, needed);
    if (getrlimit(RLIMIT_FSIZE, &max) == 0 && max.rlim_cur < bytes) {
        error_set(err, ERROR_SYSTEM, "cannot write a file of %s", needed);
        error_why(err, "files are limited to %s", units_bytes((double)max.rlim_cur, free_text));
        return error_fix(err, "ulimit -f unlimited");
    }
    if (fstatfs(fd, &at) != 0 || at.f_blocks == 0 || (uint64_t)at.f_bavail * (uint64_t)at.f_bsize >= bytes)
        return true;
    error_set(err, ERROR_SYSTEM, "not enough room in '%.200s'", folder);
    error_why(err, "the load writes a file of %s, and %s are free", needed,
              units_bytes((double)at.f_bavail * (double)at.f_bsize, free_text));
    return error_fix(err, "give another folder with --folder");
}

bool load_file_open(struct load_file *file, enum load_kind kind, const char *folder, char *note, size_t size,
                    struct error *err)
{
    const int fd = open_without_name(folder);
    struct statfs at;

    *file = (struct load_file){ .fd = -1, .reached = true };
    if (fd < 0) {
        error_errno(err, "cannot make a file in '%.200s'", folder);
        return error_fix(err, "give another folder with --folder");
    }
    if (!has_room(fd, blocks_of(kind) * BLOCK_BYTES, folder, err)) {
        close(fd);
        return false;
    }
    file->fd = fd;
    file->direct = fcntl(fd, F_SETFL, O_DIRECT) == 0;
    if (fstatfs(fd, &at) == 0 && ((unsigned long)at.f_type == TMPFS_MAGIC || (unsigned long)at.f_type == RAMFS_MAGIC)) {
        file->reached = false;
        snprintf(note, size, "'%.60s' is a file system in memory: the disk was not reached", folder);
    } else if (!file->direct) {
        snprintf(note, size, "no O_DIRECT in '%.60s': through the page cache, and out of it after each block", folder);
    }
    return true;
}

/* What neither a compressing device nor one that knows equal blocks makes less of. */
static char *make_block(void)
{
    uint64_t *block = aligned_alloc(ALIGNED, BLOCK_BYTES), bits = 88172645463325252;

    for (size_t i = 0; block && i < BLOCK_BYTES / sizeof *block; i++) {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        block[i] = bits;
    }
    return (char *)block;
}

static bool write_block(struct load_worker *worker, char *block, uint64_t number, uint64_t turn)
{
    const struct load_file *file = worker->file;
    ssize_t wrote;

    memcpy(block, &turn, sizeof turn);
    do
        wrote = pwrite(file->fd, block, BLOCK_BYTES, (off_t)(number * BLOCK_BYTES));
    while (wrote < 0 && errno == EINTR);
    if (wrote >= 0 && wrote < (ssize_t)BLOCK_BYTES)
        errno = ENOSPC;
    if (wrote < (ssize_t)BLOCK_BYTES || (!file->direct && fdatasync(file->fd) != 0)) {
        error_errno(&worker->err, "cannot write the file of the load");
        return error_fix(&worker->err, "give another folder with --folder");
    }
    worker->done.written_bytes += BLOCK_BYTES;
    return true;
}

static bool read_block(struct load_worker *worker, char *block, uint64_t number)
{
    const struct load_file *file = worker->file;
    const off_t at = (off_t)(number * BLOCK_BYTES);
    ssize_t got;

    if (!file->direct)
        posix_fadvise(file->fd, at, (off_t)BLOCK_BYTES, POSIX_FADV_DONTNEED);
    do
        got = pread(file->fd, block, BLOCK_BYTES, at);
    while (got < 0 && errno == EINTR);
    if (got < (ssize_t)BLOCK_BYTES)
        return error_errno(&worker->err, "cannot read the file of the load");
    worker->done.read_bytes += BLOCK_BYTES;
    return true;
}

/* Writes the first blocks again and again, or reads them again and again once they are written. */
static bool use_file(struct load_worker *worker, uint64_t blocks, bool read)
{
    AUTO_FREE char *block = make_block();
    bool well = block != NULL;

    if (!well)
        error_errno(&worker->err, "no memory for a block");
    for (uint64_t i = 0; well && load_goes_on(worker); i++)
        well = read && i >= blocks ? read_block(worker, block, i % blocks) : write_block(worker, block, i % blocks, i);
    return well;
}

bool load_disk_write(struct load_worker *worker)
{
    return use_file(worker, WRITE_BLOCKS, false);
}

bool load_disk_read(struct load_worker *worker)
{
    return use_file(worker, READ_BLOCKS, true);
}
