/* SPDX-License-Identifier: MIT
 * The record as JSON: what is not known is null; numbers are exact. */
#include "result/report.h"

#include "result/record_fields.h"

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
