/* SPDX-License-Identifier: MIT
 * What a group has used, over the hierarchies that have it. */
#include "target/target_groups.h"

#include "base/auto.h"
#include "base/text.h"
#include "usage/cgroup_figures.h"
#include "usage/cgroup_now.h"
#include "usage/cgroup_place.h"
#include "usage/cgroup_tree.h"
#include "usage/group_name.h"

#include <dirent.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const group_hierarchies[GROUP_HIERARCHIES] = { NULL, "cpuacct", "memory", "blkio" };

enum { MONITOR_TRIES = 4 };

/* Peaks that are the highest observed use. */
static const char cgroup2_samples[] = "cgroup samples", cgroup1_samples[] = "cgroup1 samples";

struct groups_state {
    int fds[1 + GROUP_HIERARCHIES];
    size_t count;
    enum groups_from from;
    struct cgroup_now now;
    struct usage opening;
    struct usage used;      /* since then, as known last */
    struct usage monitor;   /* usage of the engine's own process in the container's group, as last seen */
    int peak_fd;            /* whose mark of memory began with the target; -1: there is none */
    uint64_t highest_bytes; /* peak memory of each poll */
    bool empty;
};

/* Fields of struct usage that only grow while a group is there. */
static const size_t growing[] = {
    offsetof(struct usage, cpu_ns),          offsetof(struct usage, user_ns),
    offsetof(struct usage, system_ns),       offsetof(struct usage, read_bytes),
    offsetof(struct usage, written_bytes),   offsetof(struct usage, cpu_stall_ns),
    offsetof(struct usage, memory_stall_ns), offsetof(struct usage, io_stall_ns),
    offsetof(struct usage, oom_kills),
};

/* The ones that are sums over the processes. */
static const size_t additive[] = {
    offsetof(struct usage, cpu_ns),     offsetof(struct usage, user_ns),       offsetof(struct usage, system_ns),
    offsetof(struct usage, read_bytes), offsetof(struct usage, written_bytes),
};

static struct usage_value *field(struct usage *usage, size_t offset)
{
    return (void *)((char *)usage + offset);
}

/* An engine that does not use version 2 together with version 1 leaves the group there unchanged. */
static bool is_used(const struct groups_state *state, size_t i)
{
    return state->from != GROUPS_SINCE_MADE_WAIT || cgroup2_has_run(state->fds[i]) ||
           faccessat(state->fds[i], "cgroup.controllers", F_OK, 0) != 0;
}

static void read_all(struct groups_state *state, struct usage *usage)
{
    *usage = (struct usage){ .cpu_ns = { .known = false } };
    for (size_t i = 0; i < state->count; i++) {
        if (!is_used(state, i))
            continue;
        cgroup2_figures(state->fds[i], usage);
        cgroup1_figures(state->fds[i], usage);
        cgroup_now_open(&state->now, state->fds[i]);
    }
}

/* The group of a monitor below one made for a container (podman has one). It disappears with the container: its last
 * usage is kept. */
static void look_at_monitor(struct groups_state *state)
{
    struct usage now = { .cpu_ns = { .known = false } };

    for (size_t i = 0; state->from == GROUPS_SINCE_MADE_WAIT && i < state->count; i++) {
        const int folder = cgroup_folder(state->fds[i], ".");
        AUTO_CLOSEDIR DIR *dir = folder < 0 ? NULL : fdopendir(folder);
        for (const struct dirent *entry; dir && (entry = readdir(dir));) {
            AUTO_CLOSE int fd = group_is_of_monitor(entry->d_name) ? cgroup_folder(folder, entry->d_name) : -1;
            if (fd < 0)
                continue;
            cgroup2_figures(fd, &now);
            cgroup1_figures(fd, &now);
        }
    }
    for (size_t i = 0; i < sizeof additive / sizeof additive[0]; i++)
        if (field(&now, additive[i])->known)
            *field(&state->monitor, additive[i]) = *field(&now, additive[i]);
}

