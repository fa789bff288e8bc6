/* SPDX-License-Identifier: MIT
 * From the steps of a machine profile to a curve of load with its ranges. */
#include "power/machine_profile.h"

#include <math.h>

static const char *const part_names[PROFILE_PARTS] = { "package", "memory", "machine", "gpu" };
static const char *const work_names[PROFILE_WORKS] = { "idle", "cpu", "memory" };
static const char *const how_names[PROFILE_HOWS] = { "meter", "wall" };

const char *profile_part_name(enum profile_part part)
{
    return part_names[part];
}

const char *profile_work_name(enum profile_work work)
{
    return work_names[work];
}

const char *profile_how_name(enum profile_how how)
{
    return how_names[how];
}

/* The steps of one work, from idle on. */
struct works {
    const struct profile_step *idle;
    const struct profile_step *step[PROFILE_MAX_STEPS];
    size_t count;
};

static struct works works_of(const struct machine_profile *profile, enum profile_work work)
{
    struct works works = { .count = 0 };

    for (size_t i = 0; i < profile->step_count; i++) {
        const struct profile_step *step = &profile->steps[i];
        if (step->work == PROFILE_IDLE)
            works.idle = step;
        else if (step->work == work)
            works.step[works.count++] = step;
    }
    return works;
}

bool profile_has(const struct machine_profile *profile, enum profile_part part)
{
    const struct works works = works_of(profile, PROFILE_CPU);
    bool known = works.idle && works.count && !isnan(works.idle->w[part]);

    for (size_t i = 0; i < works.count; i++)
        known = known && !isnan(works.step[i]->w[part]);
    return known;
}

int profile_cpus(const struct machine_profile *profile)
{
    return profile->host.threads ? profile->host.threads : profile->hardware.threads;
}

double profile_share(const struct machine_profile *profile)
{
    return (double)profile->hardware.threads / profile_cpus(profile);
}

double profile_factor(const struct machine_profile *profile, const struct machine *machine)
{
    return profile_share(profile) * machine_stat_cpus(machine) / machine->cpus_online;
}

/* What a work adds to idle power with all CPUs busy, in a straight line beyond its last step; NAN: it was not tried. */
static double added_w(const struct works *works, enum profile_part part, int cpus)
{
    const struct profile_step *last = works->count ? works->step[works->count - 1] : NULL;

    return last ? (last->w[part] - works->idle->w[part]) * cpus / last->busy_cpus : NAN;
}

static double sample_stats_of(const struct profile_step *step, enum profile_part part)
{
    return isnan(step->spread_w[part]) ? 0 : step->spread_w[part];
}

_Static_assert((int)PROFILE_MAX_STEPS + 2 <= (int)CURVE_MAX_KNOTS, "each step, idle and full load");

/* The curve of the CPU's work, moved in a straight line half way towards that of memory. */
static struct power_curve curve_of(const struct works *cpu, enum profile_part part, int cpus, double half_way_w)
{
    struct power_curve curve = { .a = NAN, .knots = { { 0, cpu->idle->w[part] } }, .knot_count = 1 };
    const double full_w = cpu->idle->w[part] + added_w(cpu, part, cpus) + half_way_w;

    for (size_t i = 0; i < cpu->count; i++) {
        const double load = cpu->step[i]->busy_cpus / cpus;
        if (load < 1)
            curve.knots[curve.knot_count++] = (struct curve_knot){ load, cpu->step[i]->w[part] + load * half_way_w };
    }
    curve.knots[curve.knot_count++] = (struct curve_knot){ 1, full_w };
    return curve;
}

/* The measured power of a step, compared with the curve there. */
static void widen(struct profile_power *power, const struct profile_step *step, const struct profile_step *idle,
                  enum profile_part part, int cpus)
{
    const double tells_w = curve_w(&power->curve, step->busy_cpus / cpus);
    const double adds_w = tells_w - idle->w[part], added = step->w[part] - idle->w[part];
    const double spread_w = sample_stats_of(step, part), added_spread_w = hypot(spread_w, sample_stats_of(idle, part));

    if (tells_w > 0) {
        power->low_ratio = fmin(power->low_ratio, fmax(0, (step->w[part] - spread_w) / tells_w));
        power->high_ratio = fmax(power->high_ratio, (step->w[part] + spread_w) / tells_w);
    }
    if (step != idle && adds_w > 0) {
        power->slope_low_ratio = fmin(power->slope_low_ratio, fmax(0, (added - added_spread_w) / adds_w));
        power->slope_high_ratio = fmax(power->slope_high_ratio, (added + added_spread_w) / adds_w);
    }
}

struct profile_power profile_power_of(const struct machine_profile *profile, enum profile_part part)
{
    const int cpus = profile_cpus(profile);
    const struct works cpu = works_of(profile, PROFILE_CPU), stream = works_of(profile, PROFILE_STREAM);
    const double apart_w = added_w(&stream, part, cpus) - added_w(&cpu, part, cpus);
    struct profile_power power = {
        .curve = curve_of(&cpu, part, cpus, isnan(apart_w) ? 0 : apart_w / 2),
        .low_ratio = 1,
        .high_ratio = 1,
        .slope_low_ratio = 1,
        .slope_high_ratio = 1,
    };

    for (size_t i = 0; i < profile->step_count; i++)
        if (!isnan(profile->steps[i].w[part]))
            widen(&power, &profile->steps[i], cpu.idle, part, cpus);
    return power;
}
