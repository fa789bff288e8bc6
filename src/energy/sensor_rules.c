/* SPDX-License-Identifier: MIT
 * The rules for sensors, each with the driver that it was taken from. The first that fits holds. */
#include "energy/sensor_rules.h"

#include "base/text.h"
#include "energy/domains.h"

#include <stdio.h>
#include <string.h>

#define ONE_CORE "one core's counter; inside its package"
#define INSIDE "a part of another sensor of this machine"

static const struct sensor_rule rules[] = {
    /* amd_energy (Linux 5.8 to 5.12, Documentation/hwmon/amd_energy.rst) and its out-of-tree successors */
    { "amd_energy", "Esocket#", NULL, COMPONENT_PACKAGE, false, NULL },
    { "amd_energy", "Ecore*", NULL, COMPONENT_CORES, false, ONE_CORE },
    { "zenergy", "Esocket#", NULL, COMPONENT_PACKAGE, false, NULL },
    { "zenergy", "Ecore*", NULL, COMPONENT_CORES, false, ONE_CORE },
    /* zenpower (out of tree): power delivered by the board's regulators to two rails of a package */
    { "zenpower", "*", NULL, COMPONENT_RAIL, false, "a rail of the package, without what its regulator loses" },
    /* Documentation/hwmon/fam15h_power.rst: the processor package (TDP counter) */
    { "fam15h_power", "*", NULL, COMPONENT_PACKAGE, false, NULL },
    /* Ampere Altra and X-Gene: two rails that together are the socket */
    { "altra_hwmon", "CPU power", NULL, COMPONENT_PACKAGE, true, NULL },
    { "altra_hwmon", "IO power", NULL, COMPONENT_PACKAGE, true, NULL },
    { "altra_hwmon", "Core Energy*", NULL, COMPONENT_CORES, false, ONE_CORE },
    { "apm_xgene", "CPU power", NULL, COMPONENT_PACKAGE, true, NULL },
    { "apm_xgene", "IO power", NULL, COMPONENT_PACKAGE, true, NULL },
    /* ACPI power meters of NVIDIA Grace (Grace Performance Tuning Guide, "Power and Thermal Management") */
    { "power_meter", "Grace Power Socket #", NULL, COMPONENT_PACKAGE, false, NULL },
    { "power_meter", "Module Power Socket #", NULL, COMPONENT_RAIL, false,
      "the module: its package and its GPU together" },
    { "power_meter", "CPU Power Socket #", NULL, COMPONENT_RAIL, false, "the CPU rail; inside its socket's power" },
    { "power_meter", "SysIO Power Socket #", NULL, COMPONENT_RAIL, false, "the SysIO rail; inside its socket's power" },
    /* Documentation/hwmon/acpi_power_meter.rst: the machine's own meter */
    { "power_meter", "*", NULL, COMPONENT_MACHINE, false, NULL },
    /* Documentation/hwmon/corsair-psu.rst: power delivered by the supply; the power at the plug includes its losses */
    { "corsairpsu", "power total", NULL, COMPONENT_MACHINE, false, NULL },
    { "corsairpsu", "*", NULL, COMPONENT_RAIL, false, "one output of the supply; inside its total" },
    /* macsmc-hwmon: keys of Apple's SMC */
    { "macsmc_hwmon", "Total System Power", NULL, COMPONENT_MACHINE, false, NULL },
    { "macsmc_hwmon", "*", NULL, COMPONENT_RAIL, false, "a part of the total, or its other side" },
    /* ibmpowernv (OPAL): "System" is the node */
    { "ibmpowernv", "System", NULL, COMPONENT_MACHINE, false, NULL },
    { "ibmpowernv", "*", NULL, COMPONENT_RAIL, false, INSIDE },
    /* PMBus supplies of servers: input power; several supplies share the load */
    { "cffps*", "pin*", NULL, COMPONENT_MACHINE, true, NULL },
    { "ibm-cffps*", "pin*", NULL, COMPONENT_MACHINE, true, NULL },
    { "ipsps*", "pin*", NULL, COMPONENT_MACHINE, true, NULL },
    { "pfe*", "pin*", NULL, COMPONENT_MACHINE, true, NULL },
    { "dps920ab", "pin*", NULL, COMPONENT_MACHINE, true, NULL },
    { "acbel_fsg032", "pin*", NULL, COMPONENT_MACHINE, true, NULL },
    /* NVIDIA's own driver (L4T up to 32): on Jetson TX1 and TX2 the module and its carrier board have an input each,
     * side by side; AGX Xavier has rails alone, of which none feeds the others */
    { "ina3221x", "VDD_IN", NULL, COMPONENT_MACHINE, true, NULL },
    { "ina3221x", "VDD_MUX", NULL, COMPONENT_MACHINE, true, NULL },
    { "ina3221x", "POM_5V_IN", NULL, COMPONENT_MACHINE, false, NULL },
    { "ina3221x", "", NULL, COMPONENT_RAIL, false, "no rail_name says what this shunt measures" },
    { "ina3221x", "*", NULL, COMPONENT_RAIL, false, "one rail of the board, and no input of the board by its name" },
    { "ina*", "VDD_MUX", NULL, COMPONENT_RAIL, false, "the input of the carrier board; not that of the module" },
    /* a shunt of the input of the whole board (NVIDIA Jetson carrier boards) */
    { "ina*", "VDD_IN", NULL, COMPONENT_MACHINE, false, NULL },
    { "ina*", "POM_5V_IN", NULL, COMPONENT_MACHINE, false, NULL },
    { "ina*", "VIN_SYS_5V0", NULL, COMPONENT_RAIL, false, "the 5 V system rail; not all of the board" },
    { "ina*", "", NULL, COMPONENT_RAIL, false, "no label says what this shunt measures" },
    { "ina*", "*", NULL, COMPONENT_RAIL, false, "one rail of the board" },
    /* drivers/iio/adc/pac1934.c names a channel "VDD_IN_POWER_1" after its label */
    { "pac19*", "VDD_IN_*", NULL, COMPONENT_MACHINE, false, NULL },
    { "pac19*", "*", NULL, COMPONENT_RAIL, false, "one rail of the board" },
    /* graphics cards */
    { "amdgpu", "*", NULL, COMPONENT_GPU, false, NULL },
    { "nouveau", "*", NULL, COMPONENT_GPU, false, NULL },
    /* Documentation/ABI/testing/sysfs-driver-intel-i915-hwmon, sysfs-driver-intel-xe-hwmon */
    { "i915", "*", NULL, COMPONENT_GPU, false, NULL },
    { "i915_gt*", "*", NULL, COMPONENT_RAIL, false, "one tile; inside its card" },
    { "xe", "card", NULL, COMPONENT_GPU, false, NULL },
    { "xe", "pkg", "card", COMPONENT_GPU, false, NULL },
    { "xe", "*", NULL, COMPONENT_RAIL, false, "inside its card" },
    { "*", "*", NULL, COMPONENT_RAIL, false, "nothing says what this sensor covers" },
};

