/* SPDX-License-Identifier: MIT
 * A run that nobody starts: a window over something that runs already. */
#include "measurement/attach.h"

#include "base/cache.h"
#include "base/clock.h"

static struct usage_u64 difference(struct usage_u64 before, struct usage_u64 after)
{
    if (!before.known || after.value < before.value)
        after.known = false;
    else
        after.value -= before.value;
    return after;
}

static struct usage usage_between(const struct usage *before, const struct usage *after)
{
    return (struct usage){
        .cpu_ns = difference(before->cpu_ns, after->cpu_ns),
        .user_ns = difference(before->user_ns, after->user_ns),
        .system_ns = difference(before->system_ns, after->system_ns),
        .memory_peak_bytes = after->memory_peak_bytes,
        .memory_bytes = after->memory_bytes,
        .working_set_bytes = after->working_set_bytes,
        .read_bytes = difference(before->read_bytes, after->read_bytes),
        .written_bytes = difference(before->written_bytes, after->written_bytes),
        .received_bytes = difference(before->received_bytes, after->received_bytes),
        .sent_bytes = difference(before->sent_bytes, after->sent_bytes),
        .voluntary_switches = difference(before->voluntary_switches, after->voluntary_switches),
        .involuntary_switches = difference(before->involuntary_switches, after->involuntary_switches),
        .minor_faults = difference(before->minor_faults, after->minor_faults),
        .major_faults = difference(before->major_faults, after->major_faults),
        .cpu_stall_ns = difference(before->cpu_stall_ns, after->cpu_stall_ns),
        .memory_stall_ns = difference(before->memory_stall_ns, after->memory_stall_ns),
        .io_stall_ns = difference(before->io_stall_ns, after->io_stall_ns),
    };
}

/* What is not above the last-level cache cannot wait for memory: for what bounds it. */
static struct usage_u64 live_cache(void)
{
    struct cache cache = { .bytes = 0 };
    struct root live;

    if (!root_open(&live, "/", NULL))
        return (struct usage_u64){ .known = false };
    cache = cache_read(&live);
    root_close(&live);
    return (struct usage_u64){ .known = cache.bytes > 0, .value = cache.bytes, .from = "target" };
}

void attach_usage(struct target *target, const struct usage *before, struct run *run)
{
    struct usage after;

    target_read(target, &after);
    run->usage = usage_between(before, &after);
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
    watcher_open(watcher, &run->window);
    until_ns = for_ns ? watcher->start.time_ns + for_ns : UINT64_MAX;
    while (!watcher->signals->interrupted && !target_ended(target) && clock_monotonic_ns() < until_ns)
        watcher_wait(watcher, &nobody, clock_earlier_ns(until_ns, target_next_ns(target)));
    watcher_close(watcher);
    watcher->target = NULL;
    attach_usage(target, &before, run);
    run->ended = true;
}
