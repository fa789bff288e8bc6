/* SPDX-License-Identifier: MIT
 * What the processor's own counters say of a job: cycles, instructions, misses of the last-level cache. Always of the
 * running system, for so is the job. A virtual machine often has none of them, and others belong to root. */
#include "usage/fill.h"
#include "usage/hardware_events.h"
#include "usage/task_counter.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char from[] = "hardware";

struct hardware_state {
    struct pfm_names names;
    int fds[HARDWARE_EVENTS];
};

/* Whether this process may count its own cycles. Asked without libpfm4, which is slow to load and serves nothing
 * where the answer is no. */
static bool may_count(struct error *err)
{
    struct perf_event_attr attr = {
        .type = PERF_TYPE_HARDWARE,
        .size = sizeof attr,
        .config = PERF_COUNT_HW_CPU_CYCLES,
        .disabled = 1,
        .exclude_kernel = 1,
    };
    const int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

    if (fd >= 0)
        return close(fd) == 0;
    error_errno(err, "no hardware counter for the job");
    if (errno == EOPNOTSUPP && err)
        err->kind = ERROR_ABSENT;
    return false;
}

static bool hardware_open(struct usage_source *source, const struct root *root, struct error *err)
{
    struct hardware_state *state;

    (void)root;
    if (!may_count(err))
        return false;
    state = malloc(sizeof *state);
    if (!state)
        return error_errno(err, "no memory for hardware counters");
    for (size_t i = 0; i < HARDWARE_EVENTS; i++)
        state->fds[i] = -1;
    pfm_names_open(&state->names);
    source->state = state;
    return true;
}

static void hardware_started(struct usage_source *source, pid_t pid)
{
    struct hardware_state *state = source->state;

    for (size_t i = 0; i < HARDWARE_EVENTS; i++)
        state->fds[i] = task_counter_open(&state->names, hardware_events[i], pid);
}

static void hardware_read(struct usage_source *source, const struct rusage *rusage, struct usage *usage)
{
    const struct hardware_state *state = source->state;
    struct usage_value *const figures[HARDWARE_EVENTS] = { &usage->cycles, &usage->instructions, &usage->cache_misses };
    uint64_t value;

    (void)rusage;
    for (size_t i = 0; i < HARDWARE_EVENTS; i++)
        if (task_counter_read(state->fds[i], &value))
            usage_fill(figures[i], value, from);
}

static void hardware_close(struct usage_source *source)
{
    struct hardware_state *state = source->state;

    for (size_t i = 0; i < HARDWARE_EVENTS; i++)
        if (state->fds[i] >= 0)
            close(state->fds[i]);
    pfm_names_close(&state->names);
    free(state);
    source->state = NULL;
}

USAGE_DRIVER(hardware, .name = from, .about = "the processor's own counters", .started = hardware_started);
