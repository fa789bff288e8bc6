/* SPDX-License-Identifier: MIT
 * How busy the CPUs are while a window is open: all of them, those that its job may run on, and with carbon itself.
 * Used by app/quiet.c and watcher.h. Begin with busy_open(). */
#ifndef MEASUREMENT_BUSY_H
#define MEASUREMENT_BUSY_H

#include "base/machine.h"
#include "meter/window.h"
#include "usage/usage.h"

struct busy {
    struct cpu_mask mask; /* set NULL: all CPUs */
    unsigned cpus;        /* their number; 0: the job's CPUs are unknown */
    unsigned all;         /* in the machine; 0: /proc/stat is a container's own */
    int stat_fd;          /* /proc/stat; -1 at first */

    /* machine time of the open window */
    struct machine_time time;
    bool known;
    uint64_t carbon_ns;
};

/* The next windows are for a job that may run on these; set NULL: on all. */
void busy_choose(struct busy *busy, const struct machine *machine, struct cpu_mask mask);

void busy_open(struct busy *busy, const struct meter *meter);

/* What has been busy since it was opened, into the window. May be called again as it grows. */
void busy_read(struct busy *busy, const struct meter *meter, struct window *window);

void busy_close(struct busy *busy);

#endif
