/* SPDX-License-Identifier: MIT
 * The maker of a group, by owner: the maker owns its folder, and needs its parent. A group that root made and delegated
 * (systemd's Delegate=, LXC's and user namespaces' payloads) has root's name, and its subgroups do not. */
#include "usage/group_maker.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>

struct group_maker group_maker_below(const struct group_maker *above, const struct stat *folder, uid_t root)
{
    const bool roots = folder->st_uid == 0 || folder->st_uid == root;
    struct group_maker maker = { .other = above->gives || (above->anyones && !roots), .user = folder->st_uid };

    if (above->gives)
        maker.user = above->user;
    maker.gives = maker.other || !roots;
    maker.anyones = (folder->st_mode & (S_IWGRP | S_IWOTH)) != 0;
    return maker;
}

struct group_maker group_maker_of_path(int root_fd, const char *path)
{
    struct group_maker maker = { .other = false };
    struct stat root, folder;
    char above[PATH_MAX];

    if (fstat(root_fd, &root) != 0)
        return maker;
    maker = group_maker_below(&maker, &root, root.st_uid);
    for (size_t i = 1; path[i - 1] && i < sizeof above; i++) {
        if (path[i] && path[i] != '/')
            continue;
        snprintf(above, sizeof above, "%.*s", (int)i, path);
        if (fstatat(root_fd, above + 1, &folder, AT_SYMLINK_NOFOLLOW) == 0)
            maker = group_maker_below(&maker, &folder, root.st_uid);
    }
    return maker;
}
