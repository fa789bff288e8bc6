/* SPDX-License-Identifier: MIT
 * Compares a record with its recalculation. Used by cmd_verify.c and verify_json.c. Begin with verify_record(). */
#ifndef COMMANDS_RESTATE_VERIFY_H
#define COMMANDS_RESTATE_VERIFY_H

#include "form/field.h"
#include "result/stored/record_load.h"

enum { DIFFERENCES_MAX = 100 };

/* Tolerance, in units in the last place, of a figure that depends on a quantile or a logarithm: libraries of other
 * processors round these differently (24 were found at most). */
enum { VERIFY_NEAR_ULP = 64 };

/* A figure with a different result, as texts: numbers to their last digit. */
struct record_mismatch {
    char path[160]; /* "domains[dram-0].net_j.mean" */
    char held[80];  /* by the record; "nothing" if the key is missing */
    char again[80];
};

struct verification {
    struct record_mismatch items[DIFFERENCES_MAX];
    size_t count, left_out; /* differences listed, and not listed */
    size_t figures;         /* numbers that were compared */
    size_t near;            /* of these, different within VERIFY_NEAR_ULP */
    size_t unknown;         /* keys of the record that are unknown to this carbon */
    struct shipped_factor state;
};

/* Compares the factor with the shipped table, too. False: no memory, or the tables cannot be read. */
bool verify_record(struct loaded_record *loaded, struct verification *verification, struct error *err) MUST_CHECK;

static inline bool verification_is_good(const struct verification *verification)
{
    return !verification->count && verification->state.kind != FACTOR_OTHER_VALUE &&
           verification->state.kind != FACTOR_GONE;
}

/* verify_fields.c: the schemas of a document and its list; and the conversion of one verification. Written by
 * tree_write. */
extern const struct schema verification_schema;
struct tree_node verify_json_open(struct tree *tree);
void verify_json_add(struct tree_node results, const char *path, const struct loaded_record *loaded,
                     const struct verification *verification);

#endif
