/* SPDX-License-Identifier: MIT
 * Processes that run already, with all their descendants. */
#include "base/auto.h"
#include "base/cpu_ticks.h"
#include "base/debug.h"
#include "base/process.h"
#include "base/text.h"
#include "target/target.h"
#include "usage/fill.h"
#include "usage/process_tree.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>

static const char from[] = "process tree";

struct followed {
    pid_t pid;
    int fd; /* pidfd; -1: none, or it is the target's own */
    bool ended;
};

struct process_target {
    struct process_tree tree;
    size_t count;
    struct followed followed[]; /* those that were named */
};

static void process_poll(struct target *target)
{
    struct process_target *state = target->state;

    process_tree_poll(&state->tree);
}

/* Whether the process has ended. */
static bool has_ended(const struct target *target, const struct followed *followed)
{
    const struct process_target *state = target->state;
    struct pollfd end = { .fd = state->count == 1 ? target->fd : followed->fd, .events = POLLIN };
    struct process process;

    if (end.fd >= 0)
        return poll(&end, 1, 0) > 0;
    return !process_tree_has(&state->tree, followed->pid) || !process_read(followed->pid, &process) ||
           process.state == 'Z';
}

/* The target's descriptor, of several processes, is for those that are left. */
static bool process_ended(const struct target *target)
{
    struct process_target *state = target->state;
    bool all = true;

    for (size_t i = 0; i < state->count; i++) {
        struct followed *followed = &state->followed[i];
        if (!followed->ended && has_ended(target, followed)) {
            followed->ended = true;
            if (followed->fd >= 0)
                epoll_ctl(target->fd, EPOLL_CTL_DEL, followed->fd, NULL);
        }
        all &= followed->ended;
    }
    return all;
}

static void process_now(const struct target *target, struct target_now *now)
{
    struct process_target *state = target->state;

    process_tree_poll(&state->tree);
    now->cpu_ns = (struct usage_value){ .known = true, .value = state->tree.used[TREE_CPU], .from = from };
    now->cpu_roundings = state->tree.cpu_roundings;
    if (process_tree_count(&state->tree))
        now->memory_bytes = (struct usage_value){ .known = true, .value = state->tree.memory_bytes, .from = from };
}

static void process_read_target(const struct target *target, struct usage *so_far)
{
    const struct process_target *state = target->state;
    const uint64_t *used = state->tree.used;

    usage_fill(&so_far->cpu_ns, used[TREE_CPU], from);
    usage_fill(&so_far->user_ns, used[TREE_USER] * tick_ns(), from);
    usage_fill(&so_far->system_ns, used[TREE_SYSTEM] * tick_ns(), from);
    usage_fill(&so_far->memory_peak_bytes, state->tree.memory_peak_bytes, from);
    if (!process_ended(target))
        usage_fill(&so_far->memory_bytes, state->tree.memory_bytes, from);
    usage_fill(&so_far->minor_faults, used[TREE_MINOR], from);
    usage_fill(&so_far->major_faults, used[TREE_MAJOR], from);
    if (!state->tree.io_known)
        return;
    usage_fill(&so_far->read_bytes, used[TREE_READ], from);
    usage_fill(&so_far->written_bytes, used[TREE_WRITTEN], from);
}

static void process_close(struct target *target)
{
    struct process_target *state = target->state;

    for (size_t i = 0; i < state->count; i++)
        if (state->followed[i].fd >= 0)
            close(state->followed[i].fd);
    process_tree_close(&state->tree);
    free(state);
}

static enum target_member process_has(const struct target *target, pid_t pid)
{
    const struct process_target *state = target->state;

    return process_tree_has(&state->tree, pid) ? TARGET_HAS : TARGET_NOT;
}

TARGET_KIND(process, .read = process_read_target, .now = process_now, .has = process_has);

static bool fail_with_pid(struct error *err, enum error_kind kind, pid_t pid, const char *why, const char *fix)
{
    error_set(err, kind, "process %d cannot be followed", pid);
    error_why(err, "%s", why);
    return error_fix(err, "%s", fix);
}

/* Why /proc does not show a process. */
static bool refuse_unseen(struct error *err, pid_t pid)
{
    if (kill(pid, 0) == 0 || errno == EPERM)
        return fail_with_pid(err, ERROR_DENIED, pid,
                             "it is another user's, and /proc is mounted so that it hides those (hidepid)",
                             "call carbon as that user or as root");
    return fail_with_pid(err, ERROR_ABSENT, pid, "no such process (any more)", "find its number: 'pgrep -a NAME'");
}

