/* SPDX-License-Identifier: MIT
 * Stands in for libnvidia-ml.so.1: the same functions, with numbers from the file that NVML_NUMBERS names.
 *
 * The file has lines "KEY VALUE": "init" and "count" are the results of nvmlInit_v2 and nvmlDeviceGetCount_v2 and the
 * number of "gpus"; "0.name", "0.uuid", "0.energy_mj", "0.power_mw", "0.limit_mw", "0.mig", "0.virtualization" are what
 * GPU 0 tells (without such a line: not supported), "0.instance" is the UUID of its MIG
 * instance, "0.error" is the result of all of its calls; "0.use" is
 * "PID:PERCENT@TIME ...", who used it until when. The file is read at each call.
 * With OLD_DRIVER the library lacks what came later. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOT_SUPPORTED 3
#define NOT_FOUND 6
#define INSUFFICIENT_SIZE 7
#define GPUS_MAX 8

int nvmlInit(void);
int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetCount_v2(unsigned *count);
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device);
int nvmlDeviceGetName(void *device, char *text, unsigned size);
int nvmlDeviceGetUUID(void *device, char *text, unsigned size);
int nvmlDeviceGetPowerUsage(void *device, unsigned *power_mw);
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *energy_mj);
int nvmlDeviceGetPowerManagementLimitConstraints(void *device, unsigned *min_mw, unsigned *max_mw);
int nvmlDeviceGetMigMode(void *device, unsigned *current, unsigned *pending);
int nvmlDeviceGetVirtualizationMode(void *device, unsigned *mode);
struct use {
    unsigned pid;
    unsigned long long time_us;
    unsigned sm, memory, encoder, decoder;
};
int nvmlDeviceGetProcessUtilization(void *device, struct use *uses, unsigned *count, unsigned long long since_us);
int nvmlDeviceGetHandleByUUID(const char *uuid, void **device);
int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(void *instance, void **device);
const char *nvmlErrorString(int result);

static char gpus[GPUS_MAX];

static int look_up(const char *key, char *value, size_t size)
{
    FILE *file = fopen(getenv("NVML_NUMBERS"), "r");
    char line[256];
    int found = 0;

    while (file && !found && fgets(line, sizeof line, file)) {
        const size_t length = strcspn(line, " \n");
        if (strlen(key) == length && strncmp(line, key, length) == 0) {
            line[strcspn(line, "\n")] = '\0';
            snprintf(value, size, "%s", line + length + (line[length] == ' '));
            found = 1;
        }
    }
    if (file)
        fclose(file);
    return found;
}

static unsigned long long number_of(const char *key)
{
    char value[64] = "0";

    look_up(key, value, sizeof value);
    return strtoull(value, NULL, 10);
}

static int tell(const void *device, const char *what, char *value, size_t size)
{
    const long index = (const char *)device - gpus;
    char key[64];
    int error;

    snprintf(key, sizeof key, "%ld.error", index);
    error = (int)number_of(key);
    if (error)
        return error;
    snprintf(key, sizeof key, "%ld.%s", index, what);
    return look_up(key, value, size) ? 0 : NOT_SUPPORTED;
}

static int tell_number(const void *device, const char *what, unsigned long long *number)
{
    char value[64];
    const int result = tell(device, what, value, sizeof value);

    if (!result)
        *number = strtoull(value, NULL, 10);
    return result;
}

static int tell_unsigned(const void *device, const char *what, unsigned *number)
{
    unsigned long long value;
    const int result = tell_number(device, what, &value);

    if (!result)
        *number = (unsigned)value;
    return result;
}

#ifdef OLD_DRIVER
int nvmlInit(void)
{
    return (int)number_of("init");
}
#else
int nvmlInit_v2(void)
{
    return (int)number_of("init");
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *energy_mj)
{
    return tell_number(device, "energy_mj", energy_mj);
}

int nvmlDeviceGetPowerManagementLimitConstraints(void *device, unsigned *min_mw, unsigned *max_mw)
{
    *min_mw = 0;
    return tell_unsigned(device, "limit_mw", max_mw);
}

int nvmlDeviceGetMigMode(void *device, unsigned *current, unsigned *pending)
{
    *pending = 0;
    return tell_unsigned(device, "mig", current);
}

int nvmlDeviceGetVirtualizationMode(void *device, unsigned *mode)
{
    return tell_unsigned(device, "virtualization", mode);
}

int nvmlDeviceGetProcessUtilization(void *device, struct use *uses, unsigned *count, unsigned long long since_us)
{
    char text[256];
    const char *at = text;
    const int result = tell(device, "use", text, sizeof text);
    struct use use = { .pid = 0 };
    unsigned found = 0;
    int length;

    for (; !result && sscanf(at, " %u:%u@%llu%n", &use.pid, &use.sm, &use.time_us, &length) == 3; at += length) {
        if (use.time_us <= since_us)
            continue;
        if (found == *count)
            return INSUFFICIENT_SIZE;
        uses[found++] = use;
    }
    *count = found;
    return result ? result : found ? 0 : NOT_FOUND;
}

static char instances[GPUS_MAX];

int nvmlDeviceGetHandleByUUID(const char *uuid, void **device)
{
    char value[64];

    for (int i = 0; i < GPUS_MAX; i++)
        if (tell(&gpus[i], "instance", value, sizeof value) == 0 && strcmp(value, uuid) == 0) {
            *device = &instances[i];
            return 0;
        }
    return NOT_FOUND;
}

int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(void *instance, void **device)
{
    *device = &gpus[(const char *)instance - instances];
    return 0;
}
#endif

int nvmlShutdown(void)
{
    return 0;
}

int nvmlDeviceGetCount_v2(unsigned *count)
{
    *count = (unsigned)number_of("gpus");
    return (int)number_of("count");
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device)
{
    char key[64];

    snprintf(key, sizeof key, "%u.error", index);
    *device = &gpus[index];
    (void)!open(getenv("NVML_NUMBERS"), O_RDONLY); /* as /dev/nvidia0; some drivers do not close it on exec */
    return (int)number_of(key);
}

int nvmlDeviceGetName(void *device, char *text, unsigned size)
{
    return tell(device, "name", text, size);
}

int nvmlDeviceGetUUID(void *device, char *text, unsigned size)
{
    return tell(device, "uuid", text, size);
}

int nvmlDeviceGetPowerUsage(void *device, unsigned *power_mw)
{
    return tell_unsigned(device, "power_mw", power_mw);
}

const char *nvmlErrorString(int result)
{
    return result == 999 ? "Unknown Error" : "Another Error";
}
