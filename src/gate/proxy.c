/* SPDX-License-Identifier: MIT
 * Instructions or CPU time of a job's runs. */
#include "gate/proxy.h"

#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *proxy_name(enum gate_proxy proxy)
{
    return proxy == PROXY_INSTRUCTIONS ? "instructions" : proxy == PROXY_CPU_TIME ? "cpu-time" : NULL;
}

enum gate_proxy proxy_of(const char *name)
{
    for (enum gate_proxy proxy = PROXY_INSTRUCTIONS; name && proxy <= PROXY_CPU_TIME; proxy++)
        if (strcmp(name, proxy_name(proxy)) == 0)
            return proxy;
    return PROXY_NONE;
}

static double amount_of(const struct run *run, enum gate_proxy proxy)
{
    const struct usage_value *value = proxy == PROXY_CPU_TIME ? &run->usage.cpu_ns : &run->usage.instructions;

    if (!value->known)
        return NAN;
    return proxy == PROXY_CPU_TIME ? s_from_ns(value->value) : (double)value->value;
}

bool proxy_series(const struct measurement *measurement, enum gate_proxy proxy, struct run_series *series)
{
    *series = (struct run_series){ .name = "", .quality = QUALITY_MEASURED, .net_noise_j = NAN };
    series->runs = calloc(measurement->run_count + 1, sizeof *series->runs);
    for (size_t i = 0; series->runs && i < measurement->run_count; i++) {
        const struct run *run = &measurement->runs[i];
        if (run_is_counted(run) && run->ended)
            series->runs[series->count++] = (struct run_figures){
                .duration_s = s_from_ns(run->window.duration_ns),
                .gross_j = NAN,
                .idle_j = NAN,
                .net_j = NAN,
                .items = NAN,
                .own_j = amount_of(run, proxy),
            };
    }
    return series->runs != NULL;
}
