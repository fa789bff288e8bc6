/* SPDX-License-Identifier: MIT
 * Opening and reading a perf event of a process. */
#include "usage/task_counter.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_event(struct perf_event_attr *attr, pid_t pid, int cpu)
{
    int fd = (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

    if (fd < 0 && (errno == EACCES || errno == EPERM) && pid >= 0) {
        attr->exclude_kernel = 1;
        fd = (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
    }
    return fd;
}

static int open_first(const struct pfm_names *names, const char *const *events, pid_t pid, int cpu)
{
    uint64_t config;
    uint32_t type;
    int fd = -1;

    errno = ENOENT;
    for (; *events && fd < 0; events++) {
        struct perf_event_attr attr = {
            .size = sizeof attr,
            .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
            .disabled = pid >= 0,
            .enable_on_exec = pid >= 0,
            .inherit = pid >= 0,
        };
        if (!pfm_names_encode(names, *events, &type, &config))
            continue;
        attr.type = type;
        attr.config = config;
        fd = open_event(&attr, pid, cpu);
    }
    return fd;
}

int task_counter_open(const struct pfm_names *names, const char *const *events, pid_t pid)
{
    return open_first(names, events, pid, -1);
}

int cpu_counter_open(const struct pfm_names *names, const char *const *events, int cpu)
{
    return open_first(names, events, -1, cpu);
}

/* count × enabled_ns ÷ running_ns, whose product has up to 128 bits: long division, one bit of count after the other.
 */
bool task_counter_scale(uint64_t count, uint64_t enabled_ns, uint64_t running_ns, uint64_t *value)
{
    const uint64_t max_ns = UINT64_C(1) << 62; /* 146 years; the sum of a step stays below 2^64 */
    uint64_t left = 0;

    if (running_ns == 0 || enabled_ns > max_ns || running_ns > max_ns)
        return false;
    if (running_ns >= enabled_ns) {
        *value = count;
        return true;
    }
    *value = 0;
    for (int bit = 63; bit >= 0; bit--) {
        left = 2 * left + (count >> bit & 1 ? enabled_ns : 0);
        if (__builtin_mul_overflow(*value, 2, value) || __builtin_add_overflow(*value, left / running_ns, value))
            return false;
        left %= running_ns;
    }
    return true;
}

bool task_counter_read(int fd, uint64_t *value)
{
    struct {
        uint64_t count, enabled_ns, running_ns;
    } now;

    return fd >= 0 && read(fd, &now, sizeof now) == sizeof now &&
           task_counter_scale(now.count, now.enabled_ns, now.running_ns, value);
}