static void read_cpu(struct groups_state *state, struct usage *usage)
{
    *usage = (struct usage){ .cpu_ns = cgroup_now_cpu(&state->now) };
}

/* What was read of all, without the monitor, which is read after it: where that ran in between too much would be left
 * out, so both are read again. Each try gives at most the truth, so that the highest counts. */
static void read_without_monitor(struct groups_state *state, void (*read)(struct groups_state *, struct usage *),
                                 struct usage *now)
{
    uint64_t before_ns;
    int tries = 0;

    do {
        before_ns = state->monitor.cpu_ns.value;
        read(state, now);
        look_at_monitor(state);
    } while (state->monitor.cpu_ns.value != before_ns && ++tries < MONITOR_TRIES);
    for (size_t i = 0; i < sizeof additive / sizeof additive[0]; i++) {
        const struct usage_value *monitor = field(&state->monitor, additive[i]);
        struct usage_value *all = field(now, additive[i]);
        if (monitor->known && all->known && monitor->from == all->from)
            all->value -= monitor->value < all->value ? monitor->value : all->value;
    }
}

/* A cgroup's own mark of its memory is from before it was opened, unless it has risen since, or begins with whoever
 * asks. */
static void poll_memory(struct groups_state *state, const struct usage *now)
{
    struct usage *used = &state->used;
    struct usage_value *peak = &used->memory_peak_bytes;
    uint64_t mark_bytes;

    cgroup_now_memory(&state->now, &used->memory_bytes, &used->working_set_bytes);
    if (state->peak_fd >= 0 && cgroup2_peak_read(state->peak_fd, &mark_bytes)) {
        *peak = (struct usage_value){ .known = true, .value = mark_bytes, .from = cgroup2_from };
        return;
    }
    if (used->memory_bytes.known && used->memory_bytes.value > state->highest_bytes) {
        state->highest_bytes = used->memory_bytes.value;
        if (!peak->known || peak->value < state->highest_bytes)
            *peak = (struct usage_value){
                .known = true,
                .value = state->highest_bytes,
                .from = used->memory_bytes.from == cgroup1_from ? cgroup1_samples : cgroup2_samples,
            };
    }
    if (now->memory_peak_bytes.known && now->memory_peak_bytes.value > state->opening.memory_peak_bytes.value)
        *peak = now->memory_peak_bytes;
}

static bool is_empty(const struct groups_state *state)
{
    if (state->from != GROUPS_SINCE_MADE_WAIT)
        return cgroup_is_empty(state->fds[0]);
    if (!state->used.cpu_ns.value)
        return false;
    for (size_t i = 0; i < state->count; i++)
        if (!cgroup_is_empty(state->fds[i]))
            return false;
    return true;
}

static void take_growth(struct groups_state *state, const struct usage *now, size_t offset)
{
    const struct usage_value *figure = field((struct usage *)now, offset), *opening = field(&state->opening, offset);
    struct usage_value *used = field(&state->used, offset);

    if (state->from != GROUPS_SINCE_NOW) {
        if (figure->known && (figure->from != used->from || figure->value > used->value))
            *used = *figure;
    } else if (figure->known && opening->known && figure->from == opening->from && figure->value >= opening->value) {
        *used = *figure;
        used->value -= opening->value;
    }
}

/* A removed group has no files any more: its last values count. */
static void groups_poll(struct target *target)
{
    struct groups_state *state = target->state;
    struct usage now;

    if (state->empty)
        return;
    /* asked first: a process that ends in between is still in the figures */
    state->empty = is_empty(state);
    read_without_monitor(state, read_all, &now);
    for (size_t i = 0; i < sizeof growing / sizeof growing[0]; i++)
        take_growth(state, &now, growing[i]);
    poll_memory(state, &now);
}

