/* SPDX-License-Identifier: MIT
 * Tables of the figures that a record's emissions stand on. Used throughout result. Begin with record_provenance(). */
#ifndef RESULT_CARBON_FIELDS_H
#define RESULT_CARBON_FIELDS_H

#include "base/clock.h"
#include "form/part_fields.h"
#include "result/provenance.h"
#include "result/report.h"

/* Of a struct report: "hourly". Of a struct hourly_source, sci, equivalent and provenance. */
extern const struct fields hourly_fields, hourly_source_fields, sci_fields, equivalent_fields, provenance_fields;
extern const struct fields sci_machine_fields; /* of a struct sci: its "machine" */
extern const struct fields equivalents_fields; /* of a struct equivalents, as a part */
void record_provenance(struct tree_node array, const void *report);
void hourly_answers(struct tree_node array, const void *report);
void hourly_intensities(struct tree_node array, const void *report);
void hourly_notices(struct tree_node array, const void *report);

/* The value in the "machine" of a struct sci of a member of that. */
#define SCI_MACHINE_ITEM(node, member) FIELD_ITEM(node, sci_machine_fields, struct sci, member)

/* The value in a row of the provenance, and in the source of intensities, of a member of it. */
#define PROVENANCE_ITEM(node, member) FIELD_ITEM(node, provenance_fields, struct provenance, member)
#define HOURLY_ITEM(node, member) FIELD_ITEM(node, hourly_source_fields, struct hourly_source, member)

/* An intensity with the texts of its time to the minute, and an answer with intensities; their tables. */
struct intensity_view {
    char start[CLOCK_TEXT_SIZE], end[CLOCK_TEXT_SIZE];
    double kgco2eq_per_kwh;
    enum intensity_kind kind;
    unsigned answer;
};
struct answer_view {
    uint64_t retrieved_ns;
    bool stored;
    const char *url;
};
extern const struct fields intensity_fields, answer_fields;
#define INTENSITY_ITEM(node, member) FIELD_ITEM(node, intensity_fields, struct intensity_view, member)
#define ANSWER_ITEM(node, member) FIELD_ITEM(node, answer_fields, struct answer_view, member)
struct intensity_view intensity_view_of(const struct intensity *item);
struct answer_view answer_view_of(const struct live_answer *item);

/* The intensities of some time, and the answers that contained them. */
void carbon_intensities(struct tree_node array, const struct intensities *known);
void carbon_answers(struct tree_node array, const struct intensities *known);

#endif
