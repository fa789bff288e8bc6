/* SPDX-License-Identifier: MIT
 * Each stack is taken once: to its function, its thread, its library, and all that called it. */
#include "profile/tally.h"

#include "base/auto.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A thread, and the deepest stack that sampler.c keeps. */
enum { DEPTH_MAX = 1 + 1024 + 1 };

#define NJ_PER_J 1e9
#define Z_95 1.959963984540054

struct counting_up {
    struct tally *tally;
    const struct sampler *sampler;
    const struct symbols *symbols;
    const struct tally_weights *weights;
    struct call_tree merged;
    struct tally_share *merged_shares;
    uint32_t *first_of_name; /* of each thread the first of its name */
    uint32_t *first_of_library;
    uint32_t *seen_in; /* of each function the last stack that it was in, + 1 */
    double sum_j;
    int64_t given_nj;
};

struct interval tally_part(uint64_t samples, uint64_t all)
{
    const double n = (double)all, p = (double)samples / n, zz = Z_95 * Z_95;
    const double middle = (p + zz / (2 * n)) / (1 + zz / n);
    const double half = Z_95 / (1 + zz / n) * sqrt(p * (1 - p) / n + zz / (4 * n * n));

    if (all == 0)
        return (struct interval){ NAN, NAN };
    return (struct interval){ samples == 0 ? 0 : fmax(0, middle - half), samples == all ? 1 : fmin(1, middle + half) };
}

static double energy_j(const struct call_tree *tree, const struct tally_weights *weights, uint32_t node)
{
    const double *given = call_tree_given(tree, node);
    double sum_j = weights->by_sample * (double)tree->nodes[node].samples;

    for (size_t k = 0; k < tree->terms; k++)
        sum_j += weights->by_term[k] * given[k];
    return sum_j;
}

/* Rounded so that the sums of all so far are. */
static int64_t next_nj(struct counting_up *up, uint32_t node)
{
    int64_t nj;

    if (!up->weights->known)
        return 0;
    up->sum_j += energy_j(&up->sampler->tree, up->weights, node);
    nj = llround(up->sum_j * NJ_PER_J) - up->given_nj;
    up->given_nj += nj;
    return nj;
}

static void add_own(struct tally_share *share, int64_t nj, uint64_t samples)
{
    share->own_nj += nj;
    share->own_samples += samples;
}

static void add_total(struct tally_share *share, int64_t nj, uint64_t samples)
{
    share->total_nj += nj;
    share->total_samples += samples;
}

/* The stack once more, from the thread to the function, in the merged tree, which has room for all that the first has.
 */
static void merge(struct counting_up *up, uint32_t node, int64_t nj, uint64_t samples)
{
    const struct call_node *nodes = up->sampler->tree.nodes;
    uint32_t path[DEPTH_MAX], merged = CALL_TREE_ROOT;
    size_t depth = 0;

    for (; depth < DEPTH_MAX - 1; depth++) {
        path[depth] = node;
        if (nodes[node].parent == CALL_TREE_ROOT)
            break;
        node = nodes[node].parent;
    }
    for (size_t i = depth + 1; i > 0; i--) {
        const uint32_t at = path[i - 1];
        const uint64_t item =
            nodes[at].parent == CALL_TREE_ROOT ? up->first_of_name[nodes[at].address] : up->symbols->of_node[at];
        merged = call_tree_child(&up->merged, merged, 0, item);
        if (merged == UINT32_MAX)
            return;
        add_total(&up->merged_shares[merged], nj, samples);
    }
    add_own(&up->merged_shares[merged], nj, samples);
}

