/* SPDX-License-Identifier: MIT
 * A job's own energy: the energy that it added to the machine's, by the best method that the machine allows, named.
 * Idle is never in it. docs/METHOD.md, "Own", has the methods with their ranges. Pure arithmetic: begin here,
 * own_runs.h of `measurement` gives it the windows. Used by measurement/measurement.h. Begin with own_of(). */
#ifndef OWN_OWN_H
#define OWN_OWN_H

#include "own/own_method.h"

#include <stdbool.h>

/* No CPU is to spare where more of all are busy. */
#define OWN_FULL 0.98

/* Others count from here on, in cores. */
#define SHARE_OTHERS_CORES 0.02

/* The part of the CPUs that may be busy in an idle machine, plus one tick of each, which is counted a little early
 * or late. */
#define BASELINE_IDLE 0.02

/* How much of the machine was left for a job. */
enum idleness {
    IDLENESS_UNKNOWN, /* no baseline, or its CPU time is unknown */
    IDLENESS_IDLE,
    IDLENESS_BUSY, /* others kept more than BASELINE_IDLE of the CPUs busy, or of those that the job may run on */
    IDLENESS_FULL, /* none of these was free: the job displaces others, and net does not include it */
};

/* Use of the CPUs in runs and in their baselines, in CPUs; NAN unknown. */
struct own_cpus {
    double all; /* there are; 0 unknown */
    double job, others;
    double baseline;                 /* others in the baselines */
    double mask;                     /* that the job may run on; 0 unknown */
    double mask_busy, mask_baseline; /* of those, in the runs and in the baselines */
    enum idleness idleness;          /* worst idleness of all baselines */
    double baseline_coarse;          /* that many may be ticks of the clock */
    bool alone;                      /* whoever came beyond an idle baseline worked for the job */
};

/* Bounds alone; NAN: there is none. */
struct own own_unknown(double low_j, double high_j);

/* A figure without a range of its own; NAN: it is unknown. */
struct own own_known(double own_j, enum own_method method);

/* What was learnt, where that says more than the bounds and does not contradict them; else these. */
struct own own_better(const struct own *learnt, struct own bounds);

/* Whether net is all the job's, whoever was busy. */
bool own_is_net(const struct own_cpus *cpus, double net_j);

/* Whether it is, for a metered domain of the machine, because no other process was busy. */
bool own_is_undisturbed(const struct own_cpus *cpus, double net_j);

/* Further results of windows and strides, NAN if unknown. */
struct own_seen {
    double apart;                           /* highest ratio of the powers of equal CPU times */
    struct own learnt;                      /* the result from the strides, if they determine it */
    double possible_low_j, possible_high_j; /* whatever others did */
    bool changed;                           /* they came and went */
    double net_off_j;                       /* where they did not, net may be off by this */
};

/* Of such a domain otherwise, by who used the CPUs. gross_j is NAN where a part of it is not known, net_j too where
 * no baseline exists. */
struct own own_of_meter(const struct own_cpus *cpus, double gross_j, double net_j, const struct own_seen *seen);

/* Of a modelled domain, of whose figure the truth lies between low_ratio and high_ratio times it. */
struct own own_of_model(double slope_w, double cpu_s, double low_ratio, double high_ratio);

/* Sum of both. */
struct own own_add(const struct own *a, const struct own *b);

#endif
