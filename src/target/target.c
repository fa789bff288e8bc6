/* SPDX-License-Identifier: MIT
 * What all kinds of target share: when to look. */
#include "target/target.h"

#include "base/clock.h"
#include "base/units.h"

#include <unistd.h>

#define SHORTEST_PAUSE_NS (NS_PER_S_INT / 10)
#define LONGEST_PAUSE_NS NS_PER_S_INT

/* If a target can be sampled cheaply, all of its files are read at this interval. */
#define WHOLE_PAUSE_NS NS_PER_S_INT

enum { PAUSE_PER_COST = 100 };

void target_look(struct target *target)
{
    if (target->kind->poll)
        target->kind->poll(target);
    else if (target->inside)
        target_look(target->inside);
}

void target_fill(const struct target *target, struct usage *so_far)
{
    if (target->kind->read)
        target->kind->read(target, so_far);
    else if (target->inside)
        target_fill(target->inside, so_far);
}

void target_fill_now(const struct target *target, struct target_now *now)
{
    if (target->kind->now)
        target->kind->now(target, now);
    else if (target->inside)
        target_fill_now(target->inside, now);
}

static void look(struct target *target)
{
    const uint64_t start_ns = clock_monotonic_ns();
    uint64_t end_ns, pause_ns;

    target_look(target);
    end_ns = clock_monotonic_ns();
    pause_ns = (end_ns - start_ns) * PAUSE_PER_COST;
    if (pause_ns < SHORTEST_PAUSE_NS)
        pause_ns = SHORTEST_PAUSE_NS;
    if (pause_ns > LONGEST_PAUSE_NS || target->outlives)
        pause_ns = LONGEST_PAUSE_NS;
    target->next_ns = end_ns + pause_ns;
    target->next_whole_ns = end_ns + WHOLE_PAUSE_NS;
}

uint64_t target_next_ns(const struct target *target)
{
    return target->next_ns;
}

void target_poll(struct target *target, uint64_t now_ns)
{
    if (now_ns < target->next_ns)
        return;
    if (now_ns >= target->next_whole_ns || !target->kind->glance) {
        look(target);
        return;
    }
    target->kind->glance(target);
    target->next_ns = now_ns + SHORTEST_PAUSE_NS;
}

void target_read(struct target *target, struct usage *so_far)
{
    *so_far = (struct usage){ .cpu_ns = { .known = false } };
    look(target);
    target_fill(target, so_far);
}

void target_now(const struct target *target, struct target_now *now)
{
    *now = (struct target_now){ .time_ns = clock_monotonic_ns() };
    target_fill_now(target, now);
}

bool target_ended(const struct target *target)
{
    return target->kind->ended ? target->kind->ended(target) : target->inside && target_ended(target->inside);
}

enum target_member target_has(const struct target *target, pid_t pid)
{
    if (target->kind->has)
        return target->kind->has(target, pid);
    return target->inside ? target_has(target->inside, pid) : TARGET_UNSEEN;
}

int target_fd(const struct target *target)
{
    return target->fd;
}

const char *target_name(const struct target *target)
{
    return target->name;
}

void target_close(struct target *target)
{
    if (target->kind)
        target->kind->close(target);
    if (target->fd >= 0)
        close(target->fd);
    *target = (struct target){ .fd = -1 };
}
