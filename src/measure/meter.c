/* SPDX-License-Identifier: MIT
 * All energy sources as one meter: opens the drivers, keeps the running totals. */
#include "measure/meter.h"

#include "base/clock.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

static void add_domains(struct meter *meter, const struct energy_source *source)
{
    for (size_t i = 0; i < source->domain_count && meter->domain_count < ENERGY_MAX_DOMAINS; i++)
        meter->domains[meter->domain_count++] =
            (struct meter_domain){ .domain = &source->domains[i], .source = source };
}

/* A readable domain that can be part of some total. */
static bool has_countable(const struct meter *meter)
{
    for (size_t i = 0; i < meter->domain_count; i++) {
        const struct domain *domain = meter->domains[i].domain;
        if (domain->problem.kind == ERROR_NONE && !domain->not_counted[0] && domain->component != COMPONENT_CORES &&
            domain->component != COMPONENT_UNCORE)
            return true;
    }
    return false;
}

static void open_source(struct meter *meter, const struct energy_driver *driver)
{
    struct energy_source *source = &meter->sources[meter->source_count];
    struct error error = { .kind = ERROR_NONE };

    *source = (struct energy_source){ .driver = driver };
    meter->opened[meter->source_count] = driver->open(source, meter->root, meter->machine, &error);
    if (!meter->opened[meter->source_count])
        meter->refusals[meter->refusal_count++] = (struct refusal){ driver, error };
    meter->source_count++;
    add_domains(meter, source);
}

static const struct refusal *refusal_of(const struct meter *meter, enum error_kind kind)
{
    for (size_t i = 0; i < meter->refusal_count; i++)
        if (meter->refusals[i].error.kind == kind)
            return &meter->refusals[i];
    return NULL;
}

static bool nothing_readable(const struct meter *meter, bool measured_only, struct error *err)
{
    const struct refusal *denied = refusal_of(meter, ERROR_DENIED);
    const char *model = measured_only ? "drop --require-measured for a modelled figure" : "";
    struct text why;

    if (denied) {
        error_set(err, ERROR_DENIED, "%s", denied->error.what);
        error_why(err, "%s", denied->error.why);
        return error_fix(err, "%s%s%s", denied->error.fix, denied->error.fix[0] && model[0] ? "; or " : "", model);
    }
    text_open(&why, sizeof err->why);
    for (size_t i = 0; i < meter->refusal_count; i++)
        text_add(&why, "%s%s: %s", i ? "; " : "", meter->refusals[i].driver->name, meter->refusals[i].error.what);
    for (size_t i = 0; i < meter->domain_count; i++)
        if (meter->domains[i].domain->not_counted[0])
            text_add(&why, "%s%s: %s", why.length ? "; " : "", meter->domains[i].domain->name,
                     meter->domains[i].domain->not_counted);
    error_set(err, ERROR_ABSENT, "no energy sensor on this machine%s",
              meter->machine->guest ? ", which is a virtual machine" : "");
    error_why(err, "%s", why.data ? why.data : "");
    text_close(&why);
    return error_fix(err, "%s", model[0] ? model : "measure on the host, or use --source model");
}

bool meter_open(struct meter *meter, const struct root *root, const struct machine *machine, const char *only,
                bool measured_only, struct error *err)
{
    struct sample first;

    *meter = (struct meter){ .root = root, .machine = machine };
    for (size_t i = 0; energy_drivers[i]; i++) {
        const struct energy_driver *driver = energy_drivers[i];
        if (only ? strcmp(only, driver->name) != 0 : driver->quality == QUALITY_MODELLED)
            continue;
        if (!measured_only || driver->quality != QUALITY_MODELLED)
            open_source(meter, driver);
    }
    if (!only && !measured_only && !has_countable(meter))
        for (size_t i = 0; energy_drivers[i]; i++)
            if (energy_drivers[i]->quality == QUALITY_MODELLED)
                open_source(meter, energy_drivers[i]);
    if (!has_countable(meter)) {
        if (only && meter->refusal_count) {
            *err = meter->refusals[0].error;
            return false;
        }
        if (only && measured_only && !meter->source_count) {
            error_set(err, ERROR_USAGE, "--source %s and --require-measured exclude each other", only);
            return error_fix(err, "give one of the two");
        }
        return nothing_readable(meter, measured_only, err);
    }
    meter->last_monotonic_ns = clock_monotonic_ns();
    meter->last_boottime_ns = clock_boottime_ns();
    meter_sample(meter, &first);
    return true;
}

void meter_domain_take(struct meter_domain *domain, const struct reading *reading, uint64_t time_ns, bool suspended)
{
    struct counter_step step;

    if (reading->error) {
        domain->missed_reads++;
        domain->last_error = reading->error;
        return;
    }
    if (!domain->started) {
        domain->started = true;
        domain->last_raw_uj = reading->energy_uj;
        domain->last_time_ns = time_ns;
        return;
    }
    step = counter_step(domain->last_raw_uj, reading->energy_uj, domain->domain->wraps_at_uj,
                        time_ns - domain->last_time_ns, suspended);
    if (step.uj > UINT64_MAX - domain->total_uj) /* no counter of any machine comes here */
        step = (struct counter_step){ .kind = STEP_RESET, .ambiguous = step.ambiguous };
    domain->total_uj += step.uj;
    domain->moved |= step.uj > 0;
    domain->wraps += step.kind == STEP_WRAP;
    domain->resets += step.kind == STEP_RESET;
    domain->ambiguous_gaps += step.ambiguous;
    domain->last_time_ns = time_ns;
    if (step.kind != STEP_JITTER)
        domain->last_raw_uj = reading->energy_uj;
}

void meter_sample(struct meter *meter, struct sample *sample)
{
    struct reading readings[ENERGY_MAX_DOMAINS];
    const uint64_t begun_ns = clock_monotonic_ns();
    size_t filled = 0;
    uint64_t ended_ns;
    bool suspended;

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
    ended_ns = clock_monotonic_ns();
    sample->boottime_ns = clock_boottime_ns();
    sample->time_ns = begun_ns + (ended_ns - begun_ns) / 2;
    sample->span_ns = ended_ns - begun_ns;
    suspended = clock_slept_ns(sample->boottime_ns - meter->last_boottime_ns, ended_ns - meter->last_monotonic_ns) > 0;
    meter->last_monotonic_ns = ended_ns;
    meter->last_boottime_ns = sample->boottime_ns;
    for (size_t i = 0; i < meter->domain_count; i++) {
        struct meter_domain *domain = &meter->domains[i];
        sample->read[i] = readings[i].error == 0;
        if (domain->domain->problem.kind == ERROR_NONE)
            meter_domain_take(domain, &readings[i], sample->time_ns, suspended);
        sample->energy_uj[i] = domain->total_uj;
    }
}

void meter_close(struct meter *meter)
{
    for (size_t i = 0; i < meter->source_count; i++)
        meter->sources[i].driver->close(&meter->sources[i]);
    meter->source_count = meter->domain_count = 0;
}
