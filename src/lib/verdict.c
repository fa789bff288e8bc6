/* SPDX-License-Identifier: MIT
 * Which domains a meter of the library counts: those of its scope, as far as none of them repeats or contradicts
 * another. */
#include "lib/meter_parts.h"

#include "base/units.h"

#include <math.h>

/* A program may measure for a second in all. */
#define STEP_NS (NS_PER_S_INT / 10)

static unsigned public_component(enum component component)
{
    switch (component) {
    case COMPONENT_MACHINE: return CARBON_MACHINE;
    case COMPONENT_PLATFORM: return CARBON_PLATFORM;
    case COMPONENT_MEMORY: return CARBON_MEMORY;
    case COMPONENT_GPU: return CARBON_GPU;
    case COMPONENT_PACKAGE:
    case COMPONENT_CORES:
    case COMPONENT_UNCORE:
    case COMPONENT_RAIL:
    case COMPONENT_COUNT: break; /* not in a total: meter/scope.h */
    }
    return CARBON_PACKAGE;
}

static unsigned component_at(const carbon_meter *meter, size_t i)
{
    return public_component(meter->meter.domains[i].domain->component);
}

static bool has_figure(const carbon_meter *meter, size_t i)
{
    return meter->counting.is_counted[i] && !meter->meter.domains[i].doubted;
}

static void list_counted(carbon_meter *meter)
{
    meter->counted_count = 0;
    meter->doubted = false;
    for (size_t i = 0; i < meter->meter.domain_count; i++) {
        if (has_figure(meter, i))
            meter->counted[meter->counted_count++] = (struct counted){ i, component_at(meter, i) };
        else
            meter->doubted |= meter->counting.is_counted[i];
    }
}

void verdict_begin(carbon_meter *meter, enum scope scope)
{
    meter->scope = scope;
    list_counted(meter);
}

/* What was counted otherwise before is not known, and nor is the idle power by it. */
static void count_anew(carbon_meter *meter, uint64_t time_ns)
{
    AUTO_NOTICES struct notices reported = { .count = 0 };
    bool had[ENERGY_MAX_DOMAINS] = { false };

    for (size_t i = 0; i < meter->counted_count; i++)
        had[meter->counted[i].domain] = true;
    IGNORED(scope_count(&meter->meter, meter->scope, &meter->counting, &reported, NULL),
            "the counted domains are listed below");
    list_counted(meter);
    for (size_t i = 0; i < meter->meter.domain_count; i++)
        if (had[i] != has_figure(meter, i))
            meter->judged_ns[component_at(meter, i)] = time_ns;
    meter->idle_w = NAN;
    IGNORED(facts_add_notices(meter, &meter->meter.findings), "without memory they follow when they are found again");
}

void verdict_take(carbon_meter *meter, const struct sample *sample)
{
    if (!meter->steps.min_ns)
        cross_steps_begin(&meter->steps, sample, STEP_NS);
    else if (cross_steps_take(&meter->steps, &meter->meter, &meter->counting, sample))
        count_anew(meter, sample->time_ns);
}
