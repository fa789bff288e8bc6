/* SPDX-License-Identifier: MIT
 * Names of events, the best first. */
#include "usage/hardware_events.h"

#include <stddef.h>

static const char *const cycles[] = { "PERF_COUNT_HW_CPU_CYCLES", NULL };
static const char *const instructions[] = { "PERF_COUNT_HW_INSTRUCTIONS", NULL };
static const char *const misses[] = {
    "LONGEST_LAT_CACHE:MISS",                                                 /* Intel */
    "ANY_DATA_CACHE_FILLS_FROM_SYSTEM:DRAM_IO_NEAR:DRAM_IO_FAR",              /* AMD Zen 4 */
    "ANY_DATA_CACHE_FILLS_FROM_SYSTEM:MEM_IO_LCL:MEM_IO_RMT",                 /* AMD Zen 3 */
    "DATA_CACHE_REFILLS_FROM_SYSTEM:LS_MABRESP_LCL_DRAM:LS_MABRESP_RMT_DRAM", /* AMD Zen 2 */
    "PERF_COUNT_HW_CACHE_LL:READ:MISS",                                       /* the kernel's choice */
    NULL,
};

const char *const *const hardware_events[HARDWARE_EVENTS] = {
    [HARDWARE_CYCLES] = cycles, [HARDWARE_INSTRUCTIONS] = instructions, [HARDWARE_MISSES] = misses
};
