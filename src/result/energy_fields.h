/* SPDX-License-Identifier: MIT
 * Tables of a record's fields of energies, emissions, the job's usage, and its meter. Used throughout
 * result. Begin with record_domains(). */
#ifndef RESULT_ENERGY_FIELDS_H
#define RESULT_ENERGY_FIELDS_H

#include "form/part_fields.h"
#include "result/report.h"

/* Of struct usage_figure, usage_summary, bound_verdict, emission and added. */
extern const struct fields usage_figure_fields, usage_fields, bottleneck_fields, emission_fields, added_fields;

/* Of a struct domain_energy, as parts: its energies, and the job's part of a card. */
extern const struct fields energy_fields, gpu_own_fields;

/* One domain, over the arrays that have its figures. */
struct domain_view {
    const struct domain *domain;
    const struct meter_domain *state;
    const struct domain_energy *energy;
    const char *source, *reason;
    bool counted, at_least;
    enum quality quality;
    struct error problem;
    double slope_w;
};

struct refusal_view {
    const char *source;
    struct error error;
};

/* meter_fields.c. Of one domain, and of one source that is not used: the fields that the two functions add, of a struct
 * report. */
extern const struct fields domain_fields, refused_fields; /* tables of the two views */
void record_domains(struct tree_node array, const void *report);
void record_refused(struct tree_node array, const void *report);

/* The value in a domain of a member of a struct domain_view. */
#define DOMAIN_ITEM(node, member) FIELD_ITEM(node, domain_fields, struct domain_view, member)

/* The parts of a domain that are of a struct domain, and of a struct meter_domain: they are read back by these. */
extern const struct fields domain_name_fields, domain_place_fields, domain_range_fields, domain_counter_fields;
extern const struct fields domain_state_fields, domain_counts_fields;

#endif
