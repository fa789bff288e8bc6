/* SPDX-License-Identifier: MIT
 * The models that steps need, in the folder of --models-dir. Used by pipeline_companions_make.c. Begin with
 * pipeline_models_find(). */
#ifndef COMMANDS_PIPELINE_PIPELINE_MODELS_H
#define COMMANDS_PIPELINE_PIPELINE_MODELS_H

#include "commands/pipeline/pipeline_work.h"

#define PIPELINE_MODELS "/models" /* where a container finds them */

static inline bool pipeline_has_models(const struct pipeline_step *step)
{
    return step->models && step->models[0];
}

/* What is given to --models-dir, whole. */
bool pipeline_models_find(struct pipeline_work *work, struct error *err) MUST_CHECK;

/* Whether all models of a step are there, each under its own name. */
bool pipeline_models_check(const struct pipeline_work *work, const struct pipeline_step *step,
                           struct error *err) MUST_CHECK;

#endif