static void take_stack(struct counting_up *up, uint32_t node)
{
    const struct call_node *nodes = up->sampler->tree.nodes;
    const uint64_t samples = nodes[node].samples;
    const int64_t nj = next_nj(up, node);
    struct tally *tally = up->tally;
    const uint32_t mark = node + 1;
    uint32_t at = node;

    if (nodes[node].parent != CALL_TREE_ROOT) {
        const uint32_t function = up->symbols->of_node[node];
        add_own(&tally->functions.items[function].share, nj, samples);
        add_own(&tally->libraries.items[up->first_of_library[function]].share, nj, samples);
    }
    for (; nodes[at].parent != CALL_TREE_ROOT; at = nodes[at].parent) {
        const uint32_t function = up->symbols->of_node[at];
        if (up->seen_in[function] == mark)
            continue; /* recursion: counted once */
        up->seen_in[function] = mark;
        add_total(&tally->functions.items[function].share, nj, samples);
    }
    add_own(&tally->threads.items[nodes[at].address].share, nj, samples);
    add_total(&tally->threads.items[nodes[at].address].share, nj, samples);
    add_own(&tally->phases.items[nodes[at].object].share, nj, samples);
    add_total(&tally->phases.items[nodes[at].object].share, nj, samples);
    merge(up, node, nj, samples);
    tally->samples += samples;
}

static bool open_rows(struct tally_rows *rows, size_t count)
{
    rows->items = calloc(count + 1, sizeof *rows->items);
    rows->count = count;
    for (uint32_t i = 0; rows->items && i < count; i++)
        rows->items[i].item = i;
    return rows->items != NULL;
}

static bool is_same_name(const struct thread *a, const struct thread *b)
{
    return strcmp(a->name, b->name) == 0;
}

static bool allocate(struct counting_up *up, struct error *err)
{
    const size_t threads = up->sampler->processes.thread_count, functions = up->symbols->count;
    const struct thread *thread = up->sampler->processes.threads;

    up->first_of_name = calloc(threads + 1, sizeof *up->first_of_name);
    up->first_of_library = calloc(functions + 1, sizeof *up->first_of_library);
    up->seen_in = calloc(functions + 1, sizeof *up->seen_in);
    up->merged_shares = calloc(up->sampler->tree.count + 1, sizeof *up->merged_shares);
    if (!up->first_of_name || !up->first_of_library || !up->seen_in || !up->merged_shares ||
        !open_rows(&up->tally->functions, functions) || !open_rows(&up->tally->threads, threads) ||
        !open_rows(&up->tally->libraries, functions) || !open_rows(&up->tally->phases, up->sampler->phase_count))
        return error_errno(err, "no memory for the functions of a profile");
    for (uint32_t i = 0; i < threads; i++)
        while (!is_same_name(&thread[up->first_of_name[i]], &thread[i]))
            up->first_of_name[i]++;
    for (uint32_t i = 0; i < functions; i++)
        while (strcmp(up->symbols->functions[up->first_of_library[i]].library, up->symbols->functions[i].library) != 0)
            up->first_of_library[i]++;
    return call_tree_open(&up->merged, 1, 4 * CALL_TREE_BYTES_MAX, err);
}

static int by_own(const void *a, const void *b)
{
    const struct tally_share *one = &((const struct tally_row *)a)->share,
                             *other = &((const struct tally_row *)b)->share;

    if (one->own_nj != other->own_nj)
        return one->own_nj < other->own_nj ? 1 : -1;
    if (one->own_samples != other->own_samples)
        return one->own_samples < other->own_samples ? 1 : -1;
    return one->total_nj < other->total_nj ? 1 : one->total_nj > other->total_nj ? -1 : 0;
}

/* The largest first; functions without samples are omitted. */
static void finish_rows(struct tally_rows *rows)
{
    size_t stored = 0;

    for (size_t i = 0; i < rows->count; i++)
        if (rows->items[i].share.own_samples || rows->items[i].share.total_samples)
            rows->items[stored++] = rows->items[i];
    rows->count = stored;
    if (stored)
        qsort(rows->items, stored, sizeof *rows->items, by_own);
}

