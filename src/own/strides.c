/* SPDX-License-Identifier: MIT
 * Strides of windows: taken, kept, and joined where they are many. */
#include "own/strides.h"

#include "base/array.h"
#include "base/cpu_ticks.h"
#include "base/units.h"

#include <stdlib.h>
#include <string.h>

#define TICKS 20
#define REFRESHES 5
#define LONGEST_NS UINT64_C(500000000)

/* Others are busy if they use more than this many CPUs, and two ticks. */
#define CONCURRENT_CPUS 0.05

/* Nothing is joined any more to strides of an hour. */
#define LONGEST_JOINED_NS (3600 * NS_PER_S_INT)

uint64_t stride_shortest_ns(uint64_t update_ns)
{
    const uint64_t shortest_ns = REFRESHES * update_ns > TICKS * tick_ns() ? REFRESHES * update_ns : TICKS * tick_ns();

    return shortest_ns <= LONGEST_NS ? shortest_ns : 0;
}

bool strides_tell(const struct domain *domain)
{
    return domain->quality != QUALITY_MODELLED && domain->component != COMPONENT_GPU;
}

struct strides *strides_new(size_t domain_count, uint64_t shortest_ns)
{
    struct strides *strides = calloc(1, sizeof *strides);

    if (strides)
        *strides = (struct strides){ .domain_count = domain_count, .shortest_ns = shortest_ns };
    return strides;
}

void strides_free(struct strides *strides)
{
    if (!strides)
        return;
    free(strides->items);
    free(strides->energy_uj);
    free(strides);
}

static bool make_room(struct strides *strides)
{
    strides->items = array_room(strides->items, &strides->size, strides->count + 1, sizeof *strides->items);
    strides->energy_uj = array_room(strides->energy_uj, &strides->energies, strides->size * strides->domain_count + 1,
                                    sizeof *strides->energy_uj);
    return strides->count < strides->size && strides->size * strides->domain_count < strides->energies;
}

static void join_into(struct stride *stride, uint64_t *energy_uj, const struct stride *next, const uint64_t *next_uj,
                      size_t domain_count)
{
    stride->duration_ns += next->duration_ns;
    stride->busy_ns += next->busy_ns;
    stride->job_ns += next->job_ns;
    if (next->job_cpu_roundings > stride->job_cpu_roundings)
        stride->job_cpu_roundings = next->job_cpu_roundings;
    stride->counted &= next->counted;
    stride->all.cycles += next->all.cycles;
    stride->all.instructions += next->all.instructions;
    stride->all.misses += next->all.misses;
    for (size_t d = 0; d < domain_count; d++)
        energy_uj[d] += next_uj[d];
}

static bool follows(const struct stride *stride, const struct stride *next)
{
    return next->start_ns == stride->start_ns + stride->duration_ns;
}

/* Two of one window that follow each other become one. */
static void join(struct strides *strides)
{
    const size_t domains = strides->domain_count;
    size_t stored = 0;

    strides->shortest_ns *= 2;
    for (size_t i = 0; i < strides->count; i++, stored++) {
        uint64_t *energy_uj = strides->energy_uj + stored * domains;
        strides->items[stored] = strides->items[i];
        memmove(energy_uj, stride_energy_uj(strides, i), domains * sizeof *energy_uj);
        if (i + 1 < strides->count && strides->items[i].duration_ns < strides->shortest_ns &&
            follows(&strides->items[i], &strides->items[i + 1])) {
            i++;
            join_into(&strides->items[stored], energy_uj, &strides->items[i], stride_energy_uj(strides, i), domains);
        }
    }
    strides->count = stored;
}

bool strides_add(struct strides *strides, const struct stride *stride, const uint64_t *energy_uj)
{
    if (strides->count == STRIDES_MAX && strides->shortest_ns < LONGEST_JOINED_NS)
        join(strides);
    if (strides->count == STRIDES_MAX || !make_room(strides))
        return false;
    strides->items[strides->count] = *stride;
    memcpy(strides->energy_uj + strides->count * strides->domain_count, energy_uj,
           strides->domain_count * sizeof *energy_uj);
    strides->count++;
    return true;
}

static bool is_in_one(const struct stride *stride, const struct window_list *windows)
{
    for (size_t i = 0; i < windows->count; i++)
        if (stride_is_in(stride, windows->at(windows->of, i)))
            return true;
    return false;
}

struct strides *strides_within(const struct strides *strides, const struct window_list *windows)
{
    struct strides *within = strides_new(strides->domain_count, strides->shortest_ns);

    for (size_t i = 0; within && i < strides->count; i++)
        if (is_in_one(&strides->items[i], windows) &&
            !strides_add(within, &strides->items[i], stride_energy_uj(strides, i))) {
            strides_free(within);
            return NULL;
        }
    if (within)
        within->concurrent = strides->concurrent;
    return within;
}

