/* SPDX-License-Identifier: MIT
 * carbon.h in terms of measure/ and emissions/: opening, marks, closing. */
#include "lib/meter_parts.h"

#include "base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(sizeof(carbon_mark) == 152, "marks are passed by value: their size is part of the interface");
_Static_assert((int)CARBON_GPU < (int)MARK_COMPONENTS &&
                   sizeof(((carbon_mark *)NULL)->energy_uj) == MARK_COMPONENTS * sizeof(uint64_t),
               "a mark has room for each component");
_Static_assert((int)CARBON_MODELLED == (int)QUALITY_MODELLED && (int)CARBON_DEFAULT == (int)QUALITY_DEFAULT &&
                   (int)CARBON_SCOPE_MACHINE == (int)SCOPE_MACHINE && (int)CARBON_NO_BASIS == (int)FACTOR_NO_BASIS &&
                   (int)CARBON_ERROR_SYSTEM == (int)ERROR_SYSTEM,
               "public numbers are ours");

/* RAPL's counters are refreshed once a millisecond. */
#define SAMPLE_MIN_S 0.001
#define SAMPLE_MAX_S 10.0

enum { SAMPLE_READINGS_MIN = 64, SAMPLE_READINGS = 16384 };

/* Of a caller that may have been compiled with another release's header. */
static bool take_options(const carbon_options *from, size_t size, carbon_options *options, struct error *err)
{
    const unsigned char *bytes = (const unsigned char *)from;

    *options = (carbon_options){ .zone = NULL };
    if (!from)
        return true;
    for (size_t i = sizeof *options; i < size; i++)
        if (bytes[i]) {
            error_set(err, ERROR_USAGE, "unknown option in carbon_options");
            error_why(err, "the program needs a newer libcarbon");
            return error_fix(err, "install the libcarbon that it belongs to");
        }
    memcpy(options, from, size < sizeof *options ? size : sizeof *options);
    return true;
}

static bool check_options(const carbon_options *options, struct error *err)
{
    if (options->pue != 0 && !(options->pue >= 1 && isfinite(options->pue)))
        return error_set(err, ERROR_USAGE, "a PUE is at least 1");
    if ((int)options->scope < 0 || options->scope > CARBON_SCOPE_MACHINE)
        return error_set(err, ERROR_USAGE, "unknown scope %d", (int)options->scope);
    if ((int)options->basis < 0 || options->basis > CARBON_NO_BASIS)
        return error_set(err, ERROR_USAGE, "unknown basis %d", (int)options->basis);
    if (options->basis == CARBON_NO_BASIS && options->kgco2eq_per_kwh == 0) {
        error_set(err, ERROR_USAGE, "a factor that is looked up has a basis");
        return error_fix(err, "give CARBON_LIFECYCLE or CARBON_DIRECT, or a factor of your own");
    }
    if (!(options->kgco2eq_per_kwh >= 0 && isfinite(options->kgco2eq_per_kwh)))
        return error_set(err, ERROR_USAGE, "a factor in kgCO2eq/kWh is not negative");
    if (options->year < 0)
        return error_set(err, ERROR_USAGE, "invalid year %d", options->year);
    if (options->sample_interval_s != 0 &&
        !(options->sample_interval_s >= SAMPLE_MIN_S && options->sample_interval_s <= SAMPLE_MAX_S))
        return error_set(err, ERROR_USAGE, "the interval of readings for stamps is %g to %g s", SAMPLE_MIN_S,
                         SAMPLE_MAX_S);
    if (options->sample_readings && options->sample_readings < SAMPLE_READINGS_MIN)
        return error_set(err, ERROR_USAGE, "stamps need at least %d readings", SAMPLE_READINGS_MIN);
    return true;
}

static bool find_factor(carbon_meter *meter, const carbon_options *options, struct notices *notices, struct error *err)
{
    const char *named = getenv("CARBON_ZONE");
    const struct factor_query query = {
        .zone = options->zone     ? options->zone
                : named && *named ? named
                                  : NULL,
        .year = options->year ? options->year : clock_year(clock_realtime_ns()),
        .basis = (enum factor_basis)options->basis,
        .intensity = options->kgco2eq_per_kwh > 0 ? options->kgco2eq_per_kwh : NAN,
    };

    return factor_lookup(&query, &meter->factor, notices, err);
}

