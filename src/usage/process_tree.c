/* SPDX-License-Identifier: MIT
 * Usage of a tree of processes: /proc/PID/stat of the living ones, with their waited-for children. A process moves into
 * its parent's sum when the parent waits for it; if no process in the tree does, its last values are kept.
 *
 * */
#include "usage/process_tree.h"

#include "base/auto.h"
#include "base/cpu_ticks.h"
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

/* Maximum number of repeated readings if members end meanwhile. */
enum { MAX_PASSES = 8 };

struct tree_member {
    struct tree_member *next, *next_of_pid;
    pid_t pid, parent;
    uint64_t started;                /* ticks after boot: no later process of this number has the same */
    uint64_t own[TREE_FIGURES];      /* figures of the last look */
    uint64_t reaped[TREE_FIGURES];   /* of children it has waited for; not of TREE_READ and TREE_WRITTEN */
    uint64_t before[TREE_FIGURES];   /* reaped, at the poll before */
    uint64_t expected[TREE_FIGURES]; /* what reaped grows by if it has waited for all that have gone */
    uint64_t first[TREE_FIGURES];    /* reaped, when it was found */
    bool in_ticks;                   /* own CPU time in ticks */
    uint64_t resident_bytes;
    bool gone;
};

static struct tree_member **bucket_of(struct process_tree *tree, pid_t pid)
{
    return &tree->by_pid[(size_t)pid % (sizeof tree->by_pid / sizeof tree->by_pid[0])];
}

static struct tree_member *find_member(const struct process_tree *tree, pid_t pid)
{
    struct tree_member *member = *bucket_of((struct process_tree *)tree, pid);

    while (member && member->pid != pid)
        member = member->next_of_pid;
    return member;
}

/* A small file of /proc as text. False: missing, or not readable for this user; see errno. */
static bool read_file(pid_t pid, const char *name, char *text, size_t size)
{
    char path[64];
    AUTO_CLOSE int fd = -1;
    ssize_t got;

    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    got = fd < 0 ? -1 : read(fd, text, size - 1);
    if (got < 0)
        return false;
    text[got] = '\0';
    return true;
}

/* Of all threads that it has had. */
static void read_cpu(struct tree_member *now)
{
    now->reaped[TREE_CPU] = (now->reaped[TREE_USER] + now->reaped[TREE_SYSTEM]) * tick_ns();
    now->in_ticks = !process_cpu_ns(now->pid, &now->own[TREE_CPU]);
    if (now->in_ticks)
        now->own[TREE_CPU] = (now->own[TREE_USER] + now->own[TREE_SYSTEM]) * tick_ns();
}

