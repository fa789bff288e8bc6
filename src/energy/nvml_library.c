/* SPDX-License-Identifier: MIT
 * NVML by dlopen; the only file that knows it. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "energy/nvml_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>

#define LIBRARY "libnvidia-ml.so.1"

/* Each of them is a pointer to a function; POSIX has dlsym's be as wide. */
static bool find_function(const struct nvml_library *nvml, const char *name, void *function)
{
    void *const symbol = dlsym(nvml->handle, name);

    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static const char *find_all(struct nvml_library *nvml)
{
    if (!find_function(nvml, "nvmlInit_v2", &nvml->init) && !find_function(nvml, "nvmlInit", &nvml->init))
        return "nvmlInit";
    if (!find_function(nvml, "nvmlShutdown", &nvml->shutdown))
        return "nvmlShutdown";
    if (!find_function(nvml, "nvmlDeviceGetCount_v2", &nvml->count))
        return "nvmlDeviceGetCount_v2";
    if (!find_function(nvml, "nvmlDeviceGetHandleByIndex_v2", &nvml->device))
        return "nvmlDeviceGetHandleByIndex_v2";
    if (!find_function(nvml, "nvmlDeviceGetUUID", &nvml->uuid))
        return "nvmlDeviceGetUUID";
    if (!find_function(nvml, "nvmlDeviceGetPowerUsage", &nvml->power))
        return "nvmlDeviceGetPowerUsage";
    find_function(nvml, "nvmlDeviceGetName", &nvml->name);
    find_function(nvml, "nvmlDeviceGetTotalEnergyConsumption", &nvml->energy);
    find_function(nvml, "nvmlDeviceGetPowerManagementLimitConstraints", &nvml->limits);
    find_function(nvml, "nvmlDeviceGetMigMode", &nvml->mig_mode);
    find_function(nvml, "nvmlDeviceGetVirtualizationMode", &nvml->virtualization);
    find_function(nvml, "nvmlDeviceGetProcessUtilization", &nvml->process_use);
    find_function(nvml, "nvmlDeviceGetHandleByUUID", &nvml->by_uuid);
    find_function(nvml, "nvmlDeviceGetDeviceHandleFromMigDeviceHandle", &nvml->card_of);
    find_function(nvml, "nvmlErrorString", &nvml->error_text);
    return NULL;
}

void nvml_library_keep_fds(const struct nvml_library *nvml)
{
    for (int fd = 0; fd < NVML_MAX_FDS; fd++)
        if (!nvml->open_before[fd] && fcntl(fd, F_GETFD) >= 0)
            fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static bool cannot_load(struct error *err)
{
    const char *reason = dlerror();

    if (reason && !strstr(reason, "No such file")) {
        error_set(err, ERROR_SYSTEM, LIBRARY " cannot be loaded");
        return error_why(err, "%s", reason);
    }
    error_set(err, ERROR_ABSENT, LIBRARY " not found");
    return error_why(err, "it comes with NVIDIA's driver: there is no NVIDIA GPU here, it has another driver, or "
                          "a container was not given it");
}

bool nvml_library_open(struct nvml_library *nvml, struct error *err)
{
#ifdef CARBON_STATIC
    *nvml = (struct nvml_library){ .handle = NULL };
    error_set(err, ERROR_ABSENT, LIBRARY " cannot be opened");
    return error_why(err, "this carbon is static and opens no libraries");
#endif
    const char *missing;
    int result;

    *nvml = (struct nvml_library){ .handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL) };
    if (!nvml->handle)
        return cannot_load(err);
    missing = find_all(nvml);
    if (missing) {
        error_set(err, ERROR_SYSTEM, LIBRARY " cannot be used");
        error_why(err, "it has no function %s", missing);
        return error_fix(err, "install a newer NVIDIA driver");
    }
    for (int fd = 0; fd < NVML_MAX_FDS; fd++)
        nvml->open_before[fd] = fcntl(fd, F_GETFD) >= 0;
    result = nvml->init();
    if (result != NVML_DONE)
        return nvml_refused(nvml, result, "NVML does not start", err);
    nvml->running = true;
    return true;
}

void nvml_library_close(struct nvml_library *nvml)
{
    if (nvml->running)
        nvml->shutdown();
    if (nvml->handle)
        dlclose(nvml->handle);
    *nvml = (struct nvml_library){ .handle = NULL };
}

static enum error_kind kind_of(int result)
{
    switch (result) {
    case NVML_NOT_SUPPORTED:
    case NVML_FUNCTION_NOT_FOUND:
    case NVML_DRIVER_NOT_LOADED: return ERROR_ABSENT;
    case NVML_NO_PERMISSION:
    case NVML_BLOCKED: return ERROR_DENIED;
    default: return ERROR_SYSTEM;
    }
}

bool nvml_refused(const struct nvml_library *nvml, int result, const char *what, struct error *err)
{
    const char *text = nvml->error_text ? nvml->error_text(result) : NULL;

    error_set(err, kind_of(result), "%s", what);
    switch (result) {
    case NVML_NOT_SUPPORTED:
    case NVML_FUNCTION_NOT_FOUND: return error_why(err, "it is not supported by this GPU or its driver");
    case NVML_DRIVER_NOT_LOADED:
        error_why(err, "NVIDIA's library is here, but its driver is not loaded");
        return error_fix(err, "'modprobe nvidia' loads it where there is an NVIDIA GPU; 'nvidia-smi' shows the GPUs");
    case NVML_NO_PERMISSION:
    case NVML_BLOCKED:
        error_why(err, "this user, or this container, may not use NVIDIA's driver");
        return error_fix(err, "give the container the GPUs ('docker run --gpus all'), or run carbon as root; "
                              "'ls -l /dev/nvidia*' shows for whom they are");
    case NVML_VERSION_MISMATCH:
        error_why(err, "NVIDIA's library and the loaded driver are of two versions: one was updated without the other");
        return error_fix(err, "restart the machine, or unload and load NVIDIA's kernel modules");
    case NVML_GPU_IS_LOST:
    case NVML_RESET_REQUIRED:
        error_why(err, "the GPU does not answer: it has fallen off the bus, or needs a reset");
        return error_fix(err, "'nvidia-smi --gpu-reset' or a restart of the machine may bring it back");
    default: return error_why(err, "NVML says: %s (%d)", text ? text : "error", result);
    }
}

int nvml_errno(int result)
{
    switch (result) {
    case NVML_DONE: return 0;
    case NVML_NOT_SUPPORTED:
    case NVML_FUNCTION_NOT_FOUND: return EOPNOTSUPP;
    case NVML_NO_PERMISSION:
    case NVML_BLOCKED: return EACCES;
    case NVML_TIMEOUT: return ETIMEDOUT;
    case NVML_DRIVER_NOT_LOADED:
    case NVML_GPU_IS_LOST:
    case NVML_RESET_REQUIRED: return ENODEV;
    default: return EIO;
    }
}
