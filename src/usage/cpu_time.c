/* SPDX-License-Identifier: MIT
 * CPU time of the whole machine, from the first line of /proc/stat. */
#include "base/cpu_ticks.h"
#include "usage/usage.h"

#include <unistd.h>

bool machine_time_read(int *fd, const struct root *root, struct machine_time *time)
{
    struct ticks ticks;
    char line[512];
    ssize_t got;
    int cpu;

    if (*fd < 0)
        *fd = root_open_file(root, "proc/stat", NULL);
    got = *fd < 0 ? -1 : pread(*fd, line, sizeof line - 1, 0);
    if (got < 0)
        return false;
    line[got] = '\0';
    if (!ticks_of_line(line, &cpu, &ticks) || cpu != -1)
        return false;
    time->all_ns = ticks.all * tick_ns();
    time->busy_ns = ticks.busy * tick_ns();
    return true;
}
