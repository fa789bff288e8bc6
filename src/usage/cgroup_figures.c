/* SPDX-License-Identifier: MIT
 * The files of cgroups of both versions, one by one. */
#include "usage/cgroup_figures.h"

#include "base/auto.h"
#include "usage/fill.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

const char cgroup2_from[] = "cgroup", cgroup1_from[] = "cgroup1";

static FILE *group_file(int group_fd, const char *name)
{
    const int fd = openat(group_fd, name, O_RDONLY | O_CLOEXEC);

    return fd < 0 ? NULL : fdopen(fd, "r");
}

/* False: not there, or no number. */
static bool read_number(int group_fd, const char *name, uint64_t *value)
{
    AUTO_FCLOSE FILE *file = group_file(group_fd, name);

    return file && fscanf(file, "%" SCNu64, value) == 1;
}

/* cpu.stat of version 2 is there without any controller. */
static void read_cpu(int group_fd, struct usage *usage)
{
    AUTO_FCLOSE FILE *file = group_file(group_fd, "cpu.stat");
    char key[64];
    uint64_t value_us;

    while (file && fscanf(file, "%63s %" SCNu64, key, &value_us) == 2) {
        if (strcmp(key, "usage_usec") == 0)
            usage_fill(&usage->cpu_ns, value_us * 1000, cgroup2_from);
        else if (strcmp(key, "user_usec") == 0)
            usage_fill(&usage->user_ns, value_us * 1000, cgroup2_from);
        else if (strcmp(key, "system_usec") == 0)
            usage_fill(&usage->system_ns, value_us * 1000, cgroup2_from);
    }
}

bool cgroup2_cpu_ns(int group_fd, uint64_t *cpu_ns)
{
    struct usage usage = { .cpu_ns = { .known = false } };

    read_cpu(group_fd, &usage);
    *cpu_ns = usage.cpu_ns.value;
    return usage.cpu_ns.known;
}

bool cgroup2_has_run(int group_fd)
{
    uint64_t cpu_ns;

    return cgroup2_cpu_ns(group_fd, &cpu_ns) && cpu_ns > 0;
}

/* A device made of others (device mapper, md): its traffic is counted again below. */
static bool is_stacked(const char *device)
{
    char path[64];
    AUTO_CLOSEDIR DIR *dir = NULL;
    const struct dirent *entry;

    snprintf(path, sizeof path, "/sys/dev/block/%.20s/slaves", device);
    dir = opendir(path);
    while (dir && (entry = readdir(dir)))
        if (entry->d_name[0] != '.')
            return true;
    return false;
}

/* "254:0 rbytes=0 wbytes=8396800 rios=0 ..." for each device. What the page cache still holds at
 * the end is not in it. */
static void read_io(int group_fd, struct usage *usage)
{
    AUTO_FCLOSE FILE *file = group_file(group_fd, "io.stat");
    AUTO_FREE char *line = NULL;
    size_t room = 0;
    uint64_t read_bytes = 0, written_bytes = 0, device_read, device_written;
    char device[32];

    if (!file)
        return;
    while (getline(&line, &room, file) > 0)
        if (sscanf(line, "%31s rbytes=%" SCNu64 " wbytes=%" SCNu64, device, &device_read, &device_written) == 3 &&
            !is_stacked(device)) {
            read_bytes += device_read;
            written_bytes += device_written;
        }
    usage_fill(&usage->read_bytes, read_bytes, cgroup2_from);
    usage_fill(&usage->written_bytes, written_bytes, cgroup2_from);
}

/* "some avg10=0.00 avg60=3.60 avg300=9.03 total=59535409"; µs. */
static void read_stall(int group_fd, const char *name, struct usage_value *stall_ns)
{
    AUTO_FCLOSE FILE *file = group_file(group_fd, name);
    uint64_t total_us;

    if (file && fscanf(file, "some avg10=%*s avg60=%*s avg300=%*s total=%" SCNu64, &total_us) == 1)
        usage_fill(stall_ns, total_us * 1000, cgroup2_from);
}

bool cgroup2_cpu_stall_ns(int group_fd, uint64_t *stall_ns)
{
    struct usage_value stall = { .known = false };

    read_stall(group_fd, "cpu.pressure", &stall);
    *stall_ns = stall.value;
    return stall.known;
}

