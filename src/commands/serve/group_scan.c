/* SPDX-License-Identifier: MIT
 * Folders of control groups, gone through from the top; a group's own time is its counter's less those of the groups
 * below it. */
#include "commands/serve/group_scan.h"

#include "base/array.h"
#include "base/auto.h"
#include "base/text.h"
#include "usage/cgroup_now.h"
#include "usage/cgroup_place.h"
#include "usage/cgroup_tree.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* More of them than any machine has; what lies behind is noted. */
enum { MOST_FOLDERS = 20000, MOST_DEEP = 24 };
enum { VERSION2, VERSION1 };

struct walk {
    struct group_scan *scan;
    struct groups *groups;
    size_t hierarchy;
    uint64_t at_most_ns;
    char path[PATH_MAX];
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
    *scan = (struct group_scan){ .roots = { -1, -1 } };
    open_roots(scan, root);
    if (scan->roots[VERSION2] >= 0 || scan->roots[VERSION1] >= 0)
        return true;
    error_set(err, ERROR_ABSENT, "no control groups are there to attribute energy to");
    error_why(err, "neither version 2 nor cpuacct of version 1 is mounted");
    return error_fix(err, "leave --by out, or mount them: 'mount -t cgroup2 none /sys/fs/cgroup'");
}

static int compare_nodes(const void *a, const void *b)
{
    const struct scan_node *first = a, *second = b;

    return first->hash < second->hash ? -1 : first->hash > second->hash;
}

static bool remember(struct scan_nodes *nodes, uint64_t hash, uint64_t cpu_ns)
{
    nodes->items = array_room(nodes->items, &nodes->room, nodes->count + 1, sizeof *nodes->items);
    if (nodes->count == nodes->room)
        return false;
    nodes->items[nodes->count++] = (struct scan_node){ hash, cpu_ns };
    return true;
}

/* What a group, and all below it, used since the walk before. */
static uint64_t used_since(struct walk *walk, int fd)
{
    struct scan_nodes *now = &walk->scan->now[walk->hierarchy];
    const struct scan_nodes *before = &walk->scan->before[walk->hierarchy];
    struct scan_node node = { .hash = text_hash(walk->path, strlen(walk->path)) };
    const struct scan_node *known;

    if (!cgroup_now_cpu_once(fd, walk->hierarchy == VERSION1 ? 1 : 2, &node.cpu_ns) ||
        !remember(now, node.hash, node.cpu_ns) || !walk->scan->begun)
        return 0;
    known = before->count ? bsearch(&node, before->items, before->count, sizeof node, compare_nodes) : NULL;
    if (known && node.cpu_ns >= known->cpu_ns)
        return node.cpu_ns - known->cpu_ns;
    /* made since then, or made anew under the same name; one that has used more was overlooked before */
    return node.cpu_ns <= walk->at_most_ns ? node.cpu_ns : 0;
}

/* systemd leaves what is below "user@1000.service" to user 1000, who may call groups there what he likes: engines of
 * his own run containers there, and Slurm no jobs. False: it is nobody's name. */
static bool name_group(const char *path, struct group_name *name)
{
    const char *manager = strstr(path, "/user@");
    const size_t digits = manager ? strspn(manager + 6, "0123456789") : 0;

    if (!group_name_of(path, name))
        return false;
    if (!digits || strncmp(manager + 6 + digits, ".service/", 9) != 0)
        return true;
    snprintf(name->user, sizeof name->user, "%.*s", (int)digits, manager + 6);
    return name->kind != GROUP_SLURM;
}

/* Whose the group is, of each kind that is wanted: its own, or that of a group above. */
static void find_owners(struct walk *walk, size_t owners[GROUP_KINDS])
{
    struct groups *groups = walk->groups;
    struct group_name name;
    char slice[PATH_MAX];

    if (name_group(walk->path, &name) && groups->wanted[name.kind])
        owners[name.kind] = groups_take(groups, &name);
    if (group_slice_of(walk->path, slice, sizeof slice) && name_group(slice, &name) && groups->wanted[name.kind])
        owners[name.kind] = groups_take(groups, &name);
}

static void credit(struct walk *walk, const size_t owners[GROUP_KINDS], uint64_t own_ns)
{
    for (size_t kind = 0; kind < GROUP_KINDS; kind++)
        if (owners[kind] != GROUP_NONE)
            walk->groups->items[owners[kind]].recent_ns[walk->hierarchy] += own_ns;
}

/* A control group by its path: one that has done nothing is not told of until it does. */
static void credit_path(struct walk *walk, uint64_t own_ns)
{
    struct group_name name = { .kind = GROUP_CGROUP };
    size_t at;

    if (!walk->groups->wanted[GROUP_CGROUP] || walk->hierarchy != walk->scan->paths_of ||
        strlen(walk->path) >= sizeof name.id)
        return;
    text_copy(name.id, sizeof name.id, walk->path);
    if (!own_ns && groups_find(walk->groups, &name) == GROUP_NONE && !groups_was_out(walk->groups, &name))
        return;
    at = groups_take(walk->groups, &name);
    if (at != GROUP_NONE)
        walk->groups->items[at].recent_ns[walk->hierarchy] += own_ns;
}

