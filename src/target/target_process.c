/* SPDX-License-Identifier: MIT
 * A process that runs already, with all its descendants. */
#include "base/auto.h"
#include "base/cpu_ticks.h"
#include "base/process.h"
#include "target/target.h"
#include "usage/fill.h"
#include "usage/process_tree.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>

static const char from[] = "process tree";

struct process_target {
    pid_t pid;
    struct process_tree tree;
};

static void process_poll(struct target *target)
{
    struct process_target *state = target->state;

    process_tree_poll(&state->tree);
}

static bool process_ended(const struct target *target)
{
    const struct process_target *state = target->state;
    struct pollfd end = { .fd = target->fd, .events = POLLIN };
    struct process process;

    if (target->fd >= 0)
        return poll(&end, 1, 0) > 0;
    return !process_tree_has(&state->tree, state->pid) || !process_read(state->pid, &process) || process.state == 'Z';
}

static void process_now(const struct target *target, struct target_now *now)
{
    struct process_target *state = target->state;
    const uint64_t *used = state->tree.used;

    process_tree_poll(&state->tree);
    now->cpu_ns =
        (struct usage_u64){ .known = true, .value = (used[TREE_USER] + used[TREE_SYSTEM]) * tick_ns(), .from = from };
    if (process_tree_count(&state->tree))
        now->memory_bytes = (struct usage_u64){ .known = true, .value = state->tree.memory_bytes, .from = from };
}

static void process_read_target(const struct target *target, struct usage *so_far)
{
    const struct process_target *state = target->state;
    const uint64_t *used = state->tree.used;

    usage_fill(&so_far->cpu_ns, (used[TREE_USER] + used[TREE_SYSTEM]) * tick_ns(), from);
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

    process_tree_close(&state->tree);
    free(state);
}

static const struct target_kind process_kind = {
    .poll = process_poll,
    .read = process_read_target,
    .now = process_now,
    .ended = process_ended,
    .close = process_close,
};

static bool refuse(struct error *err, enum error_kind kind, pid_t pid, const char *why, const char *fix)
{
    error_set(err, kind, "process %d cannot be followed", pid);
    error_why(err, "%s", why);
    return error_fix(err, "%s", fix);
}

/* Why /proc does not show a process. */
static bool refuse_unseen(struct error *err, pid_t pid)
{
    if (kill(pid, 0) == 0 || errno == EPERM)
        return refuse(err, ERROR_DENIED, pid,
                      "it is another user's, and /proc is mounted so that it hides those (hidepid)",
                      "call carbon as that user or as root");
    return refuse(err, ERROR_ABSENT, pid, "there is no such process (any more)", "find its number: 'pgrep -a NAME'");
}

bool target_open_pid(struct target *target, pid_t pid, struct error *err)
{
    struct process process;
    struct process_target *state;

    *target = (struct target){ .fd = -1 };
    if (pid <= 0)
        return refuse(err, ERROR_USAGE, pid, "numbers of processes begin at 1", "find its number: 'pgrep -a NAME'");
    target->fd = (int)syscall(SYS_pidfd_open, pid, 0); /* since Linux 5.3; close-on-exec */
    if (target->fd < 0 && (errno == EINVAL || errno == ENOENT))
        return refuse(err, ERROR_USAGE, pid, "this is a thread of another process",
                      "name the process: 'ps -L -o pid,lwp,comm -p NUMBER'");
    state = calloc(1, sizeof *state);
    if (!state) {
        error_errno(err, "no memory to follow process %d", pid);
    } else if (!process_read(pid, &process)) {
        refuse_unseen(err, pid);
    } else if (process.state == 'Z' || process.state == 'X') {
        refuse(err, ERROR_ABSENT, pid, "it has ended already, and waits to be noticed by its parent",
               "find a process that runs: 'pgrep -a NAME'");
    } else if (!process_tree_open(&state->tree, pid, access("/proc/thread-self/children", F_OK) != 0)) {
        refuse_unseen(err, pid);
    } else {
        state->pid = pid;
        target->state = state;
        target->kind = &process_kind;
        snprintf(target->name, sizeof target->name, "%s", process.name);
        return true;
    }
    free(state);
    target_close(target);
    return false;
}
