/* SPDX-License-Identifier: MIT
 * The loads of carbon probe, each as a separate command: this program with the hidden option --load. Used by
 * power_breakdown.c and probe_work.h. Begin with probe_plan_make(). */
#ifndef COMMANDS_PROBE_PROBE_PLAN_H
#define COMMANDS_PROBE_PROBE_PLAN_H

#include "app/load_command.h"
#include "commands/probe/load.h"

#include <stddef.h>

enum { PROBE_MAX_LOADS = 32, PROBE_MAX_RUNS = 1000, PROBE_TEXT_SIZE = 24 };

/* One load with a number of threads. */
struct probe_load {
    enum load_kind kind;
    unsigned threads; /* 0: not applicable */
    struct load_command command;
};

struct probe_plan {
    struct probe_load loads[PROBE_MAX_LOADS]; /* in the order of --loads, each with --threads in its order */
    size_t count;
    char time_text[PROBE_TEXT_SIZE];
};

/* The plan of the lists. folder and done_path (to which each load adds its line, see load_done_text) must live as long
 * as the plan, which must not be moved. ERROR_USAGE: a list is not valid. */
bool probe_plan_make(struct probe_plan *plan, const char *loads, const char *threads, double seconds,
                     const char *folder, const char *done_path, struct error *err) MUST_CHECK;

/* "1,N" for N CPUs, with powers of two between above 4 CPUs, powers of four above 16. */
void probe_plan_threads(unsigned cpus, char *list, size_t size);

/* The checks only, for the table of options. */
bool probe_check_loads(const char *loads, struct error *err);
bool probe_check_threads(const char *threads, struct error *err);

#endif
