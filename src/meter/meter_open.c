/* SPDX-License-Identifier: MIT
 * Opening the drivers of a meter; and where none of them has anything, why. */
#include "base/units.h"
#include "meter/meter.h"

#include "base/clock.h"
#include "base/debug.h"
#include "base/text.h"
#include "energy/power_bounds.h"
#include "meter/borrowed.h"
#include "power/cpu_power.h"

#include <string.h>

static void add_domains(struct meter *meter, struct energy_source *source)
{
    for (size_t i = 0; i < source->domain_count; i++)
        if (meter->domain_count < ENERGY_MAX_DOMAINS)
            meter->domains[meter->domain_count++] =
                (struct meter_domain){ .domain = &source->domains[i], .source = source };
        else
            notice_add(&source->notices, NOTICE_LEFT_OUT,
                       "all sources together have more domains than carbon has room for", "--source names one of them",
                       "the total may be incomplete");
}

static bool is_usable(const struct domain *domain)
{
    return domain->problem.kind == ERROR_NONE && !domain->not_counted[0];
}

/* A readable domain that can be part of some total. */
static bool has_countable(const struct meter *meter)
{
    for (size_t i = 0; i < meter->domain_count; i++) {
        const struct domain *domain = meter->domains[i].domain;
        if (is_usable(domain) && domain->component != COMPONENT_CORES && domain->component != COMPONENT_UNCORE &&
            domain->component != COMPONENT_RAIL)
            return true;
    }
    return false;
}

/* The packages are measured, or have no counter and something wider is. */
static bool has_processors(const struct meter *meter)
{
    bool seen = false, wider = false;

    for (size_t i = 0; i < meter->domain_count; i++) {
        const struct domain *domain = meter->domains[i].domain;
        if (domain->component == COMPONENT_PACKAGE && is_usable(domain))
            return true;
        seen |= domain->component == COMPONENT_PACKAGE && !domain->not_counted[0];
        wider |= domain->component == COMPONENT_MACHINE && is_usable(domain);
    }
    return wider && !seen;
}

/* Looked up for a domain of the processors that has no limit of its own. */
static double tdp_w_of(const struct meter *meter, const struct energy_source *source)
{
    for (size_t i = 0; i < source->domain_count; i++)
        if (bounds_want_tdp(&source->domains[i]))
            return cpu_tdp_w(meter->machine->cpu_model);
    return 0;
}

static void bound_domains(const struct meter *meter, const struct energy_source *source)
{
    const double tdp_w = tdp_w_of(meter, source);

    for (size_t i = 0; i < source->domain_count; i++)
        bounds_set(&source->domains[i], meter->machine->packages, source->driver->covers_all, tdp_w);
}

/* The answer of a driver, and its domains. */
static void debug_source(const struct energy_source *source, bool opened, const struct error *error, uint64_t began_ns)
{
    const char *name = source->driver->name;

    if (opened)
        debug_tell(DEBUG_SOURCES, "%s: ready, %zu domains, %.1f ms", name, source->domain_count,
                   (double)(clock_monotonic_ns() - began_ns) / (double)NS_PER_MS);
    else
        debug_tell(DEBUG_SOURCES, "%s: %s: %s%s%s", name, error_kind_name(error->kind), error->what,
                   error->why[0] ? ": " : "", error->why);
    for (size_t i = 0; i < source->domain_count; i++) {
        const struct domain *domain = &source->domains[i];
        const struct error *problem = &domain->problem;

        if (problem->kind != ERROR_NONE)
            debug_tell(DEBUG_SOURCES, "%s: %s ('%s'): %s: %s%s%s", name, domain->name, domain->path,
                       error_kind_name(problem->kind), problem->what, problem->why[0] ? ": " : "", problem->why);
        else
            debug_tell(DEBUG_SOURCES, "%s: %s ('%s'): %s%s%s", name, domain->name, domain->path,
                       quality_name(domain->quality), domain->not_counted[0] ? ", not counted: " : "",
                       domain->not_counted);
        if (domain->max_from != MAX_UNKNOWN)
            debug_tell(DEBUG_SOURCES, "%s: %s draws %g W at most, by its %s", name, domain->name, domain->max_w,
                       max_from_name(domain->max_from));
    }
    for (size_t i = 0; i < source->notices.count; i++)
        debug_tell(DEBUG_SOURCES, "%s: warning: %s", name, source->notices.item[i].what);
}

static void open_source(struct meter *meter, const struct energy_driver *driver, const struct named_meters *named)
{
    struct energy_source *source = &meter->sources[meter->source_count];
    struct error error = { .kind = ERROR_NONE };
    const uint64_t began_ns = debug_is_on(DEBUG_SOURCES) ? clock_monotonic_ns() : 0;

    *source = (struct energy_source){ .driver = driver, .named = named };
    meter->next_poll_ns[meter->source_count] = 0;
    meter->opened[meter->source_count] = driver->open(source, meter->root, meter->machine, &error);
    if (!meter->opened[meter->source_count])
        meter->refusals[meter->refusal_count++] = (struct refusal){ driver, error };
    meter->source_count++;
    bound_domains(meter, source);
    if (debug_is_on(DEBUG_SOURCES))
        debug_source(source, meter->opened[meter->source_count - 1], &error, began_ns);
    add_domains(meter, source);
}

