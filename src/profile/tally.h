/* SPDX-License-Identifier: MIT
 * From stacks to functions, threads, libraries and phases with their joules. Energies are whole nanojoules, so that
 * what is shared out adds up to the job's own energy to the last digit. Pure arithmetic. Used by
 * commands/profile/profile.h. Begin with tally_open(). */
#ifndef PROFILE_TALLY_H
#define PROFILE_TALLY_H

#include "base/sample_stats.h"
#include "profile/symbols.h"

/* How the terms of an interval make energy: J = sum of by_term × term + by_sample × samples. */
struct tally_weights {
    bool known;            /* false: the job's own energy is not known, and every energy below is 0 */
    const double *by_term; /* value of each term of the sampler */
    double by_sample;
    double own_j;        /* own energy of the whole job */
    double concurrent_j; /* of it what no function can have: of graphics cards */
};

struct tally_share {
    int64_t own_nj;   /* energy of samples that contain it */
    int64_t total_nj; /* and in the functions that it called */
    uint64_t own_samples, total_samples;
};

struct tally_row {
    uint32_t item; /* the function; the thread; the phase; a function of the library */
    struct tally_share share;
};

struct tally_rows {
    struct tally_row *items; /* the largest first */
    size_t count;
};

/* All stacks by function, and by the name of the thread: innermost last. */
struct tally_node {
    uint32_t parent; /* UINT32_MAX: it is a name of threads, and item the number of the first thread of it */
    uint32_t item;   /* the function */
    struct tally_share share;
};

struct tally {
    bool known;
    int64_t own_nj;    /* what all functions and the next two add up to */
    int64_t unseen_nj; /* of intervals that no sample was in */
    int64_t concurrent_nj;
    uint64_t samples;
    struct tally_rows functions, threads, libraries, phases;
    struct tally_node *nodes; /* a parent before its children */
    size_t node_count;
};

bool tally_open(struct tally *tally, const struct sampler *sampler, const struct symbols *symbols,
                const struct tally_weights *weights, struct error *err) MUST_CHECK;
void tally_close(struct tally *tally);

/* A source line with its samples. */
struct tally_line {
    const char *file; /* NULL: not known */
    unsigned line;
    struct tally_share share;
};

/* Of the functions of this name; by file and line, freed by the caller. NULL with count 0: it was not sampled itself,
 * or no memory. */
struct tally_line *tally_lines(const struct sampler *sampler, const struct symbols *symbols,
                               const struct tally_weights *weights, const char *function, size_t *count);

/* The 95 % interval of the true share, from its number among all samples (Wilson). */
struct interval tally_part(uint64_t samples, uint64_t all);

#endif
