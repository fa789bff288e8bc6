/* SPDX-License-Identifier: MIT
 * Tables of a record's windows (window_fields.c), of its runs and phases (run_fields.c), and the structs that
 * their objects are written from. Used in ledger, result and 3 commands. Begin with record_baselines(). */
#ifndef RESULT_WINDOW_FIELDS_H
#define RESULT_WINDOW_FIELDS_H

#include "form/field.h"
#include "measurement/slices.h"
#include "result/report.h"

struct phase;
struct stride;
struct strides;

/* What a baseline and a run have in common. */
struct window_view {
    const struct measurement *measurement;
    const struct window *window;
    uint64_t start_ns; /* since the first of them began */
};
struct window_view window_view_of(const struct measurement *measurement, const struct window *window);

struct run_view {
    struct window_view window;
    const struct report *report;
    const struct run *run;
    struct run_summary summary;
    int exit_status, signal; /* -1, 0: none */
    bool counted, core_dumped, is_command, has_end;
    uint64_t start_gap_ns, end_gap_ns, marks_left_out;
    int orphans; /* -1: not known */
    const char *orphan_names;
};

struct phase_view {
    const struct measurement *measurement;
    const struct run *run;
    const struct phase *phase;
    struct energies energies;
    double own_j;
};

struct mark_view {
    const char *name;
    uint64_t at_ns;
};

struct slice_view {
    const struct slices *slices;
    size_t i;
    const struct slice *slice;
};

struct stride_view {
    const struct strides *strides;
    size_t i;
    const struct stride *stride;
    uint64_t start_ns; /* since the window began */
};

/* Of one baseline and one run: the fields that the two functions add, of a struct report; and of a struct
 * phase_summary. */
extern const struct fields window_fields, baseline_fields, run_fields, phase_summary_fields;
void record_baselines(struct tree_node array, const void *report);
void record_runs(struct tree_node array, const void *report);

/* Of the views, and the lists in them; energies, holes and strides are in a baseline, too. */
extern const struct fields phase_fields, mark_fields, slice_fields, stride_fields;
field_each_function record_window_energies, record_window_holes, record_window_parts, record_strides;
field_each_function record_phases, record_marks, record_slices, record_gpus;
field_each_function record_phase_energies, record_phase_holes, record_slice_energies, record_stride_energies;

/* The value in a run, and in a mark of it, of a member of its view. */
#define RUN_ITEM(node, member) FIELD_ITEM(node, run_fields, struct run_view, member)
#define MARK_ITEM(node, member) FIELD_ITEM(node, mark_fields, struct mark_view, member)

/* Of a struct window, a run, a phase, a slice and a stride, as they are read back; and the value of a member of some.
 */
extern const struct fields window_own_fields, run_own_fields, phase_own_fields, slice_times_fields, stride_times_fields;
#define WINDOW_ITEM(node, member) FIELD_ITEM(node, window_own_fields, struct window, member)
#define RUN_OWN_ITEM(node, member) FIELD_ITEM(node, run_own_fields, struct run, member)
#define SLICE_ITEM(node, member) FIELD_ITEM(node, slice_times_fields, struct slice, member)

/* Of a struct energies, as a part. */
extern const struct fields energies_fields;

/* Of a struct hole_fields and gpu_fields. */
extern const struct fields record_hole, record_gpu;

/* Of a number of domains: an energy or null, and its holes. */
void record_energies(struct tree_node array, size_t count, const uint64_t energy_uj[], const uint8_t known[]);
void record_holes(struct tree_node array, size_t count, const uint64_t unknown_ns[], const uint8_t hole[]);

#endif
