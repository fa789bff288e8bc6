/* SPDX-License-Identifier: MIT
 * Groups, hierarchies and mounts, from /proc/PID/cgroup and mountinfo. */
#include "usage/cgroup_place.h"

#include "base/auto.h"
#include "base/text.h"

#include <limits.h>
#include <string.h>

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

/* A word of a list "rw,cpu,cpuacct", of which the first length characters count. */
static bool is_listed(const char *list, size_t length, const char *word)
{
    const size_t size = strlen(word);

    for (const char *at = list, *next; at <= list + length; at = next + 1) {
        next = memchr(at, ',', length - (size_t)(at - list));
        if (!next)
            next = list + length;
        if ((size_t)(next - at) == size && strncmp(at, word, size) == 0)
            return true;
    }
    return false;
}

/* A line "4:cpu,cpuacct:/group", or "0::/group" of version 2. */
static bool group_of(FILE *file, const char *controller, char *group, size_t size)
{
    AUTO_FREE char *line = NULL;
    size_t room = 0;

    while (file && getline(&line, &room, file) > 0) {
        const char *list = strchr(line, ':'), *path = list ? strchr(list + 1, ':') : NULL;
        if (!path || path[1] != '/')
            continue;
        if (controller ? !is_listed(list + 1, (size_t)(path - list - 1), controller) : strncmp(line, "0::", 3) != 0)
            continue;
        line[strcspn(line, "\n")] = '\0';
        return snprintf(group, size, "%s", path + 1) < (int)size;
    }
    return false;
}

struct mount {
    char shown[PATH_MAX]; /* the group that it shows as its root; "" for "/" */
    char point[PATH_MAX];
};

/* "41 31 0:38 /shown /point rw,relatime - cgroup2 cgroup2 rw" */
static bool mount_of_line(char *line, struct mount *mount)
{
    if (strlen(line) >= PATH_MAX || sscanf(line, "%*s %*s %*s %s %s", mount->shown, mount->point) != 2)
        return false;
    unescape(mount->shown);
    unescape(mount->point);
    if (strcmp(mount->shown, "/") == 0)
        mount->shown[0] = '\0';
    return true;
}

/* Whether a line of mountinfo is of this hierarchy. */
static bool is_hierarchy(const char *line, const char *controller)
{
    static const char version1[] = " - cgroup ", version2[] = " - cgroup2 ";
    const char *at = strstr(line, controller ? version1 : version2);

    if (!at || !controller)
        return at != NULL;
    at = strchr(at + strlen(version1), ' ');
    return at && is_listed(at + 1, strcspn(at + 1, "\n"), controller);
}

/* The rest of a path below a folder, "" for the folder itself; NULL: it is not below. */
static const char *rest_below(const char *path, const char *folder)
{
    const size_t length = strlen(folder);

    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0') ? path + length : NULL;
}

static bool folder_named(const char *name, FILE *mountinfo, const char *controller, char *folder, size_t size)
{
    AUTO_FREE char *line = NULL;
    struct mount mount;
    const char *rest;
    size_t room = 0;

    /* the mount may show a part of the tree alone, as in a container */
    while (mountinfo && getline(&line, &room, mountinfo) > 0)
        if (is_hierarchy(line, controller) && mount_of_line(line, &mount) && (rest = rest_below(name, mount.shown)))
            return snprintf(folder, size, "%s%s", mount.point, rest) < (int)size;
    return false;
}

bool cgroup_folder_of(FILE *cgroup, FILE *mountinfo, const char *controller, char *folder, size_t size)
{
    char group[PATH_MAX];

    return group_of(cgroup, controller, group, sizeof group) &&
           folder_named(group, mountinfo, controller, folder, size);
}

static FILE *own_mounts(void)
{
    return fopen("/proc/self/mountinfo", "re");
}

bool cgroup_folder_of_process(pid_t pid, const char *controller, char *folder, size_t size)
{
    AUTO_FCLOSE FILE *cgroup = NULL;
    AUTO_FCLOSE FILE *mountinfo = own_mounts();
    char path[64] = "/proc/self/cgroup";

    if (pid)
        snprintf(path, sizeof path, "/proc/%d/cgroup", pid);
    cgroup = fopen(path, "re");
    return cgroup_folder_of(cgroup, mountinfo, controller, folder, size);
}

bool cgroup_folder_named(const char *name, const char *controller, char *folder, size_t size)
{
    AUTO_FCLOSE FILE *mountinfo = own_mounts();

    return folder_named(name, mountinfo, controller, folder, size);
}

void cgroup_each_root(void (*each)(void *context, const char *folder), void *context)
{
    AUTO_FCLOSE FILE *mountinfo = own_mounts();
    AUTO_FREE char *line = NULL;
    char device[16];
    struct mount mount;
    struct text seen; /* " 0:26 0:27": a hierarchy may be mounted twice */
    size_t room = 0;

    text_open(&seen, SIZE_MAX);
    while (mountinfo && getline(&line, &room, mountinfo) > 0) {
        if (!strstr(line, " - cgroup") || sscanf(line, "%*s %*s %13s", device + 1) != 1 ||
            !mount_of_line(line, &mount) || mount.shown[0])
            continue;
        device[0] = ' ';
        strcat(device, " ");
        if (seen.data && strstr(seen.data, device))
            continue;
        text_add(&seen, "%s", device);
        each(context, mount.point);
    }
    text_close(&seen);
}

bool cgroup_name_of(const char *folder, char *name, size_t size)
{
    AUTO_FCLOSE FILE *mountinfo = own_mounts();
    AUTO_FREE char *line = NULL;
    struct mount mount;
    size_t room = 0, longest = 0;
    const char *rest;
    bool found = false;

    while (mountinfo && getline(&line, &room, mountinfo) > 0) {
        if (!strstr(line, " - cgroup") || !mount_of_line(line, &mount) || strlen(mount.point) < longest ||
            !(rest = rest_below(folder, mount.point)))
            continue;
        longest = strlen(mount.point);
        found = snprintf(name, size, "%s%s", mount.shown, rest) < (int)size;
        if (found && !name[0])
            found = snprintf(name, size, "/") < (int)size;
    }
    return found;
}
