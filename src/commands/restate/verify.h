/* SPDX-License-Identifier: MIT
 * A record against what comes out when it is worked out again. */
#ifndef COMMANDS_RESTATE_VERIFY_H
#define COMMANDS_RESTATE_VERIFY_H

#include "form/field.h"
#include "result/stored/rebuild.h"

enum { DIFFERENCES_MAX = 100 };

/* Units in the last place by which a figure that a quantile or a logarithm is in may lie from the record's: libraries
 * round these otherwise on another processor (24 were found at most). */
enum { VERIFY_NEAR_ULP = 64 };

/* A figure that comes out otherwise, as texts: numbers to their last digit. */
struct difference {
    char path[160]; /* "domains[dram-0].net_j.mean" */
    char held[80];  /* by the record; "nothing" where the key is not there */
    char again[80];
};

struct verification {
    struct difference items[DIFFERENCES_MAX];
    size_t count, left_out; /* differences listed, and not listed */
    size_t figures;         /* numbers that were compared */
    size_t near;            /* of these, as near as another library leaves them: VERIFY_NEAR_ULP */
    size_t unknown;         /* keys of the record that this carbon does not know */
    struct factor_standing standing;
};

/* The factor is compared with the shipped table, too. False: no memory, or the tables cannot be read. */
bool verify_record(struct rebuilt *rebuilt, struct verification *verification, struct error *err) MUST_CHECK;

static inline bool verification_is_good(const struct verification *verification)
{
    return !verification->count && verification->standing.kind != FACTOR_OTHER_VALUE &&
           verification->standing.kind != FACTOR_GONE;
}

/* verify_fields.c: a document and the list in it; and one verification into that. Written by tree_write. */
extern const struct schema verification_schema;
struct tree_node verify_json_open(struct tree *tree);
void verify_json_add(struct tree_node results, const char *path, const struct rebuilt *rebuilt,
                     const struct verification *verification);

#endif
