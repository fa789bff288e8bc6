/* SPDX-License-Identifier: MIT
 * The power of a named processor. */
#include "app/estimate_steps.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

/* A share counts cores or threads; a whole package of a curve per thread has to be counted up. */
static bool knows_counts(const struct estimate *estimate)
{
    const struct cpu_power *cpu = &estimate->cpu;

    if (!isnan(estimate->cores))
        return cpu->cores > 0 && cpu->threads > 0;
    return !isnan(estimate->threads) || !cpu->per_thread || cpu->threads > 0;
}

static struct estimate_power power_of(const struct cpu_power *cpu, double factor, double load)
{
    return (struct estimate_power){ factor * curve_w(&cpu->curve, load), factor * curve_w(&cpu->low, load),
                                    factor * curve_w(&cpu->high, load) };
}

static bool add_memory(struct estimate *estimate, struct error *err)
{
    const struct memory_power *memory = &estimate->memory;
    const double size = estimate->memory_gb, load = estimate->load;

    if (isnan(size))
        return true;
    if (!memory_power_find(&estimate->memory, err))
        return false;
    estimate->memory_power =
        (struct estimate_power){ size * curve_w(&memory->w_per_gib, load), size * curve_w(&memory->low_w_per_gib, load),
                                 size * curve_w(&memory->high_w_per_gib, load) };
    estimate->power.w += estimate->memory_power.w;
    estimate->power.low_w += estimate->memory_power.low_w;
    estimate->power.high_w += estimate->memory_power.high_w;
    return true;
}

/* The whole machine at its plug, apart from the total; unknown for a share, and for other kinds of machines. */
static void take_wall(struct estimate *estimate, const struct cpu_power *wall, bool share)
{
    const bool known = wall->how[0] && !share;

    estimate->wall = known ? power_of(wall, 1, estimate->load) : (struct estimate_power){ NAN, NAN, NAN };
    text_copy(estimate->wall_how, sizeof estimate->wall_how, known ? wall->how : "");
    estimate->wall.w = fmax(estimate->wall.w, known ? estimate->power.w : NAN);
    estimate->wall.low_w = fmax(estimate->wall.low_w, known ? estimate->power.low_w : NAN);
    estimate->wall.high_w = fmax(estimate->wall.high_w, known ? estimate->power.high_w : NAN);
}

/* An instance has part of its host's threads, and memory of its own. */
static bool take_instance(struct estimate *estimate, struct error *err)
{
    const struct cloud_instance *instance = &estimate->instance;

    if (!cloud_instance_find(estimate->typed, &estimate->instance, err))
        return err->kind == ERROR_USAGE ? error_fix(err, "--cpu MODEL --threads N, with its processor and its vCPUs")
                                        : false;
    if (!instance->key[0]) {
        error_set(err, ERROR_USAGE, "the processor of '%s' is unknown", instance->type);
        error_why(err, "its cloud runs it on several, which the guest sees");
        return error_fix(err, "--cpu MODEL --threads %g, with the model name in /proc/cpuinfo there", instance->vcpus);
    }
    estimate->threads = instance->vcpus;
    if (isnan(estimate->memory_gb))
        estimate->memory_gb = instance->memory_gib;
    return true;
}

bool estimate_cpu(struct estimate *estimate, struct error *err)
{
    const bool of_cloud = estimate->from && strcmp(estimate->from, "instance") == 0;

    if (of_cloud && !take_instance(estimate, err))
        return false;
    const bool share = !isnan(estimate->threads) || !isnan(estimate->cores);
    const struct cpu_identity identity = {
        .model = of_cloud ? "" : estimate->typed,
        .cloud = of_cloud,
        .key = estimate->instance.key,
        .threads = estimate->instance.threads,
        .vendor = "",
        .family = -1,
        .number = -1,
        .stepping = -1,
        .by_thread = share,
        .named = true,
        .memory_gb = isnan(estimate->memory_gb) ? 0 : estimate->memory_gb,
    };
    struct cpu_power *cpu = &estimate->cpu, wall;
    double factor;

    if (!cpu_power_find(&identity, cpu, &wall, err))
        return false;
    /* "": any, by the power of an unknown thread */
    if (*estimate->typed && !of_cloud && !cpu_is_known(cpu))
        return cpu_unknown(estimate->typed, "--power", err);
    if (!knows_counts(estimate)) {
        error_set(err, ERROR_USAGE, "the tables do not know how many cores and threads '%s' has", estimate->typed);
        return error_fix(err, "--threads N, with all its hardware threads for the whole processor");
    }
    if (!isnan(estimate->cores))
        estimate->threads = estimate->cores * cpu->threads / cpu->cores;
    factor = share ? cpu_power_share(cpu, estimate->threads) : cpu_power_of_package(cpu, NAN);
    estimate->package = estimate->power = power_of(cpu, factor, estimate->load);
    if (!add_memory(estimate, err))
        return false;
    take_wall(estimate, &wall, share);
    return true;
}
