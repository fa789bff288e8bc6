/* SPDX-License-Identifier: MIT
 * Folders of control groups, gone through from the top; a group's own time is its counter's less those of the groups
 * below it. */
#include "groups/group_scan.h"

#include "base/array.h"
#include "base/auto.h"
#include "base/text.h"
#include "usage/cgroup_now.h"
#include "usage/cgroup_place.h"
#include "usage/cgroup_tree.h"
#include "usage/group_maker.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* More of them than any machine has; what lies behind is counted. */
enum { MAX_FOLDERS = 20000, MAX_DEEP = 24 };
enum { VERSION2, VERSION1 };

struct walk {
    struct group_scan *scan;
    struct groups *groups;
    size_t hierarchy;
    uint64_t at_most_ns;
    uid_t root;     /* who owns the hierarchy's */
    size_t seen[2]; /* folders: root's, and users' */
    char path[PATH_MAX];
};

/* Whose what is in a folder is, and who has named it. */
struct group_scan_place {
    size_t owners[GROUP_KINDS];
    struct group_maker maker;
};

static int open_root(const struct root *root, const char *const *folders)
{
    for (; *folders; folders++) {
        const int fd = openat(root->fd, *folders, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd >= 0)
            return fd;
    }
    return -1;
}

/* The running system says where hierarchies are mounted; a recorded one has them where they usually are. */
static void open_roots(struct group_scan *scan, const struct root *root)
{
    static const char *const first[] = { "sys/fs/cgroup/cpuacct", "sys/fs/cgroup/cpu,cpuacct", NULL };
    static const char *const unified[] = { "sys/fs/cgroup/unified", "sys/fs/cgroup", NULL };
    char folder[PATH_MAX];

    if (root->live) {
        if (cgroup_folder_named("/", NULL, folder, sizeof folder))
            scan->roots[VERSION2] = cgroup_folder(AT_FDCWD, folder);
        if (cgroup_folder_named("/", "cpuacct", folder, sizeof folder))
            scan->roots[VERSION1] = cgroup_folder(AT_FDCWD, folder);
        return;
    }
    scan->roots[VERSION1] = open_root(root, first);
    scan->roots[VERSION2] = open_root(root, unified);
    if (scan->roots[VERSION2] >= 0 && faccessat(scan->roots[VERSION2], "cgroup.controllers", F_OK, 0) != 0) {
        close(scan->roots[VERSION2]);
        scan->roots[VERSION2] = -1;
    }
}

bool group_scan_open(struct group_scan *scan, const struct root *root, struct error *err)
{
    *scan = (struct group_scan){ .roots = { -1, -1 }, .max_folders = MAX_FOLDERS, .max_deep = MAX_DEEP };
    open_roots(scan, root);
    if (scan->roots[VERSION2] >= 0 || scan->roots[VERSION1] >= 0)
        return true;
    error_set(err, ERROR_ABSENT, "no control groups are there to attribute energy to");
    error_why(err, "neither version 2 nor cpuacct of version 1 is mounted");
    return error_fix(err, "leave --by out, or mount them: 'mount -t cgroup2 none /sys/fs/cgroup'");
}

static int compare_nodes(const void *a, const void *b)
{
    const struct cgroup_cpu *first = a, *second = b;

    return ARRAY_ORDER(first->folder, second->folder);
}

static bool remember(struct scan_nodes *nodes, ino_t folder, uint64_t cpu_ns)
{
    nodes->items = array_room(nodes->items, &nodes->room, nodes->count + 1, sizeof *nodes->items);
    if (nodes->count == nodes->room)
        return false;
    nodes->items[nodes->count++] = (struct cgroup_cpu){ folder, cpu_ns };
    return true;
}

/* What a group, and all below it, used since the walk before. */
static uint64_t used_since(struct walk *walk, int fd, ino_t folder)
{
    struct scan_nodes *now = &walk->scan->now[walk->hierarchy];
    const struct scan_nodes *before = &walk->scan->before[walk->hierarchy];
    struct cgroup_cpu node = { .folder = folder };
    const struct cgroup_cpu *known;

    if (!cgroup_now_cpu_once(fd, walk->hierarchy == VERSION1 ? 1 : 2, &node.cpu_ns) ||
        !remember(now, folder, node.cpu_ns) || !walk->scan->begun)
        return 0;
    known = before->count ? bsearch(&node, before->items, before->count, sizeof node, compare_nodes) : NULL;
    if (known && node.cpu_ns >= known->cpu_ns)
        return node.cpu_ns - known->cpu_ns;
    /* made since then, or made anew under the same name; one that has used more was overlooked before */
    return node.cpu_ns <= walk->at_most_ns ? node.cpu_ns : 0;
}

