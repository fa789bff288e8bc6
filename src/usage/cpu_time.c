/* SPDX-License-Identifier: MIT
 * CPU time of the whole machine, and of the CPUs of a mask, from /proc/stat. */
#include "base/clock.h"
#include "base/cpu_ticks.h"
#include "usage/usage.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_LINE = 512, CHUNK = 4096 };
enum { LOST_PART = 20 };

static void take_line(int cpu, const struct ticks *ticks, const struct cpu_mask *mask, struct machine_time *time)
{
    if (cpu < 0) {
        time->all_ns = ticks->all * tick_ns();
        time->busy_ns = ticks->busy * tick_ns();
    } else if (mask && CPU_ISSET_S((size_t)cpu, mask->size, mask->set)) {
        time->mask_busy_ns += ticks->busy * tick_ns();
        time->mask_cpus++;
    }
}

/* The text of one opening is read on from where it was left, so that all its lines are of one moment. */
bool machine_time_read(int *fd, const struct root *root, const struct cpu_mask *mask, struct machine_time *time)
{
    const size_t room = mask ? CHUNK : FIRST_LINE;
    char text[CHUNK];
    size_t stored = 0, lines = 0;
    off_t at = 0;

    *time = (struct machine_time){ .after_ns = root->live ? clock_monotonic_ns() : 0 };
    if (*fd < 0)
        *fd = root_open_file(root, "proc/stat", NULL);
    for (;;) {
        const size_t free_bytes = stored < room - 1 ? room - 1 - stored : 0;
        const ssize_t got = *fd < 0 ? -1 : pread(*fd, text + stored, free_bytes, at);
        const char *line = text, *next;
        struct ticks ticks;
        int cpu;

        if (got < 0)
            return false;
        text[stored + (size_t)got] = '\0';
        at += got;
        for (; (next = ticks_of_line(line, &cpu, &ticks)); line = next) {
            if (!lines++ && cpu != -1)
                return false;
            take_line(cpu, &ticks, mask, time);
        }
        if (!mask || got == 0 || strchr(line, '\n'))
            break;
        stored = strlen(line);
        memmove(text, line, stored);
    }
    if (!mask)
        time->mask_busy_ns = time->busy_ns;
    time->before_ns = root->live ? clock_monotonic_ns() : 0;
    return lines > 0;
}

/* A /proc/stat in which no time passes is made up. */
uint64_t machine_time_lost_ns(const struct machine_time *from, const struct machine_time *to, unsigned cpus)
{
    const uint64_t reported_ns = to->all_ns - from->all_ns;
    const uint64_t passed_ns = to->after_ns > from->before_ns ? to->after_ns - from->before_ns : 0;
    const uint64_t due_ns = passed_ns * cpus, lost_ns = reported_ns && due_ns > reported_ns ? due_ns - reported_ns : 0;

    return lost_ns > due_ns / LOST_PART && lost_ns > COARSE_TICKS * tick_ns() * cpus ? lost_ns : 0;
}
