/* SPDX-License-Identifier: MIT
 * The lines of a file that were not taken, and why. Used by commands/history/codecarbon.h, commands/history/import.h
 * and commands/slurm/sacct.h. Begin with line_faults_add(). */
#ifndef IO_LINE_FAULTS_H
#define IO_LINE_FAULTS_H

#include "base/error.h"

#include <stddef.h>

struct line_fault {
    size_t line;
    char why[200];
};

struct line_faults {
    struct line_fault *items; /* in the order in which they were found */
    size_t count;
};

/* False: no memory to read path. */
bool line_faults_add(struct line_faults *faults, size_t line, const char *path, struct error *err, const char *why, ...)
    PRINTF_LIKE(5, 6) MUST_CHECK;
/* "'FILE' line L cannot be read", with the why of the first. */
bool line_faults_refuse(const struct line_faults *faults, const char *path, struct error *err);
void line_faults_close(struct line_faults *faults);

#endif
