/* SPDX-License-Identifier: MIT
 * Lines of /proc/stat, in the order of proc_stat(5). guest and guest_nice follow; they are part of
 * user and nice. */
#include "base/cpu_ticks.h"

#include "base/c_locale.h"
#include "base/units.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, FIELDS };

const char *ticks_of_line(const char *line, int *cpu, struct ticks *ticks)
{
    const char *end = strchr(line, '\n');
    uint64_t field[FIELDS] = { 0 };
    char *at;

    if (!end || strncmp(line, "cpu", 3) != 0)
        return NULL;
    *cpu = -1;
    at = (char *)line + 3;
    if (c_isdigit(*at))
        *cpu = (int)strtol(at, &at, 10);
    for (int i = 0; i < FIELDS && (at < end || i <= IDLE); i++) { /* kernels before 2.6.11 have fewer */
        char *start = at;
        field[i] = strtoull(start, &at, 10);
        if (at == start || at > end)
            return NULL;
    }
    ticks->busy = field[USER] + field[NICE] + field[SYSTEM] + field[IRQ] + field[SOFTIRQ];
    ticks->all = ticks->busy + field[IDLE] + field[IOWAIT] + field[STEAL];
    return end + 1;
}

uint64_t tick_ns(void)
{
    const long ticks_per_s = sysconf(_SC_CLK_TCK);

    return NS_PER_S_INT / (uint64_t)(ticks_per_s > 0 ? ticks_per_s : 100);
}
