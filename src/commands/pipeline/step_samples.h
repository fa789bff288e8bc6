/* SPDX-License-Identifier: MIT
 * What a step used, look by look: a row of CSV for what lies between two looks, and the averages and maxima over all.
 * Used by companion.h and pipeline_report.h. Begin with step_samples_open(). */
#ifndef COMMANDS_PIPELINE_STEP_SAMPLES_H
#define COMMANDS_PIPELINE_STEP_SAMPLES_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What was seen at one moment; counters go on from look to look. NAN: unknown. */
struct step_sample {
    uint64_t time_ns;     /* CLOCK_MONOTONIC */
    uint64_t realtime_ns; /* since 1970 */
    double cpu_s, memory_mb, working_set_mb;
    double energy_j;
    uint64_t unknown_ns;    /* sum over all domains in energy_j */
    double cpu_stall_s;     /* in which a task of it waited for a CPU; NAN unknown */
    const char *stall_from; /* whose that is; figures of two are not of one kind */
};

/* Between two looks; NAN: a part of it is not known. */
double step_samples_energy_j(const struct step_sample *from, const struct step_sample *to);

/* Time-weighted mean and maximum over all rows. NAN: unknown. */
struct step_figures {
    double average, maximum;
};

struct step_samples {
    FILE *out;              /* NULL: the rows are not written */
    double max_cpu_percent; /* of all CPUs that the step may use; what is read beyond is the reading's */
    struct step_sample from, to;
    size_t looks; /* samples taken so far, 2 at most (`from` and `to`) */
    size_t count; /* rows so far */
    double weight_s[2], sum[2];
    struct step_figures figures[2];
    double min_cpu_percent;    /* the highest of what the rows' CPU times mean at least, see request_cpu_at_least */
    double wanted_cpu_percent; /* the highest of that and of the time in which it waited for one; NAN unknown */
    double cpu_stall_s;        /* over all rows; NAN unknown */
};

enum { STEP_CPU_PERCENT, STEP_MEMORY_MB };

/* Writes the header where out is not NULL: timestamp,cpu_percent,memory first, as CPOST's. */
void step_samples_open(struct step_samples *rows, FILE *out, double max_cpu_percent);

/* A look; the row that ends with the one before it is complete then. Rows are flushed as they come. */
void step_samples_add(struct step_samples *rows, const struct step_sample *sample);

/* The last look, taken when the step had ended, so that its memory says nothing: the row before is drawn out to it
 * where it lies near. A step that was over before anything was seen of its memory has its peak (NAN: unknown) in its
 * row. False: the rows could not be written. */
bool step_samples_end(struct step_samples *rows, const struct step_sample *sample, double memory_peak_mb,
                      struct error *err) MUST_CHECK;

/* For a row that is known otherwise: what the averages and maxima are made of. */
void step_samples_count(struct step_samples *rows, double duration_s, double cpu_percent_of_core, double memory_mb);

#endif
