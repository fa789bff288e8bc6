/* SPDX-License-Identifier: MIT
 * A counter against its neighbour. */
#include "energy/own_sensor.h"

#include "base/units.h"

#include <math.h>

/* A working counter reports a few joules, or a few of its units, within this number of updates. Energy before a reading
 * within one update after its last change may belong to an earlier window. */
#define STILL_REFRESHES 5
#define SLACK_J 2.0
#define SLACK_UNITS 4

/* A sensor reports its own average, or a moment: only a large difference over several spans is a contradiction. */
#define SPAN_REFRESHES 10
#define TIMES 3
#define SPANS 5

/* The maximum single step of the counter. */
#define BURST_REFRESHES 2

struct own_sensor own_sensor_of(struct domain *domain, uint64_t refresh_ns)
{
    domain->held_ns = STILL_REFRESHES * refresh_ns;
    return (struct own_sensor){
        .gauge = GAUGE_NONE,
        .refresh_ns = refresh_ns,
        .slack_j = fmax(SLACK_J, SLACK_UNITS * j_from_uj(domain->resolution_uj)),
    };
}

static void begin_span(struct own_sensor *own, uint64_t now_ns, uint64_t counter_uj, double power_w)
{
    own->span_ns = now_ns;
    own->span_uj = counter_uj;
    own->min_w = own->max_w = power_w;
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
    return counter_uj == own->counter_uj && now_ns - own->moved_ns >= STILL_REFRESHES * own->refresh_ns &&
           own->gauge.energy_uj - own->moved_gauge_uj >= own->slack_j * UJ_PER_J;
}

static bool is_impossible(const struct own_sensor *own, uint64_t now_ns, uint64_t counter_uj, double max_w)
{
    return j_from_uj(counter_uj - own->counter_uj) >
           max_w * s_from_ns(now_ns - own->moved_ns + BURST_REFRESHES * own->refresh_ns);
}

/* Each span compared with the minimum and the maximum of the sensor in it. */
static bool differs(struct own_sensor *own, uint64_t now_ns, uint64_t counter_uj, double power_w)
{
    const double span_s = s_from_ns(now_ns - own->span_ns), gained_j = j_from_uj(counter_uj - own->span_uj);

    own->min_w = fmin(own->min_w, power_w);
    own->max_w = fmax(own->max_w, power_w);
    if (now_ns - own->span_ns < SPAN_REFRESHES * own->refresh_ns)
        return false;
    own->differing++;
    if (TIMES * gained_j + own->slack_j >= own->min_w * span_s &&
        gained_j <= TIMES * own->max_w * span_s + own->slack_j)
        own->differing = 0;
    begin_span(own, now_ns, counter_uj, power_w);
    return own->differing >= SPANS;
}

static uint64_t by_sensor_uj(const struct own_sensor *own, double since_uj)
{
    return own->counter_uj + (uint64_t)fmax(own->gauge.energy_uj - since_uj, 0);
}

static enum counter_fault judge(struct own_sensor *own, uint64_t now_ns, uint64_t counter_uj, double power_w,
                                double max_w, uint64_t *reported_uj)
{
    if (is_impossible(own, now_ns, counter_uj, max_w)) {
        *reported_uj = by_sensor_uj(own, own->gauge_uj);
        return COUNTER_IMPOSSIBLE;
    }
    if (stands_still(own, now_ns, counter_uj)) {
        *reported_uj = by_sensor_uj(own, own->moved_gauge_uj);
        return COUNTER_FROZEN;
    }
    return differs(own, now_ns, counter_uj, power_w) ? COUNTER_DIFFERENT : COUNTER_SOUND;
}

enum counter_fault own_sensor_take(struct own_sensor *own, uint64_t now_ns, uint64_t counter_uj, double power_w,
                                   double max_w, uint64_t *reported_uj)
{
    struct reading ignored = { .error = 0 };
    enum counter_fault fault;

    *reported_uj = counter_uj;
    gauge_add(&own->gauge, now_ns, power_w * UJ_PER_J, &ignored);
    if (!own->begun || counter_uj < own->counter_uj) { /* its driver was reloaded: the meter reports that as a reset */
        begin(own, now_ns, counter_uj, power_w);
        return COUNTER_SOUND;
    }
    fault = judge(own, now_ns, counter_uj, power_w, max_w, reported_uj);
    if (counter_uj != own->counter_uj)
        own->moved_ns = now_ns;
    if (now_ns - own->moved_ns < own->refresh_ns)
        own->moved_gauge_uj = own->gauge.energy_uj;
    own->counter_uj = counter_uj;
    own->gauge_uj = own->gauge.energy_uj;
    return fault;
}

/* One of them did not answer: they are held against each other from the next reading on. */
static void miss(struct own_sensor *own)
{
    own->begun = own->gauge.running = false;
}

/* From now on the sensor measures, continuing from the reported energy. */
static void leave_counter(struct own_sensor *own, struct domain *domain, enum counter_fault fault, uint64_t reported_uj)
{
    static const char *const whys[] = {
        [COUNTER_SOUND] = "",
        [COUNTER_FROZEN] = "it does not move while its power sensor reports a load",
        [COUNTER_IMPOSSIBLE] = "it gained more than can be drawn",
        [COUNTER_DIFFERENT] = ("it counted less than a third or over three times the energy of its power sensor"),
    };

    own->left = true;
    own->gauge.energy_uj = (double)reported_uj;
    domain->update_ns = own->refresh_ns;
    domain->poll_ns = gauge_poll_ns(domain);
    error_set(&domain->doubt, ERROR_BAD_DATA, "the energy counter of %s is implausible: using its power x time",
              domain->name);
    domain->doubt.notice = fault == COUNTER_FROZEN ? NOTICE_FROZEN : NOTICE_METERS_DIFFER;
    error_why(&domain->doubt, "%s", whys[fault]);
    error_fix(&domain->doubt, "a newer driver may mend the counter");
}

void own_sensor_hold(struct own_sensor *own, struct domain *domain, uint64_t now_ns, int number, double power_uw,
                     struct reading *reading)
{
    enum counter_fault fault;

    if (own->left) {
        gauge_take(&own->gauge, now_ns, number, power_uw, reading);
        return;
    }
    if (reading->error || number) {
        miss(own);
        return;
    }
    fault = own_sensor_take(own, now_ns, reading->energy_uj, power_uw / UJ_PER_J, bounds_max_w(domain),
                            &reading->energy_uj);
    if (fault)
        leave_counter(own, domain, fault, reading->energy_uj);
}
