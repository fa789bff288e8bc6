/* SPDX-License-Identifier: MIT
 * A battery's charge against its power. */
#include "energy/battery_life.h"

#include "base/units.h"

/* A controller reports the charge in steps of one percent at most, and each step is visible within a minute. */
#define SHARE 0.02
#define MIN_NS (60 * NS_PER_S_INT)

/* The power of a running machine does not stay identical to the last digit for this long. */
#define SAME_POWER_NS (300 * NS_PER_S_INT)

static void begin(struct battery_life *life, uint64_t now_ns, double power_uw, double charge)
{
    *life = (struct battery_life){
        .begun = true, .power_uw = power_uw, .charge = charge, .last_ns = now_ns, .since_ns = now_ns
    };
}

bool battery_lives(struct battery_life *life, uint64_t now_ns, double power_uw, double charge, double full_uj)
{
    const bool has_charge = charge > 0;

    if (!life->begun || life->charge != charge || (!has_charge && life->power_uw != power_uw)) {
        begin(life, now_ns, power_uw, charge);
        return true;
    }
    life->drawn_uj += power_uw * s_from_ns(now_ns - life->last_ns);
    life->last_ns = now_ns;
    if (!has_charge)
        return now_ns - life->since_ns < SAME_POWER_NS;
    return now_ns - life->since_ns < MIN_NS || life->drawn_uj < SHARE * full_uj;
}

void battery_life_missed(struct battery_life *life)
{
    life->begun = false;
}
