/* SPDX-License-Identifier: MIT
 * Files that were named and are missing. */
#include "app/options/missing_file.h"

#include "base/near.h"
#include "base/text.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void missing_file_fix(const struct typed_line *typed, struct error *err)
{
    const char *path = typed_line_quoted(typed, err), *slash = path ? strrchr(path, '/') : NULL;
    const int length = slash ? (int)(slash - path) + 1 : 0;
    struct near_names near = { .typed = slash ? slash + 1 : path };
    char folder[PATH_MAX] = ".", better[PATH_MAX];
    const struct dirent *entry;
    DIR *list;

    if (!path || access(path, F_OK) == 0 || length >= PATH_MAX)
        return;
    if (slash)
        snprintf(folder, sizeof folder, "%.*s", length, path);
    list = opendir(folder);
    if (!list)
        return;
    while ((entry = readdir(list)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            near_offer(&near, entry->d_name, entry->d_name);
    closedir(list);
    if (near.count) {
        snprintf(better, sizeof better, "%.*s%s", length, path, near.items[0].name);
        typed_line_replaced(typed, path, better, err);
    } else if (!strpbrk(folder, " '\"$`\\!*?;&|<>()")) {
        error_fix(err, "ls %.250s", folder);
    }
}
