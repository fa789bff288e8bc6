/* SPDX-License-Identifier: MIT
 * Tables of a record's domains and of the sources that are not used. */
#ifndef RESULT_METER_FIELDS_H
#define RESULT_METER_FIELDS_H

#include "form/part_fields.h"

/* Of one domain, and of one source that is not used: what the two functions add, of a struct report. */
extern const struct fields domain_fields, refused_fields;
void record_domains(struct tree_node array, const void *report);
void record_refused(struct tree_node array, const void *report);

/* The parts of a domain that are of a struct domain, and of a struct meter_domain: they are read back by these. */
extern const struct fields domain_name_fields, domain_place_fields, domain_range_fields, domain_counter_fields;
extern const struct fields domain_state_fields, domain_counts_fields;

#endif
