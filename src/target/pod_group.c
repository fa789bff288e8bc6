/* SPDX-License-Identifier: MIT
 * ".../pod<UID>" (cgroupfs) and "...-pod<UID with underscores>.slice" (systemd), some levels below a hierarchy's
 * root: in kubepods, kubelet/kubepods, kubepods.slice, kubelet.slice/kubelet-kubepods.slice, by class of service. */
#include "target/pod_group.h"

#include "base/auto.h"
#include "target/target_groups.h"
#include "usage/cgroup_place.h"
#include "usage/cgroup_tree.h"
#include "usage/group_name.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A node that is a container itself has its kubelet's groups some levels down. */
enum { MAX_DEEP = 9 };

bool pod_is_uid(const char *text)
{
    return group_is_pod_uid(text, strlen(text), '-');
}

/* Whether a folder is named for this pod. */
static bool is_of(const char *name, const char *uid)
{
    static const char slice[] = ".slice", mark[] = "pod";
    const size_t length = strlen(uid);
    const char *at = strncmp(name, mark, strlen(mark)) == 0 ? name : strstr(name, "-pod");

    if (!at)
        return false;
    at += strlen(mark) + (*at == '-');
    for (size_t i = 0; i < length; i++)
        if (at[i] != uid[i] && !(at[i] == '_' && uid[i] == '-'))
            return false;
    return at[length] == '\0' || strcmp(at + length, slice) == 0;
}

bool pod_is_part(const char *folder, const char *uid)
{
    struct group_name container;
    char slice[NAME_MAX + 1];

    return group_slice_of(folder, slice, sizeof slice) && is_of(slice, uid) && group_name_of(folder, &container) &&
           container.kind == GROUP_CONTAINER;
}

static bool is_in_use(int above_fd, const char *name)
{
    AUTO_CLOSE int fd = cgroup_folder(above_fd, name);

    return fd >= 0 && !cgroup_is_empty(fd);
}

/* In a folder of another user's than root and this one anyone may have called a group so. */
static bool is_trusted(int fd)
{
    struct stat folder;

    return fstat(fd, &folder) == 0 && (folder.st_uid == 0 || folder.st_uid == geteuid());
}

/* path grows by the folders gone into, and is the group's where one is found. */
static bool walk(int above_fd, const char *name, const char *uid, int depth, char path[PATH_MAX])
{
    const int fd = cgroup_folder(above_fd, name);
    AUTO_CLOSEDIR DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    const bool trusted = dir && is_trusted(fd);
    const size_t length = strlen(path);
    const struct dirent *entry;

    while (trusted && (entry = readdir(dir))) {
        if (entry->d_type != DT_DIR || entry->d_name[0] == '.' ||
            snprintf(path + length, PATH_MAX - length, "/%s", entry->d_name) >= (int)(PATH_MAX - length))
            continue;
        if (is_of(entry->d_name, uid) || pod_is_part(entry->d_name, uid)
                ? is_in_use(fd, entry->d_name)
                : depth && walk(fd, entry->d_name, uid, depth - 1, path))
            return true;
    }
    path[length] = '\0';
    return false;
}

bool pod_group_folder(const char *uid, char *folder, size_t size)
{
    for (size_t i = 0; i < GROUP_HIERARCHIES; i++) {
        char path[PATH_MAX];
        if (cgroup_folder_named("/", group_hierarchies[i], path, sizeof path - 1)) {
            if (path[0] && path[strlen(path) - 1] == '/')
                path[strlen(path) - 1] = '\0';
            if (walk(AT_FDCWD, path, uid, MAX_DEEP, path))
                return snprintf(folder, size, "%s", path) < (int)size;
        }
    }
    return false;
}
