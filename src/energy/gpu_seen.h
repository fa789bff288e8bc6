/* SPDX-License-Identifier: MIT
 * Graphics cards of this machine, by their PCI address, whose power no file reports. Used by hwmon.c and
 * nvml.c. Begin with gpus_without_sensor(). */
#ifndef ENERGY_GPU_SEEN_H
#define ENERGY_GPU_SEEN_H

#include "base/sysroot.h"

#include <stddef.h>

enum { GPUS_SEEN_MAX = 64 };

struct gpu_seen {
    char path[96];   /* its folder in sys */
    char slot[24];   /* "0000:03:00.0" */
    char id[16];     /* vendor and device: "1002:73BF" */
    char driver[32]; /* "vfio-pci", "amdgpu"; "": none is bound to it */
};

/* Cards of their own of AMD, Intel and NVIDIA without a power or energy sensor in hwmon, except those of
 * NVIDIA's driver: how many, the first of them into seen. Graphics inside a processor are in its package. */
size_t gpus_without_sensor(const struct root *root, struct gpu_seen seen[GPUS_SEEN_MAX]);

/* Those that NVIDIA's driver has. */
size_t gpus_of_nvidia(const struct root *root, struct gpu_seen seen[GPUS_SEEN_MAX]);

#endif
