/* SPDX-License-Identifier: MIT
 * What the figures of a record stand on, without what is the record's alone. */
#include "ledger/contribution.h"

#include "io/json_read.h"
#include "io/json_tree.h"

#include <string.h>

/* Plain members; what is a list or an object in it is none of this. */
static void copy_members(struct tree_node to, const struct cJSON *from)
{
    for (const struct cJSON *item = json_items(from); item; item = json_next(item))
        switch (json_kind(item)) {
        case JSON_NUMBER: tree_number(to, json_key(item), json_number(item)); break;
        case JSON_TEXT: tree_text(to, json_key(item), json_text(item)); break;
        case JSON_BOOL: tree_bool(to, json_key(item), json_truth(item)); break;
        case JSON_NULL:
        case JSON_ARRAY:
        case JSON_OBJECT: break;
        }
}

static void copy_object(struct tree_node to, const char *key, const struct cJSON *from)
{
    if (!json_is_null(from))
        copy_members(tree_object(to, key), from);
}

/* Who told the intensities; the numbers beside are the record's own. */
static void add_hourly(struct tree_node root, const struct cJSON *hourly)
{
    struct tree_node node;

    if (json_is_null(hourly))
        return;
    node = tree_object(root, "hourly");
    for (const struct cJSON *item = json_items(hourly); item; item = json_next(item))
        if (json_kind(item) == JSON_TEXT)
            tree_text(node, json_key(item), json_text(item));
}

/* Beside the factor: these are reported with the emissions, and where the factor's row was taken from in the
 * provenance. */
static void add_supplementary(struct tree_node root, const struct cJSON *record)
{
    const struct cJSON *emissions = json_member(record, "emissions");

    tree_number(root, "td_losses_kgco2eq_per_kwh",
                json_number_of(json_member(emissions, "td_losses"), "kgco2eq_per_kwh"));
    tree_number(root, "upstream_kgco2eq_per_kwh",
                json_number_of(json_member(emissions, "upstream"), "kgco2eq_per_kwh"));
    for (const struct cJSON *row = json_first(json_member(record, "provenance")); row; row = json_next(row))
        if (strcmp(json_text_of(row, "figure"), "factor.kgco2eq_per_kwh") == 0) {
            tree_text_or_null(root, "factor_version", json_text_of(row, "version"));
            tree_text_or_null(root, "factor_retrieved_at", json_text_of(row, "retrieved_at"));
        }
}

static void add_embodied(struct tree_node root, const struct cJSON *sci)
{
    struct tree_node node;

    if (json_is_null(json_member(json_member(sci, "machine"), "kgco2eq")))
        return;
    node = tree_object(root, "embodied");
    copy_members(node, json_member(sci, "machine"));
    tree_number(node, "lifetime_years", json_number_of(json_member(sci, "lifetime_years"), "value"));
    tree_text_or_null(node, "lifetime_quality", json_text_of(json_member(sci, "lifetime_years"), "quality"));
    tree_number(node, "reserved_share", json_number_of(json_member(sci, "reserved_share"), "value"));
}

char *contribution_basis(const struct cJSON *record, struct error *err)
{
    struct tree tree;
    struct tree_node root;
    char *text;

    tree_open(&tree);
    root = tree_root(&tree);
    tree_text_or_null(root, "scope", json_text_of(record, "scope"));
    tree_text_or_null(root, "cpu_model", json_text_of(json_member(record, "machine"), "cpu_model"));
    copy_object(root, "pue", json_member(record, "pue"));
    copy_object(root, "factor", json_member(record, "factor"));
    copy_object(root, "market_factor", json_member(record, "market_factor"));
    add_hourly(root, json_member(record, "hourly"));
    add_supplementary(root, record);
    add_embodied(root, json_member(record, "sci"));
    text = tree_string_line(&tree, "basis of the record", err);
    if (text)
        text[strcspn(text, "\n")] = '\0';
    return text;
}
