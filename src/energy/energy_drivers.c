/* SPDX-License-Identifier: MIT
 * The list of energy sources, most trusted first. */
#include "energy/energy.h"

#include <stddef.h>

/* One line for each, most trusted first. The name of the driver is that of its source. */
#define EACH_DRIVER(ONE)                                                                                               \
    ONE(meter)                                                                                                         \
    ONE(powercap)                                                                                                      \
    ONE(perf)                                                                                                          \
    ONE(cray)                                                                                                          \
    ONE(hwmon)                                                                                                         \
    ONE(iio)                                                                                                           \
    ONE(battery)                                                                                                       \
    ONE(nvml)                                                                                                          \
    ONE(ipmi)                                                                                                          \
    ONE(model)

#define DECLARED(source) extern const struct energy_driver source##_driver;
#define LISTED(source) &source##_driver,
#define NAMED(source) #source,

EACH_DRIVER(DECLARED)

const struct energy_driver *const energy_drivers[] = { EACH_DRIVER(LISTED) NULL };
const char *const energy_choices[] = { "auto", EACH_DRIVER(NAMED) NULL };

const char *component_name(enum component component)
{
    switch (component) {
    case COMPONENT_MACHINE: return "machine";
    case COMPONENT_PLATFORM: return "platform";
    case COMPONENT_PACKAGE: return "package";
    case COMPONENT_CORES: return "cores";
    case COMPONENT_UNCORE: return "uncore";
    case COMPONENT_MEMORY: return "memory";
    case COMPONENT_GPU: return "gpu";
    case COMPONENT_RAIL: return "rail";
    case COMPONENT_COUNT: break;
    }
    return "unknown";
}

const char *access_name(enum access access)
{
    switch (access) {
    case ACCESS_MSR: return "msr";
    case ACCESS_MMIO: return "mmio";
    case ACCESS_PERF: return "perf";
    case ACCESS_SENSOR: return "sensor";
    case ACCESS_MODEL: return "model";
    }
    return "unknown";
}

static const char *const attribution_names[GPU_ATTRIBUTION_COUNT] = {
    [GPU_NOT_ASKED] = "not-asked",     [GPU_ATTRIBUTED] = "told",     [GPU_SILENT] = "silent",
    [GPU_PARTITIONED] = "partitioned", [GPU_REFUSED] = "refused",     [GPU_FAILED] = "failed",
    [GPU_HIDDEN] = "hidden",           [GPU_TOO_SHORT] = "too-short", [GPU_UNSEEN] = "unseen",
    [GPU_UNDIVIDED] = "undivided",
};

const char *gpu_attribution_name(enum gpu_attribution reported)
{
    return attribution_names[reported];
}
