/* SPDX-License-Identifier: MIT
 * Tables of the figures that a record's emissions stand on. */
#ifndef RESULT_CARBON_FIELDS_H
#define RESULT_CARBON_FIELDS_H

#include "form/part_fields.h"
#include "result/report.h"

/* Of a struct report: "hourly". Of a struct hourly_source, sci, equivalent and provenance. */
extern const struct fields hourly_fields, hourly_source_fields, sci_fields, equivalent_fields, provenance_fields;
extern const struct fields equivalents_fields; /* of a struct equivalents, as a part */
void record_provenance(struct tree_node array, const void *report);

/* The intensities of some time, and the answers that told them. */
void carbon_intensities(struct tree_node array, const struct intensities *known);
void carbon_answers(struct tree_node array, const struct intensities *known);

#endif