/* False: there is no such process. The name, which may hold anything, ends at the last ')'. */
static bool read_stat(pid_t pid, struct tree_member *now)
{
    char text[1024];
    const char *at;
    long resident;
    int parent;

    if (!read_file(pid, "stat", text, sizeof text) || !(at = strrchr(text, ')')) ||
        sscanf(at,
               ") %*c %d %*d %*d %*d %*d %*u %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
               " %" SCNu64 " %" SCNu64 " %*d %*d %*d %*d %" SCNu64 " %*u %ld",
               &parent, &now->own[TREE_MINOR], &now->reaped[TREE_MINOR], &now->own[TREE_MAJOR],
               &now->reaped[TREE_MAJOR], &now->own[TREE_USER], &now->own[TREE_SYSTEM], &now->reaped[TREE_USER],
               &now->reaped[TREE_SYSTEM], &now->started, &resident) != 11)
        return false;
    now->pid = pid;
    now->parent = parent;
    read_cpu(now);
    now->resident_bytes = resident > 0 ? (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
    return true;
}

/* Once one process refuses, the sum is useless. A process that is just ending does not count as a refusal. */
static void read_io(struct process_tree *tree, struct tree_member *member)
{
    char text[512];
    const char *read_at, *written_at;

    if (!tree->io_known)
        return;
    if (!read_file(member->pid, "io", text, sizeof text)) {
        tree->io_known = errno == ESRCH || (errno == ENOENT && access("/proc/self/io", F_OK) == 0);
        return;
    }
    read_at = strstr(text, "\nread_bytes:");
    written_at = strstr(text, "\nwrite_bytes:");
    if (read_at && written_at) {
        member->own[TREE_READ] = strtoull(strchr(read_at, ':') + 1, NULL, 10);
        member->own[TREE_WRITTEN] = strtoull(strchr(written_at, ':') + 1, NULL, 10);
    }
}

/* False: it has gone. */
static bool refresh(struct process_tree *tree, struct tree_member *member)
{
    struct tree_member now = { .pid = 0 };

    if (!read_stat(member->pid, &now) || now.started != member->started)
        return false;
    member->parent = now.parent;
    member->resident_bytes = now.resident_bytes;
    member->in_ticks = now.in_ticks;
    for (int i = TREE_CPU; i <= TREE_MAJOR; i++) {
        member->own[i] = now.own[i];
        member->reaped[i] = now.reaped[i];
    }
    read_io(tree, member);
    return true;
}

static void add(struct process_tree *tree, pid_t pid)
{
    struct tree_member now = { .pid = 0 }, *member;

    if (find_member(tree, pid) || !read_stat(pid, &now) || !(member = malloc(sizeof *member)))
        return;
    *member = now;
    read_io(tree, member);
    memcpy(member->before, member->reaped, sizeof member->before);
    memcpy(member->first, member->reaped, sizeof member->first);
    member->next_of_pid = *bucket_of(tree, pid);
    *bucket_of(tree, pid) = member;
    *tree->last = member;
    tree->last = &member->next;
}

/* A parent is read before its children: a child that it has waited for by then is gone, so it is counted once. If some
 * ended in between, the parents' figures may be older than that. */
static void refresh_all(struct process_tree *tree)
{
    bool steady = false;

    for (int i = 0; i < MAX_PASSES && !steady; i++) {
        steady = true;
        for (struct tree_member *member = tree->first; member; member = member->next)
            if (!member->gone && !refresh(tree, member)) {
                member->gone = true;
                steady = false;
            }
    }
}

static struct tree_member *living_ancestor(const struct process_tree *tree, const struct tree_member *member)
{
    struct tree_member *above = find_member(tree, member->parent);

    while (above && above->gone)
        above = find_member(tree, above->parent);
    return above;
}

/* An ended process was waited for by its nearest living ancestor (and is in its figure), or by none in the tree. */
static void settle_gone(struct process_tree *tree)
{
    for (const struct tree_member *member = tree->first; member; member = member->next) {
        struct tree_member *above = member->gone ? living_ancestor(tree, member) : NULL;
        for (int i = 0; member->gone && i < TREE_FIGURES; i++) {
            if (!above)
                tree->stored[i] += member->own[i] + member->reaped[i];
            else if (i <= TREE_MAJOR)
                above->expected[i] += member->own[i] + member->reaped[i];
        }
    }
    for (struct tree_member *member = tree->first; member; member = member->next)
        for (int i = TREE_CPU; i <= TREE_MAJOR; i++) {
            /* one more, for both ends are rounded down; of CPU time both parts are */
            const uint64_t gained = member->reaped[i] - member->before[i] + (i == TREE_CPU ? 2 * tick_ns() : 1);
            if (!member->gone && member->expected[i] > gained)
                tree->stored[i] += member->expected[i] - gained;
            member->expected[i] = 0;
            member->before[i] = member->reaped[i];
        }
}

static void drop_gone(struct process_tree *tree)
{
    struct tree_member **at = &tree->first, **same, *member;

    while ((member = *at)) {
        if (!member->gone) {
            at = &member->next;
            continue;
        }
        for (same = bucket_of(tree, member->pid); *same != member; same = &(*same)->next_of_pid)
            continue;
        *same = member->next_of_pid;
        *at = member->next;
        free(member);
    }
    tree->last = at;
}

static void add_child(void *context, pid_t child)
{
    add(context, child);
}

/* Processes whose parent is a member; repeated until none is found, because a child may be listed before its parent. */
static void add_by_scan(struct process_tree *tree)
{
    AUTO_CLOSEDIR DIR *processes = opendir("/proc");
    const struct dirent *entry;
    size_t before;

    do {
        before = process_tree_count(tree);
        if (processes)
            rewinddir(processes);
        while (processes && (entry = readdir(processes))) {
            struct tree_member now;
            const pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
            if (pid > 0 && !find_member(tree, pid) && read_stat(pid, &now) && find_member(tree, now.parent))
                add(tree, pid);
        }
    } while (process_tree_count(tree) > before);
}

static void add_new(struct process_tree *tree)
{
    if (tree->by_scan)
        add_by_scan(tree);
    else /* the list grows on the way, at its end */
        for (const struct tree_member *member = tree->first; member; member = member->next)
            process_each_child(member->pid, add_child, tree);
}

/* What does not grow is the same at both ends of a time. */
static unsigned cpu_roundings(const struct tree_member *member)
{
    unsigned count = member->in_ticks ? 2 : 0;

    for (int i = TREE_USER; i <= TREE_SYSTEM; i++)
        count += member->reaped[i] > member->first[i];
    return count;
}

static void sum_up(struct process_tree *tree, uint64_t sum[TREE_FIGURES])
{
    uint64_t resident_bytes = 0;

    memcpy(sum, tree->stored, sizeof tree->stored);
    tree->cpu_roundings = 0;
    for (const struct tree_member *member = tree->first; member; member = member->next) {
        resident_bytes += member->resident_bytes;
        tree->cpu_roundings += cpu_roundings(member);
        for (int i = 0; i < TREE_FIGURES; i++)
            sum[i] += member->own[i] + member->reaped[i];
    }
    tree->memory_bytes = resident_bytes;
    if (resident_bytes > tree->memory_peak_bytes)
        tree->memory_peak_bytes = resident_bytes;
}

static bool descends_from_one(pid_t pid, const pid_t *pids, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (pids[i] != pid && process_descends(pid, pids[i]))
            return true;
    return false;
}

bool process_tree_open_all(struct process_tree *tree, const pid_t *pids, size_t count, bool by_scan)
{
    *tree = (struct process_tree){ .io_known = true, .by_scan = by_scan };
    tree->last = &tree->first;
    errno = 0;
    /* those that descend from others come as their descendants, behind their parents */
    for (size_t i = 0; i < count; i++)
        if (count == 1 || !descends_from_one(pids[i], pids, count))
            add(tree, pids[i]);
    if (!tree->first)
        return false;
    add_new(tree);
    for (size_t i = 0; i < count; i++)
        add(tree, pids[i]);
    add_new(tree);
    sum_up(tree, tree->opening);
    return true;
}

bool process_tree_open(struct process_tree *tree, pid_t pid, bool by_scan)
{
    return process_tree_open_all(tree, &pid, 1, by_scan);
}

void process_tree_poll(struct process_tree *tree)
{
    uint64_t sum[TREE_FIGURES];

    refresh_all(tree);
    settle_gone(tree);
    drop_gone(tree);
    add_new(tree);
    sum_up(tree, sum);
    for (int i = 0; i < TREE_FIGURES; i++)
        if (sum[i] > tree->opening[i] && sum[i] - tree->opening[i] > tree->used[i])
            tree->used[i] = sum[i] - tree->opening[i];
}

bool process_tree_has(const struct process_tree *tree, pid_t pid)
{
    return find_member(tree, pid) != NULL;
}

size_t process_tree_count(const struct process_tree *tree)
{
    size_t count = 0;

    for (const struct tree_member *member = tree->first; member; member = member->next)
        count++;
    return count;
}

void process_tree_close(struct process_tree *tree)
{
    while (tree->first) {
        struct tree_member *next = tree->first->next;
        free(tree->first);
        tree->first = next;
    }
    *tree = (struct process_tree){ .first = NULL };
}
