/* SPDX-License-Identifier: MIT
 * A cgroup (version 2) for the job: the usage of the job and all its processes, however short. The group is created
 * below carbon's own, where this user is most likely to have permission. No controller is enabled for it: cpu.stat
 * exists without one, memory.peak and io.stat if the system provides them. Always of the running system, like the job.
 */
#include "base/auto.h"
#include "usage/cgroup_figures.h"
#include "usage/cgroup_place.h"
#include "usage/cgroup_tree.h"

#include <limits.h>

static void cgroup_close(struct usage_source *source)
{
    if (source->state)
        job_group_close(source->state);
    free(source->state);
    source->state = NULL;
    source->cgroup_fd = -1;
}

static bool cgroup_open(struct usage_source *source, const struct root *root, struct error *err)
{
    struct job_group *group;
    char folder[PATH_MAX];

    (void)root;
    if (!cgroup_folder_of_process(0, NULL, folder, sizeof folder)) {
        error_set(err, ERROR_ABSENT, "no cgroup for the job");
        return error_why(err, "no cgroup2 file system shows carbon's own group");
    }
    group = calloc(1, sizeof *group);
    if (!group)
        return error_errno(err, "no memory for the usage of a cgroup");
    if (!job_group_open(group, folder, err)) {
        free(group);
        return false;
    }
    source->state = group;
    source->cgroup_fd = group->fd;
    return true;
}

/* The job could not be moved into it; the values of the unused group are then not the job's. */
static void cgroup_read(struct usage_source *source, const struct rusage *rusage, struct usage *usage)
{
    (void)rusage;
    if (cgroup2_has_run(source->cgroup_fd))
        cgroup2_figures(source->cgroup_fd, usage);
}

static bool cgroup_cpu_so_far(struct usage_source *source, uint64_t *cpu_ns)
{
    return cgroup2_cpu_ns(source->cgroup_fd, cpu_ns) && *cpu_ns > 0;
}

static bool cgroup_cpu_stall_so_far(struct usage_source *source, uint64_t *stall_ns)
{
    return cgroup2_has_run(source->cgroup_fd) && cgroup2_cpu_stall_ns(source->cgroup_fd, stall_ns);
}

static size_t cgroup_alive(struct usage_source *source, char *names, size_t size)
{
    const struct job_group *group = source->state;

    return cgroup_processes(group->above_fd, group->name, names, size);
}

USAGE_DRIVER(cgroup, .name = cgroup2_from, .about = "a control group of the job's own", .cpu_so_far = cgroup_cpu_so_far,
             .cpu_stall_so_far = cgroup_cpu_stall_so_far, .alive = cgroup_alive);
