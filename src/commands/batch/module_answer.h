/* SPDX-License-Identifier: MIT
 * What a module of a batch uses, by the best figure that there is of it. Used by batch_answer.c. Begin with
 * module_answer_of(). */
#ifndef COMMANDS_BATCH_MODULE_ANSWER_H
#define COMMANDS_BATCH_MODULE_ANSWER_H

#include "commands/batch/batch.h"

/* Without runs that count its energy is unknown. */
struct module_answer {
    enum figure figure;
    const struct sample_stats *energy_j;
    struct interval interval;
    const char *interval_name; /* "" none */
    bool distinct;             /* false: indistinct from 0 */
    const struct emission *emission;
};

struct module_answer module_answer_of(const struct batch_module *module);

/* The figure of all modules that have one; gross where they differ. */
enum figure batch_common_figure(const struct batch *batch);

/* The least good of all modules. */
enum quality batch_quality(const struct batch *batch);

/* The batch's own and those of its modules. */
void batch_notices(const struct batch *batch, struct notices *all);

#endif
