/* SPDX-License-Identifier: MIT
 * Where shipped files are. */
#include "base/data_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool data_path(const char *name, char *path, size_t size, struct error *err)
{
    const char *given = getenv("CARBON_DATA");
    const char *folder = given && *given ? given : CARBON_PKGDATADIR;

    if (snprintf(path, size, "%s/%s", folder, name) >= (int)size)
        return error_set(err, ERROR_USAGE, "the data folder's path is too long");
    if (access(path, R_OK) == 0)
        return true;
    error_errno(err, "cannot read '%s'", path);
    return error_fix(err, "%s",
                     folder == given ? "CARBON_DATA must name the folder that holds emission_factors/"
                                     : "'make install' puts it there; or set CARBON_DATA to the folder "
                                       "that holds emission_factors/");
}