struct strides *strides_counted(const struct strides *strides)
{
    struct strides *counted = strides_new(strides->domain_count, strides->shortest_ns);

    for (size_t i = 0; counted && i < strides->count; i++)
        if (strides->items[i].counted)
            IGNORED(strides_add(counted, &strides->items[i], stride_energy_uj(strides, i)),
                    "fewer strides are known then");
    return counted;
}

static void take_counts(struct strider *strider, const struct stride_counts *counts)
{
    strider->counted = counts;
    if (counts)
        strider->last_counts = *counts;
}

static void look_again(struct strider *strider, const struct window *so_far)
{
    strider->next_ns = so_far->start_ns + so_far->duration_ns +
                       (strider->concurrent ? strider->strides->shortest_ns : STRIDE_ALONE_NS);
}

void strider_open(struct strider *strider, uint64_t start_ns, bool wanted, const struct stride_counts *counts)
{
    strider->open = strider->strides && wanted;
    strider->last = (struct window){ .start_ns = start_ns };
    strider->last_job_ns = 0;
    take_counts(strider, counts);
    strider->next_ns = UINT64_MAX;
    if (strider->open)
        look_again(strider, &strider->last);
}

/* Others than the job and carbon. */
static bool is_concurrent(const struct window *last, const struct window *so_far, const struct stride *stride)
{
    const double others_ns =
        (double)stride->busy_ns - (double)stride->job_ns - (double)(so_far->carbon_busy_ns - last->carbon_busy_ns);

    return others_ns > CONCURRENT_CPUS * (double)stride->duration_ns + (double)(COARSE_TICKS * tick_ns());
}

static bool is_whole(const struct window *last, const struct window *so_far, size_t domain_count)
{
    for (size_t i = 0; i < domain_count; i++)
        if (so_far->unknown_ns[i] != last->unknown_ns[i])
            return false;
    return so_far->machine_busy_known;
}

static struct stride stride_since(const struct strider *strider, const struct window *so_far, struct stride_usage used)
{
    const struct window *last = &strider->last;
    struct stride stride = {
        .start_ns = last->start_ns + last->duration_ns,
        .duration_ns = so_far->duration_ns - last->duration_ns,
        .busy_ns = so_far->machine_busy_ns - last->machine_busy_ns,
        .job_ns = *used.job_ns - strider->last_job_ns,
        .job_cpu_roundings = used.job_cpu_roundings,
        .counted = used.counts && strider->counted,
    };

    if (stride.counted)
        stride.all = (struct stride_counts){ used.counts->cycles - strider->last_counts.cycles,
                                             used.counts->instructions - strider->last_counts.instructions,
                                             used.counts->misses - strider->last_counts.misses };
    return stride;
}

static void energy_since(const struct strider *strider, const struct window *so_far, uint64_t *energy_uj)
{
    for (size_t i = 0; i < strider->strides->domain_count; i++)
        energy_uj[i] = so_far->energy_uj[i] - strider->last.energy_uj[i];
}

void strider_take(struct strider *strider, const struct window *so_far, struct stride_usage used)
{
    struct strides *strides = strider->strides;
    uint64_t energy_uj[ENERGY_MAX_DOMAINS];
    struct stride stride;

    if (!strider->open)
        return;
    if (!used.job_ns) { /* still running */
        look_again(strider, so_far);
        return;
    }
    if (is_whole(&strider->last, so_far, strides->domain_count)) {
        stride = stride_since(strider, so_far, used);
        energy_since(strider, so_far, energy_uj);
        strider->concurrent = is_concurrent(&strider->last, so_far, &stride);
        strides->concurrent |= strider->concurrent;
        IGNORED(strides_add(strides, &stride, energy_uj), "fewer strides are known then");
    }
    strider->last = *so_far;
    strider->last_job_ns = *used.job_ns;
    take_counts(strider, used.counts);
    look_again(strider, so_far);
}

void strider_close(struct strider *strider, const struct window *window, struct stride_usage used)
{
    struct strides *strides = strider->strides;
    uint64_t energy_uj[ENERGY_MAX_DOMAINS];
    struct stride stride, *before;

    if (!strider->open)
        return;
    if (window->duration_ns - strider->last.duration_ns >= strides->shortest_ns / 2) {
        strider_take(strider, window, used);
        return;
    }
    before = strides->count ? &strides->items[strides->count - 1] : NULL;
    if (!before || !used.job_ns || !is_whole(&strider->last, window, strides->domain_count))
        return;
    stride = stride_since(strider, window, used);
    energy_since(strider, window, energy_uj);
    if (follows(before, &stride))
        join_into(before, strides->energy_uj + (strides->count - 1) * strides->domain_count, &stride, energy_uj,
                  strides->domain_count);
}
