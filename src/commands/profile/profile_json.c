/* SPDX-License-Identifier: MIT
 * A profile as a document, docs/profile-schema.json. */
#include "commands/profile/profile.h"

#include "result/record_json.h"

#include <math.h>

static void add_energy(struct tree_node node, const char *key, const struct profile *profile, int64_t nj)
{
    tree_number(node, key, profile->tally.known ? j_from_nj(nj) : NAN);
}

static void add_share(struct tree_node node, const struct profile *profile, const struct tally_share *share)
{
    const struct interval range = profile_range_j(profile, share->own_nj, share->own_samples);
    const double own_j = profile->tally.known ? j_from_nj(share->own_nj) : NAN;

    tree_number(node, "own_j", own_j);
    tree_number(node, "own_low_j", range.low);
    tree_number(node, "own_high_j", range.high);
    tree_number(node, "own_w", own_j / profile->duration_s);
    tree_number(node, "own_kgco2eq", own_j * profile->kgco2eq_per_j);
    add_energy(node, "total_j", profile, share->total_nj);
    tree_integer(node, "own_samples", share->own_samples);
    tree_integer(node, "total_samples", share->total_samples);
}

static void add_functions(struct tree_node root, const struct profile *profile)
{
    const struct tally_rows *rows = &profile->tally.functions;
    struct tree_node list = tree_array(root, "functions");

    for (size_t i = 0; i < rows->count; i++) {
        const struct function *function = &profile->symbols->functions[rows->items[i].item];
        struct tree_node node = tree_object(list, NULL);
        tree_text(node, "name", function->name);
        tree_text(node, "library", function->library);
        add_share(node, profile, &rows->items[i].share);
    }
}

static void add_threads(struct tree_node root, const struct profile *profile)
{
    const struct tally_rows *rows = &profile->tally.threads;
    struct tree_node list = tree_array(root, "threads");

    for (size_t i = 0; i < rows->count; i++) {
        const struct thread *thread = &profile->sampler->processes.threads[rows->items[i].item];
        struct tree_node node = tree_object(list, NULL);
        tree_text(node, "name", profile_thread_name(profile, rows->items[i].item));
        tree_nonzero_or_null(node, "process", (uint64_t)thread->pid);
        tree_nonzero_or_null(node, "thread", (uint64_t)thread->tid);
        add_share(node, profile, &rows->items[i].share);
    }
}

static void add_libraries(struct tree_node root, const struct profile *profile)
{
    const struct tally_rows *rows = &profile->tally.libraries;
    struct tree_node list = tree_array(root, "libraries");

    for (size_t i = 0; i < rows->count; i++) {
        struct tree_node node = tree_object(list, NULL);
        tree_text(node, "name", profile->symbols->functions[rows->items[i].item].library);
        add_energy(node, "own_j", profile, rows->items[i].share.own_nj);
        tree_integer(node, "own_samples", rows->items[i].share.own_samples);
    }
}

static void add_sampling(struct tree_node root, const struct profile *profile)
{
    const struct sampler *sampler = profile->sampler;
    struct tree_node node = tree_object(root, "sampling");

    tree_text(node, "event", profile->event);
    tree_number(node, "frequency_hz", profile->frequency_hz);
    tree_text(node, "stacks", "frame-pointers");
    tree_integer(node, "ring_bytes_per_cpu", profile->ring_kib * 1024);
    tree_integer(node, "cpus", sampler->rings.count);
    tree_integer(node, "samples", sampler->samples);
    tree_integer(node, "kernel_samples", sampler->in_kernel);
    tree_bool(node, "kernel_seen", !sampler->rings.without_kernel);
    tree_integer(node, "lost_records", sampler->lost);
    tree_integer(node, "cut_stacks", sampler->tree.cut);
    tree_integer(node, "unnamed_samples", profile->symbols->unnamed);
    tree_number(node, "interval_s", profile->interval_s);
    tree_integer(node, "intervals", sampler->intervals);
    tree_integer(node, "unseen_intervals", sampler->unseen_intervals);
}

bool profile_json(const struct profile *profile, FILE *out, struct error *err)
{
    struct tree tree;
    struct tree_node root, node;

    tree_open(&tree);
    root = tree_root(&tree);
    json_head(root, PROFILE_SCHEMA);
    add_sampling(root, profile);
    node = tree_object(root, "energy");
    add_energy(node, "own_j", profile, profile->tally.own_nj);
    add_energy(node, "unseen_j", profile, profile->tally.unseen_nj);
    add_energy(node, "gpu_j", profile, profile->tally.concurrent_nj);
    tree_text(node, "method", own_method_name(profile->report->summary.total.own_method));
    tree_text(node, "within", own_method_name(profile->within));
    tree_number(node, "duration_s", profile->duration_s);
    add_functions(root, profile);
    add_threads(root, profile);
    add_libraries(root, profile);
    json_notices(root, profile->notices);
    json_record(tree_object(root, "record"), profile->report);
    return tree_write(&tree, out, "the profile", err);
}
