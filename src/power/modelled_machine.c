/* SPDX-License-Identifier: MIT
 * Which processor is modelled, and as which part of a host. */
#include "power/modelled_machine.h"

#include "base/units.h"
#include "power/cpu_search.h"
#include "power/machine_profile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_CONSTRAINTS = 3, MAX_ZONES = 16 };

/* A type that is reported and is in no table says as little as none. */
static bool find_instance(struct modelled_machine *modelled, struct error *err)
{
    const char *reported = modelled->machine->reported.instance;
    struct cloud_guest guest;
    struct error unknown;

    if (reported)
        return cloud_instance_find(reported, &modelled->instance, err);
    if (!cloud_guest_find(modelled->machine, &guest, err))
        return false;
    if (guest.type[0] && !cloud_instance_find(guest.type, &modelled->instance, &unknown) &&
        unknown.kind != ERROR_USAGE) {
        *err = unknown;
        return false;
    }
    return true;
}

/* "package-0" has limits, for long and for short, in a zone that every user may read. */
static bool is_package(const struct root *root, int zone)
{
    char path[96], name[32];

    snprintf(path, sizeof path, "sys/class/powercap/intel-rapl:%d/name", zone);
    return root_read_text(root, path, name, sizeof name, NULL) && strncmp(name, "package-", 8) == 0;
}

static void find_limits_of(const struct root *root, int zone, struct cpu_identity *identity)
{
    for (int i = 0; i < MAX_CONSTRAINTS; i++) {
        char path[96], name[32];
        uint64_t limit_uw;

        snprintf(path, sizeof path, "sys/class/powercap/intel-rapl:%d/constraint_%d_power_limit_uw", zone, i);
        if (!root_read_u64(root, path, &limit_uw, NULL))
            continue;
        const double limit_w = (double)limit_uw / UJ_PER_J;
        snprintf(path, sizeof path, "sys/class/powercap/intel-rapl:%d/constraint_%d_name", zone, i);
        if (root_read_text(root, path, name, sizeof name, NULL) && strcmp(name, "long_term") == 0)
            identity->limit_w = fmax(identity->limit_w, limit_w);
        identity->max_limit_w = fmax(identity->max_limit_w, limit_w);
    }
}

static void find_limits(struct modelled_machine *modelled, const struct root *root)
{
    for (int zone = 0; zone < MAX_ZONES && !modelled->guest; zone++)
        if (is_package(root, zone))
            find_limits_of(root, zone, &modelled->identity);
}

/* User settings have priority over detection. */
static void read_stated(struct modelled_machine *modelled)
{
    const struct machine_stated *reported = &modelled->machine->reported;
    struct cpu_identity *identity = &modelled->identity;

    if (reported->cpu) {
        identity->model = reported->cpu;
        identity->named = true;
        identity->vendor = identity->board = "";
        identity->family = identity->number = identity->stepping = -1;
    }
    if (reported->full_w > 0) {
        const int parts = modelled->guest ? 1 : modelled->machine->packages;
        identity->idle_w = reported->idle_w / parts;
        identity->full_w = reported->full_w / parts;
        identity->threads = modelled->guest ? machine_stat_cpus(modelled->machine) : identity->threads;
    }
}

bool modelled_machine_find(struct modelled_machine *modelled, const struct root *root, const struct machine *machine,
                           struct error *err)
{
    *modelled = (struct modelled_machine){ .machine = machine };
    if (!find_instance(modelled, err))
        return false;
    modelled->guest = machine->guest || (machine->reported.instance && !strstr(modelled->instance.type, "metal"));
    modelled->identity = (struct cpu_identity){
        .model = machine->cpu_model,
        .vendor = machine->cpu_vendor,
        .family = machine->cpu_family,
        .number = machine->cpu_number,
        .stepping = machine->cpu_stepping,
        .by_thread = modelled->guest,
        .packages = machine->packages,
        .memory_gb = (double)machine->memory_bytes / GIB_BYTES,
        .cloud = modelled->instance.type[0],
        .key = modelled->instance.key,
        .threads = modelled->instance.threads,
        .board = machine->board,
    };
    read_stated(modelled);
    find_limits(modelled, root);
    return true;
}

/* How many times the curve of a package or a server counts: a guest has its share of one, a container with a /proc/stat
 * of its own that of all that there are. */
static double share_of_all(const struct modelled_machine *modelled, const struct cpu_power *power, double of_each)
{
    const struct machine *machine = modelled->machine;
    const int cpus = machine_stat_cpus(machine);

    return modelled->guest ? cpu_power_share(power, cpus) : of_each * machine->packages * cpus / machine->cpus_online;
}

/* False: it is nowhere below. */
static bool hold_above(struct power_curve *curve, double factor, const struct power_curve *package,
                       double package_factor, const struct power_curve *per_gib, double gib)
{
    struct power_curve held = { .a = NAN };
    bool below = false;

    for (int i = 0; i < CURVE_POINTS; i++) {
        const double load = (double)i / (CURVE_POINTS - 1), w = curve_w(curve, load);
        const double parts_w = package_factor * curve_w(package, load) + (gib > 0 ? gib * curve_w(per_gib, load) : 0);
        below = below || factor * w < parts_w;
        held.at_w[i] = fmax(w, parts_w / factor);
    }
    *curve = held;
    return below;
}

