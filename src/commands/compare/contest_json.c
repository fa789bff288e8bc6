/* SPDX-License-Identifier: MIT
 * A comparison as a document: whole records and their differences, as docs/comparison-schema.json describes it. */
#include "config.h"

#include "commands/compare/contest.h"

#include "result/record_json.h"
#include "result/verdict_text.h"

static void add_difference(struct tree_node parent, const char *key, const struct difference *difference)
{
    const struct tree_node node = tree_object(parent, key);

    tree_number(node, "difference", difference->welch.difference);
    tree_number(node, "low", difference->welch.low);
    tree_number(node, "high", difference->welch.high);
    tree_number(node, "percent", difference->percent);
    tree_number(node, "percent_low", difference->percent_low);
    tree_number(node, "percent_high", difference->percent_high);
    tree_number(node, "freedom", difference->welch.freedom);
    tree_number(node, "t", difference->welch.t);
    tree_number(node, "p", difference->welch.p);
    tree_number(node, "hedges_g", difference->welch.hedges_g);
    tree_number(node, "detectable", difference->welch.detectable);
    tree_number(node, "detectable_percent", difference->detectable_percent);
    tree_positive(node, "runs_needed", difference->runs_needed);
}

static void add_pair(struct tree_node pairs, const struct pair *pair)
{
    const struct tree_node node = tree_object(pairs, NULL);
    struct text sentence;

    text_open(&sentence, SIZE_MAX);
    verdict_text_comparison(&pair->comparison, pair->a->name, pair->b->name, &sentence);
    tree_text(node, "a", pair->a->name);
    tree_text(node, "b", pair->b->name);
    tree_text(node, "a_id", pair->a->id);
    tree_text(node, "b_id", pair->b->id);
    tree_text(node, "compared", figure_name(pair->comparison.compared));
    tree_text(node, "verdict", verdict_name(pair->comparison.verdict));
    tree_text_or_null(node, "sentence", sentence.data);
    add_difference(node, "energy_j", &pair->energy_j);
    add_difference(node, "power_w", &pair->power_w);
    add_difference(node, "duration_s", &pair->duration_s);
    add_difference(node, "kgco2eq", &pair->kgco2eq);
    tree_number(node, "p_holm", pair->p_holm);
    text_close(&sentence);
}

bool contest_json_write(const struct contest *contest, FILE *out, struct error *err)
{
    struct tree_node root, results, pairs;
    struct tree tree;

    tree_open(&tree);
    root = tree_root(&tree);
    tree_text(root, "schema", COMPARISON_SCHEMA);
    tree_text(root, "carbon_version", PACKAGE_VERSION);
    json_time(root, "started_at", contest->started_realtime_ns);
    json_time(root, "ended_at", contest->ended_realtime_ns);
    tree_text_or_null(root, "order", contest->order);
    if (contest->seeded)
        tree_integer(root, "seed", contest->seed);
    else
        tree_null(root, "seed");
    results = tree_array(root, "results");
    for (size_t i = 0; i < contest->contender_count; i++)
        if (contest->contenders[i].report)
            json_record(tree_object(results, NULL), contest->contenders[i].report);
        else
            tree_json(results, NULL, contest->contenders[i].record);
    pairs = tree_array(root, "comparisons");
    for (size_t i = 0; i < contest->pair_count; i++)
        add_pair(pairs, &contest->pairs[i]);
    json_notices(root, &contest->doubts);
    return tree_write(&tree, out, "the comparison", err);
}
