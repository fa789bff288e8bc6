/* SPDX-License-Identifier: MIT
 * A container by its first process: its group, its network, and its end. */
#include "target/target_container.h"

#include "base/auto.h"
#include "base/c_locale.h"
#include "base/debug.h"
#include "base/process.h"
#include "container/container_stats.h"
#include "target/target_groups.h"
#include "target/target_stats.h"
#include "usage/cgroup_place.h"
#include "usage/cgroup_tree.h"
#include "usage/container_net.h"
#include "usage/fill.h"
#include "usage/group_maker.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/syscall.h>

static const char net_from[] = "network namespace";

struct container_target {
    struct engine engine;
    char id[80];
    pid_t pid;            /* 0: not seen from here */
    struct target inside; /* its groups, or its statistics, or its processes */
    bool by_group, by_process;
    enum net_owner network;
    struct net_bytes opening, last;
    struct container_stats first; /* for the network, where that is not seen */
};

static bool container_ended(const struct target *target)
{
    const struct container_target *state = target->state;
    struct pollfd end = { .fd = target->fd, .events = POLLIN };

    return target->fd >= 0 ? poll(&end, 1, 0) > 0 : target_ended(&state->inside);
}

static void poll_network(const struct target *target)
{
    struct container_target *state = target->state;
    struct net_bytes now;

    /* an engine takes the interfaces away before the last process has gone */
    if (state->network == NET_OWN && !container_ended(target) && container_net_read(state->pid, &now) &&
        now.received >= state->last.received && now.sent >= state->last.sent)
        state->last = now;
}

static void container_poll(struct target *target)
{
    struct container_target *state = target->state;

    target_look(&state->inside);
    poll_network(target);
}

static void container_glance(struct target *target)
{
    struct container_target *state = target->state;

    if (state->inside.kind->glance)
        state->inside.kind->glance(&state->inside);
    else
        container_poll(target);
}

/* What the engine says of the network now; nothing where it has ended. */
static void fill_from_engine(const struct container_target *state, struct usage *so_far)
{
    const struct container_stats *first = &state->first;
    const char *from = stats_from[state->engine.kind];
    struct container_stats now;

    if (!first->received_bytes.known || !container_stats(&state->engine, state->id, &now, NULL) ||
        !now.received_bytes.known || now.received_bytes.value < first->received_bytes.value ||
        now.sent_bytes.value < first->sent_bytes.value)
        return;
    usage_fill(&so_far->received_bytes, now.received_bytes.value - first->received_bytes.value, from);
    usage_fill(&so_far->sent_bytes, now.sent_bytes.value - first->sent_bytes.value, from);
}

static void container_read(const struct target *target, struct usage *so_far)
{
    const struct container_target *state = target->state;

    target_fill(&state->inside, so_far);
    if (state->network == NET_OWN) {
        usage_fill(&so_far->received_bytes, state->last.received - state->opening.received, net_from);
        usage_fill(&so_far->sent_bytes, state->last.sent - state->opening.sent, net_from);
    } else if (state->network == NET_UNSEEN && state->by_group) {
        fill_from_engine(state, so_far);
    }
}

static void container_close(struct target *target)
{
    struct container_target *state = target->state;

    target_close(&state->inside);
    free(state);
}

TARGET_KIND(container, .glance = container_glance, .read = container_read);

/* The container's own group: its first process may be in one below. False: the name has nothing of the container, so
 * that the group, or the process, is another's. */
static bool cut_behind_id(char *folder, const char *id)
{
    char *at = strstr(folder, id);

    if (!at)
        return false;
    at += strlen(id);
    at[strcspn(at, "/")] = '\0';
    return true;
}

/* A user's engine makes its groups below the user's own group; one that names another user's is lying. */
static bool may_be_of(const struct engine *engine, const char *controller, const char *folder)
{
    char root[PATH_MAX];
    AUTO_CLOSE int fd = -1;
    size_t length;
    struct group_maker maker;

    if (!engine->user)
        return true;
    if (!cgroup_folder_named("/", controller, root, sizeof root) || (fd = cgroup_folder(AT_FDCWD, root)) < 0)
        return false;
    length = strlen(root) - (root[strlen(root) - 1] == '/');
    if (strncmp(folder, root, length) != 0 || folder[length] != '/')
        return false;
    maker = group_maker_of_path(fd, folder + length);
    return maker.other && maker.user == engine->user;
}

static size_t open_groups(const struct engine *engine, pid_t pid, const char *id, int fds[GROUP_HIERARCHIES])
{
    char folders[GROUP_HIERARCHIES][PATH_MAX];
    size_t count = 0;

    for (size_t i = 0; pid > 0 && i < GROUP_HIERARCHIES; i++) {
        bool shared = false;
        if (!cgroup_folder_of_process(pid, group_hierarchies[i], folders[count], PATH_MAX) ||
            !cut_behind_id(folders[count], id) || !may_be_of(engine, group_hierarchies[i], folders[count]))
            continue;
        for (size_t j = 0; j < count; j++) /* of controllers in one hierarchy */
            shared |= strcmp(folders[j], folders[count]) == 0;
        if (!shared && (fds[count] = cgroup_folder(AT_FDCWD, folders[count])) >= 0)
            count++;
    }
    return count;
}

