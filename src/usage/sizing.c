/* SPDX-License-Identifier: MIT
 * The sizing rule of CPOST. */
#include "usage/sizing.h"

#include "base/c_locale.h"
#include "base/cpu_ticks.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MEMORY_MARGIN_MB 100.0
#define MEMORY_STEP_MB 256.0

double request_rounded(double value)
{
    char digits[400];

    if (!isfinite(value))
        return value;
    c_snprintf(digits, sizeof digits, "%.3f", value);
    return c_strtod(digits, NULL);
}

double request_cpu_at_least(double cpu_percent_of_core, double over_s)
{
    return cpu_percent_of_core * fmax(0, 1 - s_from_ns(tick_ns()) / over_s);
}

struct request size_request(double max_cpu_percent, double max_memory_mb, double headroom_percent)
{
    const double more = 1 + headroom_percent / 100;
    const double cpu = ceil(request_rounded(max_cpu_percent) * more / 100);
    const double memory_mb = ceil((request_rounded(max_memory_mb) * more + MEMORY_MARGIN_MB) / MEMORY_STEP_MB);

    return (struct request){
        .cpu = isfinite(cpu) ? (cpu < 1 ? 1 : (unsigned)fmin(cpu, 1e6)) : 0,
        .memory_mb = isfinite(memory_mb) ? (uint64_t)(fmin(memory_mb, 1e9) * MEMORY_STEP_MB) : 0,
    };
}