/* Does the text fit "Grace Power Socket #", "Core Energy*"? */
static bool fits(const char *pattern, const char *text, int *number)
{
    const size_t length = strcspn(pattern, "*#");
    int end = -1;

    if (strncmp(pattern, text, length) != 0)
        return false;
    if (pattern[length] == '*')
        return true;
    if (!pattern[length])
        return !text[length];
    return sscanf(text + length, "%5d%n", number, &end) == 1 && *number >= 0 && !text[length + (size_t)end];
}

const struct sensor_rule *sensor_rule_of(const char *chip, const char *label,
                                         bool (*has_label)(const char *label, const void *context), const void *context,
                                         int *package)
{
    const struct sensor_rule *rule = rules;
    int ignored;

    *package = -1;
    while (!fits(rule->chip, chip, &ignored) || !fits(rule->label, label, package) ||
           (rule->unless && has_label(rule->unless, context)))
        rule++;
    return rule;
}

void sensor_is(struct domain *domain, const struct sensor_rule *rule, const char *chip, const char *label,
               const char *inside)
{
    const char *not_counted = inside ? inside : rule->not_counted;

    domain->component = inside ? COMPONENT_RAIL : rule->component;
    domain->part = rule->part;
    text_copy(domain->not_counted, sizeof domain->not_counted, not_counted ? not_counted : "");
    if (domain->component == COMPONENT_RAIL || domain->component == COMPONENT_CORES || domain->part)
        domain_name_after(domain, chip, label);
    else
        domain_name(domain);
}
