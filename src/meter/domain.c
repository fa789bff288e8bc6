/* SPDX-License-Identifier: MIT
 * One domain's readings as a running total: each is held against what is possible, and what is not known is a hole. */
#include "energy/power_bounds.h"
#include "meter/meter.h"

#include "base/units.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* So many polls late, and the power may have been anything. */
#define POLLS_LATE 10

/* A counter may tell at once what was used in so long: two of its refreshes, and no less than makes a window. */
#define BURST_NS COUNTER_STUCK_NS

/* A power is told over no less. */
#define MIN_S 0.001

/* From the last reading until now. */
static void leave_hole(struct meter_domain *domain, enum hole hole, uint64_t time_ns)
{
    meter_domain_leave_hole(domain, hole, time_ns - domain->last_time_ns);
}

/* W × ns = nJ */
static double max_uj(const struct domain *domain, uint64_t time_ns)
{
    return domain->max_w * (double)time_ns / 1e3;
}

static double burst_uj(const struct domain *domain)
{
    const uint64_t updates_ns = 2 * domain->update_ns;

    return max_uj(domain, updates_ns > BURST_NS ? updates_ns : BURST_NS) + (double)domain->resolution_uj;
}

/* Goes on from this value, whatever was before. */
static void begin_at(struct meter_domain *domain, const struct reading *reading, uint64_t time_ns)
{
    if (domain->started && reading->energy_uj < domain->last_raw_uj)
        domain->before_uj = domain->last_raw_uj;
    else if (reading->energy_uj >= domain->before_uj)
        domain->before_uj = 0;
    domain->started = true;
    domain->torn = false;
    domain->pending = HOLE_NONE;
    domain->last_raw_uj = reading->energy_uj;
    domain->last_time_ns = time_ns;
    domain->spare_uj = burst_uj(domain->domain);
    domain->impossible = false;
    domain->still_for = (struct stillness){ .moves = domain->still_for.moves,
                                            .longest_ns = domain->still_for.longest_ns,
                                            .moved_ns = time_ns };
}

static void note_implausible(struct meter_domain *domain, double power_w)
{
    domain->implausible++;
    domain->implausible_w = fmax(domain->implausible_w, power_w);
}

/* A sensor of power that tells what cannot be: more than its domain draws, or that what runs draws nothing. */
static bool is_impossible(const struct meter_domain *domain, const struct reading *reading)
{
    const struct domain *about = domain->domain;
    const bool never_rests = !about->part && !reading->off &&
                             (about->component == COMPONENT_MACHINE || about->component == COMPONENT_PLATFORM ||
                              about->component == COMPONENT_PACKAGE);

    return about->poll_ns && reading->has_power &&
           ((about->max_w > 0 && reading->power_uw > about->max_w * UJ_PER_J) ||
            (reading->power_uw == 0 && never_rests && domain->moved));
}

/* Of a counter. What it may add grows with the time, without an end while it stands still (a meter may be refreshed
 * once a minute); what it adds is taken off. So over any time it adds no more than the bound allows and one burst. */
static bool is_possible(struct meter_domain *domain, uint64_t gained_uj, uint64_t elapsed_ns)
{
    const struct domain *about = domain->domain;
    bool possible;

    if (!(about->max_w > 0) || about->poll_ns)
        return true;
    domain->spare_uj += max_uj(about, elapsed_ns);
    if (!gained_uj)
        return true;
    possible = (double)gained_uj <= domain->spare_uj;
    if (!possible)
        note_implausible(domain, j_from_uj(gained_uj) / fmax(s_from_ns(elapsed_ns), MIN_S));
    domain->spare_uj = fmin(domain->spare_uj - (possible ? (double)gained_uj : 0), burst_uj(about));
    return possible;
}

/* Back at or above where it was before it began again: that reading was wrong, and it has gained next to nothing, or it
 * has counted up again. What power x time came to before says nothing. */
static bool is_back(const struct meter_domain *domain, const struct reading *reading)
{
    return domain->before_uj && !domain->domain->poll_ns && reading->energy_uj >= domain->before_uj;
}

/* It went back to 0 and stood there: when it began to count again is not known, or those zeros are no energy at all. */
static bool is_waiting(const struct meter_domain *domain, const struct reading *reading)
{
    return domain->before_uj && domain->last_raw_uj == 0 && (reading->energy_uj == 0 || domain->still_for.stood_ns) &&
           counter_never_rests(domain->domain);
}

/* A counter that fails and goes on has lost nothing; what a sensor would have reported meanwhile nobody knows. */
static void note_failure(struct meter_domain *domain, int number)
{
    const bool impossible = domain->domain->poll_ns && number == ERANGE;

    domain->missed_reads += !impossible;
    domain->implausible += impossible;
    domain->last_error = number;
    if (domain->domain->poll_ns)
        domain->pending = impossible ? HOLE_IMPLAUSIBLE : HOLE_FAILED;
}

