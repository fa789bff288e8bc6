/* SPDX-License-Identifier: MIT
 * All sampled stacks, each once, with the energy of their samples. Its memory has a ceiling: beyond
 * that a stack is known by its thread alone. Used by sampler.h. Begin with call_tree_open(). */
#ifndef PROFILE_CALL_TREE_H
#define PROFILE_CALL_TREE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* 64 MiB of nodes and their energies. */
#define CALL_TREE_BYTES_MAX ((size_t)64 << 20)

enum { CALL_TREE_ROOT = UINT32_MAX };

struct call_node {
    uint32_t parent; /* CALL_TREE_ROOT: the node is a thread in a phase, address the thread and object the phase */
    uint32_t object;
    uint64_t address; /* address in the object */
    uint64_t samples; /* samples that end here */
    uint32_t next;    /* next node of the bucket */
};

struct call_tree {
    struct call_node *nodes;
    double *given; /* values given to each node, `terms` each */
    size_t count, size, terms;
    uint32_t *buckets; /* number + 1; 0: none */
    size_t bucket_count, nodes_max;
    uint64_t cut; /* samples whose stack found no room */
};

bool call_tree_open(struct call_tree *tree, size_t terms, size_t bytes_max, struct error *err) MUST_CHECK;
void call_tree_close(struct call_tree *tree);

/* The node below parent; made where there is room, else UINT32_MAX. */
uint32_t call_tree_child(struct call_tree *tree, uint32_t parent, uint32_t object, uint64_t address);

static inline double *call_tree_given(const struct call_tree *tree, uint32_t node)
{
    return tree->given + node * tree->terms;
}

#endif