/* False: it cannot be followed. *fd: its pidfd, or -1 where the kernel has none. */
static bool look_up(pid_t pid, int *fd, struct process *process, struct error *err)
{
    *fd = -1;
    if (pid <= 0)
        return fail_with_pid(err, ERROR_USAGE, pid, "numbers of processes begin at 1",
                             "find its number: 'pgrep -a NAME'");
    *fd = (int)syscall(SYS_pidfd_open, pid, 0); /* since Linux 5.3; close-on-exec */
    if (*fd < 0 && (errno == EINVAL || errno == ENOENT))
        return fail_with_pid(err, ERROR_USAGE, pid, "this is a thread of another process",
                             "name the process: 'ps -L -o pid,lwp,comm -p NUMBER'");
    errno = 0;
    if (!process_read(pid, process))
        return refuse_unseen(err, pid);
    if (process->state == 'Z' || process->state == 'X')
        return fail_with_pid(err, ERROR_ABSENT, pid, "it has ended already, and waits to be noticed by its parent",
                             "find a process that runs: 'pgrep -a NAME'");
    return true;
}

/* After this many characters there is room for one more name and the number of the rest. */
enum { NAMES_MAX = 160 };

/* "12 (nginx), 34 (php-fpm) and 3 more"; of one process its name alone. */
static void add_name(struct target *target, size_t count, size_t number, pid_t pid, const char *name)
{
    const size_t length = strlen(target->name);
    char *at = target->name + length;

    if (count == 1)
        text_copy(target->name, sizeof target->name, name);
    else if (length < NAMES_MAX)
        snprintf(at, sizeof target->name - length, "%s%d (%s)", number ? ", " : "", pid, name);
    else if (at[-1] == ')')
        snprintf(at, sizeof target->name - length, " and %zu more", count - number);
}

/* Readable when one of them ends. Without pidfds, or a descriptor to be had: -1, and they are looked at. */
static int watch_all(const struct process_target *state)
{
    const int fd = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = { .events = EPOLLIN };
    bool good = fd >= 0;

    for (size_t i = 0; good && i < state->count; i++)
        good = state->followed[i].fd >= 0 && epoll_ctl(fd, EPOLL_CTL_ADD, state->followed[i].fd, &event) == 0;
    if (good || fd < 0)
        return fd;
    close(fd);
    return -1;
}

static bool follow(struct target *target, const pid_t *pids, size_t count, struct error *err)
{
    struct process_target *state = target->state;

    for (size_t i = 0; i < count; i++) {
        struct followed *followed = &state->followed[state->count];
        struct process process;

        *followed = (struct followed){ .pid = pids[i] };
        if (!look_up(pids[i], &followed->fd, &process, err)) {
            state->count += followed->fd >= 0; /* to be closed */
            return false;
        }
        state->count++;
        DEBUG(DEBUG_TARGET, "process %d is '%s'%s", (int)pids[i], process.name,
              followed->fd < 0 ? "; the kernel has no pidfd of it" : "");
        add_name(target, count, i, pids[i], process.name);
    }
    if (!process_tree_open_all(&state->tree, pids, count, access("/proc/thread-self/children", F_OK) != 0))
        return refuse_unseen(err, pids[0]);
    if (state->count > 1) {
        target->fd = watch_all(state);
    } else {
        target->fd = state->followed[0].fd;
        state->followed[0].fd = -1;
    }
    return true;
}

bool target_open_pids(struct target *target, const pid_t *pids, size_t count, struct error *err)
{
    *target = (struct target){ .fd = -1, .kind = &process_kind };
    target->state = calloc(1, sizeof(struct process_target) + count * sizeof(struct followed));
    if (!target->state) {
        *target = (struct target){ .fd = -1 };
        return error_errno(err, "no memory to follow %zu processes", count);
    }
    if (follow(target, pids, count, err))
        return true;
    target_close(target);
    return false;
}

bool target_open_pid(struct target *target, pid_t pid, struct error *err)
{
    return target_open_pids(target, &pid, 1, err);
}

bool target_open_pid_since_start(struct target *target, pid_t pid, struct error *err)
{
    struct process_target *state;

    if (!target_open_pid(target, pid, err))
        return false;
    state = target->state;
    memset(state->tree.opening, 0, sizeof state->tree.opening);
    return true;
}
