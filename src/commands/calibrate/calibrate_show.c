/* SPDX-License-Identifier: MIT
 * A machine profile for people. */
#include "commands/calibrate/calibrate.h"

#include "base/units.h"

#include <math.h>
#include <stdio.h>

static void show_hardware(const char *what, const struct profile_hardware *of, FILE *out)
{
    char memory[UNITS_SIZE];

    fprintf(out, "%s%s%s: %d socket%s, ", what, of->cpu_model[0] ? of->cpu_model : "processor without a name",
            of->guest ? ", a virtual machine" : "", of->sockets, of->sockets == 1 ? "" : "s");
    if (of->cores)
        fprintf(out, "%d cores, ", of->cores);
    fprintf(out, "%d CPUs", of->threads);
    if (of->memory_bytes)
        fprintf(out, ", %s", units_bytes((double)of->memory_bytes, memory));
    fputc('\n', out);
}

static void show_watts(double w, double spread_w, FILE *out)
{
    char power[UNITS_SIZE], spread[UNITS_SIZE], text[2 * UNITS_SIZE + 8];

    if (isnan(spread_w))
        snprintf(text, sizeof text, "%s", units_power(w, power));
    else
        snprintf(text, sizeof text, "%s ± %s", units_power(w, power), units_power(spread_w, spread));
    /* the sign has two bytes */
    fprintf(out, "%*s", isnan(spread_w) ? 20 : 21, text);
}

static void show_steps(const struct machine_profile *profile, FILE *out)
{
    char busy[UNITS_SIZE];

    fprintf(out, "\n%-8s%10s", "", "busy CPUs");
    for (enum profile_part part = 0; part < PROFILE_PARTS; part++)
        if (profile_has(profile, part))
            fprintf(out, "%20s", profile_part_name(part));
    fputc('\n', out);
    for (size_t i = 0; i < profile->step_count; i++) {
        const struct profile_step *step = &profile->steps[i];
        fprintf(out, "%-8s%10s", profile_work_name(step->work), units_digits(step->busy_cpus, 3, busy));
        for (enum profile_part part = 0; part < PROFILE_PARTS; part++)
            if (profile_has(profile, part))
                show_watts(step->w[part], step->spread_w[part], out);
        fputc('\n', out);
    }
}

/* What a busy CPU adds on average, with its range. */
static void show_slopes(const struct machine_profile *profile, FILE *out)
{
    fputc('\n', out);
    for (enum profile_part part = 0; part < PROFILE_PARTS; part++) {
        char slope[UNITS_SIZE], low[UNITS_SIZE], high[UNITS_SIZE];
        struct profile_power power;
        double w;
        if (!profile_has(profile, part) || part == PROFILE_GPU)
            continue;
        power = profile_power_of(profile, part);
        w = (curve_w(&power.curve, 1) - curve_w(&power.curve, 0)) / profile_cpus(profile);
        fprintf(out, "%s: %s per busy CPU (%s to %s)\n", profile_part_name(part), units_power(w, slope),
                units_power(w * power.slope_low_ratio, low), units_power(w * power.slope_high_ratio, high));
    }
}

void calibrate_show(const struct machine_profile *profile, FILE *out)
{
    char about[256];

    profile_describe(profile, about, sizeof about);
    fprintf(out, "machine profile %s: %s\n", profile->id, about);
    show_hardware("", &profile->hardware, out);
    if (profile->host.threads)
        show_hardware("host: ", &profile->host, out);
    show_steps(profile, out);
    show_slopes(profile, out);
    if (profile->how == PROFILE_BY_WALL && profile->hardware.guest && !profile->host.threads)
        fputs("a virtual machine: all that was read counts as its own, the idle power of its host too\n", out);
    if (profile->busy)
        fputs("made with --anyway: others kept CPUs busy meanwhile\n", out);
}
