/* SPDX-License-Identifier: MIT
 * What stands beside the location-based figure, as JSON. */
#ifndef RESULT_BESIDE_JSON_H
#define RESULT_BESIDE_JSON_H

#include "emissions/beside.h"
#include "io/json_tree.h"

struct added;

/* "pue", with who says it; null where nobody is named. */
void json_pue(struct tree_node parent, double pue, enum quality quality, const struct beside *beside);

/* "market_factor" and "wue": null where there is none. */
void json_beside(struct tree_node parent, const struct beside *beside);

/* Within "emissions": what grid losses or the supply of fuel add to a figure; null where no table says. */
void json_added(struct tree_node parent, const char *key, const struct added *added);

#endif
