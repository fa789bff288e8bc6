/* SPDX-License-Identifier: MIT
 * What the phases of a series are called. */
#include "measurement/workload_plan.h"

const char *workload_phase_name(enum workload_phase phase)
{
    switch (phase) {
    case PHASE_SETTLE: return "settle";
    case PHASE_BASELINE: return "baseline";
    case PHASE_WARMUP: return "warmup";
    case PHASE_RUN: return "run";
    case PHASE_COOLDOWN: return "cooldown";
    }
    return "unknown";
}