/* systemd leaves what is below "user@1000.service" to user 1000: his number. NULL: it is not below one. */
static const char *manager_of(const char *path, size_t *digits)
{
    const char *manager = strstr(path, "/user@");

    *digits = manager ? strspn(manager + 6, "0123456789") : 0;
    return *digits && strncmp(manager + 6 + *digits, ".service/", 9) == 0 ? manager + 6 : NULL;
}

/* A user may call groups of his own what he likes: engines of his run containers there, and Slurm no jobs. False: it is
 * nobody's name. */
static bool name_group(const char *path, const struct group_maker *maker, struct group_name *name)
{
    size_t digits;
    const char *manager = manager_of(path, &digits);

    if (!group_name_of(path, name))
        return false;
    if (!maker->other && !manager)
        return true;
    if (maker->other)
        snprintf(name->user, sizeof name->user, "%u", (unsigned)maker->user);
    else
        snprintf(name->user, sizeof name->user, "%.*s", (int)digits, manager);
    return name->kind != GROUP_SLURM;
}

/* Within a container of root's a user's name does not take what is that container's. */
static void take_owner(struct groups *groups, const char *path, struct group_scan_place *place)
{
    struct group_name name;
    size_t *owner;

    if (!name_group(path, &place->maker, &name) || !groups->wanted[name.kind])
        return;
    owner = &place->owners[name.kind];
    if (!group_name_is_users(&name) || *owner == GROUP_NONE || group_name_is_users(&groups->items[*owner].name))
        *owner = groups_take(groups, &name);
}

/* Whose the group is, of each kind that is wanted: its own, or that of a group above. */
static void find_owners(struct walk *walk, struct group_scan_place *place)
{
    char slice[PATH_MAX];

    take_owner(walk->groups, walk->path, place);
    if (group_slice_of(walk->path, slice, sizeof slice))
        take_owner(walk->groups, slice, place);
}

static void credit(struct walk *walk, const struct group_scan_place *place, uint64_t own_ns)
{
    for (size_t kind = 0; kind < GROUP_KINDS; kind++)
        if (place->owners[kind] != GROUP_NONE)
            walk->groups->items[place->owners[kind]].recent_ns[walk->hierarchy] += own_ns;
}

/* A control group by its path. */
static struct group_name name_path(const char *path, const struct group_maker *maker)
{
    struct group_name name;

    group_name_by_path(path, &name);
    if (maker->other)
        snprintf(name.user, sizeof name.user, "%u", (unsigned)maker->user);
    return name;
}

/* One that has done nothing is not told of until it does. */
static void credit_path(struct walk *walk, const struct group_scan_place *place, uint64_t own_ns)
{
    const struct group_name name = name_path(walk->path, &place->maker);
    size_t at;

    if (!walk->groups->wanted[GROUP_CGROUP] || walk->hierarchy != walk->scan->paths_of)
        return;
    if (!own_ns && groups_find(walk->groups, &name) == GROUP_NONE && !groups_was_out(walk->groups, &name))
        return;
    at = groups_take(walk->groups, &name);
    if (at != GROUP_NONE)
        walk->groups->items[at].recent_ns[walk->hierarchy] += own_ns;
}

static bool may_enter(const struct walk *walk, const struct group_scan_place *above, int depth)
{
    return depth < walk->scan->max_deep && walk->seen[above->maker.gives] < walk->scan->max_folders;
}

static uint64_t go_through(struct walk *walk, int fd, int depth, const struct group_scan_place *above);

