/* SPDX-License-Identifier: MIT
 * The floor that a bench compares with: files read by nothing but the system calls; and medians of batches. Used by
 * piece and sample. Begin with bare_files_add(). */
#ifndef BENCH_BARE_H
#define BENCH_BARE_H

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

enum { BARE_FILES_MAX = 512 };

struct bare_files {
    int fds[BARE_FILES_MAX];
    size_t count;
};

/* fd negative: it could not be opened, and is left out. */
static inline void bare_files_add(struct bare_files *files, int fd)
{
    if (fd >= 0 && files->count < BARE_FILES_MAX)
        files->fds[files->count++] = fd;
}

static inline void bare_files_read(const struct bare_files *files)
{
    char text[32];

    for (size_t i = 0; i < files->count; i++)
        if (pread(files->fds[i], text, sizeof text, 0) < 0)
            abort();
}

static inline int bare_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Sorts them. */
static inline double bare_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, bare_compare);
    return values[count / 2];
}

#endif
