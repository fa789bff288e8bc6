/* SPDX-License-Identifier: MIT
 * Tables of a record's windows (window_fields.c), of its runs and phases (run_fields.c). Used throughout result. Begin
 * with record_baselines(). */
#ifndef RESULT_WINDOW_FIELDS_H
#define RESULT_WINDOW_FIELDS_H

#include "form/part_fields.h"
#include "result/record_parts.h"

struct measurement;
struct window;

/* Of one baseline and one run: the fields that the two functions add, of a struct report; and of a struct
 * phase_summary. */
extern const struct fields baseline_fields, run_fields, phase_summary_fields;
void record_baselines(struct tree_node array, const void *report);
void record_runs(struct tree_node array, const void *report);

/* Of a struct window, a stride, a phase, a slice and a run, as they are read back. */
extern const struct fields window_start_fields, window_times_fields, stride_times_fields, phase_times_fields,
    phase_cpu_fields, slice_times_fields, run_begin_fields, run_ended_fields;

/* Of a struct energies, as a part. */
extern const struct fields energies_fields;

/* Of a struct hole_fields and gpu_fields. */
extern const struct fields record_hole, record_gpu;

/* What a baseline and a run have in common. */
struct window_view {
    const struct measurement *measurement;
    const struct window *window;
    uint64_t start_ns; /* since the first of them began */
};
extern const struct fields window_fields;
struct window_view window_view_of(const struct measurement *measurement, const struct window *window);

/* Of a number of domains: an energy or null, and its holes. */
void record_energies(struct tree_node array, size_t count, const uint64_t energy_uj[], const uint8_t known[]);
void record_holes(struct tree_node array, size_t count, const uint64_t unknown_ns[], const uint8_t hole[]);

#endif
