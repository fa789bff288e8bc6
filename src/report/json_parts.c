/* SPDX-License-Identifier: MIT
 * Parts that every JSON document of carbon writes alike. */
#include "report/json_parts.h"

void json_value(struct tree_node parent, const char *key, double value, enum quality quality)
{
    const struct tree_node node = tree_object(parent, key);

    tree_number(node, "value", value);
    tree_text(node, "quality", quality_name(quality));
}

void json_factor(struct tree_node parent, const struct factor *factor)
{
    const struct tree_node node = tree_object(parent, "factor");

    tree_number(node, "kgco2eq_per_kwh", factor->kgco2eq_per_kwh);
    tree_text(node, "quality", quality_name(factor->quality));
    tree_text_or_null(node, "zone", factor->zone);
    tree_text_or_null(node, "zone_name", factor->zone_name);
    if (factor->year > 0)
        tree_integer(node, "year", (uint64_t)factor->year);
    else
        tree_null(node, "year");
    tree_text(node, "basis", factor_basis_name(factor->basis));
    tree_text_or_null(node, "method", factor->method);
    tree_text_or_null(node, "scope", factor->scope);
    tree_text_or_null(node, "td_losses", factor->td_losses);
    tree_text_or_null(node, "gases", factor->gases);
    tree_text_or_null(node, "source_id", factor->source_id);
    tree_text_or_null(node, "source", factor->source);
    tree_text_or_null(node, "licence", factor->licence);
    tree_text_or_null(node, "table", factor->table);
}
