/* SPDX-License-Identifier: MIT
 * A time series read back from `carbon measure --samples`, thinned for drawing. Used by
 * commands/plot/timeline.h, result/page/html_record.h and result/page/html_sections.h. Begin with sample_read(). */
#ifndef RESULT_SAMPLE_READ_H
#define RESULT_SAMPLE_READ_H

#include "base/csv.h"
#include "result/sample_columns.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SAMPLE_POINTS = 2000,   /* of which no more are kept, however long the series is */
    SAMPLE_WINDOWS = 25000, /* carbon measures no more of them */
};

enum sample_phase { SAMPLE_BASELINE, SAMPLE_WARMUP, SAMPLE_RUN, SAMPLE_OTHER };

/* The time that one baseline or run takes, by its first and last sample. */
struct sample_window {
    enum sample_phase phase;
    char name[16]; /* "baseline", "warmup", "run", and the other windows before and after them */
    size_t number; /* from 1, of its kind */
    double start_s, end_s;
};

/* Energies only grow, so that leaving points out loses nothing of the mean power between those that stay. */
struct sample_series {
    uint64_t realtime_ns; /* of the first sample; 0: unknown */
    size_t domain_count;
    bool has_holes; /* its last column */
    char names[CSV_MAX_COLUMNS][SAMPLE_COLUMN_SIZE];
    bool moved[CSV_MAX_COLUMNS];      /* its energy has grown */
    size_t point_count, sample_count; /* kept; in the file */
    double *time_s;
    bool *between;     /* the time before this point is not part of a window */
    double *energy_j;  /* of each point all domains; NAN: not read there, nor before and after */
    double *unknown_s; /* likewise: of how much of the time up to there the energy is not known */
    struct sample_window *windows;
    size_t window_count;
};

/* Reads the file as a stream. Fails if it is not a time series of carbon, is malformed, or holds fewer than two
 * samples. Given to sample_close in the end, after a failure too. */
bool sample_read(const char *path, struct sample_series *series, struct error *err) MUST_CHECK;
void sample_close(struct sample_series *series);

/* Mean power of a domain from one point to the next, in the time that is known; NAN unknown, and between two windows.
 */
/* A power can be drawn from this sample to the next: the interval that the end of a window closes may have some ms, in
 * which a counter's updates do not give a power. */
bool sample_is_drawn(const struct sample_series *series, size_t point);

double sample_power_w(const struct sample_series *series, size_t domain, size_t point);

#endif
