/* SPDX-License-Identifier: MIT
 * The processor's counters of the whole machine, CPU by CPU. */
#include "usage/machine_counter.h"

#include "usage/task_counter.h"

#include <errno.h>
#include <unistd.h>

/* -1: this CPU is not online. False: it cannot be counted. */
static bool open_on(struct machine_counter *counter, const struct pfm_names *names, const char *const *const *events,
                    int cpu)
{
    for (size_t event = 0; event < HARDWARE_EVENTS; event++)
        counter->fds[event][cpu] = -1;
    for (size_t event = 0; event < HARDWARE_EVENTS; event++) {
        counter->fds[event][cpu] = cpu_counter_open(names, events[event], cpu);
        if (counter->fds[event][cpu] < 0)
            return event == 0 && errno == ENODEV;
    }
    return true;
}

bool machine_counter_open(struct machine_counter *counter, const char *const *const *events)
{
    const long cpus = sysconf(_SC_NPROCESSORS_CONF);
    struct pfm_names names;
    bool good = cpus > 0 && cpus <= MACHINE_COUNTER_CPUS;

    counter->cpus = 0;
    if (!good)
        return false;
    pfm_names_open(&names);
    while (good && counter->cpus < (size_t)cpus)
        good = open_on(counter, &names, events, (int)counter->cpus++);
    pfm_names_close(&names);
    if (!good)
        machine_counter_close(counter);
    return good;
}

bool machine_counter_read(const struct machine_counter *counter, uint64_t values[HARDWARE_EVENTS])
{
    for (size_t event = 0; event < HARDWARE_EVENTS; event++) {
        values[event] = 0;
        for (size_t cpu = 0; cpu < counter->cpus; cpu++) {
            uint64_t value;
            if (counter->fds[event][cpu] < 0)
                continue;
            if (!task_counter_read(counter->fds[event][cpu], &value))
                return false;
            values[event] += value;
        }
    }
    return counter->cpus > 0;
}

void machine_counter_close(struct machine_counter *counter)
{
    for (size_t event = 0; event < HARDWARE_EVENTS; event++)
        for (size_t cpu = 0; cpu < counter->cpus; cpu++)
            if (counter->fds[event][cpu] >= 0)
                close(counter->fds[event][cpu]);
    counter->cpus = 0;
}
