/* SPDX-License-Identifier: MIT
 * A run that nobody starts: a window over something that runs already. */
#include "measurement/attach.h"

#include "base/clock.h"
#include "base/cpu_cache.h"

#include <stddef.h>

/* Figures that only grow while a target is there. */
static const size_t growing[] = {
    offsetof(struct usage, cpu_ns),
    offsetof(struct usage, user_ns),
    offsetof(struct usage, system_ns),
    offsetof(struct usage, read_bytes),
    offsetof(struct usage, written_bytes),
    offsetof(struct usage, received_bytes),
    offsetof(struct usage, sent_bytes),
    offsetof(struct usage, voluntary_switches),
    offsetof(struct usage, involuntary_switches),
    offsetof(struct usage, minor_faults),
    offsetof(struct usage, major_faults),
    offsetof(struct usage, cpu_stall_ns),
    offsetof(struct usage, memory_stall_ns),
    offsetof(struct usage, io_stall_ns),
    offsetof(struct usage, oom_kills),
};

static struct usage_value difference(struct usage_value before, struct usage_value after)
{
    if (!before.known || after.value < before.value)
        after.known = false;
    else
        after.value -= before.value;
    return after;
}

/* Of a target of which nothing ran before the window, what its files did not tell then was 0: they were not there, or
 * nobody had been in them. Of any other it is unknown. */
static struct usage usage_between(const struct usage *before, const struct usage *after, bool from_nothing)
{
    struct usage between = {
        .memory_peak_bytes = after->memory_peak_bytes,
        .memory_bytes = after->memory_bytes,
        .working_set_bytes = after->working_set_bytes,
    };

    for (size_t i = 0; i < sizeof growing / sizeof growing[0]; i++) {
        struct usage_value start = *(const struct usage_value *)((const char *)before + growing[i]);
        start.known |= from_nothing;
        *(struct usage_value *)((char *)&between + growing[i]) =
            difference(start, *(const struct usage_value *)((const char *)after + growing[i]));
    }
    return between;
}

/* What is not above the last-level cache cannot wait for memory: for what bounds it. */
static struct usage_value live_cache(void)
{
    struct cache cache = { .bytes = 0 };
    struct root live;

    if (!root_open(&live, "/", NULL))
        return (struct usage_value){ .known = false };
    cache = cache_read(&live);
    root_close(&live);
    return (struct usage_value){ .known = cache.bytes > 0, .value = cache.bytes, .from = "target" };
}

void attach_usage(struct target *target, const struct usage *before, struct run *run)
{
    struct usage after;

    target_read(target, &after);
    run->usage = usage_between(before, &after, target->from_nothing);
    run->usage.cache_bytes = live_cache();
}

void attach_run(struct watcher *watcher, struct target *target, uint64_t for_ns, struct run *run)
{
    struct pollfd ended = { .fd = target_fd(target), .events = POLLIN };
    struct job nobody = {
        .gate = -1,
        .failed = -1,
        .signals = watcher->signals,
        .watched = &ended,
        .watched_count = ended.fd >= 0,
    };
    struct usage before;
    uint64_t until_ns;

    target_read(target, &before);
    watcher->target = target;
    watcher->used_before_ns = before.cpu_ns.value;
    watcher->run = run;
    watcher->owner = (struct gpu_owner){ .target = target };
    watcher_open(watcher, &run->window);
    watcher_tell_begun(watcher);
    until_ns = for_ns ? watcher->start.time_ns + for_ns : UINT64_MAX;
    while (!watcher->signals->interrupted && !target_ended(target) && clock_monotonic_ns() < until_ns)
        watcher_wait(watcher, &nobody, clock_earlier_ns(until_ns, target_next_ns(target)));
    watcher_close(watcher);
    watcher->target = NULL;
    attach_usage(target, &before, run);
    run->ended = true;
}
