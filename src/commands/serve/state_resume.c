/* SPDX-License-Identifier: MIT
 * Whether a counter tells of the time between two processes. */
#include "base/clock.h"
#include "commands/serve/state.h"

#include <string.h>

/* Counters of the hardware or of a driver go on by themselves; what the kernel or carbon adds up for one process begins
 * with it. */
static bool goes_on(const struct domain *domain)
{
    return !domain->poll_ns && !domain->wrap_unknown && domain->access != ACCESS_PERF && domain->access != ACCESS_MODEL;
}

bool state_between(const struct state_domain *left, const struct meter_domain *now, const struct state_time *now_time,
                   uint64_t *between_uj, const char **why)
{
    const struct state_time *then = &left->time;
    struct counter_step step;

    *between_uj = 0;
    *why = NULL;
    if (!goes_on(now->domain))
        *why = "its counter begins with the process that reads it";
    else if (!then->boot_id[0] || strcmp(then->boot_id, now_time->boot_id) != 0)
        *why = "the machine was restarted";
    else if (!left->raw_known)
        *why = "no value of its counter was kept";
    else if (!now->started)
        *why = "it cannot be read now";
    else if (now_time->boottime_ns < then->boottime_ns)
        *why = "the clock went back";
    else if (clock_slept_ns(now_time->asleep_ns, then->asleep_ns) > 0)
        *why = "the machine slept";
    if (*why)
        return false;
    step = counter_step(now->domain, left->raw_uj, now->last_raw_uj, now_time->boottime_ns - then->boottime_ns);
    if (step.ambiguous)
        *why = "its counter may have wrapped unseen";
    else if (step.kind == STEP_RESET)
        *why = "its counter was reset";
    *between_uj = *why ? 0 : step.uj;
    return !*why;
}