static void hold_parts_inside(struct modelled_powers *powers)
{
    struct cpu_power *machine = &powers->machine;
    const struct cpu_power *package = &powers->package;
    const struct memory_power *memory = &powers->memory;
    const double factor = powers->machine_factor, of_package = powers->package_factor, gib = powers->memory_gib;
    const size_t length = strlen(machine->how);
    const bool below = hold_above(&machine->curve, factor, &package->curve, of_package, &memory->w_per_gib, gib);

    const bool low = hold_above(&machine->low, factor, &package->low, of_package, &memory->low_w_per_gib, gib);
    const bool high = hold_above(&machine->high, factor, &package->high, of_package, &memory->high_w_per_gib, gib);

    if (below || low || high) {
        power_widen(machine, &machine->low);
        power_widen(machine, &machine->high);
    }
    if (below)
        snprintf(machine->how + length, sizeof machine->how - length, "; at least its package and memory");
}

/* The machine's profile has priority over published power. */
static void take_profile(const struct machine *machine, struct modelled_powers *powers)
{
    const struct machine_profile *profile = machine_profile_of(machine);
    struct profile_power power;

    if (!profile || !profile_has(profile, PROFILE_PACKAGE))
        return;
    power = profile_power_of(profile, PROFILE_PACKAGE);
    powers->package.curve = power.curve;
    powers->package.low = curve_scaled(power.curve, power.low_ratio);
    powers->package.high = curve_scaled(power.curve, power.high_ratio);
    powers->package_factor = profile_factor(profile, machine);
    if (!profile_has(profile, PROFILE_MEMORY) || !(powers->memory_gib > 0))
        return;
    power = profile_power_of(profile, PROFILE_MEMORY);
    power.curve = curve_scaled(power.curve, profile_factor(profile, machine) / powers->memory_gib);
    powers->memory.w_per_gib = power.curve;
    powers->memory.low_w_per_gib = curve_scaled(power.curve, power.low_ratio);
    powers->memory.high_w_per_gib = curve_scaled(power.curve, power.high_ratio);
}

bool modelled_machine_powers(const struct modelled_machine *modelled, struct modelled_powers *powers, struct error *err)
{
    const struct machine *machine = modelled->machine;
    const uint64_t ours_bytes = machine->memory_ours_bytes > 0 ? machine->memory_ours_bytes : machine->memory_bytes;

    powers->memory_gib = (double)ours_bytes / GIB_BYTES;
    if (!cpu_power_find(&modelled->identity, &powers->package, &powers->machine, err) ||
        (ours_bytes > 0 && !memory_power_find(&powers->memory, err)))
        return false;
    powers->package_factor =
        share_of_all(modelled, &powers->package,
                     cpu_power_of_package(&powers->package, (double)machine->cpus_online / machine->packages));
    take_profile(machine, powers);
    if (!powers->machine.how[0])
        return true;
    powers->machine_factor = share_of_all(modelled, &powers->machine, 1);
    hold_parts_inside(powers);
    return true;
}

static void add_numbers(const struct machine *machine, struct text *text)
{
    if (machine->reported.cpu)
        text_add(text, " (--cpu)");
    else if (strncmp(machine->cpu_vendor, "ARM:", 4) == 0)
        text_add(text, " (%s part 0x%03x)", machine->cpu_vendor, (unsigned)machine->cpu_number);
    else if (machine->cpu_family >= 0)
        text_add(text, " (CPUID %d/%d/%d)", machine->cpu_family, machine->cpu_number, machine->cpu_stepping);
}

static void add_threads(const struct modelled_machine *modelled, const struct cpu_power *power, struct text *text)
{
    const struct machine *machine = modelled->machine;
    const int cpus = machine_stat_cpus(machine);

    if (modelled->guest && !power->per_thread && power->basis != POWER_GIVEN)
        text_add(text, ", a guest with %d of a package's %d threads", cpus, power->threads);
    else if (machine->cpus_ours)
        text_add(text, ", a container with %d of %d CPUs", machine->cpus_ours, machine->cpus_online);
    else
        text_add(text, ", %s %d thread%s", modelled->guest ? "a guest with" : "all its", machine->cpus_online,
                 machine->cpus_online == 1 ? "" : "s");
    if (modelled->instance.type[0])
        text_add(text, ", %s", modelled->instance.type);
}

void modelled_machine_describe(const struct modelled_machine *modelled, const struct cpu_power *power,
                               struct text *text)
{
    const char *name = modelled->machine->reported.cpu ? power->model : modelled->machine->cpu_model;
    const char *kind = power->microarchitecture;

    text_add(text, "%s, %s", *name ? name : "processor without a name", *kind ? kind : "microarchitecture unknown");
    add_numbers(modelled->machine, text);
    add_threads(modelled, power, text);
}

const char *modelled_machine_hint(const struct modelled_machine *modelled, const struct cpu_power *power)
{
    if (power->basis == POWER_GIVEN)
        return "'carbon sources' shows what is missing; --require-measured fails instead of modelling";
    if (modelled->guest && !modelled->instance.type[0] && !modelled->machine->reported.cpu)
        return "set the cloud instance type, --instance m6i.large, or the processor, --cpu 'EPYC 7763'";
    if (power->basis >= POWER_MODEL_RANGE)
        return "name its processor, --cpu 'EPYC 7763', or its idle and busy power, --cpu-power 20:180";
    return "'carbon sources' shows what is missing; --require-measured fails instead of modelling";
}
