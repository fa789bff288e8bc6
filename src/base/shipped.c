/* SPDX-License-Identifier: MIT
 * The tables of factors that carbon ships. */
#include "base/shipped.h"

#include "base/table_index.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The file that this code is in: libcarbon, or the program. */
static bool own_file(char path[PATH_MAX])
{
    Dl_info info;

    if (dladdr(CARBON_PKGDATADIR, &info) && strstr(info.dli_fname, "/libcarbon."))
        return realpath(info.dli_fname, path) != NULL;
    return realpath("/proc/self/exe", path) != NULL;
}

/* Where the program or library was moved with its data (another prefix, a wheel of Python), or was not installed. */
static bool path_near_own_file(const char *name, char *path, size_t size)
{
    static const char *const places[] = { "../share/carbon", "../../share/carbon", "../data", "data" };
    char own[PATH_MAX];

    if (!own_file(own))
        return false;
    *strrchr(own, '/') = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (snprintf(path, size, "%s/%s/%s", own, places[i], name) < (int)size && access(path, R_OK) == 0)
            return true;
    return false;
}

bool data_path(const char *name, char *path, size_t size, struct error *err)
{
    const char *given = getenv("CARBON_DATA");
    const char *folder = given && *given ? given : CARBON_PKGDATADIR;
    int failed;

    if (snprintf(path, size, "%s/%s", folder, name) >= (int)size)
        return error_set(err, ERROR_USAGE, "the data folder's path is too long");
    if (access(path, R_OK) == 0)
        return true;
    failed = errno;
    if (folder != given && path_near_own_file(name, path, size))
        return true;
    errno = failed;
    error_errno(err, "cannot read '%s/%s'", folder, name);
    return error_fix(err, "%s",
                     folder == given ? "CARBON_DATA must name the folder that holds emission_factors/"
                                     : "'make install' puts it there; or set CARBON_DATA to the folder "
                                       "that holds emission_factors/");
}

/* Rows with a field, out of the lines in which it stands. */
struct choosing {
    const char *field;
    csv_row_function *on_row;
    void *context;
};

static bool path_of(const char *table, char path[PATH_MAX], struct error *err)
{
    char name[96];

    snprintf(name, sizeof name, "emission_factors/%s", table);
    return data_path(name, path, PATH_MAX, err);
}

static bool on_line(const struct csv_row *row, void *context, struct error *err)
{
    const struct choosing *choosing = context;

    return (row->line != 1 && !csv_has_field(row, choosing->field)) || choosing->on_row(row, choosing->context, err);
}

static bool parse(const char *path, const char *field, bool together, csv_row_function *on_row, void *context,
                  struct error *err)
{
    struct choosing choosing = { field, on_row, context };
    char needle[128];

    if (!field)
        return csv_read(path, on_row, context, err);
    if (snprintf(needle, sizeof needle, "%s,", field) >= (int)sizeof needle)
        return csv_read(path, on_line, &choosing, err);
    return (together ? csv_read_lines_together : csv_read_lines_with)(path, needle, on_line, &choosing, err);
}

static bool read_rows(const char *table, const char *field, bool together, csv_row_function *on_row, void *context,
                      struct error *err)
{
    enum index_answer answer;
    char path[PATH_MAX];

    if (!path_of(table, path, err))
        return false;
    answer = index_read(path, table, field, on_row, context, err);
    return answer == INDEX_NONE ? parse(path, field, together, on_row, context, err) : answer == INDEX_READ;
}

bool shipped_read(const char *table, const char *field, csv_row_function *on_row, void *context, struct error *err)
{
    return read_rows(table, field, false, on_row, context, err);
}

bool shipped_read_together(const char *table, const char *field, csv_row_function *on_row, void *context,
                           struct error *err)
{
    return read_rows(table, field, true, on_row, context, err);
}

const char *shipped_index_problem(const char *table)
{
    struct error err;
    char path[PATH_MAX];

    return path_of(table, path, &err) ? index_problem(path, table) : "no such table";
}
