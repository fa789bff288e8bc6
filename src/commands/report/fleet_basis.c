/* SPDX-License-Identifier: MIT
 * What the days of a fleet stand on, as contribution_basis makes it of a record. */
#include "commands/report/fleet_contributions.h"

#include "app/options/emission_options.h"
#include "result/record_json.h"

#include <math.h>

char *fleet_basis(const struct emission_options *options, struct error *err)
{
    const struct factor *factor = &options->factor, *market = &options->supplementary.market;
    struct tree tree;
    struct tree_node root;

    tree_open(&tree);
    root = tree_root(&tree);
    tree_text(root, "scope", "compute");
    tree_null(root, "cpu_model");
    json_pue(root, options->pue, options->pue_quality, &options->supplementary);
    json_factor(root, "factor", factor);
    if (isnan(market->kgco2eq_per_kwh))
        tree_null(root, "market_factor");
    else
        json_factor(root, "market_factor", market);
    tree_number(root, "td_losses_kgco2eq_per_kwh", factor->td_losses_kgco2eq_per_kwh);
    tree_number(root, "upstream_kgco2eq_per_kwh", factor->upstream_kgco2eq_per_kwh);
    tree_text_or_null(root, "factor_version", factor->version);
    tree_text_or_null(root, "factor_retrieved_at", factor->retrieved_at);
    return tree_string_line(&tree, "basis of the report", err);
}
