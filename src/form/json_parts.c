/* SPDX-License-Identifier: MIT
 * Parts that every JSON document of carbon writes alike. */
#include "config.h"

#include "form/json_parts.h"

#include "base/clock.h"
#include "form/part_fields.h"

void json_head(struct tree_node root, const char *schema)
{
    tree_text(root, "schema", schema);
    tree_text(root, "carbon_version", PACKAGE_VERSION);
}

void json_time(struct tree_node parent, const char *key, uint64_t realtime_ns)
{
    char text[CLOCK_TEXT_SIZE];

    tree_text_or_null(parent, key, realtime_ns ? clock_text(realtime_ns, text) : NULL);
}

void json_value(struct tree_node parent, const char *key, double value, enum quality quality)
{
    const struct tree_node node = tree_object(parent, key);

    tree_number(node, "value", value);
    tree_text(node, "quality", quality_name(quality));
}

void json_error(struct tree_node node, const struct error *error)
{
    fields_json(node, &fault_fields, error);
}

void json_refusal(struct tree_node node, const struct error *refusal)
{
    struct error reported = *refusal;

    reported.notice = notice_kind_of_refusal(refusal);
    fields_json(node, &refusal_fields, &reported);
}

void json_notice(struct tree_node node, const struct notice *notice)
{
    fields_json(node, &notice_fields, notice);
}

void json_problem(struct tree_node parent, const struct error *problem)
{
    if (problem->kind == ERROR_NONE)
        tree_null(parent, "problem");
    else
        json_error(tree_object(parent, "problem"), problem);
}

void json_notices(struct tree_node parent, const struct notices *notices)
{
    fields_json(parent, &notices_fields, notices);
}

void json_spread(struct tree_node parent, const char *key, const struct sample_stats *spread)
{
    fields_json(tree_object(parent, key), &spread_fields, spread);
}

void json_interval(struct tree_node parent, const char *key, const struct interval *interval)
{
    fields_json(tree_object(parent, key), &interval_fields, interval);
}
