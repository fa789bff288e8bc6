/* SPDX-License-Identifier: MIT
 * A cgroup that is there already, of either version, in every hierarchy that has it with the same processes. */
#include "base/auto.h"
#include "base/text.h"
#include "usage/cgroup_figures.h"
#include "usage/cgroup_place.h"
#include "usage/cgroup_tree.h"
#include "usage/target.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/vfs.h>

/* The hierarchies, the one that tells most first; NULL is version 2. */
static const char *const hierarchies[] = { NULL, "cpuacct", "memory", "blkio" };

enum { HIERARCHIES = sizeof hierarchies / sizeof hierarchies[0] };

struct cgroup_target {
    int fds[1 + HIERARCHIES]; /* the group's folder, and in each other that has it */
    size_t count;
    struct usage opening;
    struct usage used;      /* since then, as known last */
    uint64_t highest_bytes; /* of the memory at each poll */
    bool empty;
};

/* Fields of struct usage that only grow while a group is there. */
static const size_t growing[] = {
    offsetof(struct usage, cpu_ns),          offsetof(struct usage, user_ns),
    offsetof(struct usage, system_ns),       offsetof(struct usage, read_bytes),
    offsetof(struct usage, written_bytes),   offsetof(struct usage, cpu_stall_ns),
    offsetof(struct usage, memory_stall_ns), offsetof(struct usage, io_stall_ns),
};

static struct usage_u64 *field(struct usage *usage, size_t offset)
{
    return (void *)((char *)usage + offset);
}

static void read_all(const struct cgroup_target *state, struct usage *usage)
{
    *usage = (struct usage){ .cpu_ns = { .known = false } };
    for (size_t i = 0; i < state->count; i++) {
        cgroup2_figures(state->fds[i], usage);
        cgroup1_figures(state->fds[i], usage);
    }
}

/* A cgroup's own mark of its memory is from before it was opened, unless it has risen since. */
static void poll_memory(struct cgroup_target *state, const struct usage *now)
{
    struct usage_u64 *peak = &state->used.memory_peak_bytes;
    uint64_t bytes;

    for (size_t i = 0; i < state->count; i++)
        if (cgroup_memory_now(state->fds[i], &bytes)) {
            if (bytes > state->highest_bytes)
                state->highest_bytes = bytes;
            break;
        }
    if (!now->memory_peak_bytes.known)
        return;
    *peak = now->memory_peak_bytes;
    if (peak->value <= state->opening.memory_peak_bytes.value)
        peak->value = state->highest_bytes;
}

/* A group that has been removed has no files any more: what it said last stands. */
static void cgroup_poll(struct target *target)
{
    struct cgroup_target *state = target->state;
    struct usage now;

    if (state->empty)
        return;
    /* asked first: a process that ends in between is still in the figures */
    state->empty = cgroup_is_empty(state->fds[0]);
    read_all(state, &now);
    for (size_t i = 0; i < sizeof growing / sizeof growing[0]; i++) {
        const struct usage_u64 *figure = field(&now, growing[i]), *opening = field(&state->opening, growing[i]);
        if (figure->known && opening->known && figure->from == opening->from && figure->value >= opening->value) {
            *field(&state->used, growing[i]) = *figure;
            field(&state->used, growing[i])->value -= opening->value;
        }
    }
    poll_memory(state, &now);
}

static void cgroup_read(const struct target *target, struct usage *so_far)
{
    const struct cgroup_target *state = target->state;

    *so_far = state->used;
    cgroup1_split_cpu(so_far);
}

static bool cgroup_ended(const struct target *target)
{
    const struct cgroup_target *state = target->state;

    return state->empty || cgroup_is_empty(state->fds[0]);
}

static void cgroup_close(struct target *target)
{
    struct cgroup_target *state = target->state;

    while (state->count)
        close(state->fds[--state->count]);
    free(state);
}

static const struct target_kind cgroup_kind = {
    .poll = cgroup_poll,
    .read = cgroup_read,
    .ended = cgroup_ended,
    .close = cgroup_close,
};

static bool is_cgroup(int fd)
{
    struct statfs system;

    return fstatfs(fd, &system) == 0 &&
           ((unsigned long)system.f_type == CGROUP2_SUPER_MAGIC || (unsigned long)system.f_type == CGROUP_SUPER_MAGIC);
}

static bool refuse(struct error *err, enum error_kind kind, const char *path, const char *why, const char *fix)
{
    error_set(err, kind, "cgroup '%.200s' cannot be followed", path);
    error_why(err, "%s", why);
    return error_fix(err, "%s", fix);
}