/* A folder is a link of each folder in it. */
static bool is_leaf(int fd)
{
    struct stat status;

    return fstat(fd, &status) == 0 && status.st_nlink == 2;
}

static uint64_t go_through(struct walk *walk, int fd, int depth, const size_t above[GROUP_KINDS]);

/* Takes over the descriptor. Returns what the groups below used. */
static uint64_t go_below(struct walk *walk, int fd, int depth, const size_t owners[GROUP_KINDS])
{
    const size_t length = strlen(walk->path);
    uint64_t below_ns = 0;
    DIR *dir = is_leaf(fd) ? NULL : fdopendir(fd);

    if (!dir) {
        close(fd);
        return 0;
    }
    for (const struct dirent *entry; (entry = readdir(dir));) {
        int inner;
        if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
            continue;
        if (depth == MOST_DEEP || walk->scan->now[walk->hierarchy].count >= MOST_FOLDERS ||
            snprintf(walk->path + length, sizeof walk->path - length, "/%s", entry->d_name) >=
                (int)(sizeof walk->path - length)) {
            walk->scan->cut++;
        } else if ((inner = cgroup_folder(fd, entry->d_name)) >= 0) {
            below_ns += go_through(walk, inner, depth + 1, owners);
        }
        walk->path[length] = '\0';
    }
    closedir(dir);
    return below_ns;
}

/* Takes over the descriptor. Returns what the group and all below it used. */
static uint64_t go_through(struct walk *walk, int fd, int depth, const size_t above[GROUP_KINDS])
{
    size_t owners[GROUP_KINDS];
    uint64_t used_ns = 0, below_ns, own_ns;

    memcpy(owners, above, sizeof owners);
    if (*walk->path) {
        used_ns = used_since(walk, fd);
        find_owners(walk, owners);
    }
    below_ns = go_below(walk, fd, depth, owners);
    own_ns = used_ns > below_ns ? used_ns - below_ns : 0;
    if (*walk->path) {
        credit(walk, owners, own_ns);
        credit_path(walk, own_ns);
    }
    return used_ns > below_ns ? used_ns : below_ns;
}

/* Version 2 where its folders tell of CPU time (since Linux 4.15), also beside version 1. */
static size_t choose_paths(const struct group_scan *scan)
{
    return scan->now[VERSION2].count > 0 ? VERSION2 : VERSION1;
}

void group_scan_walk(struct group_scan *scan, struct groups *groups, uint64_t at_most_ns, uint64_t now_ns)
{
    size_t nobody[GROUP_KINDS];

    for (size_t kind = 0; kind < GROUP_KINDS; kind++)
        nobody[kind] = GROUP_NONE;
    scan->cut = 0;
    groups_begin(groups, now_ns);
    for (size_t i = 0; i < GROUP_HIERARCHIES_SEEN; i++) {
        struct walk walk = { .scan = scan, .groups = groups, .hierarchy = i, .at_most_ns = at_most_ns };
        const struct scan_nodes spare = scan->before[i];
        const int fd = scan->roots[i] < 0 ? -1 : cgroup_folder(scan->roots[i], ".");
        scan->now[i].count = 0;
        if (fd >= 0)
            go_through(&walk, fd, 0, nobody);
        if (scan->now[i].count > 1)
            qsort(scan->now[i].items, scan->now[i].count, sizeof *scan->now[i].items, compare_nodes);
        if (i == VERSION2 && !scan->begun)
            scan->paths_of = choose_paths(scan);
        scan->before[i] = scan->now[i];
        scan->now[i] = spare;
    }
    groups_end(groups);
    scan->begun = true;
}

void group_scan_owners(struct groups *groups, const char *path, size_t owners[GROUP_KINDS])
{
    struct group_name name = { .kind = GROUP_CGROUP };
    char above[PATH_MAX];

    for (size_t kind = 0; kind < GROUP_KINDS; kind++)
        owners[kind] = GROUP_NONE;
    if (groups->wanted[GROUP_CGROUP] && path[1] && strlen(path) < sizeof name.id) {
        text_copy(name.id, sizeof name.id, path);
        owners[GROUP_CGROUP] = groups_take(groups, &name);
    }
    for (size_t i = 1; path[i - 1] && i < sizeof above; i++)
        if (path[i] == '/' || !path[i]) {
            snprintf(above, sizeof above, "%.*s", (int)i, path);
            if (name_group(above, &name) && groups->wanted[name.kind])
                owners[name.kind] = groups_take(groups, &name);
        }
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
