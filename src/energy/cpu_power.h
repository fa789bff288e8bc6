/* SPDX-License-Identifier: MIT
 * What is published of a processor's power: look-ups in the shipped tables, and curves of load.
 * Nothing here measures; docs/METHOD.md derives the figures and their ranges. */
#ifndef ENERGY_CPU_POWER_H
#define ENERGY_CPU_POWER_H

#include "base/error.h"
#include "energy/power_curve.h"

#include <stddef.h>

enum { CPU_KEY_SIZE = 128 };

/* "Intel(R) Xeon(R) CPU E5-2620 v3 @ 2.40GHz" to "intel xeon e5-2620 v3", the match_key of the
 * tables; "" of "". */
const char *cpu_match_key(const char *name, char key[CPU_KEY_SIZE]);

/* Where the watts of a curve are drawn; never mixed. */
enum boundary {
    BOUNDARY_PACKAGE, /* the processor package */
    BOUNDARY_SERVER,  /* the whole server at its plug */
};

/* How good the knowledge is, best first. */
enum power_basis {
    POWER_MODEL,             /* a published curve of this very model */
    POWER_TDP,               /* this model's TDP × the generic curve */
    POWER_MODEL_RANGE,       /* a curve of its range of models ("Xeon Gold") */
    POWER_MICROARCHITECTURE, /* other processors of its microarchitecture */
    POWER_DEFAULT,           /* a stated default per hardware thread */
};

struct cpu_identity {
    const char *model;            /* "model name", or as a user writes it; "" unknown */
    const char *vendor;           /* as in struct machine: "GenuineIntel", "ARM:0x41"; "" unknown */
    int family, number, stepping; /* -1 unknown */
    bool by_thread;               /* some threads of it are wanted (a guest), not whole packages */
};

struct cpu_power {
    struct power_curve curve;
    bool per_thread; /* watts of one hardware thread; false: of one package */
    int threads;     /* of one package; 0 unknown. Known where by_thread was asked and per_thread is false */
    int cores;       /* of one package; 0 unknown */
    /* The figure E of this curve stands for low_ratio × E .. high_ratio × E. */
    double low_ratio, high_ratio;
    enum power_basis basis;
    char model[96];             /* as its vendor writes it; "" where the tables do not know it */
    char microarchitecture[32]; /* "" unknown */
    char id[64];                /* of the curve: "teads:generic" */
    char how[224];              /* "TDP 280 W × teads:generic (AMD_SPECS_2025, TEADS_AWS_2021)" */
};

/* Package boundary: always finds something, if only the default. Server boundary: ERROR_ABSENT
 * where no server of this processor has been published. Otherwise fails only on a table that is
 * missing or malformed. */
bool cpu_power_find(const struct cpu_identity *identity, enum boundary boundary, struct cpu_power *power,
                    struct error *err) MUST_CHECK;

/* By how much a curve is multiplied for `threads` hardware threads (of one package, or of several). */
double cpu_power_share(const struct cpu_power *power, double threads);

/* Whole packages; `counted` threads are taken where the tables do not know how many one has. */
double cpu_power_of_package(const struct cpu_power *power, double counted);

struct memory_power {
    double w_per_gib, low_w_per_gib, high_w_per_gib;
    char how[128]; /* "0.375 W/GB (DRAM generic; CODECARBON), 0.2 to 0.6 W/GB" */
};

bool memory_power_find(struct memory_power *power, struct error *err) MUST_CHECK;

enum { CPU_NAMES_NEAR = 3 };

/* Models with names near this one, the nearest first. */
bool cpu_names_near(const char *name, char names[CPU_NAMES_NEAR][96], struct error *err) MUST_CHECK;

#endif
