/* SPDX-License-Identifier: MIT
 * The steps of load. */
#include "commands/calibrate/calibrate_plan.h"

#include <stdio.h>

static void add(struct calibrate_plan *plan, enum profile_work work, unsigned threads)
{
    struct calibrate_load *load = &plan->loads[plan->count++];

    load->work = work;
    load->threads = threads;
    snprintf(load->name, sizeof load->name, "%s × %u", profile_work_name(work), threads);
    load_command_make(&load->command, profile_work_name(work), threads, plan->time_text, ".", "/dev/null");
}

void calibrate_plan_make(struct calibrate_plan *plan, unsigned cores, unsigned threads, double seconds)
{
    const unsigned steps[] = { 1, cores / 2, cores, threads };
    unsigned last = 0;

    *plan = (struct calibrate_plan){ .count = 0 };
    text_number(seconds, plan->time_text);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (steps[i] <= last || steps[i] > threads)
            continue;
        last = steps[i];
        add(plan, PROFILE_CPU, last);
    }
    add(plan, PROFILE_STREAM, threads);
}
