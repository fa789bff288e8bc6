/* SPDX-License-Identifier: MIT
 * The rows of cpu_power.csv, cpu_profiles.csv and cpuid_uarch.csv as structs. */
#ifndef POWER_CPU_TABLES_H
#define POWER_CPU_TABLES_H

#include "base/error.h"
#include "power/cpu.h"

/* A row of cpu_power.csv. */
struct cpu_row {
    char model[96], key[CPU_KEY_SIZE], microarchitecture[32], source_id[48];
    bool server, desktop;                /* segment */
    int cores, threads, year;            /* 0 unknown */
    double tdp_w, low_tdp_w, high_tdp_w; /* the vendor's, and how far other lists go from it */
};

enum profile_kind { KIND_MODEL, KIND_MODEL_RANGE, KIND_MICROARCHITECTURE, KIND_GENERIC };
enum profile_per { PER_THREAD, PER_PACKAGE, PER_TDP };

/* A row of cpu_profiles.csv. */
struct profile_row {
    char id[64], key[CPU_KEY_SIZE], name[64], microarchitecture[32], source_id[48];
    enum profile_kind kind;
    enum profile_per per;
    enum boundary boundary;
    struct power_curve curve;
};

/* Called for each row; rows that say of themselves that they must not be used are left out. */
typedef void cpu_row_function(const struct cpu_row *row, void *context);
typedef void profile_row_function(const struct profile_row *row, void *context);

/* Only rows that have this field; NULL: all. */
bool cpu_rows(const char *field, cpu_row_function *on_row, void *context, struct error *err) MUST_CHECK;
bool profile_rows(const char *field, profile_row_function *on_row, void *context, struct error *err) MUST_CHECK;

/* The microarchitecture of a processor by its numbers, or "". */
bool cpuid_microarchitecture(const struct cpu_identity *identity, char name[32], struct error *err) MUST_CHECK;

#endif
