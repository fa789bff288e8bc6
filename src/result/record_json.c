/* SPDX-License-Identifier: MIT
 * The record as JSON, what is not known null, numbers exact; and parts of it, for documents that are not written by
 * tables. */
#include "result/record_json.h"

#include "result/carbon_fields.h"
#include "result/record_fields.h"
#include "result/report.h"
#include "result/session_fields.h"

const struct schema record_schema = { "report", REPORT_SCHEMA,
                                      "The record of one result of carbon: everything else is a view of it.",
                                      &record_fields, &record_table };

char *json_record_string(const struct report *report, struct error *err)
{
    struct tree tree;

    tree_open(&tree);
    fields_json(tree_root(&tree), &record_fields, report);
    return tree_string(&tree, "the JSON record", err);
}

static bool json_form(const struct report *report, FILE *out, struct error *err)
{
    return document_json(&record_schema, report, out, "the JSON record", err);
}

const struct report_format json_format = { "json", "the whole record", json_form };

void json_factor(struct tree_node parent, const char *key, const struct factor *factor)
{
    fields_json(tree_object(parent, key), &factor_fields, factor);
}

void json_machine(struct tree_node parent, const struct machine *machine)
{
    fields_json(tree_object(parent, "machine"), &machine_fields, machine);
}

void json_session(struct tree_node root, const struct report *session)
{
    fields_json(root, &session_machine_fields, session);
    fields_json(root, &session_factor_fields, session);
}

void json_pue(struct tree_node parent, double pue, enum quality quality, const struct supplementary *supplementary)
{
    const struct tree_node node = tree_object(parent, "pue");

    tree_number(node, "value", pue);
    tree_text(node, "quality", quality_name(quality));
    tree_text_or_null(node, "source", supplementary->pue.source);
}

void json_supplementary(struct tree_node parent, const struct supplementary *supplementary)
{
    fields_json(parent, &supplementary_fields, supplementary);
}

void json_sci_figures(struct tree_node node, const struct sci_sum *sum)
{
    tree_number(node, "kgco2eq_per_unit", sum->kgco2eq_per_unit);
    tree_text_or_null(node, "unit", sum->unit);
    tree_number(node, "units", sum->units);
    tree_number(node, "operational_kgco2eq", sum->operational_kgco2eq);
    tree_number(node, "embodied_kgco2eq", sum->embodied_kgco2eq);
}

void json_sci(struct tree_node parent, const struct sci *sci)
{
    if (sci->enabled)
        fields_json(tree_object(parent, "sci"), &sci_fields, sci);
    else
        tree_null(parent, "sci");
}

void json_equivalents(struct tree_node parent, const struct equivalents *equivalents)
{
    struct tree_node array;

    if (!equivalents->count) {
        tree_null(parent, "equivalents");
        return;
    }
    array = tree_array(parent, "equivalents");
    for (size_t i = 0; i < equivalents->count; i++)
        fields_json(tree_object(array, NULL), &equivalent_fields, &equivalents->items[i]);
}

void json_answers(struct tree_node parent, const struct intensities *known)
{
    carbon_answers(tree_array(parent, "answers"), known);
}

void json_intensities(struct tree_node parent, const struct intensities *known)
{
    carbon_intensities(tree_array(parent, "intensities"), known);
}

void json_record(struct tree_node node, const struct report *report)
{
    fields_json(node, &record_fields, report);
}
