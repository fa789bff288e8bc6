/* SPDX-License-Identifier: MIT
 * What the figures of a record stand on, without what is the record's alone. */
#include "ledger/contribution.h"

#include "io/json_read.h"
#include "result/carbon_fields.h"
#include "result/record_fields.h"
#include "result/session_fields.h"

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

/* Under the key that it has in the record. */
static void copy_object(struct tree_node to, const struct cJSON *from)
{
    if (!json_is_null(from))
        copy_members(tree_object(to, json_key(from)), from);
}

/* Who told the intensities; the numbers beside are the record's own. */
static void add_hourly(struct tree_node root, const struct cJSON *hourly)
{
    struct tree_node node;

    if (json_is_null(hourly))
        return;
    node = tree_object(root, json_key(hourly));
    for (const struct cJSON *item = json_items(hourly); item; item = json_next(item))
        if (json_kind(item) == JSON_TEXT)
            tree_text(node, json_key(item), json_text(item));
}

static bool has_edition(const void *basis)
{
    return ((const struct basis *)basis)->has_edition;
}

static bool has_embodied(const void *basis)
{
    return ((const struct basis *)basis)->machine;
}

void basis_embodied(struct tree_node node, const void *of)
{
    copy_members(node, ((const struct basis *)of)->machine);
    fields_json(node, &basis_embodied_fields, of);
}

#define OF struct basis
static const struct fields begin_fields = FIELDS({
    FIELD_NAME(scope, "as in the record"),
    FIELD_NAME(cpu_model, "of its machine"),
});

const struct fields basis_embodied_fields = FIELDS({
    FIELD_NUMBER(lifetime_years, "of the machine"),
    FIELD_NAME(lifetime_quality, "of that figure"),
    FIELD_NUMBER(reserved_share, "the job's part of the machine"),
});

static const struct fields edition_fields = FIELDS({
    FIELD_NAME(factor_version, "of the factor's table"),
    FIELD_NAME(factor_retrieved_at, "when the factor was taken from its source"),
});

static const struct fields end_fields = FIELDS({
    FIELD_NUMBER(td_losses_kgco2eq_per_kwh, "reported with the factor"),
    FIELD_NUMBER(upstream_kgco2eq_per_kwh, "likewise"),
    FIELD_SAME_WHERE(has_edition, &edition_fields),
    FIELD_MAP("embodied", basis_embodied, "", "embodied emissions of the machine, its lifetime and reserved share",
              .known = has_embodied, .flags = FIELD_LEFT_OUT),
});

const struct fields basis_fields = FIELDS({ FIELD_SAME(&begin_fields), FIELD_SAME(&end_fields) });
#undef OF

/* Beside the factor: the emissions of a record have the first two, and its provenance has where the factor's row was
 * taken from. */
static struct basis basis_of(const struct cJSON *record)
{
    const bool has_machine = !json_is_null(RECORD_ITEM(record, sci.machine_kgco2eq.value));
    struct basis basis = {
        .scope = json_given_text(RECORD_ITEM(record, scope)),
        .cpu_model = json_given_text(MACHINE_ITEM(RECORD_ITEM(record, machine), cpu_model)),
        .td_losses_kgco2eq_per_kwh = json_number(RECORD_ITEM(record, td_losses.kgco2eq_per_kwh)),
        .upstream_kgco2eq_per_kwh = json_number(RECORD_ITEM(record, upstream.kgco2eq_per_kwh)),
        .machine = has_machine ? RECORD_OBJECT(record, sci_machine_fields) : NULL,
        .lifetime_years = json_number(RECORD_ITEM(record, sci.lifetime_years.value)),
        .lifetime_quality = json_given_text(RECORD_ITEM(record, sci.lifetime_years.quality)),
        .reserved_share = json_number(RECORD_ITEM(record, sci.reserved_share.value)),
    };

    for (const struct cJSON *row = json_first(RECORD_MADE(record, record_provenance)); row; row = json_next(row))
        if (strcmp(json_text(PROVENANCE_ITEM(row, figure)), "factor.kgco2eq_per_kwh") == 0) {
            basis.has_edition = true;
            basis.factor_version = json_given_text(PROVENANCE_ITEM(row, version));
            basis.factor_retrieved_at = json_given_text(PROVENANCE_ITEM(row, retrieved_at));
        }
    return basis;
}

char *contribution_basis(const struct cJSON *record, struct error *err)
{
    const struct basis basis = basis_of(record);
    struct tree tree;
    struct tree_node root;
    char *text;

    tree_open(&tree);
    root = tree_root(&tree);
    fields_json(root, &begin_fields, &basis);
    copy_object(root, RECORD_OBJECT(record, record_pue_fields));
    copy_object(root, RECORD_ITEM(record, factor));
    copy_object(root, RECORD_ITEM(record, supplementary.market));
    add_hourly(root, RECORD_OBJECT(record, hourly_fields));
    fields_json(root, &end_fields, &basis);
    text = tree_string_line(&tree, "basis of the record", err);
    if (text)
        text[strcspn(text, "\n")] = '\0';
    return text;
}
