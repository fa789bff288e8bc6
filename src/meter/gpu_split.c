/* SPDX-License-Identifier: MIT
 * By the time of its processors that each process had. */
#include "meter/gpu_split.h"

#include <math.h>
#include <sys/stat.h>

/* PROC_PID_INIT_INO (include/linux/proc_ns.h): the namespace of the driver's process numbers */
#define FIRST_PID_NAMESPACE 0xEFFFFFFCU

static bool sees_all_processes(const struct root *root)
{
    struct stat own;

    return !root->live || (stat("/proc/self/ns/pid", &own) == 0 && own.st_ino == FIRST_PID_NAMESPACE);
}

static struct energy_source *source_of(struct meter *meter, size_t domain)
{
    size_t i = 0;

    while (&meter->sources[i] != meter->domains[domain].source)
        i++;
    return &meter->sources[i];
}

static enum gpu_attribution ask_users(struct meter *meter, size_t domain, struct gpu_user users[GPU_MAX_USERS],
                                      size_t *count)
{
    struct energy_source *source = source_of(meter, domain);

    *count = 0;
    if (!source->driver->users)
        return GPU_NOT_ASKED;
    if (!sees_all_processes(meter->root))
        return GPU_HIDDEN;
    return source->driver->users(source, (size_t)(meter->domains[domain].domain - source->domains), users, count);
}

enum gpu_attribution gpu_split_take(struct meter *meter, size_t domain, double energy_j, uint64_t interval_ns,
                                    struct gpu_split *split, struct gpu_parts *parts)
{
    struct gpu_user users[GPU_MAX_USERS];
    double all_busy = 0;
    size_t count;
    const enum gpu_attribution reported = ask_users(meter, domain, users, &count);

    parts->count = 0;
    parts->of_j = 0;
    parts->over_ns = 0;
    split->waiting_j += energy_j;
    split->waiting_ns += interval_ns;
    if (reported == GPU_ATTRIBUTED && !count && split->waiting_ns < GPU_SAMPLE_NS)
        return reported;
    for (size_t i = 0; i < count; i++)
        all_busy += users[i].busy;
    for (size_t i = 0; reported == GPU_ATTRIBUTED && i < count; i++)
        parts->items[parts->count++] =
            (struct gpu_part){ users[i].pid, split->waiting_j * users[i].busy / fmax(1, all_busy) };
    parts->of_j = split->waiting_j;
    parts->over_ns = split->waiting_ns;
    *split = (struct gpu_split){ .waiting_j = 0 };
    return reported;
}
