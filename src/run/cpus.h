/* SPDX-License-Identifier: MIT
 * Where a job may run, and where carbon keeps out of its way. Used in app, commands/batch, commands/calibrate,
 * commands/pipeline and measurement. Begin with cpus_of_list(). */
#ifndef RUN_CPUS_H
#define RUN_CPUS_H

#include "base/error.h"
#include "base/machine.h"

#include <sched.h>
#include <stddef.h>

/* A set of CPUs of any machine; for the CPU_*_S macros with CPUS_SIZE. */
struct cpus {
    union {
        cpu_set_t set; /* the first 1024, for the macros' type */
        unsigned long words[MACHINE_MAX_CPUS / 8 / sizeof(unsigned long)];
    };
};

#define CPUS_SIZE sizeof(struct cpus)

/* "0-3,8"; ERROR_USAGE if it is not such a list or names a CPU beyond MACHINE_MAX_CPUS. */
bool cpus_of_list(const char *list, struct cpus *cpus, struct error *err) MUST_CHECK;

/* The list of a set: "0-3,8". */
void cpus_list(const struct cpus *cpus, char *list, size_t size);

/* Where this process may run now (taskset, cpuset). */
bool cpus_inherited(struct cpus *cpus, struct error *err) MUST_CHECK;

/* Moves this process off the job's CPUs where the machine has others. Best effort: a cpuset may
 * forbid it. True: it has moved. */
bool cpus_keep_off(const struct cpus *job, const struct root *root);

/* ERROR_USAGE where a CPU of the set is not online. */
bool cpus_are_online(const struct cpus *cpus, const struct root *root, struct error *err) MUST_CHECK;

#endif
