/* SPDX-License-Identifier: MIT
 * NVIDIA's management library (NVML), opened when it is there: the part of its published interface that is used. Used
 * by nvml.c. Begin with nvml_library_open(). */
#ifndef ENERGY_NVML_LIBRARY_H
#define ENERGY_NVML_LIBRARY_H

#include "base/error.h"

#include <stdint.h>

/* nvmlReturn_t */
enum nvml_result {
    NVML_DONE = 0,
    NVML_NOT_SUPPORTED = 3,
    NVML_NO_PERMISSION = 4,
    NVML_NOT_FOUND = 6,
    NVML_DRIVER_NOT_LOADED = 9,
    NVML_TIMEOUT = 10,
    NVML_FUNCTION_NOT_FOUND = 13,
    NVML_GPU_IS_LOST = 15,
    NVML_RESET_REQUIRED = 16,
    NVML_BLOCKED = 17, /* by the operating system: a device file that a container was not given */
    NVML_VERSION_MISMATCH = 18,
};

/* nvmlGpuVirtualizationMode_t: this is a guest, and has a share of a card. */
enum { NVML_VIRTUALIZATION_VGPU = 2 };

/* As its functions want their texts; longer ones are an error. */
enum { NVML_TEXT_SIZE = 96 };

enum { NVML_MAX_FDS = 1024 };

/* nvmlProcessUtilizationSample_t: percents of the time since the sample before */
struct nvml_use {
    unsigned pid;
    unsigned long long time_us;
    unsigned sm, memory, encoder, decoder;
};

struct nvml_library {
    void *handle;
    bool running;
    bool open_before[NVML_MAX_FDS]; /* descriptors that are not the library's */
    int (*init)(void);
    int (*shutdown)(void);
    int (*count)(unsigned *count);
    int (*device)(unsigned index, void **device);
    int (*uuid)(void *device, char *text, unsigned size);
    int (*power)(void *device, unsigned *power_mw);
    /* NULL where the library is too old to have them */
    int (*name)(void *device, char *text, unsigned size);
    int (*energy)(void *device, unsigned long long *energy_mj);
    int (*limits)(void *device, unsigned *min_mw, unsigned *max_mw);
    int (*mig_mode)(void *device, unsigned *current, unsigned *pending);
    int (*virtualization)(void *device, unsigned *mode);
    /* Those that are newer than since_us. */
    int (*process_use)(void *device, struct nvml_use *uses, unsigned *count, unsigned long long since_us);
    int (*by_uuid)(const char *uuid, void **device);
    int (*card_of)(void *instance, void **device);
    const char *(*error_text)(int result);
};

/* False: absent, denied or broken, with a step that would help. Close it all the same. */
bool nvml_library_open(struct nvml_library *nvml, struct error *err) MUST_CHECK;
void nvml_library_close(struct nvml_library *nvml);

/* What the library has opened is closed on exec, since not every driver's sees to it: a command that is
 * started must not have its devices. */
void nvml_library_keep_fds(const struct nvml_library *nvml);

/* Fills err's kind, why and fix for a call that failed; the caller sets `what`. */
bool nvml_refused(const struct nvml_library *nvml, int result, const char *what, struct error *err);

int nvml_errno(int result);

#endif
