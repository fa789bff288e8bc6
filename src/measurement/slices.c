/* SPDX-License-Identifier: MIT
 * Slices of a run: cut, kept, and joined where they are many. */
#include "measurement/slices.h"

#include "base/array.h"
#include "base/units.h"

#include <stdlib.h>
#include <string.h>

/* The clock is slewed by less than this within any slice; a step is more. */
#define CLOCK_STEP_NS NS_PER_S_INT

struct slices *slices_new(size_t domain_count, size_t count, uint64_t step_ns)
{
    struct slices *slices = calloc(1, sizeof *slices);

    if (!slices)
        return NULL;
    *slices = (struct slices){
        .size = count, .energies = count * domain_count + 1, .domain_count = domain_count, .step_ns = step_ns
    };
    slices->items = calloc(count, sizeof *slices->items);
    slices->energy_uj = calloc(slices->energies, sizeof *slices->energy_uj);
    if (slices->items && slices->energy_uj)
        return slices;
    slices_free(slices);
    return NULL;
}

void slices_free(struct slices *slices)
{
    while (slices) {
        struct slices *next = slices->next;
        free(slices->items);
        free(slices->energy_uj);
        free(slices);
        slices = next;
    }
}

/* The next longer one at whose multiples the edges of any service are still edges of some slice. */
static uint64_t longer_ns(uint64_t step_ns)
{
    static const uint64_t ladder_s[] = { 2, 10, 30, 60, 300, 900, 1800, 3600, 7200, 14400, 28800, 86400 };

    for (size_t i = 0; i < sizeof ladder_s / sizeof ladder_s[0]; i++)
        if (ladder_s[i] * NS_PER_S_INT > step_ns && ladder_s[i] * NS_PER_S_INT % step_ns == 0)
            return ladder_s[i] * NS_PER_S_INT;
    return 2 * step_ns;
}

/* Those that lie in one longer step become one. */
static void join(struct slices *slices)
{
    const size_t domains = slices->domain_count;
    size_t stored = 0;

    slices->step_ns = longer_ns(slices->step_ns);
    for (size_t i = 1; i < slices->count; i++) {
        struct slice *last = &slices->items[stored];
        const struct slice *item = &slices->items[i];

        if (item->realtime_ns / slices->step_ns == last->realtime_ns / slices->step_ns) {
            last->duration_ns += item->duration_ns;
            for (size_t d = 0; d < domains; d++)
                slices->energy_uj[stored * domains + d] += slices->energy_uj[i * domains + d];
            continue;
        }
        slices->items[++stored] = *item;
        memmove(slices->energy_uj + stored * domains, slices->energy_uj + i * domains,
                domains * sizeof *slices->energy_uj);
    }
    slices->count = stored + 1;
}

static bool make_room(struct slices *slices)
{
    if (slices->count == SLICES_MAX)
        join(slices);
    if (slices->count == SLICES_MAX)
        return false;
    slices->items = array_room(slices->items, &slices->size, slices->count + 1, sizeof *slices->items);
    slices->energy_uj = array_room(slices->energy_uj, &slices->energies, slices->size * slices->domain_count + 1,
                                   sizeof *slices->energy_uj);
    return slices->count < slices->size && slices->size * slices->domain_count < slices->energies;
}

bool slices_add(struct slices *slices, const struct slice *slice)
{
    if (!make_room(slices))
        return false;
    slices->items[slices->count] = *slice;
    memset(slices->energy_uj + slices->count * slices->domain_count, 0,
           slices->domain_count * sizeof *slices->energy_uj);
    slices->count++;
    return true;
}

void slices_give(struct slices *slices, size_t domain, uint64_t energy_uj)
{
    slices->energy_uj[(slices->count - 1) * slices->domain_count + domain] += energy_uj;
}

/* An edge that is nearer than a second has been met. */
static void plan_next(struct slicer *slicer, uint64_t now_ns, uint64_t realtime_ns)
{
    const uint64_t step_ns = slicer->slices ? slicer->slices->step_ns : slicer->step_ns;
    const uint64_t slack_ns = step_ns > CLOCK_STEP_NS ? CLOCK_STEP_NS : step_ns / 2;
    const uint64_t edge_ns = ((realtime_ns + slack_ns) / step_ns + 1) * step_ns;

    slicer->next_ns = now_ns + (edge_ns - realtime_ns);
}

void slicer_open(struct slicer *slicer, const struct meter *meter, uint64_t step_ns, const struct sample *opening,
                 uint64_t realtime_ns, struct slices **place)
{
    *slicer = (struct slicer){
        .meter = meter,
        .step_ns = step_ns,
        .place = place,
        .opening = *opening,
        .from = *opening,
    };
    slicer->current.realtime_ns = realtime_ns;
    slicer->next_ns = UINT64_MAX;
    if (step_ns)
        plan_next(slicer, opening->time_ns, realtime_ns);
}

bool slicer_is_due(const struct slicer *slicer, uint64_t now_ns, uint64_t realtime_ns)
{
    const uint64_t since_ns = now_ns - slicer->opening.time_ns - slicer->current.start_ns;
    const uint64_t expected_ns = slicer->current.realtime_ns + since_ns;
    const uint64_t off_ns = realtime_ns > expected_ns ? realtime_ns - expected_ns : expected_ns - realtime_ns;

    return slicer->step_ns && (now_ns >= slicer->next_ns || off_ns > CLOCK_STEP_NS);
}

void slicer_cut(struct slicer *slicer, const struct sample *sample, uint64_t realtime_ns)
{
    const struct slice next = {
        .realtime_ns = realtime_ns,
        .start_ns = sample->time_ns - slicer->opening.time_ns,
    };

    if (!slicer->slices) {
        slicer->slices = slices_new(slicer->meter->domain_count, 2, slicer->step_ns);
        if (slicer->slices)
            IGNORED(slices_add(slicer->slices, &slicer->current), "there is room for two");
        *slicer->place = slicer->slices;
    }
    slicer_update(slicer, sample);
    if (slicer->slices && slices_add(slicer->slices, &next)) {
        slicer->current = next;
        slicer->from = *sample;
    }
    plan_next(slicer, sample->time_ns, realtime_ns);
}

void slicer_update(struct slicer *slicer, const struct sample *sample)
{
    struct slices *slices = slicer->slices;

    if (!slices)
        return;
    /* joining may have made the last one a part of a longer one: what it had before stays */
    slices->items[slices->count - 1].duration_ns += sample->time_ns - slicer->from.time_ns;
    for (size_t i = 0; i < slices->domain_count; i++)
        slices_give(slices, i, sample->energy_uj[i] - slicer->from.energy_uj[i]);
    slicer->from = *sample;
}
