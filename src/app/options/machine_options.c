/* SPDX-License-Identifier: MIT
 * The options of the group "Model", which the commands with a meter share. */
#include "app/options/machine_options.h"

#include "base/text.h"
#include "power/cloud_guest.h"
#include "power/cpu_power.h"

#include <string.h>

static bool check_cpu(const char *name, struct error *err)
{
    const struct cpu_identity identity = { .model = name, .vendor = "", .family = -1, .named = true };
    struct cpu_power power;

    return cpu_power_find(&identity, &power, NULL, err) &&
           (cpu_is_known(&power) || cpu_unknown(name, "--cpu-power IDLE:FULL", err));
}

static bool check_instance(const char *type, struct error *err)
{
    struct cloud_instance instance;

    return cloud_instance_find(type, &instance, err);
}

/* "20:180", "20 W:0.18kW" */
static bool powers_of(const char *text, struct machine_stated *reported)
{
    const char *colon = strchr(text, ':');
    char idle[64];

    if (!colon || (size_t)(colon - text) >= sizeof idle)
        return false;
    text_copy(idle, (size_t)(colon - text) + 1, text);
    return quantity_of(QUANTITY_POWER, idle, &reported->idle_w) &&
           quantity_of(QUANTITY_POWER, colon + 1, &reported->full_w) && reported->idle_w >= 0 && reported->full_w > 0 &&
           reported->full_w >= reported->idle_w && reported->full_w < 1e6;
}

static bool check_powers(const char *text, struct error *err)
{
    struct machine_stated reported;

    if (powers_of(text, &reported))
        return true;
    error_set(err, ERROR_USAGE, "two powers are needed, the first not above the second");
    return error_fix(err, "20W:180W, for 20 W idle and 180 W where all CPUs are busy");
}

const struct option_spec option_machine_cpu = OPTION(TEXT, "Model", "cpu", .argument = "<model>", .check = check_cpu,
                                                     .help = "its processor, if it cannot be detected");
const struct option_spec option_machine_power =
    OPTION(TEXT, "Model", "cpu-power", .argument = "<idle:full>", .quantity = QUANTITY_POWER, .check = check_powers,
           .sample = "20W:180W", .help = "power of its processors, idle and with all CPUs busy, in watts");
const struct option_spec option_machine_instance =
    OPTION(TEXT, "Model", "instance", .argument = "<type>", .check = check_instance,
           .help = "the cloud's type of this machine: m6i.large");
const struct option_spec option_profile =
    OPTION(FILE, "Model", "profile", .argument = "<file>",
           .help = "its machine profile (carbon calibrate), or none; looked for when not given");

bool machine_options_read(const struct settings *settings, const struct root *root, struct machine *machine,
                          struct machine_profile *profile, struct error *err)
{
    const char *powers = settings_text(settings, &option_machine_power);
    bool found;

    machine->reported.cpu = settings_text(settings, &option_machine_cpu);
    machine->reported.instance = settings_text(settings, &option_machine_instance);
    if (powers)
        (void)powers_of(powers, &machine->reported);
    if (!machine_profile_find(root, machine, settings_text(settings, &option_profile), profile, &found, err))
        return false;
    machine->reported.profile = found ? profile : NULL;
    return true;
}
