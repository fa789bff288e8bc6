/* SPDX-License-Identifier: MIT
 * All that /proc lists. A process costs one question to its clock; what it is called is asked of those that run. */
#include "groups/process_scan.h"

#include "base/array.h"
#include "base/auto.h"
#include "base/cpu_ticks.h"
#include "base/process.h"
#include "base/text.h"
#include "base/utf8.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A program may take the place of another, and another user: who runs on is asked again every so many walks. */
enum { WALKS_PER_NAME = 4, STAT_SIZE = 1024 };
/* PROC_PID_INIT_INO (include/linux/proc_ns.h): the namespace that has all processes of the machine */
#define FIRST_PID_NAMESPACE UINT64_C(0xEFFFFFFC)

bool process_scan_open(struct process_scan *scan, const struct root *root, struct error *err)
{
    struct stat first;

    *scan = (struct process_scan){ .root = root, .folder = root_open_dir(root, "proc", err) };
    if (!scan->folder)
        return false;
    scan->elsewhere = root->live && (stat("/proc/self/ns/pid", &first) != 0 || first.st_ino != FIRST_PID_NAMESPACE);
    /* a process 1 is always there; with hidepid=invisible only its user sees it, with hidepid=noaccess only he reads it
     */
    scan->hidden = root->live && fstatat(dirfd(scan->folder), "1", &first, 0) != 0;
    scan->nameless = root->live && !scan->hidden && faccessat(dirfd(scan->folder), "1/stat", R_OK, AT_EACCESS) != 0;
    return true;
}

static int compare_seen(const void *a, const void *b)
{
    const struct process_seen *first = a, *second = b;

    return ARRAY_ORDER(first->pid, second->pid);
}

static struct process_seen *find_seen(const struct process_list *list, pid_t pid)
{
    const struct process_seen wanted = { .pid = pid };

    return list->count ? bsearch(&wanted, list->items, list->count, sizeof wanted, compare_seen) : NULL;
}

/* A file of a process, without what ends a line. */
static bool read_text(const struct process_scan *scan, pid_t pid, const char *name, char *text, size_t size)
{
    char path[48];
    size_t length;

    snprintf(path, sizeof path, "%d/%s", (int)pid, name);
    AUTO_CLOSE int fd = openat(dirfd(scan->folder), path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || !fd_read_up_to(fd, text, size - 1, &length))
        return false;
    text[length] = '\0';
    text[strcspn(text, "\n")] = '\0';
    return true;
}

/* The line of /proc/PID/stat; the name, which may hold anything, ends at the last ')'. */
static bool read_stat(const struct process_scan *scan, struct process_seen *seen, uint64_t *ticks)
{
    char text[STAT_SIZE];
    char *name, *end;
    uint64_t user, system;

    if (!read_text(scan, seen->pid, "stat", text, sizeof text) || !(name = strchr(text, '(')) ||
        !(end = strrchr(text, ')')) ||
        sscanf(end,
               ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64 " %*d %*d %*d %*d %*d %*d %" SCNu64,
               &user, &system, &seen->started) != 3)
        return false;
    *end = '\0';
    utf8_printable(seen->comm, sizeof seen->comm, name + 1);
    *ticks = user + system;
    return true;
}

/* Of a recorded machine in ticks. */
static bool read_cpu(const struct process_scan *scan, struct process_seen *seen)
{
    uint64_t ticks;

    if (scan->root->live)
        return process_cpu_ns(seen->pid, &seen->cpu_ns);
    if (!read_stat(scan, seen, &ticks))
        return false;
    seen->cpu_ns = ticks * tick_ns();
    return true;
}

static void read_owner(const struct process_scan *scan, struct process_seen *seen)
{
    struct stat folder;
    char path[24];

    snprintf(path, sizeof path, "%d", (int)seen->pid);
    if (fstatat(dirfd(scan->folder), path, &folder, 0) == 0)
        seen->owner = folder.st_uid;
}

/* What it is called, and whose it is, as far as that is to be seen. */
static void read_name(const struct process_scan *scan, struct process_seen *seen)
{
    uint64_t ticks;
    char comm[PROCESS_COMM_SIZE + 1];

    if (!seen->started)
        IGNORED(read_stat(scan, seen, &ticks), "an ended process has no more ticks");
    else if (scan->root->live && read_text(scan, seen->pid, "comm", comm, sizeof comm))
        utf8_printable(seen->comm, sizeof seen->comm, comm);
    read_owner(scan, seen);
    seen->named = true;
}

/* Whether it is the process that had this number at the walk before. */
static bool is_same(const struct process_scan *scan, const struct process_seen *seen, const struct process_seen *before)
{
    struct process_seen now = { .pid = seen->pid };
    uint64_t ticks;

    if (seen->cpu_ns < before->cpu_ns)
        return false;
    if (!scan->root->live)
        return seen->started == before->started;
    if (seen->folder == before->folder)
        return true;
    /* memory was short, and the folder is another one; or it is another's */
    return before->started && read_stat(scan, &now, &ticks) && now.started == before->started;
}

/* What it used since the walk before. */
static uint64_t used_since(const struct process_scan *scan, struct process_seen *seen, uint64_t at_most_ns)
{
    const struct process_seen *before = find_seen(&scan->before, seen->pid);
    const uint64_t cpu_ns = seen->cpu_ns;

    if (before && is_same(scan, seen, before)) {
        const ino_t folder = seen->folder;
        *seen = *before;
        seen->folder = folder;
        seen->cpu_ns = cpu_ns;
        return cpu_ns - before->cpu_ns;
    }
    /* one that has used more was overlooked before */
    return scan->begun && cpu_ns <= at_most_ns ? cpu_ns : 0;
}

