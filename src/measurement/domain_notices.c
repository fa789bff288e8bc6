/* SPDX-License-Identifier: MIT
 * What makes the figure of one domain doubtful. */
#include "measurement/domain_notices.h"

#include "base/c_locale.h"
#include "base/units.h"

#define STILL_S 5.0     /* a sensor may tell the same for so long, */
#define STILL_UPDATES 3 /* or for so many of its refreshes */

static void impossible_notice(const struct measurement *measurement, size_t domain, struct notices *notices)
{
    const struct domain *about = measurement->meter->domains[domain].domain;

    for (size_t i = 0; i < measurement->run_count; i++) {
        const struct window *window = &measurement->runs[i].window;
        if (measurement->meter->domains[domain].implausible || !window_is_impossible(measurement, window, domain))
            continue;
        notice_add(notices, NOTICE_IMPLAUSIBLE,
                   "the kernel may take the counter's unit wrongly for this processor; its energy is unknown",
                   "use another source, or a newer kernel", "implausible power of %s: %.0f W, maximum %.0f W",
                   about->name, j_from_uj(window->energy_uj[domain]) / s_from_ns(window->duration_ns), about->max_w);
        return;
    }
}

static const char *const bound_words[] = {
    [MAX_UNKNOWN] = "",
    [MAX_BY_LIMIT] = "several times its own power limit",
    [MAX_BY_TDP] = "several times the processor's TDP",
    [MAX_BY_CLASS] = "more than any of its kind draws",
};

static void implausible_notice(const struct meter_domain *state, struct notices *notices)
{
    const struct domain *domain = state->domain;
    char why[160], max[UNITS_SIZE], reported[UNITS_SIZE];

    units_power(domain->max_w, max);
    if (state->implausible_w > domain->max_w)
        c_snprintf(why, sizeof why, "up to %s was reported; the maximum is %s (%s)",
                   units_power(state->implausible_w, reported), max, bound_words[domain->max_from]);
    else
        c_snprintf(why, sizeof why, "a running part uses more than 0 W and at most %s", max);
    notice_add(notices, NOTICE_IMPLAUSIBLE, why, "use another source; of a wrong unit a newer kernel may help",
               "implausible power: %u readings of %s cannot be true, and are left out", state->implausible,
               domain->name);
}

void counter_notices(const struct meter_domain *state, struct notices *notices)
{
    const char *name = state->domain->name;

    if (state->implausible)
        implausible_notice(state, notices);
    if (state->freezes)
        notice_add(notices, NOTICE_FROZEN, "the rest of the machine went on meanwhile; that time is left out",
                   "'carbon sources' shows what else this machine has", "counter of %s did not move for %.1f s", name,
                   s_from_ns(state->hole_ns[HOLE_FROZEN]));
    if (state->resets && state->domain->wrap_unknown)
        notice_add(notices, NOTICE_WRAP_UNKNOWN,
                   "its wrap value is unknown, so the energy of that interval is excluded",
                   "run again; a shorter run meets fewer",
                   "the counter of %s went back %u times: it wrapped, or was reset", name, state->resets);
    else if (state->resets)
        notice_add(notices, NOTICE_RESET,
                   "it decreased by more than a counter wrap (driver reload or reset); that interval is excluded",
                   "run again without interruption", "counter of %s was reset %u times", name, state->resets);
    if (state->missed_reads)
        notice_add(notices, NOTICE_GAPS, c_strerror(state->last_error > 0 ? state->last_error : 0), "",
                   "%u readings of %s failed", state->missed_reads, name);
    if (state->ambiguous_gaps)
        notice_add(notices, NOTICE_WRAP_UNKNOWN,
                   "the gap between readings was longer than the wrap time; that time is excluded",
                   "do not stop carbon while it measures", "the counter of %s may have wrapped unseen %u times", name,
                   state->ambiguous_gaps);
    if (state->lost)
        notice_add(notices, NOTICE_VANISHED, "the energy of a gap is excluded", "run again without interruption",
                   "%s was not there for %.1f s (%u times): a suspend, a CPU taken offline, a driver reload, or a "
                   "meter that did not answer",
                   name, s_from_ns(state->lost_ns), state->lost);
}

