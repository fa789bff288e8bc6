/* SPDX-License-Identifier: MIT
 * speedscope's file format, https://www.speedscope.app/file-format-schema.json: a sampled profile whose weights are
 * joules (or samples where no energy is known). */
#include "commands/profile/profile.h"

#include "form/json_parts.h"

enum { DEPTH_MAX = 1100 };

/* Frames: the functions, then the threads, then what no sample saw. */
static void add_frames(struct tree_node shared, const struct profile *profile)
{
    struct tree_node list = tree_array(shared, "frames"), frame;

    for (size_t i = 0; i < profile->symbols->count; i++) {
        frame = tree_object(list, NULL);
        tree_text(frame, "name", profile->symbols->functions[i].name);
        tree_text(frame, "file", profile->symbols->functions[i].library);
    }
    for (uint32_t i = 0; i < profile->sampler->processes.thread_count; i++) {
        frame = tree_object(list, NULL);
        tree_text(frame, "name", profile_thread_name(profile, i));
    }
    frame = tree_object(list, NULL);
    tree_text(frame, "name", "[no sample]");
}

static void add_stack(struct tree_node samples, const struct profile *profile, uint32_t at)
{
    const struct tally_node *nodes = profile->tally.nodes;
    struct tree_node stack = tree_array(samples, NULL);
    uint32_t path[DEPTH_MAX];
    size_t depth = 0;

    for (; nodes[at].parent != UINT32_MAX && depth < DEPTH_MAX; at = nodes[at].parent)
        path[depth++] = nodes[at].item;
    tree_integer(stack, NULL, profile->symbols->count + nodes[at].item);
    while (depth > 0)
        tree_integer(stack, NULL, path[--depth]);
}

/* No weight of theirs may be negative. */
static double weight_of(const struct tally *tally, const struct tally_share *share)
{
    const double weight = tally->known ? j_from_nj(share->own_nj) : (double)share->own_samples;

    return weight < 0 ? 0 : weight;
}

bool profile_speedscope(const struct profile *profile, FILE *out, struct error *err)
{
    const struct tally *tally = &profile->tally;
    struct tree tree;
    struct tree_node root, one, samples, weights;
    double sum = 0;

    tree_open(&tree);
    root = tree_root(&tree);
    tree_text(root, "$schema", "https://www.speedscope.app/file-format-schema.json");
    tree_text(root, "exporter", "carbon profile");
    tree_text(root, "name", profile_title(profile));
    add_frames(tree_object(root, "shared"), profile);
    one = tree_object(tree_array(root, "profiles"), NULL);
    tree_text(one, "type", "sampled");
    tree_text(one, "name", tally->known ? "own energy in joules" : "samples");
    tree_text(one, "unit", "none");
    samples = tree_array(one, "samples");
    weights = tree_array(one, "weights");
    for (uint32_t i = 0; i < tally->node_count; i++) {
        if (!tally->nodes[i].share.own_samples)
            continue;
        add_stack(samples, profile, i);
        tree_number(weights, NULL, weight_of(tally, &tally->nodes[i].share));
        sum += weight_of(tally, &tally->nodes[i].share);
    }
    if (tally->known && tally->unseen_nj > 0) {
        tree_integer(tree_array(samples, NULL), NULL,
                     profile->symbols->count + profile->sampler->processes.thread_count);
        tree_number(weights, NULL, j_from_nj(tally->unseen_nj));
        sum += j_from_nj(tally->unseen_nj);
    }
    tree_integer(one, "startValue", 0);
    tree_number(one, "endValue", sum);
    return tree_write(&tree, out, "speedscope's file", err);
}
