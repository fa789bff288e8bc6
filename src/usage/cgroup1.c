/* SPDX-License-Identifier: MIT
 * Groups of the job's own in the hierarchies of version 1, where cpuacct, memory and blkio are mounted: instead of
 * a group of version 2. Made below carbon's own group in each; the job is moved in while it is held, so that its fork
 * alone is not counted. The kernel takes 5 to 10 ms for each move (it waits for an RCU grace period). */
#include "base/auto.h"
#include "usage/cgroup_figures.h"
#include "usage/cgroup_place.h"
#include "usage/cgroup_tree.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>

/* cpuacct first: in its group are all processes of the job. */
static const char *const controllers[] = { "cpuacct", "memory", "blkio" };

enum { CONTROLLERS = sizeof controllers / sizeof controllers[0] };

struct cgroup1_state {
    struct job_group groups[CONTROLLERS];
    size_t count; /* fewer where controllers share a hierarchy */
    bool inside;  /* the job is in all of them */
};

static void cgroup1_close(struct usage_source *source)
{
    struct cgroup1_state *state = source->state;

    while (state && state->count)
        job_group_close(&state->groups[--state->count]);
    free(state);
    source->state = NULL;
}

/* Whether a hierarchy before this one is the same. */
static bool is_shared(char folders[][PATH_MAX], size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (strcmp(folders[j], folders[i]) == 0)
            return true;
    return false;
}

static bool cgroup1_open(struct usage_source *source, const struct root *root, struct error *err)
{
    struct cgroup1_state *state = calloc(1, sizeof *state);
    char folders[CONTROLLERS][PATH_MAX];

    (void)root; /* always of the running system, for so is the job */
    if (!state)
        return error_errno(err, "no memory for the usage of a cgroup");
    source->state = state;
    error_set(err, ERROR_ABSENT, "no cgroup of version 1 for the job");
    error_why(err, "no hierarchy of version 1 shows carbon's own group");
    for (size_t i = 0; i < CONTROLLERS; i++) {
        if (!cgroup_folder_of_process(0, controllers[i], folders[i], sizeof folders[i]))
            folders[i][0] = '\0';
        else if (!is_shared(folders, i) && job_group_open(&state->groups[state->count], folders[i], err))
            state->count++;
    }
    if (state->count)
        return true;
    cgroup1_close(source);
    return false;
}

static bool move_into(const struct job_group *group, pid_t pid)
{
    AUTO_CLOSE int fd = openat(group->fd, "cgroup.procs", O_WRONLY | O_CLOEXEC);

    return fd >= 0 && dprintf(fd, "%d", pid) > 0;
}

/* A group into which the job may not be moved is abandoned: its values are not the job's. */
static void cgroup1_started(struct usage_source *source, pid_t pid)
{
    struct cgroup1_state *state = source->state;
    size_t stored = 0;

    for (size_t i = 0; i < state->count; i++) {
        if (move_into(&state->groups[i], pid))
            state->groups[stored++] = state->groups[i];
        else
            job_group_close(&state->groups[i]);
    }
    state->count = stored;
    state->inside = true;
}

static void cgroup1_read(struct usage_source *source, const struct rusage *rusage, struct usage *usage)
{
    const struct cgroup1_state *state = source->state;

    (void)rusage;
    for (size_t i = 0; state->inside && i < state->count; i++)
        cgroup1_figures(state->groups[i].fd, usage);
    cgroup1_split_cpu(usage);
}

static bool cgroup1_cpu_so_far(struct usage_source *source, uint64_t *cpu_ns)
{
    const struct cgroup1_state *state = source->state;

    return state->inside && state->count && cgroup1_cpu_ns(state->groups[0].fd, cpu_ns);
}

static size_t cgroup1_alive(struct usage_source *source, char *names, size_t size)
{
    const struct cgroup1_state *state = source->state;

    return state->count ? cgroup_processes(state->groups[0].above_fd, state->groups[0].name, names, size) : 0;
}

USAGE_DRIVER(cgroup1, .name = cgroup1_from, .about = "control groups of version 1 of the job's own", .fallback = true,
             .started = cgroup1_started, .cpu_so_far = cgroup1_cpu_so_far, .alive = cgroup1_alive);
