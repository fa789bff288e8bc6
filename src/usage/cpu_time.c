/* SPDX-License-Identifier: MIT
 * CPU time of the whole machine, from the first line of /proc/stat. */
#include "base/units.h"
#include "usage/usage.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The order of proc_stat(5). guest and guest_nice follow; they are part of user and nice. */
enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, FIELDS };

/* Steal is time in which the hypervisor ran somebody else: part of all, but nobody here was busy. */
bool machine_time_read(int *fd, const struct root *root, struct machine_time *time)
{
    const long ticks_per_s = sysconf(_SC_CLK_TCK);
    uint64_t ticks[FIELDS] = { 0 }, all = 0, tick_ns;
    char line[512], *at = line + 4;
    ssize_t got;
    int count = 0;

    if (*fd < 0)
        *fd = root_open_file(root, "proc/stat", NULL);
    got = *fd < 0 ? -1 : pread(*fd, line, sizeof line - 1, 0);
    if (got < 4 || ticks_per_s <= 0)
        return false;
    line[got] = '\0';
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, "cpu ", 4) != 0)
        return false;
    for (char *end; count < FIELDS; count++, at = end) {
        ticks[count] = strtoull(at, &end, 10);
        if (end == at)
            break;
        all += ticks[count];
    }
    if (count <= IDLE)
        return false;
    tick_ns = NS_PER_S_INT / (uint64_t)ticks_per_s;
    time->all_ns = all * tick_ns;
    time->busy_ns = (all - ticks[IDLE] - ticks[IOWAIT] - ticks[STEAL]) * tick_ns;
    return true;
}