/* CPU time and memory: the largest losses if the group ends before the next poll. */
static void groups_glance(struct target *target)
{
    struct groups_state *state = target->state;
    struct usage now;

    if (state->empty)
        return;
    read_without_monitor(state, read_cpu, &now);
    take_growth(state, &now, offsetof(struct usage, cpu_ns));
    poll_memory(state, &now);
}

static void groups_read(const struct target *target, struct usage *so_far)
{
    const struct groups_state *state = target->state;

    *so_far = state->used;
    if (state->empty) /* what is left in use is not the target's any more */
        so_far->memory_bytes = so_far->working_set_bytes = (struct usage_value){ .known = false };
    cgroup1_split_cpu(so_far);
}

static void groups_now(const struct target *target, struct target_now *now)
{
    struct groups_state *state = target->state;
    struct usage used;

    if (state->now.cpu_fd < 0 || state->now.memory_fd < 0)
        for (size_t i = 0; i < state->count; i++)
            if (is_used(state, i))
                cgroup_now_open(&state->now, state->fds[i]);
    read_without_monitor(state, read_cpu, &used);
    take_growth(state, &used, offsetof(struct usage, cpu_ns));
    now->cpu_ns = state->used.cpu_ns;
    now->cpu_ns.known &= used.cpu_ns.known;
    cgroup_now_memory(&state->now, &now->memory_bytes, &now->working_set_bytes);
    now->cpu_stall_ns = cgroup_now_cpu_stall(&state->now);
}

static bool groups_ended(const struct target *target)
{
    const struct groups_state *state = target->state;

    return state->empty || is_empty(state);
}

/* A path of a folder, which is changed, that is the folder of this descriptor or lies in it. */
static bool is_within(char *path, int fd)
{
    struct stat own, above;

    if (fstat(fd, &own) < 0)
        return false;
    for (char *end = path + strlen(path); end > path; end = strrchr(path, '/')) {
        *end = '\0';
        if (stat(path, &above) == 0 && above.st_dev == own.st_dev && above.st_ino == own.st_ino)
            return true;
    }
    return false;
}

static enum target_member groups_has(const struct target *target, pid_t pid)
{
    const struct groups_state *state = target->state;
    char folder[PATH_MAX];

    for (size_t i = 0; i < state->count; i++)
        for (size_t j = 0; j < GROUP_HIERARCHIES; j++)
            if (cgroup_folder_of_process(pid, group_hierarchies[j], folder, sizeof folder) &&
                is_within(folder, state->fds[i]))
                return TARGET_HAS;
    return TARGET_NOT;
}

static void groups_close(struct target *target)
{
    struct groups_state *state = target->state;

    cgroup_now_close(&state->now);
    if (state->peak_fd >= 0)
        close(state->peak_fd);
    while (state->count)
        close(state->fds[--state->count]);
    free(state);
}

TARGET_KIND(groups, .glance = groups_glance, .read = groups_read, .now = groups_now, .has = groups_has);

bool target_open_groups(struct target *target, const int *fds, size_t count, enum groups_from from, const char *name,
                        struct error *err)
{
    struct groups_state *state = calloc(1, sizeof *state);

    *target = (struct target){ .fd = -1 };
    if (!state) {
        for (size_t i = 0; i < count; i++)
            close(fds[i]);
        return error_errno(err, "no memory to follow a cgroup");
    }
    for (; state->count < count; state->count++)
        state->fds[state->count] = fds[state->count];
    state->from = from;
    state->now = CGROUP_NOW_NONE;
    state->peak_fd = -1;
    text_copy(target->name, sizeof target->name, name);
    target->kind = &groups_kind;
    target->state = state;
    if (from == GROUPS_SINCE_NOW) {
        for (size_t i = 0; i < count && state->peak_fd < 0; i++)
            state->peak_fd = cgroup2_peak_open(fds[i]);
        read_all(state, &state->opening);
        poll_memory(state, &state->opening);
    }
    return true;
}
