/* SPDX-License-Identifier: MIT
 * Parts of a record in JSON, for documents that are not written by tables. Used in app and 6 commands. Begin with
 * json_factor(). */
#ifndef RESULT_RECORD_JSON_H
#define RESULT_RECORD_JSON_H

#include "emissions/equivalents.h"
#include "emissions/sci.h"
#include "emissions/supplementary.h"
#include "form/json_parts.h"

struct intensities;
struct machine;
struct report;

/* "factor": the emission factor and its publisher. */
void json_factor(struct tree_node parent, const char *key, const struct factor *factor);

/* "machine": its description, without the name of a host or a user. */
void json_machine(struct tree_node parent, const struct machine *machine);

/* What all results of one command line have in common: machine, scope, PUE and factor. */
void json_session(struct tree_node root, const struct report *session);

/* "pue", with its source; null without one. */
void json_pue(struct tree_node parent, double pue, enum quality quality, const struct supplementary *supplementary);

/* "market_factor", "market_location_factor" and "wue": null where there is none. */
void json_supplementary(struct tree_node parent, const struct supplementary *supplementary);

/* "sci" and "equivalents"; null where they were not asked for. */
struct sci_sum {
    const char *unit;
    double units, operational_kgco2eq, embodied_kgco2eq, kgco2eq_per_unit;
};
void json_sci_figures(struct tree_node node, const struct sci_sum *sum);
void json_sci(struct tree_node parent, const struct sci *sci);
void json_equivalents(struct tree_node parent, const struct equivalents *equivalents);

/* The intensities of some time, and the answers that contained them. */
void json_answers(struct tree_node parent, const struct intensities *known);
void json_intensities(struct tree_node parent, const struct intensities *known);

/* The whole record into an object, for documents that hold several. */
void json_record(struct tree_node node, const struct report *report);

#endif
