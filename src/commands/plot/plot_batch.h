/* SPDX-License-Identifier: MIT
 * Bars made of a batch that was written before. */
#ifndef COMMANDS_PLOT_PLOT_BATCH_H
#define COMMANDS_PLOT_PLOT_BATCH_H

#include "commands/plot/plot.h"

struct cJSON;

/* A bar for each module: what it adds to a year (DIF), with its 95 % interval. */
bool plot_batch(const struct cJSON *document, const char *path, struct plot *plot, struct error *err) MUST_CHECK;

#endif
