/* SPDX-License-Identifier: MIT
 * The state of one call of `carbon probe`. Used by cmd_probe.c, probe_measure.c and probe_result.c. Begin with
 * probe_measure().
 *
 * probe_plan.c makes a command of each load, this program again with the hidden option --load, and campaign.c runs them
 * round by round like any commands. Each adds a line to a file in memory whose descriptor it inherits: its result, or
 * the reason of its failure. probe_result.c joins runs and lines (measurement/part_watts.c calculates the power of each
 * run by the domains of the scopes), power_breakdown.c splits it into parts, and probe_*.c show it. */
#ifndef COMMANDS_PROBE_PROBE_WORK_H
#define COMMANDS_PROBE_PROBE_WORK_H

#include "app/campaign.h"
#include "commands/probe/probe.h"
#include "commands/probe/probe_plan.h"
#include "form/output.h"

/* Values of the options. */
struct probe_options {
    const char *loads, *threads; /* lists; threads NULL: the number of CPUs, and smaller numbers */
    double seconds;
    size_t runs;
    bool anyway; /* even if other processes keep CPUs busy */
    const char *folder;
    const char *json, *csv; /* NULL: not requested */
};

struct probe {
    struct probe_options options;
    struct campaign campaign;
    struct probe_plan plan;
    struct campaign_item items[PROBE_MAX_LOADS];
    struct probe_entry entries[PROBE_MAX_LOADS];
    char names[PROBE_MAX_LOADS][40];
    struct breakdown_run *runs; /* options.runs for each entry */
    int done_fd;                /* a file in memory that the loads write to, see load_done_text */
    char done_path[48];         /* its path for the loads */
    struct output json, csv;
    uint64_t next_progress_ns;
    struct probe_result result;
};

/* The whole command: opens the sources, runs the loads, shows the result on out. Returns the exit status. */
int probe_measure(const struct settings *settings, const struct probe_options *options, FILE *out);

/* probe_result.c: calculates probe->result from the measurements so far. May be called again. */
void probe_result_make(struct probe *probe, bool complete);

#endif
