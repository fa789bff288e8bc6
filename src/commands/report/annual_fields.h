/* SPDX-License-Identifier: MIT
 * Tables of the figures of a period, of which both its JSON and its CSV are made. */
#ifndef COMMANDS_REPORT_ANNUAL_FIELDS_H
#define COMMANDS_REPORT_ANNUAL_FIELDS_H

#include "form/columns.h"

extern const struct fields annual_fields; /* table of a struct annual */

/* annual_item_fields.c: of a struct annual_figures; of a struct annual_group, as a month or else; of a struct
 * annual_factor, annual_pue, annual_embodied, annual_machine; of a struct annual_name, as a scope or a model of
 * processor; of a struct annual_node and annual_source. */
extern const struct fields annual_figures_fields, annual_month_fields, annual_group_fields, annual_used_factor_fields,
    annual_pue_fields, annual_embodied_fields, annual_made_fields, annual_scope_fields, annual_model_fields,
    annual_node_fields, annual_source_fields;

/* Of a member `struct annual_figures NAME`. */
#define FIELD_FIGURES_AS(key, member, meaning)                                                                         \
    FIELD_OBJECT_AS(key, struct annual_figures, member, &annual_figures_fields, meaning)

extern const struct table annual_columns; /* annual_csv.c */

#endif
