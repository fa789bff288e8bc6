/* SPDX-License-Identifier: MIT
 * Making, counting and clearing the groups of a job. */
#include "usage/cgroup_tree.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/process.h"
#include "base/units.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { MAX_NAMES = 100, REMOVE_TRIES = 100 };

int cgroup_folder(int above_fd, const char *name)
{
    return openat(above_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

typedef void group_function(int above_fd, const char *name, int group_fd, void *context);

/* Visits a group after all that are below it. */
static void for_each_group(int above_fd, const char *name, group_function *visit, void *context)
{
    const int group_fd = cgroup_folder(above_fd, name);
    AUTO_CLOSEDIR DIR *dir = group_fd < 0 ? NULL : fdopendir(group_fd);
    const struct dirent *entry;

    while (dir && (entry = readdir(dir)))
        if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
            for_each_group(group_fd, entry->d_name, visit, context);
    if (dir)
        visit(above_fd, name, group_fd, context);
}

static FILE *open_file(int group_fd, const char *name)
{
    const int fd = openat(group_fd, name, O_RDONLY | O_CLOEXEC);

    return fd < 0 ? NULL : fdopen(fd, "r");
}

static FILE *open_processes(int group_fd)
{
    return open_file(group_fd, "cgroup.procs");
}

struct cgroup_tree_listing {
    char *names;
    size_t size, count;
};

static void list_group(int above_fd, const char *name, int group_fd, void *context)
{
    AUTO_FCLOSE FILE *file = open_processes(group_fd);
    struct cgroup_tree_listing *listing = context;
    struct process process;
    int pid;

    (void)above_fd;
    (void)name;
    while (file && fscanf(file, "%d", &pid) == 1) {
        listing->count++;
        if (process_read(pid, &process))
            process_name_add(process.name, listing->names, listing->size);
    }
}

size_t cgroup_processes(int above_fd, const char *name, char *names, size_t size)
{
    struct cgroup_tree_listing listing = { .names = names, .size = size };

    for_each_group(above_fd, name, list_group, &listing);
    return listing.count;
}

static void find_process(int above_fd, const char *name, int group_fd, void *context)
{
    AUTO_FCLOSE FILE *file = open_processes(group_fd);
    int pid;

    (void)above_fd;
    (void)name;
    if (file && fscanf(file, "%d", &pid) == 1)
        *(pid_t *)context = pid;
}

pid_t cgroup_first_process(int group_fd)
{
    pid_t pid = 0;

    for_each_group(group_fd, ".", find_process, &pid);
    return pid;
}

bool cgroup_is_empty(int group_fd)
{
    AUTO_FCLOSE FILE *file = open_file(group_fd, "cgroup.events"); /* version 2, but for its root */
    char key[32];
    int value;

    while (file && fscanf(file, "%31s %d", key, &value) == 2)
        if (strcmp(key, "populated") == 0)
            return value == 0;
    return cgroup_first_process(group_fd) == 0;
}

bool cgroup_is_threaded(int group_fd)
{
    AUTO_FCLOSE FILE *file = open_file(group_fd, "cgroup.type");
    char type[32];

    return file && fscanf(file, "%31s", type) == 1 && strcmp(type, "threaded") == 0;
}

static void move_processes(int group_fd, int to_fd)
{
    AUTO_FCLOSE FILE *file = open_processes(group_fd);
    AUTO_CLOSE int to = openat(to_fd, "cgroup.procs", O_WRONLY | O_CLOEXEC);
    int pid;

    while (file && fscanf(file, "%d", &pid) == 1)
        dprintf(to, "%d", pid);
}

static void remove_group(int above_fd, const char *name, int group_fd, void *context)
{
    const struct timespec pause = { .tv_nsec = NS_PER_MS };

    /* a process that forks while it is moved needs another turn; one that is just ending is
     * no longer listed and yet keeps the group for a moment */
    for (int i = 0; i < REMOVE_TRIES; i++) {
        move_processes(group_fd, *(const int *)context);
        if (unlinkat(above_fd, name, AT_REMOVEDIR) == 0 || errno != EBUSY)
            return;
        nanosleep(&pause, NULL);
    }
}

/* Removes a group and all below it; processes that live on go to the group above. */
static void cgroup_remove(int above_fd, const char *name)
{
    for_each_group(above_fd, name, remove_group, &above_fd);
}

static void remove_when_empty(int above_fd, const char *name, int group_fd, void *context)
{
    const struct timespec pause = { .tv_nsec = NS_PER_MS };

    (void)group_fd;
    while (unlinkat(above_fd, name, AT_REMOVEDIR) < 0 && errno == EBUSY &&
           clock_monotonic_ns() < *(const uint64_t *)context)
        nanosleep(&pause, NULL);
}

void cgroup_remove_empty(int above_fd, const char *name, uint64_t until_ns)
{
    for_each_group(above_fd, name, remove_when_empty, &until_ns);
}

/* The inode of carbon's PID namespace, unique at any time. 0: unknown. */
static uint64_t own_namespace(void)
{
    struct stat own;

    return stat("/proc/self/ns/pid", &own) == 0 ? own.st_ino : 0;
}

void cgroup_own_name(char *name, size_t size, int number, char between)
{
    snprintf(name, size, "carbon%c%d%c%d%c%" PRIu64, between, getpid(), between, number, between, own_namespace());
}

/* Whose carbon is no more. The number of a process means another one, or none, in another namespace. */
static bool is_stale(const char *name, uint64_t namespace)
{
    uint64_t its;
    int pid;

    return namespace != 0 && sscanf(name, "carbon%*1[-_]%d%*1[-_]%*d%*1[-_]%" SCNu64, &pid, &its) == 2 &&
           its == namespace && kill(pid, 0) < 0 && errno == ESRCH;
}

/* Groups of a carbon that was killed stay until the next one comes. */
void cgroup_remove_stale(int above_fd, void (*removed)(const char *name))
{
    AUTO_CLOSEDIR DIR *dir = NULL;
    const struct dirent *entry;
    const int fd = cgroup_folder(above_fd, ".");
    const uint64_t namespace = own_namespace();

    dir = fd < 0 ? NULL : fdopendir(fd);
    while (dir && (entry = readdir(dir)))
        if (is_stale(entry->d_name, namespace)) {
            cgroup_remove_empty(above_fd, entry->d_name, 0);
            if (removed && faccessat(above_fd, entry->d_name, F_OK, 0) != 0)
                removed(entry->d_name);
        }
}

/* An unused name. */
static bool group_make(struct job_group *group)
{
    for (int i = 0; i < MAX_NAMES; i++) {
        cgroup_own_name(group->name, sizeof group->name, i, '-');
        if (mkdirat(group->above_fd, group->name, 0755) == 0)
            return true;
        if (errno != EEXIST)
            break;
    }
    group->name[0] = '\0';
    return false;
}

bool job_group_open(struct job_group *group, const char *above, struct error *err)
{
    *group = (struct job_group){ .above_fd = cgroup_folder(AT_FDCWD, above), .fd = -1 };
    if (group->above_fd >= 0)
        cgroup_remove_stale(group->above_fd, NULL);
    if (group->above_fd >= 0 && group_make(group))
        group->fd = cgroup_folder(group->above_fd, group->name);
    if (group->fd >= 0)
        return true;
    error_errno(err, "cannot make a cgroup below '%.200s'", above);
    if (errno == EROFS && err)
        err->kind = ERROR_DENIED;
    job_group_close(group);
    return false;
}

void job_group_close(struct job_group *group)
{
    if (group->fd >= 0)
        close(group->fd);
    if (group->name[0])
        cgroup_remove(group->above_fd, group->name);
    if (group->above_fd >= 0)
        close(group->above_fd);
    *group = (struct job_group){ .above_fd = -1, .fd = -1 };
}
