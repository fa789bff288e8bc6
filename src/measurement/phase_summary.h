/* SPDX-License-Identifier: MIT
 * What the phases of the counted runs come to. Used by result/report.h. Begin with phase_is_at_least(). */
#ifndef MEASUREMENT_PHASE_SUMMARY_H
#define MEASUREMENT_PHASE_SUMMARY_H

#include "measurement/measurement.h"
#include "measurement/phases.h"

/* One of the counted domains has a hole in it. */
bool phase_is_at_least(const struct measurement *measurement, const struct phase *phase);

/* What one phase of a run comes to over the counted domains of that run, with the idle power under the run; NAN where
 * one of them was not read at each of the phase's ends. Where there is a hole gross is a lower bound and net NAN. */
struct energies phase_energies(const struct measurement *measurement, const struct run *run, const struct phase *phase);

/* The job's own energy in it, by the rules of the run: own.h. */
struct own phase_own(const struct measurement *measurement, const struct own_basis *basis, const struct run *run,
                     const struct phase *phase);

/* The counted runs that have a phase of this name. */
struct phase_summary {
    char name[MARK_NAME_SIZE];
    size_t runs;
    double times;                                           /* per run, on average */
    struct sample_stats duration_s, gross_j, idle_j, net_j; /* per run */
    double cpu_s;                                           /* of the job, per run, on average; NAN unknown */
    struct sample_stats own_j;                              /* per run */
    double own_low_j, own_high_j; /* its range, or where it is unknown its bounds; NAN: it has none */
    enum own_method own_method;
    double gross_w, net_w, own_w; /* mean energy / mean duration; NAN unknown, or below resolution */
    double part;                  /* of all the runs' energy, of the kind below */
    bool below_resolution;        /* its stays are shorter than RATE_UPDATES updates of the meter */
    bool at_least;                /* it has a hole: gross is a lower bound, and net is unknown */
};

struct phases_summary {
    size_t count;
    enum figure part_of; /* own, where that is another than net; net; gross, where these are unknown, or not above what
                          * they may be off by */
    bool at_least;       /* one of its phases is: nothing is a known part */
    uint64_t origins[MARK_ORIGINS];
    struct phase_summary items[PHASES_MAX + 1]; /* the last member: cleared one by one */
};

/* whole: of the same runs. */
void phases_summarize(const struct measurement *measurement, const struct summary *whole,
                      struct phases_summary *summary);

void phases_notices(const struct measurement *measurement, const struct phases_summary *summary,
                    struct notices *notices);

#endif