static bool is_known_source(const char *name, struct error *err)
{
    for (size_t i = 0; energy_drivers[i]; i++)
        if (strcmp(energy_drivers[i]->name, name) == 0)
            return true;
    error_set(err, ERROR_USAGE, "unknown source '%s'", name);
    return error_fix(err, "'carbon sources' lists them");
}

static bool find_profile(carbon_meter *meter, struct error *err)
{
    const char *named = getenv("CARBON_PROFILE");
    bool found;

    if (!machine_profile_find(&meter->root, &meter->machine, named && *named ? named : NULL, &meter->profile, &found,
                              err))
        return false;
    meter->machine.reported.profile = found ? &meter->profile : NULL;
    return true;
}

/* For stamps before the thread's first. */
static void take_first_reading(carbon_meter *meter, const carbon_options *options)
{
    struct sample sample;

    taken_open(meter, options->sample_interval_s,
               options->sample_readings ? options->sample_readings : SAMPLE_READINGS);
    meter_lock(meter);
    take_sample(meter, &sample);
    meter_unlock(meter);
}

static bool open_meter(carbon_meter *meter, const carbon_options *options, struct error *err)
{
    const struct meter_options sources = {
        .only = options->source,
        .measured_only = options->require_measured != 0,
        .whole_machine = options->scope == CARBON_SCOPE_MACHINE,
    };
    AUTO_NOTICES struct notices notices = { .count = 0 };

    if (!check_options(options, err) || (options->source && !is_known_source(options->source, err)) ||
        !root_open(&meter->root, options->root ? options->root : "/", err))
        return false;
    machine_read(&meter->machine, &meter->root);
    if (!find_profile(meter, err) || !find_factor(meter, options, &notices, err) ||
        !meter_open(&meter->meter, &meter->root, &meter->machine, &sources, err) ||
        !job_gpus_choose(&meter->meter, NULL, gpus_own_environment, &notices, err) ||
        !scope_count(&meter->meter, (enum scope)options->scope, &meter->counting, &notices, err))
        return false;
    meter->opened_ns = clock_monotonic_ns();
    verdict_begin(meter, (enum scope)options->scope);
    if (options->sample_interval_s > 0)
        take_first_reading(meter, options);
    return facts_fill(meter, &notices, options->pue == 0 ? 1 : options->pue, err) &&
           ((!options->keep_alive && !meter->taken.limit) || keeper_start(meter, err));
}

carbon_meter *carbon_open_sized(const carbon_options *options, size_t size, carbon_error *error)
{
    carbon_meter *meter = calloc(1, sizeof *meter);
    struct error err = { .kind = ERROR_NONE };
    carbon_options taken;

    if (!meter || !meter_lock_open(meter, &err)) {
        if (!meter)
            error_errno(&err, "cannot open a meter");
        error_publish(&err, error);
        free(meter);
        return NULL;
    }
    meter->root.fd = -1;
    meter->idle_w = meter->recent.load = NAN;
    meter->process = (uint32_t)getpid();
    if (take_options(options, size, &taken, &err) && open_meter(meter, &taken, &err))
        return meter;
    error_publish(&err, error);
    carbon_close(meter);
    return NULL;
}

carbon_mark carbon_now(carbon_meter *meter)
{
    struct sample sample;
    carbon_mark mark;

    meter_lock(meter);
    take_sample(meter, &sample);
    mark_fill(meter, &sample, &mark);
    own_add_to_mark(meter, &mark);
    meter_unlock(meter);
    return mark;
}

void carbon_close(carbon_meter *meter)
{
    if (!meter)
        return;
    keeper_stop(meter);
    meter_close(&meter->meter);
    root_close(&meter->root);
    meter_lock_close(meter);
    facts_close(meter);
    free(meter->taken.readings);
    free(meter);
}
