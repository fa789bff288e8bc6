/* SPDX-License-Identifier: MIT
 * A processor to be looked up, and the power found for it. Used throughout power. Begin with enum boundary. */
#ifndef POWER_CPU_H
#define POWER_CPU_H

#include "power/power_curve.h"

#include <stdbool.h>

enum { CPU_KEY_SIZE = 128 }; /* size of a match_key */

/* Where the watts of a curve are drawn; never mixed. */
enum boundary {
    BOUNDARY_PACKAGE, /* the processor package */
    BOUNDARY_SERVER,  /* the whole server at its plug */
};

/* How good the knowledge is, best first. */
enum power_basis {
    POWER_GIVEN,             /* power given by the user */
    POWER_MODEL,             /* a published curve of this very model */
    POWER_BOARD,             /* the whole board was measured at its plug */
    POWER_SERVERS,           /* what published machines with it, or with its kind, drew at the plug */
    POWER_CLOUD,             /* this model's TDP × what hosts of public clouds have of theirs */
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
    int packages;                 /* packages of the machine; 0: one */
    double memory_gb;             /* of the whole machine; 0: the default of its kind */
    bool named;                   /* model is as a person writes it: a part of the name, a core, a board */
    bool cloud;                   /* a guest of a public cloud, whose hosts keep their clock up */
    const char *key;              /* its match_key by an instance type, where model is not known; NULL or "" */
    int threads;                  /* of one package of its host, if an instance type has them; else 0 */
    double idle_w, full_w;        /* of one package, given by the user; full_w 0: not given */
    double limit_w, max_limit_w;  /* the limits set on a package, for long and the highest of all; 0: not known */
    const char *board;            /* from firmware: "Raspberry Pi 5 Model B Rev 1.0"; NULL or "" unknown */
};

struct cpu_power {
    struct power_curve curve, low, high; /* low and high: the ends of its range over load */
    bool per_thread;                     /* watts of one hardware thread; false: of one package */
    int threads; /* of one package; 0 unknown. Known where by_thread was asked and per_thread is false */
    int cores;   /* cores of one package; 0 unknown */
    /* At any load: the figure E of this curve has the range low_ratio × E .. high_ratio × E. */
    double low_ratio, high_ratio;
    enum power_basis basis;
    char model[96];             /* as its vendor writes it; "" where the tables do not know it */
    char microarchitecture[32]; /* "" unknown */
    char id[64];                /* id of the curve: "teads:generic" */
    char how[224];              /* "TDP 280 W × teads:generic (AMD_SPECS_2025, TEADS_AWS_2021)" */
};

/* By how much a curve is multiplied for `threads` hardware threads (of one package, or of several). */
static inline double cpu_power_share(const struct cpu_power *power, double threads)
{
    return power->per_thread ? threads : threads / power->threads;
}

/* Whole packages; `counted` threads are taken where the tables do not know how many one has. */
static inline double cpu_power_of_package(const struct cpu_power *power, double counted)
{
    return !power->per_thread ? 1 : power->threads > 0 ? power->threads : counted;
}

#endif
