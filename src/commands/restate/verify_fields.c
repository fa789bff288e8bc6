/* SPDX-License-Identifier: MIT
 * Verifications as JSON: every field and its meaning. */
#include "commands/restate/verify.h"

#include <math.h>

/* What is known of one record. */
struct result {
    const char *path, *id;
    const struct verification *verification;
    const struct factor *factor;
};

static const char *standing_word(int kind)
{
    switch ((enum factor_standing_kind)kind) {
    case FACTOR_NOT_SHIPPED: return "not-shipped";
    case FACTOR_AS_SHIPPED: return "as-shipped";
    case FACTOR_OTHER_VALUE: return "other-value";
    case FACTOR_GONE: return "gone";
    }
    return "not-shipped";
}

static bool is_good(const void *verification)
{
    return verification_is_good(verification);
}

static bool has_row(const void *standing)
{
    const enum factor_standing_kind kind = ((const struct shipped_factor *)standing)->kind;

    return kind == FACTOR_AS_SHIPPED || kind == FACTOR_OTHER_VALUE;
}

#define OF struct record_mismatch
static const struct fields difference_fields = FIELDS({
    FIELD_TEXT_AS("figure", path, "its place in the record"),
    FIELD_TEXT_AS("holds", held, "value in the record, as text; nothing: it has no such key"),
    FIELD_TEXT_AS("comes_to", again, "recalculated value, as text"),
});
#undef OF

#define OF struct factor
static const struct fields held_fields = FIELDS({
    FIELD_NUMBER(kgco2eq_per_kwh, "in the record, in kgCO2eq per kWh"),
});
#undef OF

#define OF struct shipped_factor
static const struct fields standing_fields = FIELDS({
    FIELD_WORD_AS("standing", enum factor_standing_kind, kind, standing_word, FACTOR_NOT_SHIPPED, FACTOR_GONE + 1,
                  "verdict of the table; not-shipped: a figure or a table of the user's own"),
});

static const struct fields table_fields = FIELDS({
    FIELD_NUMBER_AS("table_kgco2eq_per_kwh", kgco2eq_per_kwh, "in the table now; null: not there", .known = has_row),
});
#undef OF

#define OF struct verification
static const struct fields verification_fields = FIELDS({
    FIELD_FACT("verified", is_good, "all came out again, and the table has the factor's value still"),
    FIELD_COUNT(figures, "numbers that were compared"),
    FIELD_COUNT_AS("near_figures", near,
                   "of these, intervals and values from a quantile or a logarithm, which libraries of other processors "
                   "round differently: within 64 units in the last place"),
    FIELD_ARRAY_AS("differences", struct record_mismatch, items, count, &difference_fields, "the differences"),
    FIELD_COUNT_AS("differences_left_out", left_out, "differences beyond the most that are kept"),
    FIELD_COUNT_AS("unknown_keys", unknown, "keys of the record that this carbon does not know"),
});

static const struct field shipped_list[] = { FIELD_PART(struct shipped_factor, state, &standing_fields, 0) };
static const struct fields shipped_fields = FIELDS_OF(NULL, NULL, struct verification, shipped_list);

static const struct field shipped_value_list[] = { FIELD_PART(struct shipped_factor, state, &table_fields, 0) };
static const struct fields shipped_value_fields = FIELDS_OF(NULL, NULL, struct verification, shipped_value_list);
#undef OF

#define OF struct result
static const struct fields factor_fields = FIELDS({
    FIELD_PART(const struct verification *, verification, &shipped_fields, FIELD_BEHIND),
    FIELD_PART(const struct factor *, factor, &held_fields, FIELD_BEHIND),
    FIELD_PART(const struct verification *, verification, &shipped_value_fields, FIELD_BEHIND),
});

static const struct fields result_fields = FIELDS({
    FIELD_NAME_AS("record", path, "the file as it was named"),
    FIELD_NAME(id, "id of the record", .flags = FIELD_NULL_EMPTY),
    FIELD_PART(const struct verification *, verification, &verification_fields, FIELD_BEHIND),
    FIELD_GROUP("factor", &factor_fields, "the factor against the table that carbon ships"),
});
#undef OF

/* The results are added one by one, as the records are read. */
static void hand_out(struct tree_node array, const void *results)
{
    **(struct tree_node *const *)results = array;
}

static const struct field document_list[] = {
    FIELD_CONSTANT("schema", "carbon.verification/1", "name and version of this form"),
    FIELD_WRITER,
    FIELD_EACH("results", hand_out, &result_fields, "one for each record that could be read"),
};
static const struct fields document_fields = FIELDS_OF(NULL, NULL, struct tree_node *, document_list);
const struct schema verification_schema = { "verification", "carbon.verification/1",
                                            "Whether the figures of records can be recalculated from their content.",
                                            &document_fields, NULL };

struct tree_node verify_json_open(struct tree *tree)
{
    struct tree_node node, *const results = &node;

    tree_open(tree);
    fields_json(tree_root(tree), &document_fields, &results);
    return node;
}

void verify_json_add(struct tree_node results, const char *path, const struct loaded_record *loaded,
                     const struct verification *verification)
{
    const struct result result = { path, loaded->report.id, verification, &loaded->report.factor };

    fields_json(tree_object(results, NULL), &result_fields, &result);
}
