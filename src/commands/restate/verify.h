/* SPDX-License-Identifier: MIT
 * A record against what comes out when it is worked out again. Used by cmd_verify.c and verify_json.c. Begin with
 * verify_record(). */
#ifndef COMMANDS_RESTATE_VERIFY_H
#define COMMANDS_RESTATE_VERIFY_H

#include "form/field.h"
#include "result/stored/record_load.h"

enum { DIFFERENCES_MAX = 100 };

/* Units in the last place by which a figure that a quantile or a logarithm is in may lie from the record's: libraries
 * round these otherwise on another processor (24 were found at most). */
enum { VERIFY_NEAR_ULP = 64 };

/* A figure that comes out otherwise, as texts: numbers to their last digit. */
struct record_mismatch {
    char path[160]; /* "domains[dram-0].net_j.mean" */
    char held[80];  /* by the record; "nothing" where the key is not there */
    char again[80];
};

struct verification {
    struct record_mismatch items[DIFFERENCES_MAX];
    size_t count, left_out; /* differences listed, and not listed */
    size_t figures;         /* numbers that were compared */
    size_t near;            /* of these, as near as another library leaves them: VERIFY_NEAR_ULP */
    size_t unknown;         /* keys of the record that this carbon does not know */
    struct shipped_factor state;
};

/* The factor is compared with the shipped table, too. False: no memory, or the tables cannot be read. */
bool verify_record(struct loaded_record *loaded, struct verification *verification, struct error *err) MUST_CHECK;

static inline bool verification_is_good(const struct verification *verification)
{
    return !verification->count && verification->state.kind != FACTOR_OTHER_VALUE &&
           verification->state.kind != FACTOR_GONE;
}

/* verify_fields.c: a document and the list in it; and one verification into that. Written by tree_write. */
extern const struct schema verification_schema;
struct tree_node verify_json_open(struct tree *tree);
void verify_json_add(struct tree_node results, const char *path, const struct loaded_record *loaded,
                     const struct verification *verification);

#endif
