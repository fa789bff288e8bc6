/* SPDX-License-Identifier: MIT
 * All energy sources as one meter: reads them and keeps the running totals. */
#include "meter/meter.h"

#include "base/clock.h"
#include "base/units.h"
#include "energy/power_bounds.h"

#include <math.h>

#define KEEP_ALIVE_NS 10e9
#define KEEP_ALIVE_MIN_NS 10e6

/* 0: it has no sensor of power. */
static uint64_t source_poll_ns(const struct energy_source *source)
{
    uint64_t min_ns = 0;

    for (size_t i = 0; i < source->domain_count; i++) {
        const struct domain *domain = &source->domains[i];
        if (domain->poll_ns && domain->problem.kind == ERROR_NONE && (!min_ns || domain->poll_ns < min_ns))
            min_ns = domain->poll_ns;
    }
    return min_ns;
}

uint64_t meter_poll_ns(const struct meter *meter)
{
    uint64_t min_ns = 0;

    for (size_t s = 0; s < meter->source_count; s++) {
        const uint64_t poll_ns = source_poll_ns(&meter->sources[s]);
        if (poll_ns && (!min_ns || poll_ns < min_ns))
            min_ns = poll_ns;
    }
    return min_ns;
}

uint64_t meter_keep_alive_ns(const struct meter *meter)
{
    double min_ns = KEEP_ALIVE_NS;

    for (size_t i = 0; i < meter->domain_count; i++) {
        const struct domain *domain = meter->domains[i].domain;
        if (domain->wraps_at_uj && domain->problem.kind == ERROR_NONE)
            min_ns = fmin(min_ns, (double)domain->wraps_at_uj / bounds_max_w(domain) * 1e3 / 2);
    }
    return (uint64_t)fmax(min_ns, KEEP_ALIVE_MIN_NS);
}

/* A hole costs what lies between two readings, and a reading is tens of microseconds. */
uint64_t meter_look_ns(const struct meter *meter)
{
    return clock_earlier_ns(meter_keep_alive_ns(meter), NS_PER_S_INT);
}

/* asleep_ns: how long the machine has slept since its start. Each domain knows its own last: a poll reads some of
 * them only. */
static bool add_reading(struct meter_domain *domain, const struct reading *reading, uint64_t time_ns,
                        uint64_t asleep_ns)
{
    if (domain->domain->problem.kind != ERROR_NONE ||
        !meter_domain_take(domain, reading, time_ns, clock_slept_ns(asleep_ns, domain->asleep_ns)))
        return false;
    domain->asleep_ns = asleep_ns;
    return true;
}

void meter_poll(struct meter *meter)
{
    const uint64_t now_ns = clock_monotonic_ns(), asleep_ns = clock_asleep_ns();
    size_t first = 0;

    for (size_t s = 0; s < meter->source_count; s++) {
        struct energy_source *source = &meter->sources[s];
        const uint64_t poll_ns = meter->opened[s] ? source_poll_ns(source) : 0;
        /* a little before its turn, too: another source's wake-up serves both */
        if (poll_ns && now_ns + poll_ns / 8 >= meter->next_poll_ns[s] &&
            first + source->domain_count <= meter->domain_count) {
            struct reading readings[ENERGY_MAX_DOMAINS] = { { .error = 0 } };
            meter->next_poll_ns[s] = now_ns + poll_ns;
            source->driver->read(source, readings);
            for (size_t i = 0; i < source->domain_count; i++)
                add_reading(&meter->domains[first + i], &readings[i], now_ns, asleep_ns);
        }
        first += source->domain_count;
    }
}

/* A sensor of power is read at its own moment, which may be milliseconds from the sample's where the machine is busy.
 * Of a constant power each window is to have just that power. */
static void move_to_sample(struct reading *reading, const struct sample *sample)
{
    const double late_s = (double)(int64_t)(sample->time_ns - reading->time_ns) / NS_PER_S;

    if (reading->error == 0 && reading->time_ns && fabs(late_s) <= s_from_ns(sample->span_ns))
        reading->energy_uj = (uint64_t)fmax((double)reading->energy_uj + reading->power_uw * late_s, 0);
}

static void read_all(struct meter *meter, struct reading readings[ENERGY_MAX_DOMAINS])
{
    size_t filled = 0;

    for (size_t i = 0; i < meter->source_count; i++) {
        struct energy_source *source = &meter->sources[i];
        const size_t room = ENERGY_MAX_DOMAINS - filled;
        if (meter->opened[i] && source->domain_count <= room)
            source->driver->read(source, &readings[filled]);
        else
            for (size_t j = 0; j < source->domain_count && j < room; j++)
                readings[filled + j].error = -1;
        filled += source->domain_count <= room ? source->domain_count : room;
    }
}

static void sample_all(struct meter *meter, struct sample *sample, bool at_edge)
{
    struct reading readings[ENERGY_MAX_DOMAINS] = { { .error = 0 } };
    const uint64_t begun_ns = clock_monotonic_ns();
    uint64_t ended_ns, asleep_ns;

    read_all(meter, readings);
    ended_ns = clock_monotonic_ns();
    asleep_ns = clock_asleep_ns();
    sample->time_ns = begun_ns + (ended_ns - begun_ns) / 2;
    sample->boottime_ns = sample->time_ns + asleep_ns;
    sample->span_ns = ended_ns - begun_ns;
    for (size_t i = 0; i < meter->domain_count; i++) {
        struct meter_domain *domain = &meter->domains[i];
        move_to_sample(&readings[i], sample);
        sample->read[i] = add_reading(domain, &readings[i], sample->time_ns, asleep_ns);
        sample->cut[i] = at_edge && !sample->read[i] && domain->started;
        if (sample->cut[i])
            meter_domain_cut(domain, sample->time_ns);
    }
    meter_judge_stillness(meter, sample->time_ns);
    for (size_t i = 0; i < meter->domain_count; i++) {
        const struct meter_domain *domain = &meter->domains[i];
        sample->energy_uj[i] = domain->total_uj;
        sample->unknown_ns[i] = domain->unknown_ns;
        sample->hole[i] = (uint8_t)domain->hole;
    }
}

void meter_sample(struct meter *meter, struct sample *sample)
{
    sample_all(meter, sample, false);
}

void meter_sample_at_edge(struct meter *meter, struct sample *sample)
{
    sample_all(meter, sample, true);
}

void meter_forked(struct meter *meter, bool torn)
{
    for (size_t i = 0; i < meter->source_count; i++)
        meter->opened[i] = meter->opened[i] && !meter->sources[i].driver->one_process;
    for (size_t i = 0; torn && i < meter->domain_count; i++)
        meter->domains[i].torn = meter->domains[i].started;
}

void meter_close(struct meter *meter)
{
    for (size_t i = 0; i < meter->source_count; i++) {
        meter->sources[i].driver->close(&meter->sources[i]);
        notices_clear(&meter->sources[i].notices);
    }
    notices_clear(&meter->findings);
    meter->source_count = meter->domain_count = 0;
}
