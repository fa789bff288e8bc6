/* SPDX-License-Identifier: MIT
 * What is published of a processor's power: look-ups in the shipped tables, and curves of load. Nothing here measures;
 * docs/METHOD.md derives the figures and their ranges. Used in app, commands/slurm, meter and power. Begin with
 * cpu_power_find(). */
#ifndef POWER_CPU_POWER_H
#define POWER_CPU_POWER_H

#include "base/error.h"
#include "power/cpu.h"

/* "Intel(R) Xeon(R) CPU E5-2620 v3 @ 2.40GHz" to "intel xeon e5-2620 v3", the match_key of the
 * tables; "" of "". */
const char *cpu_match_key(const char *name, char key[CPU_KEY_SIZE]);

/* A package, of which something is always found, if only the default; and the whole machine with such packages, as a
 * share of each, whose how is "" where nothing of the kind has been published (NULL: it is not wanted). Fails only on a
 * table that is missing or malformed. */
bool cpu_power_find(const struct cpu_identity *identity, struct cpu_power *package, struct cpu_power *machine,
                    struct error *err) MUST_CHECK;

/* The TDP of this very model; 0 where the tables do not have it. */
double cpu_tdp_w(const char *model);

/* Over load. */
struct memory_power {
    struct power_curve w_per_gib, low_w_per_gib, high_w_per_gib;
    char how[160]; /* "0.06 W/GB idle to 0.15 W/GB busy (TACC_DRAM)" */
};

bool memory_power_find(struct memory_power *power, struct error *err) MUST_CHECK;

/* Whether something was found of this very model, and not of its kind alone. */
bool cpu_is_known(const struct cpu_power *power);

/* ERROR_USAGE, with names near this one and the alternative: "--power". */
bool cpu_unknown(const char *name, const char *otherwise, struct error *err) MUST_CHECK;

#endif
