/* SPDX-License-Identifier: MIT
 * What the readers of a pipeline's parts share; for src/run/pipeline*.c alone. Used throughout commands/pipeline. Begin
 * with pipeline_no_memory(). */
#ifndef COMMANDS_PIPELINE_PIPELINE_PARTS_H
#define COMMANDS_PIPELINE_PIPELINE_PARTS_H

#include "commands/pipeline/pipeline.h"

struct pipeline_reading {
    struct pipeline *pipeline;
    size_t imported_bytes;
    struct error *err;
};

/* A file that is read for an import; freed with the pipeline. */
struct pipeline_import {
    struct pipeline_import *next;
    struct yaml yaml;
};

/* A value for a parameter; node: where it stands, NULL: on the command line. */
struct pipeline_argument {
    const char *name, *value;
    const struct yaml_node *node;
};

/* Of a file. Those of an import must be parameters that the imported file declares; those of the command line may also
 * be names that only placeholders have. */
struct pipeline_arguments {
    const struct pipeline_argument *items;
    size_t count;
    const struct yaml *importer; /* NULL: the command line */
    const struct yaml_node *import;
};

/* The steps whose files are read one inside the other. */
struct pipeline_chain {
    const struct pipeline_chain *above;
    const char *shown, *real; /* the path as it is named, and its own (realpath) */
};

bool pipeline_no_memory(struct pipeline_reading *reading);

/* Warns of keys that are not in the NULL-ended list. */
void pipeline_check_keys(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *map,
                         const char *const *known);

/* A text that is not null; `what` names it in messages ("the path of an input"). */
bool pipeline_text(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *node,
                   const char *what, const char **text) MUST_CHECK;
/* Likewise a name of 1 to 255 letters, digits, '-' and '_'. */
bool pipeline_name(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *node,
                   const char *what, const char **name) MUST_CHECK;
/* A list of texts as argv; NULL: it is empty. */
bool pipeline_argv(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *node,
                   const char *what, char ***argv) MUST_CHECK;

/* Puts values in the place of "${{ NAME }}". */
bool pipeline_expand(struct pipeline_reading *reading, struct yaml *yaml,
                     const struct pipeline_arguments *arguments) MUST_CHECK;

/* A step from its map of keys, that of the file that it imports where it imports one. */
bool pipeline_step_read(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *node,
                        struct pipeline_step *step) MUST_CHECK;
bool pipeline_import_step(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *node,
                          const struct pipeline_chain *above, struct pipeline_step *step) MUST_CHECK;
/* A member that is a list of maps; none, or nothing in it: NULL. */
bool pipeline_list_of_maps(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *map,
                           const char *key, const struct yaml_node **list) MUST_CHECK;
/* The same, with the first of them and zeroed room for as many items of a size; both NULL: there is no list. */
bool pipeline_room_for_maps(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *map,
                            const char *key, size_t size, void **room, const struct yaml_node **first) MUST_CHECK;
/* The member "container" of a step or a service: "image:tag", and the command where it says one. None: both stay. */
bool pipeline_container_read(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *map,
                             const char **image, char ***command) MUST_CHECK;
/* The servers that a step wants beside it: models, services. */
bool pipeline_services_read(struct pipeline_reading *reading, struct pipeline_step *step) MUST_CHECK;
/* An integer that is not negative; -1: it is none. */
int64_t pipeline_integer(const struct yaml_node *node);

/* What a step says of how its process runs, beside its container: run, env, dir, timeout, cpus, allow-failure. */
bool pipeline_process_read(struct pipeline_reading *reading, struct pipeline_step *step) MUST_CHECK;

/* Which step each input is from, and an order that has all of them. */
bool pipeline_link(struct pipeline_reading *reading) MUST_CHECK;
bool pipeline_sort(struct pipeline_reading *reading) MUST_CHECK;

#endif
