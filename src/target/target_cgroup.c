/* SPDX-License-Identifier: MIT
 * A cgroup that is there already, of either version, in every hierarchy that has it with the same processes. */
#include "base/auto.h"
#include "base/debug.h"
#include "target/target_groups.h"
#include "usage/cgroup_place.h"
#include "usage/cgroup_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/vfs.h>

struct target_cgroup_found {
    int fds[1 + GROUP_HIERARCHIES]; /* the group's folder, and in each other that has it */
    size_t count;
};

static bool is_cgroup(int fd)
{
    struct statfs system;

    return fstatfs(fd, &system) == 0 &&
           ((unsigned long)system.f_type == CGROUP2_SUPER_MAGIC || (unsigned long)system.f_type == CGROUP_SUPER_MAGIC);
}

static bool fail_with_path(struct error *err, enum error_kind kind, const char *path, const char *why, const char *fix)
{
    error_set(err, kind, "cgroup '%.200s' cannot be followed", path);
    error_why(err, "%s", why);
    return error_fix(err, "%s", fix);
}

static bool refuse_errno(struct error *err, const char *path)
{
    error_errno(err, "cgroup '%.200s' cannot be followed", path);
    return error_fix(err, "call carbon as a user who may look into it");
}

static const char find_fix[] = "list those there are: 'systemd-cgls', or 'find /sys/fs/cgroup -type d'";

/* The folder of a group whose path is a folder of a cgroup file system, or else a name in one. */
static bool find_folder(const char *path, char *folder, struct error *err)
{
    AUTO_CLOSE int fd = cgroup_folder(AT_FDCWD, path);
    char name[PATH_MAX];
    bool any = false;

    if (fd >= 0 && is_cgroup(fd) && realpath(path, folder))
        return true;
    if (fd < 0 && errno == EACCES)
        return refuse_errno(err, path);
    if (snprintf(name, sizeof name, "/%s", path + strspn(path, "/")) >= (int)sizeof name)
        return fail_with_path(err, ERROR_USAGE, "", "its path is too long", find_fix);
    for (size_t i = 0; i < GROUP_HIERARCHIES; i++) {
        AUTO_CLOSE int named = -1;
        if (!cgroup_folder_named(name, group_hierarchies[i], folder, PATH_MAX))
            continue;
        any = true;
        named = cgroup_folder(AT_FDCWD, folder);
        if (named >= 0)
            return true;
        if (errno == EACCES)
            return refuse_errno(err, path);
    }
    if (fd >= 0)
        return fail_with_path(err, ERROR_USAGE, path, "this folder is not of a cgroup file system", find_fix);
    if (!any)
        return fail_with_path(err, ERROR_ABSENT, path, "no cgroup file system is mounted where carbon runs",
                              "follow the process itself by its number");
    return fail_with_path(err, ERROR_ABSENT, path, "no hierarchy has a group of this name", find_fix);
}

/* The same group in another hierarchy: of the same name, and with the same process inside. */
static void open_twin(struct target_cgroup_found *found, const char *own, const char *name, const char *controller,
                      pid_t inside)
{
    char folder[PATH_MAX], of_process[PATH_MAX];
    size_t length;
    int fd;

    if (!cgroup_folder_named(name, controller, folder, sizeof folder) || strcmp(folder, own) == 0 ||
        !cgroup_folder_of_process(inside, controller, of_process, sizeof of_process))
        return;
    length = strcmp(name, "/") == 0 ? 0 : strlen(folder);
    if (strncmp(folder, of_process, length) != 0 || (length && of_process[length] && of_process[length] != '/'))
        return;
    fd = cgroup_folder(AT_FDCWD, folder);
    if (fd >= 0)
        found->fds[found->count++] = fd;
}

/* Opens the group in its own hierarchy first, for whether it has ended is asked of that. */
static bool open_group(struct target_cgroup_found *found, const char *path, char *name, struct error *err)
{
    char folder[PATH_MAX];
    pid_t inside;

    if (!find_folder(path, folder, err))
        return false;
    found->fds[0] = cgroup_folder(AT_FDCWD, folder);
    if (found->fds[0] < 0)
        return refuse_errno(err, path);
    found->count = 1;
    if (cgroup_is_threaded(found->fds[0]))
        return fail_with_path(err, ERROR_USAGE, path, "it is threaded: it holds threads, not whole processes",
                              "name the group above it whose cgroup.type is 'domain threaded'");
    if (cgroup_is_empty(found->fds[0]))
        return fail_with_path(
            err, ERROR_ABSENT, path, "no process is in it",
            "start what is to be measured first, or have carbon start it: 'carbon measure -- COMMAND'");
    if (!cgroup_name_of(folder, name, PATH_MAX))
        snprintf(name, PATH_MAX, "%s", folder);
    inside = cgroup_first_process(found->fds[0]);
    for (size_t i = 0; inside && i < GROUP_HIERARCHIES; i++)
        open_twin(found, folder, name, group_hierarchies[i], inside);
    return true;
}

bool target_open_group(struct target *target, const char *path, enum groups_from from, struct error *err)
{
    struct target_cgroup_found found = { .count = 0 };
    char name[PATH_MAX];

    *target = (struct target){ .fd = -1 };
    if (open_group(&found, path, name, err)) {
        DEBUG(DEBUG_TARGET, "cgroup '%s' is '%s', found in %zu hierarchies", path, name, found.count);
        return target_open_groups(target, found.fds, found.count, from, name, err);
    }
    while (found.count)
        close(found.fds[--found.count]);
    return false;
}

bool target_open_cgroup(struct target *target, const char *path, struct error *err)
{
    return target_open_group(target, path, GROUPS_SINCE_NOW, err);
}
