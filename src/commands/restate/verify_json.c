/* SPDX-License-Identifier: MIT
 * Verifications as JSON ("carbon.verification/1"), as docs/verification-schema.json describes them. */
#include "config.h"

#include "commands/restate/verify.h"

static const char *shipped_state_name(const struct shipped_factor *state)
{
    switch (state->kind) {
    case FACTOR_NOT_SHIPPED: return "not-shipped";
    case FACTOR_AS_SHIPPED: return "as-shipped";
    case FACTOR_OTHER_VALUE: return "other-value";
    case FACTOR_GONE: return "gone";
    }
    return "not-shipped";
}

struct tree_node verify_json_open(struct tree *tree)
{
    struct tree_node root;

    tree_open(tree);
    root = tree_root(tree);
    tree_text(root, "schema", "carbon.verification/1");
    tree_text(root, "carbon_version", PACKAGE_VERSION);
    return tree_array(root, "results");
}

void verify_json_add(struct tree_node results, const char *path, const struct loaded_record *loaded,
                     const struct verification *verification)
{
    const struct tree_node node = tree_object(results, NULL);
    struct tree_node list, factor;

    tree_text(node, "record", path);
    tree_text_or_null(node, "id", loaded->report.id);
    tree_bool(node, "verified", verification_is_good(verification));
    tree_integer(node, "figures", verification->figures);
    tree_integer(node, "near_figures", verification->near);
    list = tree_array(node, "differences");
    for (size_t i = 0; i < verification->count; i++) {
        const struct tree_node item = tree_object(list, NULL);
        tree_text(item, "figure", verification->items[i].path);
        tree_text(item, "holds", verification->items[i].held);
        tree_text(item, "comes_to", verification->items[i].again);
    }
    tree_integer(node, "differences_left_out", verification->left_out);
    tree_integer(node, "unknown_keys", verification->unknown);
    factor = tree_object(node, "factor");
    tree_text(factor, "standing", shipped_state_name(&verification->state));
    tree_number(factor, "kgco2eq_per_kwh", loaded->report.factor.kgco2eq_per_kwh);
    if (verification->state.kind == FACTOR_AS_SHIPPED || verification->state.kind == FACTOR_OTHER_VALUE)
        tree_number(factor, "table_kgco2eq_per_kwh", verification->state.kgco2eq_per_kwh);
    else
        tree_null(factor, "table_kgco2eq_per_kwh");
}
