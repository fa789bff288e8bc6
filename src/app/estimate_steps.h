/* SPDX-License-Identifier: MIT
 * The steps of an estimate: the power of a request, its factor and its emissions. Used in app,
 * commands/estimate and commands/slurm. Begin with estimate_cpu(). */
#ifndef APP_ESTIMATE_STEPS_H
#define APP_ESTIMATE_STEPS_H

#include "result/estimate/estimate.h"

/* Fills in the power of the request. ERROR_USAGE, with near names, for an unknown model. */
bool estimate_cpu(struct estimate *estimate, struct error *err) MUST_CHECK;

/* Adds the power of its cards. ERROR_USAGE, with a near name, for an unknown model. */
bool estimate_gpu(struct estimate *estimate, struct error *err) MUST_CHECK;

struct settings;

/* What the options of the group "Carbon" say, for the year in which it ran. */
bool estimate_factor(struct estimate *estimate, const struct settings *settings, struct error *err) MUST_CHECK;

/* What its energy emits by that. */
void estimate_footprint(struct estimate *estimate);

/* Puts one that has an id into the ledger. */
bool estimate_keep(const struct estimate *estimate, const struct settings *settings, struct error *err) MUST_CHECK;

/* For people. False: no memory; a stream that fails is the caller's. */
bool estimate_text(const struct estimate *estimate, FILE *out, struct error *err) MUST_CHECK;

#endif
