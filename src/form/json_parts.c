/* SPDX-License-Identifier: MIT
 * Parts that every JSON document of carbon writes alike. */
#include "config.h"

#include "form/json_parts.h"

#include "base/clock.h"

#include <math.h>

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

static void add_texts(struct tree_node node, const struct error *error)
{
    tree_text(node, "what", error->what);
    tree_text_or_null(node, "why", error->why);
    tree_text_or_null(node, "fix", error->fix);
}

void json_error(struct tree_node node, const struct error *error)
{
    if (error->kind != ERROR_NONE)
        tree_text(node, "kind", error_kind_name(error->kind));
    add_texts(node, error);
}

void json_refusal(struct tree_node node, const struct error *refusal)
{
    tree_text_or_null(node, "notice", notice_kind_name(notice_kind_of_refusal(refusal)));
    json_error(node, refusal);
}

void json_notice(struct tree_node node, const struct error *notice)
{
    tree_text_or_null(node, "kind", notice_kind_name(notice->notice));
    add_texts(node, notice);
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
    const struct tree_node array = tree_array(parent, "notices");

    for (size_t i = 0; i < notices->count; i++)
        json_notice(tree_object(array, NULL), &notices->item[i]);
    tree_integer(parent, "notices_left_out", notices->left_out);
}

void json_spread(struct tree_node parent, const char *key, const struct spread *spread)
{
    const struct tree_node node = tree_object(parent, key);

    tree_number(node, "mean", spread->mean);
    tree_number(node, "deviation", spread->count > 1 ? spread->deviation : NAN);
    tree_number(node, "min", spread->min);
    tree_number(node, "max", spread->max);
    tree_integer(node, "count", spread->count);
}

void json_interval(struct tree_node parent, const char *key, const struct interval *interval)
{
    const struct tree_node node = tree_object(parent, key);

    tree_number(node, "low", interval->low);
    tree_number(node, "high", interval->high);
}
