/* SPDX-License-Identifier: MIT
 * Idle power: of a time in which the machine was left alone. */
#include "lib/meter_parts.h"

#include "base/clock.h"
#include "base/units.h"

#include <errno.h>
#include <math.h>
#include <time.h>

/* The first of the bits that suppress the figure. */
static const char *first_doubt(unsigned doubts)
{
    for (unsigned bit = 1; bit; bit <<= 1)
        if (doubts & bit && *carbon_doubt_text(bit))
            return carbon_doubt_text(bit);
    return "";
}

int carbon_set_idle(carbon_meter *meter, const carbon_mark *start, const carbon_mark *end, carbon_error *error)
{
    const carbon_energy idle = carbon_between(meter, *start, *end);
    struct error err;

    if (isnan(idle.joules)) {
        error_set(&err, ERROR_BAD_DATA, "the idle power is not known");
        error_why(&err, "%s", first_doubt(idle.doubts));
        error_fix(&err, "take it again, and for longer");
        error_publish(&err, error);
        return -1;
    }
    meter_lock(meter);
    meter->idle_w = idle.joules / idle.seconds;
    for (unsigned c = 0; c < CARBON_COMPONENTS; c++)
        meter->component_idle_w[c] = idle.component_j[c] / idle.seconds;
    meter_unlock(meter);
    return 0;
}

static void sleep_until_ns(uint64_t until_ns)
{
    const struct timespec until = { .tv_sec = (time_t)(until_ns / NS_PER_S_INT),
                                    .tv_nsec = (long)(until_ns % NS_PER_S_INT) };

    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        continue;
}

int carbon_baseline(carbon_meter *meter, double seconds, carbon_error *error)
{
    const uint64_t interval_ns = keeper_interval_ns(meter);
    struct error err;

    if (!(seconds > 0 && seconds <= S_PER_DAY)) {
        error_set(&err, ERROR_USAGE, "a baseline takes more than 0 s and a day at most");
        error_publish(&err, error);
        return -1;
    }
    const carbon_mark start = carbon_now(meter);
    const uint64_t end_ns = start.time_ns + (uint64_t)(seconds * NS_PER_S);
    for (uint64_t now_ns = start.time_ns; now_ns < end_ns; now_ns = clock_monotonic_ns()) {
        sleep_until_ns(clock_earlier_ns(end_ns, now_ns + interval_ns));
        carbon_now(meter);
    }
    const carbon_mark end = carbon_now(meter);
    return carbon_set_idle(meter, &start, &end, error);
}

double carbon_idle_w(carbon_meter *meter)
{
    meter_lock(meter);
    const double idle_w = meter->idle_w;
    meter_unlock(meter);
    return idle_w;
}
