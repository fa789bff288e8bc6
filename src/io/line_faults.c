/* SPDX-License-Identifier: MIT
 * A list of faults. */
#include "io/line_faults.h"

#include "base/array.h"
#include "base/c_locale.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool line_faults_add(struct line_faults *faults, size_t line, const char *path, struct error *err, const char *why, ...)
{
    struct line_fault *fault = array_next(faults->items, faults->count, sizeof *fault);
    va_list arguments;

    if (!fault)
        return error_set(err, ERROR_SYSTEM, "no memory to read '%.200s'", path);
    faults->items = fault;
    fault += faults->count++;
    fault->line = line;
    va_start(arguments, why);
    c_vsnprintf(fault->why, sizeof fault->why, why, arguments);
    va_end(arguments);
    return true;
}

bool line_faults_refuse(const struct line_faults *faults, const char *path, struct error *err)
{
    error_set(err, ERROR_BAD_DATA, "'%.200s' line %zu cannot be read", path, faults->items[0].line);
    return error_why(err, "%s", faults->items[0].why);
}

void line_faults_close(struct line_faults *faults)
{
    free(faults->items);
    *faults = (struct line_faults){ .count = 0 };
}
