/* SPDX-License-Identifier: MIT
 * CPU time of the machine, of a job's CPUs and of carbon, in a window. */
#include "measurement/busy.h"

#include "base/clock.h"

#include <unistd.h>

/* A container that has a /proc/stat of its own numbers its CPUs anew there. */
void busy_choose(struct busy *busy, const struct machine *machine, struct cpu_mask mask)
{
    busy->mask = (struct cpu_mask){ NULL, 0 };
    busy->cpus = (unsigned)machine_stat_cpus(machine);
    busy->all = machine->cpus_ours ? 0 : busy->cpus;
    if (!mask.set || (unsigned)CPU_COUNT_S(mask.size, mask.set) >= busy->cpus)
        return;
    busy->mask = mask;
    if (machine->cpus_ours)
        busy->cpus = 0;
}

/* In a container with a /proc/stat of its own a meter measures the CPUs of others, too, and nothing tells their time;
 * a model goes by that file alone. */
static bool has_machine_time(const struct meter *meter)
{
    bool modelled = false;

    for (size_t i = 0; i < meter->source_count; i++)
        modelled |= meter->opened[i] && meter->sources[i].driver->quality == QUALITY_MODELLED;
    return modelled || !meter->machine->cpus_ours;
}

static bool read_time(struct busy *busy, const struct meter *meter, struct machine_time *time)
{
    return machine_time_read(&busy->stat_fd, meter->root, busy->mask.set ? &busy->mask : NULL, time);
}

void busy_open(struct busy *busy, const struct meter *meter)
{
    busy->known = read_time(busy, meter, &busy->time);
    busy->carbon_ns = clock_cpu_ns();
}

void busy_read(struct busy *busy, const struct meter *meter, struct window *window)
{
    struct machine_time now;
    const bool known = busy->known && read_time(busy, meter, &now) && now.busy_ns >= busy->time.busy_ns;
    const bool same_cpus =
        known && now.mask_cpus == busy->time.mask_cpus && now.mask_busy_ns >= busy->time.mask_busy_ns;

    window->machine_busy_known = known && has_machine_time(meter);
    window->machine_busy_ns = window->machine_busy_known ? now.busy_ns - busy->time.busy_ns : 0;
    window->machine_lost_ns = window->machine_busy_known ? machine_time_lost_ns(&busy->time, &now, busy->all) : 0;
    window->mask_cpus = !same_cpus ? 0 : busy->mask.set && busy->cpus ? now.mask_cpus : busy->cpus;
    window->mask_busy_ns = window->mask_cpus ? now.mask_busy_ns - busy->time.mask_busy_ns : 0;
    window->carbon_busy_ns = meter->root->live ? clock_cpu_ns() - busy->carbon_ns : 0;
}

void busy_close(struct busy *busy)
{
    if (busy->stat_fd >= 0)
        close(busy->stat_fd);
    busy->stat_fd = -1;
}
