/* SPDX-License-Identifier: MIT
 * Counters that do not change while the machine runs. A package, memory, a board or a running machine always draws
 * power; other counters that change, or CPU time, show that it runs. */
#include "meter/meter.h"

#include "base/cpu_ticks.h"
#include "base/units.h"

#include <unistd.h>

/* Much longer than the update period: this long, and this many update periods. */
#define PATIENCE_NS NS_PER_S_INT
#define PATIENCE_UPDATES 10
#define PATIENCE_HELD 2

/* How often a sensor's counter or a hypervisor's is refreshed is not always said: it is watched first. */
#define KNOWN_MOVES 3
#define PATIENCE_PAUSES 10

/* This many readings with changes of other counters: one may lie between the updates of two counters. */
#define WITNESSES 2

/* A significant CPU time. */
#define BUSY_NS (NS_PER_S_INT / 10)

void stillness_note(struct stillness *still, bool moved, uint64_t time_ns)
{
    if (!moved) {
        still->stood_ns = time_ns - still->moved_ns;
        return;
    }
    if (still->stood_ns > still->longest_ns)
        still->longest_ns = still->stood_ns;
    still->moves++;
    still->moved_ns = time_ns;
    still->stood_ns = 0;
    still->witnesses = 0;
    still->busy_ticks = 0;
}

bool counter_never_rests(const struct domain *domain)
{
    return domain->access != ACCESS_MODEL && !domain->poll_ns && domain->problem.kind == ERROR_NONE &&
           (domain->component == COMPONENT_MACHINE || domain->component == COMPONENT_PLATFORM ||
            domain->component == COMPONENT_PACKAGE || domain->component == COMPONENT_MEMORY);
}

static bool was_read(const struct meter_domain *state, uint64_t time_ns)
{
    return state->started && !state->pending && state->last_time_ns == time_ns;
}

static bool others_move(const struct meter *meter, size_t domain, uint64_t time_ns)
{
    for (size_t i = 0; i < meter->domain_count; i++) {
        const struct meter_domain *state = &meter->domains[i];
        if (i != domain && counter_never_rests(state->domain) && state->still_for.moves &&
            state->still_for.moved_ns == time_ns)
            return true;
    }
    return false;
}

static uint64_t longer_ns(uint64_t a_ns, uint64_t b_ns)
{
    return a_ns > b_ns ? a_ns : b_ns;
}

/* UINT64_MAX: it is not known well enough. */
static uint64_t patience_ns(const struct meter_domain *state)
{
    const struct stillness *still = &state->still_for;
    const bool reported = state->domain->access != ACCESS_SENSOR && state->domain->quality != QUALITY_VIRTUAL;
    /* a power sensor of the same part has priority: it is then the source */
    const uint64_t updates_ns = longer_ns(longer_ns(PATIENCE_NS, PATIENCE_UPDATES * state->domain->update_ns),
                                          PATIENCE_HELD * state->domain->held_ns);

    if (still->moves < (reported ? 1 : KNOWN_MOVES))
        return UINT64_MAX;
    return reported ? updates_ns : longer_ns(updates_ns, PATIENCE_PAUSES * still->longest_ns);
}

/* CPU time of the machine in ticks; 0: not known. */
static uint64_t busy_ticks(const struct root *root)
{
    char text[512];
    struct ticks ticks;
    int cpu;

    return root_read_text(root, "proc/stat", text, sizeof text, NULL) && ticks_of_line(text, &cpu, &ticks) ? ticks.busy
                                                                                                           : 0;
}

/* Without another changing counter, CPU time is read from the first suspicion on. */
static void ask_cpu_time(struct stillness *still, uint64_t busy_now)
{
    if (!still->busy_ticks)
        still->busy_ticks = busy_now;
    else if (busy_now > still->busy_ticks && (busy_now - still->busy_ticks) * tick_ns() >= BUSY_NS)
        still->witnesses = WITNESSES;
}

/* From its last change on; if it stays at 0 since a reset, that is a hole already. */
static void freeze(struct meter_domain *state, uint64_t time_ns)
{
    state->still_for.frozen = true;
    state->freezes++;
    if (!state->before_uj || state->last_raw_uj)
        meter_domain_leave_hole(state, HOLE_FROZEN, time_ns - state->still_for.moved_ns);
}

void meter_judge_stillness(struct meter *meter, uint64_t time_ns)
{
    uint64_t busy_now = 0;

    for (size_t i = 0; i < meter->domain_count; i++) {
        struct meter_domain *state = &meter->domains[i];
        struct stillness *still = &state->still_for;
        if (!counter_never_rests(state->domain) || !was_read(state, time_ns) || still->frozen || !still->stood_ns)
            continue;
        still->witnesses += others_move(meter, i, time_ns);
        if (still->stood_ns < patience_ns(state))
            continue;
        if (still->witnesses < WITNESSES) {
            if (!busy_now)
                busy_now = busy_ticks(meter->root);
            ask_cpu_time(still, busy_now);
        }
        if (still->witnesses >= WITNESSES)
            freeze(state, time_ns);
    }
}
