/* SPDX-License-Identifier: MIT
 * The record's list of where its figures come from. */
#include "result/provenance.h"

#include "result/record_json.h"

static void add_row(const struct provenance *row, void *context)
{
    const struct tree_node node = tree_object(*(const struct tree_node *)context, NULL);
    const struct interval interval = { row->low, row->high };

    tree_text(node, "figure", row->figure);
    tree_number(node, "value", row->value);
    tree_text(node, "unit", row->unit);
    tree_text(node, "quality", quality_name(row->quality));
    tree_text(node, "method", row->method);
    tree_text_or_null(node, "source_id", row->source_id);
    tree_text_or_null(node, "version", row->version);
    tree_text_or_null(node, "retrieved_at", row->retrieved_at);
    json_interval(node, "interval", &interval);
}

void json_provenance(struct tree_node root, const struct report *report)
{
    struct tree_node list = tree_array(root, "provenance");

    provenance_each(report, add_row, &list);
}
