/* SPDX-License-Identifier: MIT
 * The tables of factors that carbon ships. */
#include "base/shipped.h"

#include "base/data_dir.h"

#include <limits.h>
#include <stdio.h>

static bool path_of(const char *table, char path[PATH_MAX], struct error *err)
{
    char name[96];

    snprintf(name, sizeof name, "emission_factors/%s", table);
    return data_path(name, path, PATH_MAX, err);
}

bool shipped_read(const char *table, const char *needle, csv_row_function *on_row, void *context, struct error *err)
{
    char path[PATH_MAX];

    if (!path_of(table, path, err))
        return false;
    return needle ? csv_read_lines_with(path, needle, on_row, context, err) : csv_read(path, on_row, context, err);
}

bool shipped_read_together(const char *table, const char *needle, csv_row_function *on_row, void *context,
                           struct error *err)
{
    char path[PATH_MAX];

    return path_of(table, path, err) && csv_read_lines_together(path, needle, on_row, context, err);
}