static const struct refusal *refusal_of(const struct meter *meter, enum error_kind kind)
{
    for (size_t i = 0; i < meter->refusal_count; i++)
        if (meter->refusals[i].error.kind == kind)
            return &meter->refusals[i];
    return NULL;
}

/* The model would have answered, and could not. */
static const struct refusal *refused_model(const struct meter *meter)
{
    for (size_t i = 0; i < meter->refusal_count; i++)
        if (meter->refusals[i].driver->quality == QUALITY_MODELLED)
            return &meter->refusals[i];
    return NULL;
}

/* "ina3221x-gpu and 5 more: one rail of the board": each reason once. */
static void add_not_counted(const struct meter *meter, struct text *why)
{
    for (size_t i = 0; i < meter->domain_count; i++) {
        const char *reason = meter->domains[i].domain->not_counted;
        size_t before = 0, more = 0;

        for (size_t j = 0; j < meter->domain_count; j++)
            if (j != i && strcmp(meter->domains[j].domain->not_counted, reason) == 0)
                *(j < i ? &before : &more) += 1;
        if (!reason[0] || before)
            continue;
        text_add(why, "%s%s", why->length ? "; " : "", meter->domains[i].domain->name);
        if (more)
            text_add(why, " and %zu more", more);
        text_add(why, ": %s", reason);
    }
}

/* An existing source is more informative than a missing one. */
static void add_refused(const struct meter *meter, struct text *why)
{
    add_not_counted(meter, why);
    for (size_t i = 0; i < meter->refusal_count; i++)
        text_add(why, "%s%s: %s", why->length ? "; " : "", meter->refusals[i].driver->name,
                 meter->refusals[i].error.what);
}

/* The first that is there and cannot be read, and the model, which cannot take its place. */
static void add_failed(const struct meter *meter, const struct error *model, struct text *why)
{
    for (size_t i = 0; i < meter->domain_count && !why->length; i++) {
        const struct error *problem = &meter->domains[i].domain->problem;
        if (problem->kind != ERROR_NONE && problem->kind != ERROR_ABSENT)
            text_add(why, "%s%s%s; ", problem->what, problem->why[0] ? ": " : "", problem->why);
    }
    text_add(why, "%s", model->what);
}

static bool nothing_readable(const struct meter *meter, bool measured_only, struct error *err)
{
    const struct refusal *denied = refusal_of(meter, ERROR_DENIED), *failed = refused_model(meter);
    const char *model = measured_only ? "omit --require-measured to use the model" : "";
    struct text why;

    if (denied) {
        error_set(err, ERROR_DENIED, "%s", denied->error.what);
        error_why(err, "%s", denied->error.why);
        return error_fix(err, "%s%s%s", denied->error.fix, denied->error.fix[0] && model[0] ? "; or " : "", model);
    }
    text_open(&why, sizeof err->why);
    if (failed)
        add_failed(meter, &failed->error, &why);
    else
        add_refused(meter, &why);
    error_set(err, ERROR_ABSENT, "no energy source on this machine%s%s",
              meter->machine->guest ? ", which is a virtual machine" : "", failed ? ", and no model of it" : "");
    error_notice(err, NOTICE_NO_COUNTER);
    error_why(err, "%s", why.data ? why.data : "");
    text_close(&why);
    if (failed)
        return error_fix(err, "%s", failed->error.fix);
    return measured_only ? error_fix_omits(err, "require-measured", false)
                         : error_fix(err, "measure on the host, or use --source model");
}

static bool is_wanted(const struct energy_driver *driver, const struct meter_options *options)
{
    const bool modelled = driver->quality == QUALITY_MODELLED;

    if (options->only)
        return strcmp(options->only, driver->name) == 0 && !(modelled && options->measured_only);
    return !modelled && (options->whole_machine || !driver->whole_machine_only);
}

bool meter_open(struct meter *meter, const struct root *root, const struct machine *machine,
                const struct meter_options *options, struct error *err)
{
    const char *only = options->only;
    const bool measured_only = options->measured_only;
    struct sample first;

    /* its lists are long, and nothing is in them */
    meter->root = root;
    meter->machine = machine;
    meter->source_count = meter->refusal_count = meter->domain_count = 0;
    meter->findings = (struct notices){ .count = 0 };
    for (size_t i = 0; energy_drivers[i]; i++)
        if (is_wanted(energy_drivers[i], options))
            open_source(meter, energy_drivers[i], options->named);
    borrowed_judge(meter->sources, meter->source_count, machine, only != NULL);
    if (!only && !measured_only && !has_processors(meter))
        for (size_t i = 0; energy_drivers[i]; i++)
            if (energy_drivers[i]->quality == QUALITY_MODELLED)
                open_source(meter, energy_drivers[i], options->named);
    if (!has_countable(meter)) {
        if (only && meter->refusal_count) {
            *err = meter->refusals[0].error;
            return err->kind == ERROR_ABSENT && !measured_only ? error_fix_omits(err, "source", true) : false;
        }
        if (only && measured_only && !meter->source_count) {
            error_set(err, ERROR_USAGE, "--source %s and --require-measured cannot be combined", only);
            error_why(err, "a model measures nothing");
            return error_fix_omits(err, "require-measured", false);
        }
        return nothing_readable(meter, measured_only, err);
    }
    meter_sample(meter, &first);
    return true;
}