/* Whether the process of this number is the container's, as it is seen from the PID namespace of its engine: then what
 * looks after it for the engine (conmon, containerd's shim) is its parent, and was called with its id. */
static bool is_looked_after(pid_t pid, const char *id)
{
    char path[64], words[4096];
    struct process process;
    AUTO_CLOSE int fd = -1;
    ssize_t length;

    if (pid <= 0 || !process_read(pid, &process))
        return false;
    snprintf(path, sizeof path, "/proc/%d/cmdline", process.parent);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    length = fd < 0 ? -1 : read(fd, words, sizeof words);
    return length > 0 && memmem(words, (size_t)length, id, strlen(id));
}

/* Whether it is in a group that is called after it; an engine's statistics are of another group else. */
static bool is_in_own_group(pid_t pid, const char *id)
{
    char path[64], groups[8192];
    AUTO_CLOSE int fd = -1;
    ssize_t length;

    snprintf(path, sizeof path, "/proc/%d/cgroup", pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    length = fd < 0 ? -1 : read(fd, groups, sizeof groups);
    return length > 0 && memmem(groups, (size_t)length, id, strlen(id));
}

/* Its processes: podman's without root may have no group of its own. */
static bool open_processes(struct container_target *state, pid_t pid, bool since_start)
{
    if (!is_looked_after(pid, state->id) || is_in_own_group(pid, state->id))
        return false;
    state->by_process = since_start ? target_open_pid_since_start(&state->inside, pid, NULL)
                                    : target_open_pid(&state->inside, pid, NULL);
    return state->by_process;
}

/* Its groups; where it has none its processes, and where they cannot be read here its engine's word. */
static bool open_inside(struct container_target *state, pid_t pid, bool since_start, struct error *err)
{
    int fds[GROUP_HIERARCHIES];
    const size_t count = open_groups(&state->engine, pid, state->id, fds);

    state->by_group = count > 0;
    if (!state->by_group)
        return open_processes(state, pid, since_start) ||
               target_open_stats(&state->inside, &state->engine, state->id, since_start, err);
    return target_open_groups(&state->inside, fds, count, since_start ? GROUPS_SINCE_MADE : GROUPS_SINCE_NOW, state->id,
                              err);
}

static void open_network(struct container_target *state, pid_t pid, bool since_start)
{
    state->network = state->by_group || state->by_process ? container_net_owner(pid) : NET_UNSEEN;
    state->pid = pid;
    if (state->network == NET_OWN && !container_net_read(pid, &state->opening))
        state->network = NET_UNSEEN;
    state->last = state->opening;
    if (since_start)
        state->opening = (struct net_bytes){ .received = 0 };
    if (state->network != NET_UNSEEN || !state->by_group)
        return; /* statistics have it themselves */
    if (container_stats(&state->engine, state->id, &state->first, NULL) && since_start)
        state->first.received_bytes.value = state->first.sent_bytes.value = 0;
}

static bool open_container(struct target *target, const struct engine *engine, const struct container *container,
                           bool since_start, struct error *err)
{
    struct container_target *state = calloc(1, sizeof *state);

    *target = (struct target){ .fd = -1 };
    if (!state)
        return error_errno(err, "no memory to follow a container");
    state->engine = *engine;
    snprintf(state->id, sizeof state->id, "%s", container->id);
    target->fd = container->pid > 0 ? (int)syscall(SYS_pidfd_open, container->pid, 0) : -1;
    if (!open_inside(state, container->pid, since_start, err)) {
        free(state);
        target_close(target);
        return false;
    }
    if (!state->by_group && !state->by_process &&
        target->fd >= 0) { /* nothing says that the process of this number is the container's */
        close(target->fd);
        target->fd = -1;
    }
    open_network(state, container->pid, since_start);
    DEBUG(DEBUG_TARGET, "container '%s' (%.12s): first process %d; its figures are by %s", container->name, state->id,
          (int)container->pid,
          state->by_group     ? "its cgroup"
          : state->by_process ? "its processes"
                              : "the engine's statistics");
    target->may_miss_end = !state->by_group && !state->by_process;
    target->state = state;
    target->inside = &state->inside;
    target->kind = &container_kind;
    snprintf(target->name, sizeof target->name, "%.127s", container->name);
    return true;
}

bool target_open_container(struct target *target, const struct engine *engine, const struct container *container,
                           struct error *err)
{
    return open_container(target, engine, container, false, err);
}

bool target_open_started(struct target *target, const struct engine *engine, const struct container *container,
                         struct error *err)
{
    return open_container(target, engine, container, true, err);
}

enum root_group_kind target_group_kind(const struct engine *engine)
{
    /* without root's rights an engine cannot make groups below one of root's */
    if (engine->user)
        return ROOT_GROUP_NONE;
    if (c_strcasecmp(engine->group_driver, "cgroupfs") == 0)
        return ROOT_GROUP_FOLDER;
    return c_strcasecmp(engine->group_driver, "systemd") == 0 && root_group_has_slices() ? ROOT_GROUP_SLICE
                                                                                         : ROOT_GROUP_NONE;
}