/* "oom_kill 2" of memory.events, all groups below included. */
static void read_kills(int group_fd, struct usage *usage)
{
    AUTO_FCLOSE FILE *file = group_file(group_fd, "memory.events");
    char key[64];
    uint64_t count;

    while (file && fscanf(file, "%63s %" SCNu64, key, &count) == 2)
        if (strcmp(key, "oom_kill") == 0)
            usage_fill(&usage->oom_kills, count, cgroup2_from);
}

int cgroup2_peak_open(int group_fd)
{
    static const char any[] = "reset";
    const int fd = openat(group_fd, "memory.peak", O_RDWR | O_CLOEXEC);

    if (fd < 0 || write(fd, any, strlen(any)) > 0)
        return fd;
    close(fd);
    return -1;
}

bool cgroup2_peak_read(int peak_fd, uint64_t *peak_bytes)
{
    char digits[32];
    const ssize_t length = pread(peak_fd, digits, sizeof digits - 1, 0);

    if (length <= 0)
        return false;
    digits[length] = '\0';
    return sscanf(digits, "%" SCNu64, peak_bytes) == 1;
}

void cgroup2_figures(int group_fd, struct usage *usage)
{
    uint64_t peak_bytes;

    read_cpu(group_fd, usage);
    if (read_number(group_fd, "memory.peak", &peak_bytes)) /* since Linux 5.19 */
        usage_fill(&usage->memory_peak_bytes, peak_bytes, cgroup2_from);
    read_kills(group_fd, usage);
    read_io(group_fd, usage);
    read_stall(group_fd, "cpu.pressure", &usage->cpu_stall_ns);
    read_stall(group_fd, "memory.pressure", &usage->memory_stall_ns);
    read_stall(group_fd, "io.pressure", &usage->io_stall_ns);
}

/* "254:0 Read 8388608" for each device and kind of operation, with a sum of all at the end. Since Linux 6.10 only
 * throttled devices are counted: a sum without devices means nothing. Written bytes are not counted either: version 1
 * writes the page cache back without a group. */
static void read_blkio(int group_fd, struct usage *usage)
{
    AUTO_FCLOSE FILE *file = group_file(group_fd, "blkio.throttle.io_service_bytes_recursive");
    char device[32], operation[32];
    uint64_t bytes, read_bytes = 0;
    bool counted = false;

    if (!file) /* before Linux 4.4 */
        file = group_file(group_fd, "blkio.throttle.io_service_bytes");
    while (file && fscanf(file, "%31s %31s %" SCNu64, device, operation, &bytes) == 3)
        if (strcmp(operation, "Read") == 0 && !is_stacked(device)) {
            read_bytes += bytes;
            counted = true;
        }
    if (counted)
        usage_fill(&usage->read_bytes, read_bytes, cgroup1_from);
}

bool cgroup1_cpu_ns(int group_fd, uint64_t *cpu_ns)
{
    return read_number(group_fd, "cpuacct.usage", cpu_ns);
}

void cgroup1_figures(int group_fd, struct usage *usage)
{
    uint64_t value;

    if (cgroup1_cpu_ns(group_fd, &value))
        usage_fill(&usage->cpu_ns, value, cgroup1_from);
    if (read_number(group_fd, "cpuacct.usage_user", &value)) /* both since Linux 4.7 */
        usage_fill(&usage->user_ns, value, cgroup1_from);
    if (read_number(group_fd, "cpuacct.usage_sys", &value))
        usage_fill(&usage->system_ns, value, cgroup1_from);
    if (read_number(group_fd, "memory.max_usage_in_bytes", &value))
        usage_fill(&usage->memory_peak_bytes, value, cgroup1_from);
    read_blkio(group_fd, usage);
}

void cgroup1_split_cpu(struct usage *usage)
{
    const double user = (double)usage->user_ns.value, system = (double)usage->system_ns.value;
    const double cpu = (double)usage->cpu_ns.value, part = cpu * (user / (user + system));

    if (usage->user_ns.from != cgroup1_from || usage->system_ns.from != cgroup1_from ||
        usage->cpu_ns.from != cgroup1_from)
        return;
    if (user + system <= 0) { /* too short for a tick */
        usage->user_ns = usage->system_ns = (struct usage_value){ .known = false };
        return;
    }
    usage->user_ns.value = part < cpu ? (uint64_t)part : usage->cpu_ns.value;
    usage->system_ns.value = usage->cpu_ns.value - usage->user_ns.value;
}
