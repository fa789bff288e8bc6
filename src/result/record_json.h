/* SPDX-License-Identifier: MIT
 * Parts of a record in JSON, which other documents have, too. */
#ifndef RESULT_RECORD_JSON_H
#define RESULT_RECORD_JSON_H

#include "base/machine.h"
#include "emissions/equivalents.h"
#include "emissions/factor.h"
#include "emissions/sci.h"
#include "form/json_parts.h"
#include "run/slurm_job.h"

struct measurement;
struct report;

/* "factor": what a kilowatt-hour emits, and who says so. */
void json_factor(struct tree_node parent, const char *key, const struct factor *factor);

/* "machine": what it is; no name of a host or a user. */
void json_machine(struct tree_node parent, const struct machine *machine);

/* "job": of Slurm, or null. */
void json_job(struct tree_node parent, const struct slurm_job *job);

/* What all results of one command line have in common: machine, scope, PUE and factor. */
void json_session(struct tree_node root, const struct report *session);

/* json_phases.c: what a window or a phase does not know; the phases of all runs into the record, and those of one run
 * with its marks. */
void json_holes(struct tree_node parent, const struct measurement *measurement, const uint64_t unknown_ns[],
                const uint8_t hole[]);
void json_phases(struct tree_node root, const struct report *report);
void json_run_phases(struct tree_node run, const struct report *report, size_t i);

/* json_hourly.c: the slices of a run, or null; the intensities of some time, and the answers that told them; "hourly",
 * what of this the figures stand on, or null. */
struct slices;
struct intensities;
void json_slices(struct tree_node run, const struct slices *slices);
void json_answers(struct tree_node parent, const struct intensities *known);
void json_intensities(struct tree_node parent, const struct intensities *known);
void json_hourly(struct tree_node root, const struct report *report);

/* json_strides.c: "strides" of a window; null where nobody else was busy in any. */
struct window;
void json_strides(struct tree_node parent, const struct measurement *measurement, const struct window *window);

/* json_sci.c: "sci" and "equivalents"; null where they were not asked for. */
struct sci_sum {
    const char *unit;
    double units, operational_kgco2eq, embodied_kgco2eq, kgco2eq_per_unit;
};
void json_sci_figures(struct tree_node node, const struct sci_sum *sum);
void json_sci(struct tree_node parent, const struct sci *sci);
void json_equivalents(struct tree_node parent, const struct equivalents *equivalents);

/* json_provenance.c: "provenance", where the record's figures come from. */
void json_provenance(struct tree_node root, const struct report *report);

/* json.c: the whole record into an object, for documents that hold several. */
void json_record(struct tree_node node, const struct report *report);

#endif