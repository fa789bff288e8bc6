/* SPDX-License-Identifier: MIT
 * The list of usage drivers, the one that knows most first, and all of them as one meter. */
#include "usage/usage.h"

extern const struct usage_driver cgroup_driver, cgroup1_driver, process_driver, hardware_driver, touched_driver;

/* The one that knows most first. */
static const struct usage_driver *const drivers[] = {
    &cgroup_driver, &cgroup1_driver, &process_driver, &hardware_driver, &touched_driver, NULL,
};

void usage_open(struct usage_meter *meter, const struct root *root)
{
    *meter = (struct usage_meter){ .cgroup_fd = -1 };
    for (size_t i = 0; drivers[i] && meter->count < USAGE_MAX_SOURCES; i++) {
        struct usage_source *source = &meter->sources[meter->count];
        *source = (struct usage_source){ .driver = drivers[i], .cgroup_fd = -1, .next_ns = UINT64_MAX };
        if ((drivers[i]->fallback && meter->cgroup_fd >= 0) || !drivers[i]->open(source, root, NULL))
            continue;
        meter->count++;
        if (meter->cgroup_fd < 0)
            meter->cgroup_fd = source->cgroup_fd;
    }
}

void usage_started(struct usage_meter *meter, pid_t pid)
{
    for (size_t i = 0; i < meter->count; i++)
        if (meter->sources[i].driver->started)
            meter->sources[i].driver->started(&meter->sources[i], pid);
}

uint64_t usage_next_ns(const struct usage_meter *meter)
{
    uint64_t next_ns = UINT64_MAX;

    for (size_t i = 0; i < meter->count; i++)
        if (meter->sources[i].next_ns < next_ns)
            next_ns = meter->sources[i].next_ns;
    return next_ns;
}

void usage_poll(struct usage_meter *meter, uint64_t now_ns)
{
    for (size_t i = 0; i < meter->count; i++)
        if (now_ns >= meter->sources[i].next_ns && meter->sources[i].driver->poll)
            meter->sources[i].driver->poll(&meter->sources[i], now_ns);
}

void usage_read(struct usage_meter *meter, const struct rusage *rusage, struct usage *usage)
{
    for (size_t i = 0; i < meter->count; i++)
        meter->sources[i].driver->read(&meter->sources[i], rusage, usage);
}

/* From the first driver that has it. */
static bool so_far(const struct usage_meter *meter, bool stall, struct usage_value *figure)
{
    for (size_t i = 0; i < meter->count; i++) {
        struct usage_source source = meter->sources[i];
        bool (*ask)(struct usage_source *, uint64_t *) =
            stall ? source.driver->cpu_stall_so_far : source.driver->cpu_so_far;
        uint64_t so_far_ns;

        if (!ask || !ask(&source, &so_far_ns))
            continue;
        *figure = (struct usage_value){ .known = true, .value = so_far_ns, .from = source.driver->name };
        return true;
    }
    return false;
}

bool usage_cpu_so_far(const struct usage_meter *meter, struct usage_value *cpu_ns)
{
    return so_far(meter, false, cpu_ns);
}

bool usage_cpu_stall_so_far(const struct usage_meter *meter, struct usage_value *stall_ns)
{
    return so_far(meter, true, stall_ns);
}

size_t usage_alive(struct usage_meter *meter, char *names, size_t size)
{
    size_t alive = 0;

    names[0] = '\0';
    for (size_t i = 0; i < meter->count && !alive; i++)
        if (meter->sources[i].driver->alive)
            alive = meter->sources[i].driver->alive(&meter->sources[i], names, size);
    return alive;
}

void usage_close(struct usage_meter *meter)
{
    while (meter->count) {
        struct usage_source *source = &meter->sources[--meter->count];
        source->driver->close(source);
    }
    meter->cgroup_fd = -1;
}