/* A number alone may come again: it is of one process with the time of its start. */
static struct group_name name_process(const struct process_seen *seen)
{
    struct group_name name = { .kind = GROUP_PROCESS };

    snprintf(name.id, sizeof name.id, "%d:%" PRIu64, (int)seen->pid, seen->started);
    return name;
}

static struct group_name name_user(const struct process_seen *seen)
{
    struct group_name name = { .kind = GROUP_USER };

    snprintf(name.id, sizeof name.id, "%u", (unsigned)seen->owner);
    snprintf(name.user, sizeof name.user, "%u", (unsigned)seen->owner);
    return name;
}

static size_t take_process(const struct process_names *names, struct groups *groups, const struct process_seen *seen)
{
    const struct group_name name = name_process(seen);
    size_t at = GROUP_NONE;

    if (groups->wanted[GROUP_PROCESS] && names->max)
        return process_names_group(names, groups, seen->comm, seen->owner);
    if (groups->wanted[GROUP_PROCESS])
        at = groups_take(groups, &name);

    if (at == GROUP_NONE)
        return at;
    groups->items[at].owner = seen->owner;
    text_copy(groups->items[at].title, sizeof groups->items[at].title, seen->comm);
    return at;
}

static size_t take_user(struct groups *groups, const struct process_seen *seen)
{
    const struct group_name name = name_user(seen);
    const size_t at = groups->wanted[GROUP_USER] ? groups_take(groups, &name) : GROUP_NONE;

    if (at != GROUP_NONE)
        groups->items[at].owner = seen->owner;
    return at;
}

static void credit(struct process_names *names, struct groups *groups, const struct process_seen *seen,
                   uint64_t used_ns)
{
    const size_t owners[] = { names->max ? GROUP_NONE : take_process(names, groups, seen), take_user(groups, seen) };

    if (names->max)
        process_names_credit(names, seen->comm, seen->owner, used_ns);

    for (size_t i = 0; i < sizeof owners / sizeof owners[0]; i++)
        if (owners[i] != GROUP_NONE)
            groups->items[owners[i]].recent_ns[0] += used_ns;
}

static void look_at(struct process_scan *scan, struct groups *groups, const struct dirent *entry, uint64_t at_most_ns)
{
    struct process_seen seen = { .pid = (pid_t)strtol(entry->d_name, NULL, 10), .folder = entry->d_ino };
    struct process_list *now = &scan->now;
    uint64_t used_ns;

    if (!read_cpu(scan, &seen))
        return;
    used_ns = used_since(scan, &seen, at_most_ns);
    if (used_ns && (!seen.named || (scan->walks + (size_t)seen.pid) % WALKS_PER_NAME == 0))
        read_name(scan, &seen);
    if (seen.named)
        credit(&scan->names, groups, &seen, used_ns);
    now->items = array_room(now->items, &now->room, now->count + 1, sizeof *now->items);
    if (now->count < now->room)
        now->items[now->count++] = seen;
}

static bool in_order(const struct process_list *list)
{
    for (size_t i = 1; i < list->count; i++)
        if (list->items[i - 1].pid > list->items[i].pid)
            return false;
    return true;
}

void process_scan_walk(struct process_scan *scan, struct groups *groups, uint64_t at_most_ns)
{
    const struct process_list spare = scan->before;

    scan->now.count = 0;
    rewinddir(scan->folder);
    for (const struct dirent *entry; (entry = readdir(scan->folder));)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
            look_at(scan, groups, entry, at_most_ns);
    if (scan->names.max)
        process_names_share(&scan->names, groups);
    /* the kernel lists them by their numbers, a recorded tree as it likes */
    if (!in_order(&scan->now))
        qsort(scan->now.items, scan->now.count, sizeof *scan->now.items, compare_seen);
    scan->before = scan->now;
    scan->now = spare;
    scan->begun = true;
    scan->walks++;
}

void process_scan_owners(const struct process_scan *scan, struct groups *groups, pid_t pid, size_t owners[GROUP_KINDS])
{
    struct process_seen *seen = scan->folder ? find_seen(&scan->before, pid) : NULL;

    owners[GROUP_PROCESS] = owners[GROUP_USER] = GROUP_NONE;
    if (!seen)
        return;
    if (!seen->named)
        read_name(scan, seen);
    owners[GROUP_PROCESS] = take_process(&scan->names, groups, seen);
    owners[GROUP_USER] = take_user(groups, seen);
}

void process_scan_notices(const struct process_scan *scan, struct notices *notices)
{
    static const char why[] = "/proc is mounted with hidepid", fix[] = "run carbon as root to see them";

    if (!scan->folder)
        return;
    if (scan->hidden)
        notice_add(notices, NOTICE_DENIED, why, fix,
                   "the processes of other users are hidden: their power is not attributed");
    if (scan->nameless)
        notice_add(notices, NOTICE_DENIED, why, fix, "the names of other users' processes are hidden");
    if (scan->elsewhere)
        notice_add(notices, NOTICE_LEFT_OUT, "carbon runs in a PID namespace of its own, as in a container",
                   "run it on the host, or in the host's PID namespace",
                   "processes outside this container are not seen: their power is not attributed");
}

void process_scan_close(struct process_scan *scan)
{
    if (scan->folder)
        closedir(scan->folder);
    process_names_close(&scan->names);
    free(scan->before.items);
    free(scan->now.items);
    *scan = (struct process_scan){ .folder = NULL };
}
