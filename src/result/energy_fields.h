/* SPDX-License-Identifier: MIT
 * Tables of what a record says of energies, of emissions and of what the job used. */
#ifndef RESULT_ENERGY_FIELDS_H
#define RESULT_ENERGY_FIELDS_H

#include "form/part_fields.h"

/* Of struct usage_summary, bound_verdict, emission and added. */
extern const struct fields usage_fields, bound_fields, emission_fields, added_fields;

/* Of a struct domain_energy, as parts: its energies, and what of a card was the job's. */
extern const struct fields energy_fields, gpu_own_fields;

#endif
