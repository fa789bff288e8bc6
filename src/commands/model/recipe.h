/* SPDX-License-Identifier: MIT
 * How a model is fetched, served, given an example, run and closed: the commands of a file, with placeholders. Used by
 * model_work.h. Begin with recipe_read(). */
#ifndef COMMANDS_MODEL_RECIPE_H
#define COMMANDS_MODEL_RECIPE_H

#include "io/yaml_read.h"

#include <stdint.h>

/* The steps, in order of execution. */
enum recipe_step { RECIPE_FETCH, RECIPE_SERVE, RECIPE_EXAMPLE, RECIPE_RUN, RECIPE_CLOSE, RECIPE_STEPS };

const char *recipe_step_name(enum recipe_step step); /* "fetch" */

struct recipe {
    const char *name;           /* the file's own name where it has none */
    const char *container;      /* name of the measured container; NULL: none */
    char **steps[RECIPE_STEPS]; /* their words, NULL-ended; NULL: no such step. RECIPE_RUN always exists */
    struct yaml yaml;
    struct arena store;
};

/* Call recipe_close in any case. */
bool recipe_read(struct recipe *recipe, const char *path, struct error *err) MUST_CHECK;
void recipe_close(struct recipe *recipe); /* harmless twice */

/* Values of {model}, {n}, {input} and {output}. */
struct recipe_values {
    const char *model, *input, *output;
    uint64_t n;
};

/* A word, or words, with placeholders replaced. They live as long as the store. NULL: no memory. */
char *recipe_fill(struct arena *store, const char *word, const struct recipe_values *values);
char **recipe_fill_all(struct arena *store, char *const *words, const struct recipe_values *values);

#endif
