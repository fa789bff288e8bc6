/* SPDX-License-Identifier: MIT
 * The usage of a step, look by look: a CSV row for the time between two looks, and the means and maxima over all. Used
 * by companion.h and pipeline_report.h. Begin with step_samples_open(). */
#ifndef COMMANDS_PIPELINE_STEP_SAMPLES_H
#define COMMANDS_PIPELINE_STEP_SAMPLES_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The values of one moment; counters continue from look to look. NAN: unknown. */
struct step_sample {
    uint64_t time_ns;     /* CLOCK_MONOTONIC */
    uint64_t realtime_ns; /* since 1970 */
    double cpu_s, memory_mb, working_set_mb;
    double energy_j;
    uint64_t unknown_ns;    /* sum over all domains in energy_j */
    double cpu_stall_s;     /* time in which one of its tasks waited for a CPU; NAN unknown */
    const char *stall_from; /* its source; figures of two sources are not comparable */
};

/* Between two looks; NAN: a part of it is unknown. */
double step_samples_energy_j(const struct step_sample *from, const struct step_sample *to);

/* Time-weighted mean and maximum over all rows. NAN: unknown. */
struct step_figures {
    double average, maximum;
};

struct step_samples {
    FILE *out;              /* NULL: no rows are written */
    double max_cpu_percent; /* of all CPUs that the step may use; a higher value is an artefact of the reading */
    struct step_sample from, to;
    size_t looks; /* samples taken so far, 2 at most (`from` and `to`) */
    size_t count; /* rows so far */
    double weight_s[2], sum[2];
    struct step_figures figures[2];
    double min_cpu_percent;    /* the maximum of the lower bounds from the rows' CPU times, see request_cpu_at_least */
    double wanted_cpu_percent; /* the maximum of that plus the time of waiting for a CPU; NAN unknown */
    double cpu_stall_s;        /* over all rows; NAN unknown */
};

enum { STEP_CPU_PERCENT, STEP_MEMORY_MB };

/* Writes the header unless out is NULL: timestamp,cpu_percent,memory first, as in CPOST. */
void step_samples_open(struct step_samples *rows, FILE *out, double max_cpu_percent);

/* A look; it completes the row that ends with the previous look. Rows are flushed immediately. */
void step_samples_add(struct step_samples *rows, const struct step_sample *sample);

/* The last look, after the end of the step, so that its memory is not valid: the last row is extended to it if it is
 * close. A step that ended before its memory was seen has its peak (NAN: unknown) in its row. False: the rows could not
 * be written. */
bool step_samples_end(struct step_samples *rows, const struct step_sample *sample, double memory_peak_mb,
                      struct error *err) MUST_CHECK;

/* For a row from another source: adds it to the means and maxima. */
void step_samples_count(struct step_samples *rows, double duration_s, double cpu_percent_of_core, double memory_mb);

#endif