static bool finish_nodes(struct counting_up *up)
{
    struct tally *tally = up->tally;

    tally->node_count = up->merged.count;
    tally->nodes = calloc(tally->node_count + 1, sizeof *tally->nodes);
    for (size_t i = 0; tally->nodes && i < tally->node_count; i++)
        tally->nodes[i] = (struct tally_node){ up->merged.nodes[i].parent, (uint32_t)up->merged.nodes[i].address,
                                               up->merged_shares[i] };
    return tally->nodes != NULL;
}

static void finish_energies(struct tally *tally, const struct tally_weights *weights, int64_t given_nj)
{
    tally->known = weights->known;
    if (!weights->known)
        return;
    tally->own_nj = llround(weights->own_j * NJ_PER_J);
    tally->concurrent_nj = llround(weights->concurrent_j * NJ_PER_J);
    tally->unseen_nj = tally->own_nj - tally->concurrent_nj - given_nj;
}

bool tally_open(struct tally *tally, const struct sampler *sampler, const struct symbols *symbols,
                const struct tally_weights *weights, struct error *err)
{
    struct counting_up up = { .tally = tally, .sampler = sampler, .symbols = symbols, .weights = weights };
    bool done;

    *tally = (struct tally){ .samples = 0 };
    done = allocate(&up, err);
    for (uint32_t i = 0; done && i < sampler->tree.count; i++)
        if (sampler->tree.nodes[i].samples)
            take_stack(&up, i);
    if (done) {
        finish_energies(tally, weights, up.given_nj);
        finish_rows(&tally->functions);
        finish_rows(&tally->threads);
        finish_rows(&tally->libraries);
        finish_rows(&tally->phases);
        done = finish_nodes(&up) || error_errno(err, "no memory for the stacks of a profile");
    }
    call_tree_close(&up.merged);
    free(up.merged_shares);
    free(up.first_of_name);
    free(up.first_of_library);
    free(up.seen_in);
    return done;
}

void tally_close(struct tally *tally)
{
    free(tally->functions.items);
    free(tally->threads.items);
    free(tally->libraries.items);
    free(tally->phases.items);
    free(tally->nodes);
    *tally = (struct tally){ .samples = 0 };
}

static int by_line(const void *a, const void *b)
{
    const struct tally_line *one = a, *other = b;
    const int files = strcmp(one->file ? one->file : "", other->file ? other->file : "");

    return files ? files : one->line < other->line ? -1 : one->line > other->line;
}

static size_t join_lines(struct tally_line *lines, size_t count)
{
    size_t stored = 0;

    for (size_t i = 1; i < count; i++) {
        if (by_line(&lines[stored], &lines[i]) == 0)
            add_own(&lines[stored].share, lines[i].share.own_nj, lines[i].share.own_samples);
        else
            lines[++stored] = lines[i];
    }
    return count ? stored + 1 : 0;
}

struct tally_line *tally_lines(const struct sampler *sampler, const struct symbols *symbols,
                               const struct tally_weights *weights, const char *function, size_t *count)
{
    const struct call_tree *tree = &sampler->tree;
    struct tally_line *lines = calloc(tree->count + 1, sizeof *lines);
    struct counting_up up = { .sampler = sampler, .weights = weights };

    *count = 0;
    for (uint32_t i = 0; lines && i < tree->count; i++)
        if (tree->nodes[i].samples && symbols->of_node[i] != UINT32_MAX &&
            strcmp(symbols->functions[symbols->of_node[i]].name, function) == 0)
            lines[(*count)++] = (struct tally_line){ symbols->lines[i].file,
                                                     symbols->lines[i].line,
                                                     { next_nj(&up, i), 0, tree->nodes[i].samples, 0 } };
    if (*count == 0) {
        free(lines);
        return NULL;
    }
    qsort(lines, *count, sizeof *lines, by_line);
    *count = join_lines(lines, *count);
    return lines;
}
