/* SPDX-License-Identifier: MIT
 * Whose energy it was, where others were busy too. Pure arithmetic. Used in commands/batch, commands/pipeline,
 * commands/probe, measurement and result. Begin with cpu_share_of(). */
#ifndef MEASUREMENT_CPU_SHARE_H
#define MEASUREMENT_CPU_SHARE_H

#include "measurement/idle.h"

/* Ticks of /proc/stat are 10 ms: in a run below this they are more than 1 %. */
#define SHARE_SHORTEST_S 1.0

struct cpu_share {
    double fraction;         /* of net that is the job's, by CPU time; 1 while others are below SHARE_OTHERS_CORES */
    double background_cores; /* cores that others kept busy beyond what they did in the baselines */
};

/* The part of the machine's busy CPU time in a run that was what is watched: 0 to 1, whoever was busy before. */
double machine_share_of(const struct run *run);

/* The job's share of a counted card in this run, by the time of its processors; NAN: unknown. */
double gpu_own_j(const struct measurement *measurement, const struct run *run, size_t domain);

/* The share of all counted cards that have a figure; NAN if one of them does not report it, or there is none. */
double gpus_own_j(const struct measurement *measurement, const struct run *run);

/* The addition to share.fraction × net, and to machine_share × gross, for cards that report their use by process: of
 * net the job's part of all that used them, of gross its own. 0 where they do not. */
double gpu_share_more_j(const struct measurement *measurement, const struct neighbours *neighbours,
                        const struct run *run, double fraction);
double gpu_attributed_more_j(const struct measurement *measurement, const struct run *run, double machine_share);

/* NAN where the CPU time of either is not known, or the run is too short for the ticks of /proc/stat. */
struct cpu_share cpu_share_of(const struct neighbours *neighbours, const struct run *run);

#endif
