/* SPDX-License-Identifier: MIT
 * Whether a function uses more than before: of one profile each by the samples, of several by how they scatter. Pure.
 * Used by profile_diff.c. Begin with function_changes_judge(). */
#ifndef COMMANDS_PROFILE_PROFILE_CHANGE_H
#define COMMANDS_PROFILE_PROFILE_CHANGE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The profiles of one side. */
struct profiled_side {
    size_t profiles;
    double own_j;   /* own energy of the job, a profile on average */
    double samples; /* all of them together */
};

/* A function in them. */
struct function_use {
    double sum_j, sum_jj; /* its own energies, and their squares, one a profile; 0: it was not sampled */
    uint64_t samples;
};

struct function_change {
    const char *name, *library;
    struct function_use sides[2];
    double own_j[2];      /* a profile on average */
    double difference_j;  /* difference of these */
    double deviation_j;   /* standard deviation of the difference */
    double freedom;       /* degrees of freedom of that; INFINITY: it is one of samples */
    double chance;        /* chance of such a difference where nothing changed; NAN: too few samples, not tested */
    double chance_of_all; /* likewise, corrected for all that are tested (Holm) */
    bool significant;
};

/* Fewer samples than these, of both sides together, cannot tell: the function is not tested, whatever they say. */
enum { FUNCTION_SAMPLES_MIN = 10 };

/* Fills in the members that follow from the uses. False: no memory. */
bool function_changes_judge(struct function_change *changes, size_t count, const struct profiled_side sides[2],
                            struct error *err) MUST_CHECK;

/* Half the 95 % interval of the difference; NAN unknown. */
double function_change_half_j(const struct function_change *change);

#endif
