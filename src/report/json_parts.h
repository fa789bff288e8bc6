/* SPDX-License-Identifier: MIT
 * Parts that every JSON document of carbon writes alike. */
#ifndef REPORT_JSON_PARTS_H
#define REPORT_JSON_PARTS_H

#include "emissions/factor.h"
#include "report/json_tree.h"

/* {"value": ..., "quality": ...} under a key. */
void json_value(struct tree_node parent, const char *key, double value, enum quality quality);

/* "factor": what a kilowatt-hour emits, and who says so. */
void json_factor(struct tree_node parent, const struct factor *factor);

#endif
