/* SPDX-License-Identifier: MIT
 * One group in every hierarchy: an engine makes what is missing of the name that it is given in all of them, and
 * removes but its own part. */
#include "usage/root_group.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/units.h"
#include "usage/cgroup_place.h"
#include "usage/cgroup_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <paths.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { MAX_NAMES = 100 };

#define LONGEST_REMOVAL_NS NS_PER_S_INT

/* PROC_CGROUP_INIT_INO: the cgroup namespace that a machine starts with. */
#define FIRST_NAMESPACE 0xEFFFFFFBU

struct making {
    const char *name; /* without the slash */
    size_t made;
    int failed; /* errno of the first failure */
    char where[256];
};

/* In a namespace of its own carbon's root is not the engine's. */
static bool sees_the_roots(void)
{
    struct stat own;

    return stat("/proc/self/ns/cgroup", &own) < 0 || own.st_ino == FIRST_NAMESPACE;
}

static const char slice_end[] = ".slice";

static const char *systemctl(void)
{
    static const char *const paths[] = { "/usr/bin/systemctl", "/bin/systemctl",
                                         "/run/current-system/sw/bin/systemctl" };

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        if (access(paths[i], X_OK) == 0)
            return paths[i];
    return NULL;
}

bool root_group_has_slices(void)
{
    return access("/run/systemd/system", F_OK) == 0 && systemctl();
}

/* An empty slice remains until it is stopped, even if its group is removed. */
static void stop_slice(const char *name)
{
    const char *const argv[] = { "systemctl", "--no-ask-password", "--no-block", "stop", name, NULL };
    const char *end = strstr(name, slice_end), *program = systemctl();
    posix_spawn_file_actions_t streams;
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t pid;

    if (!end || end[strlen(slice_end)] || !program)
        return;
    sigemptyset(&none);
    posix_spawn_file_actions_init(&streams);
    posix_spawnattr_init(&attributes);
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        posix_spawn_file_actions_addopen(&streams, fd, _PATH_DEVNULL, O_RDWR, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    if (posix_spawn(&pid, program, &streams, &attributes, (char *const *)argv, environ) == 0)
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            continue;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&streams);
}

static void clear(void *context, const char *root)
{
    AUTO_CLOSE int fd = cgroup_folder(AT_FDCWD, root);

    (void)context;
    if (fd >= 0)
        cgroup_remove_stale(fd, stop_slice);
}

/* Before Linux 5.11 a group of version 1 counts what is below it only where that is said. */
static void count_below(int root_fd, const char *name)
{
    char path[ROOT_GROUP_NAME_SIZE + sizeof "/memory.use_hierarchy"];
    AUTO_CLOSE int fd = -1;

    snprintf(path, sizeof path, "%s/memory.use_hierarchy", name);
    fd = openat(root_fd, path, O_WRONLY | O_CLOEXEC);
    if (fd >= 0)
        dprintf(fd, "1");
}

static void make(void *context, const char *root)
{
    struct making *making = context;
    AUTO_CLOSE int fd = -1;

    if (making->failed)
        return;
    fd = cgroup_folder(AT_FDCWD, root);
    if (fd >= 0 && mkdirat(fd, making->name, 0755) == 0) {
        count_below(fd, making->name);
        making->made++;
        return;
    }
    making->failed = errno;
    snprintf(making->where, sizeof making->where, "%.200s", root);
}

struct removing {
    const char *name;
    uint64_t until_ns;
};

static void remove_one(void *context, const char *root)
{
    const struct removing *removing = context;
    AUTO_CLOSE int fd = cgroup_folder(AT_FDCWD, root);

    if (fd >= 0)
        cgroup_remove_empty(fd, removing->name, removing->until_ns);
}

static void remove_all(const char *name, uint64_t until_ns)
{
    struct removing removing = { .name = name + 1, .until_ns = until_ns };

    stop_slice(name + 1);
    cgroup_each_root(remove_one, &removing);
}

void root_group_remove(const char *name)
{
    remove_all(name, clock_monotonic_ns() + LONGEST_REMOVAL_NS);
}

bool root_group_make(enum root_group_kind kind, char name[ROOT_GROUP_NAME_SIZE], struct error *err)
{
    const bool slice = kind == ROOT_GROUP_SLICE;
    struct making making = { .failed = EEXIST };

    if (!sees_the_roots()) {
        error_set(err, ERROR_ABSENT, "no control group can be made for a container");
        return error_why(err, "carbon is in a cgroup namespace of its own, whose root is not the engine's");
    }
    cgroup_each_root(clear, NULL);
    for (int i = 0; i < MAX_NAMES && making.failed == EEXIST; i++) {
        name[0] = '/';
        cgroup_own_name(name + 1, ROOT_GROUP_NAME_SIZE - sizeof slice_end, i, slice ? '_' : '-');
        strcat(name, slice ? slice_end : "");
        making = (struct making){ .name = name + 1 };
        cgroup_each_root(make, &making);
        if (making.failed && making.made)
            remove_all(name, 0);
    }
    if (making.made && !making.failed)
        return true;
    errno = making.failed ? making.failed : ENOENT;
    error_errno(err, "no control group can be made for a container below '%s'", making.where);
    if (making.failed == EROFS && err)
        err->kind = ERROR_DENIED;
    return error_fix(err, "call carbon as root, for figures to the last moment of a container");
}
