/* SPDX-License-Identifier: MIT
 * The few files of a group that a time series is made of. */
#include "usage/cgroup_now.h"

#include "usage/cgroup_figures.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* memory.stat is the longest: 1.5 KiB of either version. */
enum { TEXT_SIZE = 8192 };

static int open_file(int group_fd, const char *name)
{
    return openat(group_fd, name, O_RDONLY | O_CLOEXEC);
}

/* Of version 1 first: where cpu and cpuacct are one hierarchy it has a cpu.stat of another kind. */
static int open_either(int group_fd, const char *first, const char *second, const char **from)
{
    int fd = open_file(group_fd, first);

    *from = cgroup1_from;
    if (fd < 0) {
        fd = open_file(group_fd, second);
        *from = cgroup2_from;
    }
    return fd;
}

static void open_cpu(struct cgroup_now *now, int group_fd)
{
    if (now->cpu_fd < 0)
        now->cpu_fd = open_either(group_fd, "cpuacct.usage", "cpu.stat", &now->cpu_from);
}

void cgroup_now_open(struct cgroup_now *now, int group_fd)
{
    open_cpu(now, group_fd);
    if (now->stall_fd < 0)
        now->stall_fd = open_file(group_fd, "cpu.pressure");
    if (now->memory_fd >= 0)
        return;
    now->memory_fd = open_either(group_fd, "memory.usage_in_bytes", "memory.current", &now->memory_from);
    if (now->memory_fd >= 0)
        now->pages_fd = open_file(group_fd, "memory.stat");
}

static void close_one(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void cgroup_now_close(struct cgroup_now *now)
{
    close_one(&now->cpu_fd);
    close_one(&now->stall_fd);
    close_one(&now->memory_fd);
    close_one(&now->pages_fd);
}

/* The number behind a key at the start of a line; without a key that at the start of the file. */
static bool read_number(int fd, const char *key, uint64_t *value)
{
    char text[TEXT_SIZE];
    const ssize_t length = fd < 0 ? -1 : pread(fd, text, sizeof text - 1, 0);
    const size_t size = strlen(key);

    if (length <= 0)
        return false;
    text[length] = '\0';
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, size) == 0 && (size == 0 || line[size] == ' '))
            return sscanf(line + size, "%" SCNu64, value) == 1;
    }
    return false;
}

static struct usage_value figure(bool known, uint64_t value, const char *from)
{
    return known ? (struct usage_value){ .known = true, .value = value, .from = from }
                 : (struct usage_value){ .known = false };
}

struct usage_value cgroup_now_cpu(const struct cgroup_now *now)
{
    const bool first = now->cpu_from == cgroup1_from;
    uint64_t value = 0;
    const bool known = read_number(now->cpu_fd, first ? "" : "usage_usec", &value);

    return figure(known, known && !first ? value * 1000 : value, now->cpu_from);
}

bool cgroup_now_cpu_once(int group_fd, int version, uint64_t *cpu_ns)
{
    struct cgroup_now now = CGROUP_NOW_NONE;
    struct usage_value cpu;

    now.cpu_fd = open_file(group_fd, version == 1 ? "cpuacct.usage" : "cpu.stat");
    now.cpu_from = version == 1 ? cgroup1_from : cgroup2_from;
    cpu = cgroup_now_cpu(&now);
    cgroup_now_close(&now);
    *cpu_ns = cpu.value;
    return cpu.known;
}

struct usage_value cgroup_now_cpu_stall(const struct cgroup_now *now)
{
    char text[TEXT_SIZE];
    const ssize_t length = now->stall_fd < 0 ? -1 : pread(now->stall_fd, text, sizeof text - 1, 0);
    uint64_t total_us = 0;
    bool known = length > 0;

    if (known) {
        text[length] = '\0';
        known = sscanf(text, "some avg10=%*s avg60=%*s avg300=%*s total=%" SCNu64, &total_us) == 1;
    }
    return figure(known, total_us * 1000, cgroup2_from);
}

void cgroup_now_memory(const struct cgroup_now *now, struct usage_value *memory_bytes,
                       struct usage_value *working_set_bytes)
{
    const char *key = now->memory_from == cgroup1_from ? "total_inactive_file" : "inactive_file";
    uint64_t bytes = 0, inactive = 0;
    const bool known = read_number(now->memory_fd, "", &bytes);
    const bool pages = known && read_number(now->pages_fd, key, &inactive);

    *memory_bytes = figure(known, bytes, now->memory_from);
    *working_set_bytes = figure(pages, bytes > inactive ? bytes - inactive : 0, now->memory_from);
}
