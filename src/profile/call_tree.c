/* SPDX-License-Identifier: MIT
 * Nodes by parent, object and address, in a table of hashes that grows with them. */
#include "profile/call_tree.h"

#include <stdlib.h>
#include <string.h>

enum { NODES_FIRST = 1024 };

static size_t node_bytes(size_t terms)
{
    return sizeof(struct call_node) + 2 * sizeof(uint32_t) + terms * sizeof(double);
}

static uint64_t hash_of(uint32_t parent, uint32_t object, uint64_t address)
{
    uint64_t hash = (address ^ (uint64_t)parent << 32 ^ object) * UINT64_C(0x9e3779b97f4a7c15);

    hash ^= hash >> 32;
    return hash * UINT64_C(0xd6e8feb86659fd93) >> 16;
}

static bool rehash(struct call_tree *tree, size_t bucket_count)
{
    uint32_t *buckets = calloc(bucket_count, sizeof *buckets);

    if (!buckets)
        return false;
    free(tree->buckets);
    tree->buckets = buckets;
    tree->bucket_count = bucket_count;
    for (uint32_t i = 0; i < tree->count; i++) {
        struct call_node *node = &tree->nodes[i];
        uint32_t *bucket = &buckets[hash_of(node->parent, node->object, node->address) % bucket_count];
        node->next = *bucket;
        *bucket = i + 1;
    }
    return true;
}

static bool grow(struct call_tree *tree)
{
    size_t size = tree->size ? 2 * tree->size : NODES_FIRST;
    struct call_node *nodes;
    double *given;

    if (size > tree->nodes_max)
        size = tree->nodes_max;
    if (size <= tree->size)
        return false;
    nodes = reallocarray(tree->nodes, size, sizeof *nodes);
    if (!nodes)
        return false;
    tree->nodes = nodes;
    given = reallocarray(tree->given, size, tree->terms * sizeof *given);
    if (!given)
        return false;
    tree->given = given;
    if (!rehash(tree, 2 * size))
        return false;
    tree->size = size;
    return true;
}

bool call_tree_open(struct call_tree *tree, size_t terms, size_t bytes_max, struct error *err)
{
    *tree = (struct call_tree){ .terms = terms, .nodes_max = bytes_max / node_bytes(terms) };
    return grow(tree) || error_errno(err, "no memory for stacks");
}

void call_tree_close(struct call_tree *tree)
{
    free(tree->nodes);
    free(tree->given);
    free(tree->buckets);
    *tree = (struct call_tree){ .count = 0 };
}

uint32_t call_tree_child(struct call_tree *tree, uint32_t parent, uint32_t object, uint64_t address)
{
    const uint64_t hash = hash_of(parent, object, address);
    uint32_t *bucket;

    for (uint32_t i = tree->buckets[hash % tree->bucket_count]; i; i = tree->nodes[i - 1].next) {
        const struct call_node *node = &tree->nodes[i - 1];
        if (node->parent == parent && node->object == object && node->address == address)
            return i - 1;
    }
    if (tree->count == tree->size && !grow(tree))
        return UINT32_MAX;
    bucket = &tree->buckets[hash % tree->bucket_count];
    tree->nodes[tree->count] = (struct call_node){ parent, object, address, 0, *bucket };
    memset(call_tree_given(tree, (uint32_t)tree->count), 0, tree->terms * sizeof *tree->given);
    *bucket = (uint32_t)++tree->count;
    return (uint32_t)tree->count - 1;
}
