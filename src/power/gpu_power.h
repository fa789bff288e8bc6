/* SPDX-License-Identifier: MIT
 * Published power of a graphics card: its rating and its idle power. Used by result/estimate/estimate.h. Begin with
 * gpu_power_find(). */
#ifndef POWER_GPU_POWER_H
#define POWER_GPU_POWER_H

#include "base/error.h"

struct gpu_power {
    char model[96]; /* model name in the table */
    double full_w;  /* its rating */
    double idle_w, idle_low_w, idle_high_w;
    char how[224];
};

/* By words of its name ("H100 SXM", "RTX 4090"). ERROR_USAGE with close names where none or several have them. */
bool gpu_power_find(const char *name, struct gpu_power *power, struct error *err) MUST_CHECK;

#endif
