/* SPDX-License-Identifier: MIT
 * What lies between two values of a counter that wraps. */
#include "base/units.h"
#include "energy/power_bounds.h"
#include "meter/meter.h"

/* Two reads of one counter may cross (seen on Zen 3: 569 µJ); a real wrap that ends within a joule
 * of where it began would need a whole range in one interval. */
#define JITTER_UJ UINT64_C(1000000)

/* A counter that does not say how often it is refreshed: as RAPL's are. */
#define USUAL_UPDATE_NS UINT64_C(1000000)

/* Between two reads, however close, may lie a refresh, which adds what was used in the whole period before it.
 * W × ns = nJ; as double, since only an order of magnitude is asked for. */
static double max_uj(const struct domain *counter, uint64_t elapsed_ns)
{
    const uint64_t update_ns = counter->update_ns ? counter->update_ns : USUAL_UPDATE_NS;

    return bounds_max_w(counter) * ((double)elapsed_ns + (double)update_ns) / 1e3;
}

struct counter_step counter_step(const struct domain *counter, uint64_t before_uj, uint64_t after_uj,
                                 uint64_t elapsed_ns)
{
    const uint64_t wraps_at_uj = counter->wraps_at_uj;
    const bool ambiguous = wraps_at_uj && max_uj(counter, elapsed_ns) > (double)wraps_at_uj;
    uint64_t gained_uj;

    if (after_uj >= before_uj)
        return (struct counter_step){ STEP_FORWARD, after_uj - before_uj, ambiguous };
    if (before_uj - after_uj <= JITTER_UJ)
        return (struct counter_step){ STEP_JITTER, 0, ambiguous };
    /* P11: a driver reload resets the counter */
    if (before_uj >= wraps_at_uj)
        return (struct counter_step){ STEP_RESET, 0, ambiguous };
    gained_uj = wraps_at_uj - before_uj + after_uj;
    if ((double)gained_uj > max_uj(counter, elapsed_ns))
        return (struct counter_step){ STEP_RESET, 0, ambiguous };
    return (struct counter_step){ STEP_WRAP, gained_uj, ambiguous };
}