static const struct {
    enum notice_kind kind;
    const char *cause;
} holes[HOLE_COUNT] = {
    [HOLE_NONE] = { NOTICE_GAPS, "" },
    [HOLE_RESET] = { NOTICE_RESET, "its counter began again" },
    [HOLE_SUSPEND] = { NOTICE_SUSPEND, "the machine slept" },
    [HOLE_VANISHED] = { NOTICE_VANISHED, "its counter was gone and came back" },
    [HOLE_FAILED] = { NOTICE_GAPS, "it was not read" },
    [HOLE_FROZEN] = { NOTICE_FROZEN, "its counter did not move while the machine ran" },
    [HOLE_IMPLAUSIBLE] = { NOTICE_IMPLAUSIBLE, "it reported impossible values" },
};

enum notice_kind hole_kind(enum hole hole)
{
    return holes[hole].kind;
}

const char *hole_cause(enum hole hole)
{
    return holes[hole].cause;
}

static void counted_notices(const struct measurement *measurement, size_t i, struct notices *notices)
{
    const struct meter_domain *state = &measurement->meter->domains[i];
    bool too_short;

    counter_notices(state, notices);
    impossible_notice(measurement, i, notices);
    if (!state->doubted && domain_is_still(measurement, i, &too_short) && !too_short)
        notice_add(notices, NOTICE_NOT_MOVING, "a stuck counter gives no reading; the energy is unknown, not 0",
                   "'carbon sources' shows what else this machine has", "the counter of %s is stuck",
                   state->domain->name);
}

/* A power sensor: changes between two readings are missed (P43). */
static void sensor_notices(const struct measurement *measurement, size_t i, struct notices *notices)
{
    const struct meter_domain *state = &measurement->meter->domains[i];
    const struct domain *domain = state->domain;
    const double watched_s = s_from_ns(known_ns_of(watched_ns(measurement), state->unknown_ns));

    if (!domain->poll_ns || domain->problem.kind != ERROR_NONE || !state->moved)
        return;
    if (state->still && watched_s > STILL_S && watched_s > STILL_UPDATES * s_from_ns(domain->update_ns))
        notice_add(notices, NOTICE_FROZEN, "a working sensor's last digits vary; its energy may be wrong",
                   "compare with another meter", "%s reported the identical power for %.0f s: it may be frozen",
                   domain->name, watched_s);
    if (!measurement->counting->is_counted[i])
        return;
    notice_add(notices, NOTICE_SAMPLED, "changes between two samples are missed", "measure for a minute or more",
               "%s is a power sensor sampled every %.1f s; energy = power × time", domain->name,
               s_from_ns(domain->poll_ns));
    if (domain->update_ns > domain->poll_ns && s_from_ns(domain->update_ns) > watched_s / 10)
        notice_add(notices, NOTICE_BELOW_RESOLUTION, "an average of that length also holds what was before the command",
                   "measure for ten times as long", "%s is an average over %.0f s", domain->name,
                   s_from_ns(domain->update_ns));
    if (state->unwatched_ns)
        notice_add(notices, NOTICE_GAPS, "its power in between is taken for the mean of both ends",
                   "do not stop carbon", "%s was not read for %.0f s", domain->name, s_from_ns(state->unwatched_ns));
}

/* A driver that was loaded anew has begun all its counters again. */
void domains_notices(const struct measurement *measurement, struct notices *notices)
{
    struct notices groups = { .count = 0 };
    AUTO_NOTICES struct notices found = { .count = 0 };

    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        notices_clear(&found);
        if (measurement->counting->is_counted[i])
            counted_notices(measurement, i, &found);
        sensor_notices(measurement, i, &found);
        notice_groups_add(&groups, &found);
    }
    notice_groups_tell(&groups, notices);
}
