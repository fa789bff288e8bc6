/* SPDX-License-Identifier: MIT
 * What one call of `carbon probe` works with. Used by cmd_probe.c, probe_measure.c and probe_result.c. Begin with
 * probe_measure().
 *
 * probe_plan.c makes a command of each load, this program again with the hidden option --load, and campaign.c runs
 * them round by round like any commands. Each adds a line to a file in memory whose descriptor it inherits: what it
 * did, or why it could not. probe_result.c puts runs and lines together (measurement/part_watts.c says what each run
 * drew by the domains that the scopes would count), power_breakdown.c takes them apart, and probe_*.c show it. */
#ifndef COMMANDS_PROBE_PROBE_WORK_H
#define COMMANDS_PROBE_PROBE_WORK_H

#include "app/campaign.h"
#include "commands/probe/probe.h"
#include "commands/probe/probe_plan.h"
#include "form/output.h"

/* Values of the options. */
struct probe_options {
    const char *loads, *threads; /* lists; threads NULL: as many as there are CPUs, and fewer */
    double seconds;
    size_t runs;
    bool anyway; /* although others keep CPUs busy */
    const char *folder;
    const char *json, *csv; /* NULL: not asked for */
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
    char done_path[48];         /* what they know it by */
    struct output json, csv;
    uint64_t next_progress_ns;
    struct probe_result result;
};

/* Everything: opens what is needed, runs the loads, shows the result on out. Returns the exit status. */
int probe_measure(const struct settings *settings, const struct probe_options *options, FILE *out);

/* probe_result.c: works out probe->result, of what was measured so far. May be called again. */
void probe_result_make(struct probe *probe, bool complete);

#endif
