/* SPDX-License-Identifier: MIT
 * The directory under which /sys and /proc are read: "/" or a recorded machine. Used in base, energy, grid, io, usage
 * and 5 commands. Begin with root_open(). */
#ifndef BASE_SYSROOT_H
#define BASE_SYSROOT_H

#include "base/error.h"

#include <dirent.h>
#include <stddef.h>
#include <stdint.h>

/* Paths below are relative to the root and have no leading slash: "sys/class/powercap". */
struct root {
    int fd;
    bool live;      /* false: a recorded tree; reports say so */
    char path[256]; /* "/", or the tree as the user typed it */
};

bool root_open(struct root *root, const char *path, struct error *err) MUST_CHECK;
void root_close(struct root *root);

/* A descriptor to read (close-on-exec), or -1. */
int root_open_file(const struct root *root, const char *path, struct error *err) MUST_CHECK;
DIR *root_open_dir(const struct root *root, const char *path, struct error *err) MUST_CHECK;

/* The first size - 1 bytes without trailing white space. An empty file is an empty text. */
bool root_read_text(const struct root *root, const char *path, char *text, size_t size, struct error *err) MUST_CHECK;
bool root_read_u64(const struct root *root, const char *path, uint64_t *value, struct error *err) MUST_CHECK;

/* The beginning of a file, up to `until` where that comes early: a whole /proc/cpuinfo or mountinfo
 * is long on a large machine, and the kernel makes up each line when it is read. */
bool root_read_head(const struct root *root, const char *path, const char *until, char *text, size_t size) MUST_CHECK;

bool root_exists(const struct root *root, const char *path);

/* The path as the user can type it: "/sys/..." or "tests/trees/xeon/sys/...". */
void root_typed_path(const struct root *root, const char *path, char *typed, size_t size);

/* Reads until the buffer is full or the end; *length is the number of bytes. False: errno says why it
 * ended before. */
bool fd_read_up_to(int fd, char *bytes, size_t max, size_t *length) MUST_CHECK;

/* Reads a decimal number from the start of an open file, as sysfs wants it read.
 * Returns 0 or the errno (EBADMSG: not a number). Allocates nothing. */
int fd_read_u64(int fd, uint64_t *value) MUST_CHECK;

/* Likewise with a sign and a decimal point: "-4077000", "0.244140". Exact up to 2^53. */
int fd_read_number(int fd, double *value) MUST_CHECK;

#endif