/* Takes over the descriptor. Returns what the groups below used. */
static uint64_t go_below(struct walk *walk, int fd, int depth, const struct group_scan_place *place)
{
    const size_t length = strlen(walk->path);
    uint64_t below_ns = 0;
    DIR *dir = fdopendir(fd);

    if (!dir) {
        close(fd);
        return 0;
    }
    for (const struct dirent *entry; (entry = readdir(dir));) {
        int inner = -1;
        if (entry->d_type != DT_DIR || strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        errno = 0;
        if (may_enter(walk, place, depth) && snprintf(walk->path + length, sizeof walk->path - length, "/%s",
                                                      entry->d_name) < (int)(sizeof walk->path - length))
            inner = cgroup_folder(fd, entry->d_name);
        if (inner >= 0)
            below_ns += go_through(walk, inner, depth + 1, place);
        else
            walk->scan->cut[walk->hierarchy] += errno != ENOENT;
        walk->path[length] = '\0';
    }
    closedir(dir);
    return below_ns;
}

/* Takes over the descriptor. Returns what the group and all below it used. */
static uint64_t go_through(struct walk *walk, int fd, int depth, const struct group_scan_place *above)
{
    struct group_scan_place place = *above;
    struct stat folder = { .st_nlink = 0 };
    uint64_t used_ns = 0, below_ns = 0, own_ns;

    IGNORED(fstat(fd, &folder), "of an unknown folder, no maker is known");
    place.maker = group_maker_below(&above->maker, &folder, walk->root);
    if (*walk->path) {
        walk->seen[above->maker.gives]++;
        used_ns = used_since(walk, fd, folder.st_ino);
        find_owners(walk, &place);
    }
    if (folder.st_nlink == 2) /* a folder is a link of each folder in it */
        close(fd);
    else
        below_ns = go_below(walk, fd, depth, &place);
    own_ns = used_ns > below_ns ? used_ns - below_ns : 0;
    if (*walk->path) {
        credit(walk, &place, own_ns);
        credit_path(walk, &place, own_ns);
    }
    return used_ns > below_ns ? used_ns : below_ns;
}

/* Of version 2 the kernel says how many there are; of version 1 those below a folder that was not entered are not
 * counted. */
static void count_cut(struct walk *walk, int root_fd)
{
    size_t *cut = &walk->scan->cut[walk->hierarchy];
    const size_t seen = walk->seen[0] + walk->seen[1];
    AUTO_CLOSE int fd = *cut ? openat(root_fd, "cgroup.stat", O_RDONLY | O_CLOEXEC) : -1;
    char text[512];
    const ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    unsigned long all;

    if (length <= 0)
        return;
    text[length] = '\0';
    if (sscanf(text, "nr_descendants %lu", &all) == 1 && all > seen + *cut)
        *cut = all - seen;
}

static void walk_hierarchy(struct walk *walk, int root_fd)
{
    struct group_scan_place nobody = { .maker = { .other = false } };
    struct stat root;
    const int fd = root_fd < 0 ? -1 : cgroup_folder(root_fd, ".");

    for (size_t kind = 0; kind < GROUP_KINDS; kind++)
        nobody.owners[kind] = GROUP_NONE;
    if (fd < 0)
        return;
    walk->root = fstat(fd, &root) == 0 ? root.st_uid : 0;
    go_through(walk, fd, 0, &nobody);
    count_cut(walk, root_fd);
}

/* Version 2 where its folders tell of CPU time (since Linux 4.15), also beside version 1. */
static size_t choose_paths(const struct group_scan *scan)
{
    return scan->now[VERSION2].count > 0 ? VERSION2 : VERSION1;
}

void group_scan_walk(struct group_scan *scan, struct groups *groups, uint64_t at_most_ns)
{
    for (size_t i = 0; i < GROUP_HIERARCHIES_SEEN; i++) {
        struct walk walk = { .scan = scan, .groups = groups, .hierarchy = i, .at_most_ns = at_most_ns };
        const struct scan_nodes spare = scan->before[i];
        scan->now[i].count = scan->cut[i] = 0;
        walk_hierarchy(&walk, scan->roots[i]);
        if (scan->now[i].count > 1)
            qsort(scan->now[i].items, scan->now[i].count, sizeof *scan->now[i].items, compare_nodes);
        if (i == VERSION2 && !scan->begun)
            scan->paths_of = choose_paths(scan);
        scan->before[i] = scan->now[i];
        scan->now[i] = spare;
    }
    if (groups->wanted[GROUP_CGROUP])
        groups->left_out[GROUP_CGROUP] += scan->cut[scan->paths_of];
    groups->unentered = scan->cut[0] > scan->cut[1] ? scan->cut[0] : scan->cut[1];
    scan->begun = true;
}

void group_scan_owners(const struct group_scan *scan, struct groups *groups, const char *path,
                       size_t owners[GROUP_KINDS])
{
    struct group_scan_place place = { .maker = { .other = false } };
    char above[PATH_MAX];

    for (size_t kind = 0; kind < GROUP_KINDS; kind++)
        place.owners[kind] = GROUP_NONE;
    for (size_t i = 1; path[i - 1] && i < sizeof above; i++)
        if (path[i] == '/' || !path[i]) {
            snprintf(above, sizeof above, "%.*s", (int)i, path);
            place.maker = group_maker_of_path(scan->roots[scan->paths_of], above);
            take_owner(groups, above, &place);
        }
    if (groups->wanted[GROUP_CGROUP] && path[1]) {
        const struct group_name name = name_path(path, &place.maker);
        place.owners[GROUP_CGROUP] = groups_take(groups, &name);
    }
    memcpy(owners, place.owners, sizeof place.owners);
}

void group_scan_close(struct group_scan *scan)
{
    for (size_t i = 0; i < GROUP_HIERARCHIES_SEEN; i++) {
        if (scan->roots[i] >= 0)
            close(scan->roots[i]);
        scan->roots[i] = -1;
        free(scan->before[i].items);
        free(scan->now[i].items);
        scan->before[i] = scan->now[i] = (struct scan_nodes){ .count = 0 };
    }
}
