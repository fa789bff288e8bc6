/* SPDX-License-Identifier: MIT
 * A machine of one Intel processor of two CPUs. */
#ifndef TESTS_MACHINE_FIXTURE_H
#define TESTS_MACHINE_FIXTURE_H

#include "base/machine.h"

static inline struct machine fixture_machine(void)
{
    return (struct machine){
        .cpu_vendor = "GenuineIntel",
        .cpu_family = 6,
        .cpu_number = 60,
        .cpu_stepping = 3,
        .cpu_model = "Intel(R) Core(TM) i7-4770S CPU @ 3.10GHz",
        .cpus_online = 2,
        .packages = 1,
        .memory_bytes = UINT64_C(16777216000),
        .kernel = "6.1.0-13-amd64",
    };
}

#endif