/* Of a first reading, or one before which something is missing. */
static void begin_again(struct meter_domain *domain, const struct reading *reading, uint64_t time_ns, bool suspended)
{
    const enum hole hole = suspended ? HOLE_SUSPEND : domain->pending ? domain->pending : HOLE_VANISHED;

    if (domain->started) {
        domain->lost += hole != HOLE_IMPLAUSIBLE;
        domain->lost_ns += hole != HOLE_IMPLAUSIBLE ? time_ns - domain->last_time_ns : 0;
        leave_hole(domain, hole, time_ns);
    }
    begin_at(domain, reading, time_ns);
}

/* What a frozen counter tells is a hole until it moves, that move included: since when it counts again is not known. */
static void take_frozen(struct meter_domain *domain, const struct reading *reading, uint64_t time_ns)
{
    leave_hole(domain, HOLE_FROZEN, time_ns);
    domain->last_time_ns = time_ns;
    if (reading->energy_uj != domain->last_raw_uj)
        begin_at(domain, reading, time_ns);
}

/* What it has gained; a total holds no more than 64 bits, and after a value that cannot be true a step back leads to
 * one that can, and is no wrap. */
static struct counter_step step_of(const struct meter_domain *domain, const struct reading *reading, uint64_t time_ns)
{
    struct counter_step step =
        counter_step(domain->domain, domain->last_raw_uj, reading->energy_uj, time_ns - domain->last_time_ns);

    if (step.uj > UINT64_MAX - domain->total_uj || (domain->impossible && step.kind == STEP_WRAP))
        step = (struct counter_step){ .kind = STEP_RESET, .ambiguous = step.ambiguous };
    return step;
}

/* Why what lies between this reading and the one before is not known. */
static enum hole hole_in(const struct meter_domain *domain, const struct counter_step *step,
                         const struct reading *reading)
{
    if (domain->impossible)
        return HOLE_IMPLAUSIBLE;
    if (step->kind == STEP_RESET || is_back(domain, reading) || is_waiting(domain, reading))
        return HOLE_RESET;
    return step->ambiguous ? HOLE_FAILED : HOLE_NONE;
}

static void take_step(struct meter_domain *domain, const struct reading *reading, uint64_t time_ns)
{
    const uint64_t elapsed_ns = time_ns - domain->last_time_ns, poll_ns = domain->domain->poll_ns;
    struct counter_step step = step_of(domain, reading, time_ns);
    enum hole hole;

    domain->impossible = !is_possible(domain, step.uj, elapsed_ns);
    hole = hole_in(domain, &step, reading);
    if (reading->energy_uj != domain->last_raw_uj)
        domain->before_uj = step.kind == STEP_RESET ? domain->last_raw_uj : 0;
    if (hole) {
        leave_hole(domain, hole, time_ns);
        step.uj = 0;
    }
    domain->total_uj += step.uj;
    domain->moved |= step.uj > 0;
    domain->wraps += step.kind == STEP_WRAP && !domain->impossible;
    domain->resets += step.kind == STEP_RESET;
    domain->ambiguous_gaps += hole == HOLE_FAILED;
    domain->unwatched_ns += poll_ns && elapsed_ns > POLLS_LATE * poll_ns ? elapsed_ns : 0;
    domain->still = reading->constant_power;
    stillness_note(&domain->still_for, reading->energy_uj != domain->last_raw_uj || reading->off, time_ns);
    domain->last_time_ns = time_ns;
    if (step.kind != STEP_JITTER)
        domain->last_raw_uj = reading->energy_uj;
}

bool meter_domain_take(struct meter_domain *domain, const struct reading *reading, uint64_t time_ns, bool suspended)
{
    if (reading->error) {
        note_failure(domain, reading->error);
        return false;
    }
    if (is_impossible(domain, reading)) {
        note_implausible(domain, reading->power_uw / UJ_PER_J);
        domain->pending = HOLE_IMPLAUSIBLE;
        return false;
    }
    domain->moved |= reading->off;
    if (!domain->started || reading->restarted || domain->torn || suspended || domain->pending)
        begin_again(domain, reading, time_ns, suspended);
    else if (domain->still_for.frozen)
        take_frozen(domain, reading, time_ns);
    else
        take_step(domain, reading, time_ns);
    return true;
}

void meter_domain_cut(struct meter_domain *domain, uint64_t time_ns)
{
    if (!domain->pending)
        domain->pending = HOLE_FAILED;
    domain->lost_ns += domain->pending == HOLE_FAILED ? time_ns - domain->last_time_ns : 0;
    leave_hole(domain, domain->pending, time_ns);
    domain->last_time_ns = time_ns;
}