static bool refuse_errno(struct error *err, const char *path)
{
    error_errno(err, "cgroup '%.200s' cannot be followed", path);
    return error_fix(err, "call carbon as a user who may look into it");
}

static const char find_fix[] = "list those there are: 'systemd-cgls', or 'find /sys/fs/cgroup -type d'";

/* The folder of a group whose path is a folder of a cgroup file system, or else a name in one. */
static bool find_folder(const char *path, char *folder, struct error *err)
{
    AUTO_CLOSE int fd = cgroup_folder(AT_FDCWD, path);
    char name[PATH_MAX];
    bool any = false;

    if (fd >= 0 && is_cgroup(fd) && realpath(path, folder))
        return true;
    if (fd < 0 && errno == EACCES)
        return refuse_errno(err, path);
    if (snprintf(name, sizeof name, "/%s", path + strspn(path, "/")) >= (int)sizeof name)
        return refuse(err, ERROR_USAGE, "", "its path is too long", find_fix);
    for (size_t i = 0; i < HIERARCHIES; i++) {
        AUTO_CLOSE int named = -1;
        if (!cgroup_folder_named(name, hierarchies[i], folder, PATH_MAX))
            continue;
        any = true;
        named = cgroup_folder(AT_FDCWD, folder);
        if (named >= 0)
            return true;
        if (errno == EACCES)
            return refuse_errno(err, path);
    }
    if (fd >= 0)
        return refuse(err, ERROR_USAGE, path, "this folder is not of a cgroup file system", find_fix);
    if (!any)
        return refuse(err, ERROR_ABSENT, path, "no cgroup file system is mounted where carbon runs",
                      "follow the process itself by its number");
    return refuse(err, ERROR_ABSENT, path, "no hierarchy has a group of this name", find_fix);
}

/* The same group in another hierarchy: of the same name, and with the same process inside. */
static void open_twin(struct cgroup_target *state, const char *own, const char *name, const char *controller,
                      pid_t inside)
{
    char folder[PATH_MAX], of_process[PATH_MAX];
    size_t length;
    int fd;

    if (!cgroup_folder_named(name, controller, folder, sizeof folder) || strcmp(folder, own) == 0 ||
        !cgroup_folder_of_process(inside, controller, of_process, sizeof of_process))
        return;
    length = strcmp(name, "/") == 0 ? 0 : strlen(folder);
    if (strncmp(folder, of_process, length) != 0 || (length && of_process[length] && of_process[length] != '/'))
        return;
    fd = cgroup_folder(AT_FDCWD, folder);
    if (fd >= 0)
        state->fds[state->count++] = fd;
}

/* Opens the group in its own hierarchy first, for whether it has ended is asked of that. */
static bool open_group(struct cgroup_target *state, const char *path, char *name, struct error *err)
{
    char folder[PATH_MAX];
    pid_t inside;

    if (!find_folder(path, folder, err))
        return false;
    state->fds[0] = cgroup_folder(AT_FDCWD, folder);
    if (state->fds[0] < 0)
        return refuse_errno(err, path);
    state->count = 1;
    if (cgroup_is_threaded(state->fds[0]))
        return refuse(err, ERROR_USAGE, path, "it is threaded: it holds threads, not whole processes",
                      "name the group above it whose cgroup.type is 'domain threaded'");
    if (cgroup_is_empty(state->fds[0]))
        return refuse(err, ERROR_ABSENT, path, "no process is in it",
                      "start what is to be measured first, or have carbon start it: 'carbon measure -- COMMAND'");
    if (!cgroup_name_of(folder, name, PATH_MAX))
        snprintf(name, PATH_MAX, "%s", folder);
    inside = cgroup_first_process(state->fds[0]);
    for (size_t i = 0; inside && i < HIERARCHIES; i++)
        open_twin(state, folder, name, hierarchies[i], inside);
    return true;
}

bool target_open_cgroup(struct target *target, const char *path, struct error *err)
{
    struct cgroup_target *state = calloc(1, sizeof *state);
    char name[PATH_MAX];

    *target = (struct target){ .fd = -1 };
    if (!state)
        return error_errno(err, "no memory to follow a cgroup");
    target->state = state;
    if (!open_group(state, path, name, err)) {
        cgroup_close(target);
        *target = (struct target){ .fd = -1 };
        return false;
    }
    text_copy(target->name, sizeof target->name, name);
    target->kind = &cgroup_kind;
    read_all(state, &state->opening);
    poll_memory(state, &state->opening);
    return true;
}
