/* SPDX-License-Identifier: MIT
 * What all kinds of target share: when to look. */
#include "target/target.h"

#include "base/clock.h"
#include "base/units.h"

#include <unistd.h>

#define SHORTEST_PAUSE_NS (NS_PER_S_INT / 10)
#define LONGEST_PAUSE_NS NS_PER_S_INT

/* Where a target can be glanced at, all of its files are read so often. */
#define WHOLE_PAUSE_NS NS_PER_S_INT

enum { PAUSE_PER_COST = 100 };

static void look(struct target *target)
{
    const uint64_t start_ns = clock_monotonic_ns();
    uint64_t end_ns, pause_ns;

    target->kind->poll(target);
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
    target->kind->read(target, so_far);
}

void target_now(const struct target *target, struct target_now *now)
{
    *now = (struct target_now){ .time_ns = clock_monotonic_ns() };
    target->kind->now(target, now);
}

bool target_ended(const struct target *target)
{
    return target->kind->ended(target);
}

enum target_member target_has(const struct target *target, pid_t pid)
{
    return target->kind->has ? target->kind->has(target, pid) : TARGET_UNSEEN;
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
