/* SPDX-License-Identifier: MIT
 * A counter against its neighbour. */
#include "energy/own_sensor.h"

#include "base/units.h"

#include <math.h>

/* A card's counter is refreshed every 10 to 100 ms; of a few joules it would have told some. What was used before a
 * reading that lies so close after its last move may be of another window than what comes after it. */
#define REFRESH_NS (NS_PER_S_INT / 10)
#define STILL_NS (NS_PER_S_INT / 2)
#define STILL_J 2.0

/* A sensor tells an average of its own, or a moment: only what differs for several seconds, and by far, contradicts. */
#define SPAN_NS NS_PER_S_INT
#define TIMES 3
#define SPANS 5

/* What the counter may tell at once. */
#define BURST_S 0.2

static void begin_span(struct own_sensor *own, uint64_t now_ns, uint64_t counter_uj, double power_w)
{
    own->span_ns = now_ns;
    own->span_uj = counter_uj;
    own->least_w = own->most_w = power_w;
}

static void begin(struct own_sensor *own, uint64_t now_ns, uint64_t counter_uj, double power_w)
{
    own->begun = true;
    own->counter_uj = counter_uj;
    own->moved_ns = now_ns;
    own->moved_gauge_uj = own->gauge_uj = own->gauge.energy_uj;
    own->differing = 0;
    begin_span(own, now_ns, counter_uj, power_w);
}

static bool stands_still(const struct own_sensor *own, uint64_t now_ns, uint64_t counter_uj)
{
    return counter_uj == own->counter_uj && now_ns - own->moved_ns >= STILL_NS &&
           own->gauge.energy_uj - own->moved_gauge_uj >= STILL_J * UJ_PER_J;
}

static bool is_impossible(const struct own_sensor *own, uint64_t now_ns, uint64_t counter_uj, double most_w)
{
    return j_from_uj(counter_uj - own->counter_uj) > most_w * (s_from_ns(now_ns - own->moved_ns) + BURST_S);
}

/* Each span against the least and the most that the sensor told in it. */
static bool differs(struct own_sensor *own, uint64_t now_ns, uint64_t counter_uj, double power_w)
{
    const double span_s = s_from_ns(now_ns - own->span_ns), gained_j = j_from_uj(counter_uj - own->span_uj);

    own->least_w = fmin(own->least_w, power_w);
    own->most_w = fmax(own->most_w, power_w);
    if (now_ns - own->span_ns < SPAN_NS)
        return false;
    own->differing++;
    if (TIMES * gained_j + STILL_J >= own->least_w * span_s && gained_j <= TIMES * own->most_w * span_s + STILL_J)
        own->differing = 0;
    begin_span(own, now_ns, counter_uj, power_w);
    return own->differing >= SPANS;
}

static uint64_t by_sensor_uj(const struct own_sensor *own, double since_uj)
{
    return own->counter_uj + (uint64_t)fmax(own->gauge.energy_uj - since_uj, 0);
}

static enum counter_fault judge(struct own_sensor *own, uint64_t now_ns, uint64_t counter_uj, double power_w,
                                double most_w, uint64_t *told_uj)
{
    if (is_impossible(own, now_ns, counter_uj, most_w)) {
        *told_uj = by_sensor_uj(own, own->gauge_uj);
        return COUNTER_IMPOSSIBLE;
    }
    if (stands_still(own, now_ns, counter_uj)) {
        *told_uj = by_sensor_uj(own, own->moved_gauge_uj);
        return COUNTER_FROZEN;
    }
    return differs(own, now_ns, counter_uj, power_w) ? COUNTER_DIFFERENT : COUNTER_SOUND;
}

enum counter_fault own_sensor_take(struct own_sensor *own, uint64_t now_ns, uint64_t counter_uj, double power_w,
                                   double most_w, uint64_t *told_uj)
{
    struct reading ignored = { .error = 0 };
    enum counter_fault fault;

    *told_uj = counter_uj;
    gauge_add(&own->gauge, now_ns, power_w * UJ_PER_J, &ignored);
    if (!own->begun || counter_uj < own->counter_uj) { /* its driver was loaded anew: the meter tells that as a reset */
        begin(own, now_ns, counter_uj, power_w);
        return COUNTER_SOUND;
    }
    fault = judge(own, now_ns, counter_uj, power_w, most_w, told_uj);
    if (counter_uj != own->counter_uj)
        own->moved_ns = now_ns;
    if (now_ns - own->moved_ns < REFRESH_NS)
        own->moved_gauge_uj = own->gauge.energy_uj;
    own->counter_uj = counter_uj;
    own->gauge_uj = own->gauge.energy_uj;
    return fault;
}

void own_sensor_missed(struct own_sensor *own)
{
    own->begun = own->gauge.running = false;
}
