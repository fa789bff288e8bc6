/* SPDX-License-Identifier: MIT
 * Opening and reading an event. */
#include "energy/perf_event.h"

#include "base/clock.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The clock of a living event moves on with every read. */
#define STOPPED_NS UINT64_C(50000000)

/* The attribute is zero except for the selection of the event: any exclude_* bit is EINVAL for these PMUs (P34). */
static bool open_it(struct perf_event *event)
{
    struct perf_event_attr attr = {
        .type = event->type,
        .size = sizeof attr,
        .config = event->config,
        .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED,
    };

    event->fd = (int)syscall(SYS_perf_event_open, &attr, -1, event->cpu, -1, PERF_FLAG_FD_CLOEXEC);
    event->enabled_ns = 0;
    event->seen_ns = clock_monotonic_ns(); /* that clock may be as coarse as a tick, and still be 0 */
    return event->fd >= 0;
}

struct event_value {
    uint64_t raw, enabled_ns;
};

/* An event whose CPU is offline keeps its value without an error, but its clock does not advance. */
static int read_value(struct perf_event *event, struct event_value *value)
{
    const ssize_t got = read(event->fd, value, sizeof *value);
    const uint64_t now_ns = clock_monotonic_ns();

    if (got < 0)
        return errno;
    if (got != sizeof *value)
        return ENODEV;
    if (value->enabled_ns == event->enabled_ns && now_ns - event->seen_ns > STOPPED_NS)
        return ENODEV;
    if (value->enabled_ns != event->enabled_ns)
        event->seen_ns = now_ns;
    event->enabled_ns = value->enabled_ns;
    return 0;
}

int perf_event_start(struct perf_event *event)
{
    int number;

    if (!open_it(event))
        return errno;
    number = perf_event_read(event);
    if (number)
        perf_event_stop(event);
    return number;
}

int perf_event_read(struct perf_event *event)
{
    struct event_value value;
    const int number = read_value(event, &value);

    return number ? number : perf_count_add(&event->count, value.raw);
}

bool perf_event_restart(struct perf_event *event, int cpu)
{
    struct perf_event again = *event;
    struct event_value value;

    again.cpu = cpu;
    if (!open_it(&again))
        return false;
    if (read_value(&again, &value) != 0) {
        perf_event_stop(&again);
        return false;
    }
    again.count.last = value.raw;
    perf_event_stop(event);
    *event = again;
    return true;
}

void perf_event_stop(struct perf_event *event)
{
    if (event->fd >= 0)
        close(event->fd);
    event->fd = -1;
}
