/* SPDX-License-Identifier: MIT
 * Finding carbon's own cgroup; counting and clearing the groups of a job. */
#include "usage/cgroup_tree.h"

#include "base/auto.h"
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <time.h>

enum { REMOVE_TRIES = 100 };

static bool is_octal(char digit)
{
    return digit >= '0' && digit <= '7';
}

/* "/a\040b" of mountinfo to "/a b". */
static void unescape(char *text)
{
    char *to = text;

    for (const char *at = text; *at; to++) {
        if (at[0] == '\\' && is_octal(at[1]) && is_octal(at[2]) && is_octal(at[3])) {
            *to = (char)((at[1] - '0') << 6 | (at[2] - '0') << 3 | (at[3] - '0'));
            at += strlen("\\040");
        } else {
            *to = *at++;
        }
    }
    *to = '\0';
}

static bool group_of(FILE *file, char *group, size_t size)
{
    AUTO_FREE char *line = NULL;
    size_t room = 0;

    while (file && getline(&line, &room, file) > 0)
        if (strncmp(line, "0::/", 4) == 0) {
            line[strcspn(line, "\n")] = '\0';
            return snprintf(group, size, "%s", line + 3) < (int)size;
        }
    return false;
}

bool cgroup_folder_of(FILE *cgroup, FILE *mountinfo, char *folder, size_t size)
{
    AUTO_FREE char *line = NULL;
    char group[PATH_MAX], shown[PATH_MAX], point[PATH_MAX];
    size_t room = 0;

    if (!group_of(cgroup, group, sizeof group))
        return false;
    while (mountinfo && getline(&line, &room, mountinfo) > 0) {
        size_t length;
        if (!strstr(line, " - cgroup2 ") || strlen(line) >= PATH_MAX ||
            sscanf(line, "%*s %*s %*s %s %s", shown, point) != 2)
            continue;
        unescape(shown);
        unescape(point);
        /* the mount may show a part of the tree alone, as in a container */
        length = strcmp(shown, "/") == 0 ? 0 : strlen(shown);
        if (strncmp(group, shown, length) == 0 && (group[length] == '/' || group[length] == '\0'))
            return snprintf(folder, size, "%s%s", point, group + length) < (int)size;
    }
    return false;
}

bool cgroup_own_folder(char *folder, size_t size)
{
    AUTO_FCLOSE FILE *cgroup = fopen("/proc/self/cgroup", "re");
    AUTO_FCLOSE FILE *mountinfo = fopen("/proc/self/mountinfo", "re");

    return cgroup_folder_of(cgroup, mountinfo, folder, size);
}

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

static FILE *open_processes(int group_fd)
{
    const int fd = openat(group_fd, "cgroup.procs", O_RDONLY | O_CLOEXEC);

    return fd < 0 ? NULL : fdopen(fd, "r");
}

struct listing {
    char *names;
    size_t size, count;
};

static void list_group(int above_fd, const char *name, int group_fd, void *context)
{
    AUTO_FCLOSE FILE *file = open_processes(group_fd);
    struct listing *listing = context;
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
    struct listing listing = { .names = names, .size = size };

    for_each_group(above_fd, name, list_group, &listing);
    return listing.count;
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
    const struct timespec pause = { .tv_nsec = 1000000 };

    /* a process that forks while it is moved needs another turn; one that is just ending is
     * no longer listed and yet keeps the group for a moment */
    for (int i = 0; i < REMOVE_TRIES; i++) {
        move_processes(group_fd, *(const int *)context);
        if (unlinkat(above_fd, name, AT_REMOVEDIR) == 0 || errno != EBUSY)
            return;
        nanosleep(&pause, NULL);
    }
}

void cgroup_remove(int above_fd, const char *name)
{
    for_each_group(above_fd, name, remove_group, &above_fd);
}
