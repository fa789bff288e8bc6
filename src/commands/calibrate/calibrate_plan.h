/* SPDX-License-Identifier: MIT
 * Which loads carbon calibrate runs. Used by calibrate_fit.h. Begin with calibrate_plan_make(). */
#ifndef COMMANDS_CALIBRATE_CALIBRATE_PLAN_H
#define COMMANDS_CALIBRATE_CALIBRATE_PLAN_H

#include "app/load_command.h"
#include "base/text.h"
#include "power/machine_profile.h"

enum { CALIBRATE_MAX_LOADS = 8, CALIBRATE_NAME_SIZE = 32 };

struct calibrate_load {
    enum profile_work work;
    unsigned threads;
    char name[CALIBRATE_NAME_SIZE]; /* "cpu × 4" */
    struct load_command command;
};

struct calibrate_plan {
    struct calibrate_load loads[CALIBRATE_MAX_LOADS];
    size_t count;
    char time_text[TEXT_NUMBER_SIZE];
};

/* CPUs: 1, half of the cores, all cores, all threads; memory: all threads. The plan must not be moved. */
void calibrate_plan_make(struct calibrate_plan *plan, unsigned cores, unsigned threads, double seconds);

#endif
