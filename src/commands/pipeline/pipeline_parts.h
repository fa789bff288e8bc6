/* SPDX-License-Identifier: MIT
 * Common parts of the readers of a pipeline; for commands/pipeline/pipeline*.c only. Used throughout commands/pipeline.
 * Begin with pipeline_no_memory(). */
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

/* A value of a parameter; node: its place, NULL: on the command line. */
struct pipeline_argument {
    const char *name, *value;
    const struct yaml_node *node;
};

/* Arguments for a file. Those of an import must be parameters that the imported file declares; those of the command
 * line may also be names that only appear in placeholders. */
struct pipeline_arguments {
    const struct pipeline_argument *items;
    size_t count;
    const struct yaml *importer; /* NULL: the command line */
    const struct yaml_node *import;
};

/* The steps whose files are nested imports. */
struct pipeline_chain {
    const struct pipeline_chain *above;
    const char *shown, *real; /* the path as it was given, and its realpath */
};

bool pipeline_no_memory(struct pipeline_reading *reading);

/* Warns about keys that are not in the NULL-ended list. */
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

/* Replaces "${{ NAME }}" by values. */
bool pipeline_expand(struct pipeline_reading *reading, struct yaml *yaml,
                     const struct pipeline_arguments *arguments) MUST_CHECK;

/* A step from its map of keys, or from that of the file that it imports. */
bool pipeline_step_read(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *node,
                        struct pipeline_step *step) MUST_CHECK;
bool pipeline_import_step(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *node,
                          const struct pipeline_chain *above, struct pipeline_step *step) MUST_CHECK;
/* A member that is a list of maps; missing or empty: NULL. */
bool pipeline_list_of_maps(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *map,
                           const char *key, const struct yaml_node **list) MUST_CHECK;
/* The same, with its first item and zeroed memory for as many items of a size; both NULL: no list. */
bool pipeline_room_for_maps(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *map,
                            const char *key, size_t size, void **room, const struct yaml_node **first) MUST_CHECK;
/* The member "container" of a step or a service: "image:tag", and the command if given. Missing: both stay unchanged.
 */
bool pipeline_container_read(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *map,
                             const char **image, char ***command) MUST_CHECK;
/* The servers that a step needs: models, services. */
bool pipeline_services_read(struct pipeline_reading *reading, struct pipeline_step *step) MUST_CHECK;
/* An integer that is not negative; -1: another value. */
int64_t pipeline_integer(const struct yaml_node *node);

/* The process settings of a step, except its container: run, env, dir, timeout, cpus, allow-failure. */
bool pipeline_process_read(struct pipeline_reading *reading, struct pipeline_step *step) MUST_CHECK;

/* The source step of each input, and an order of all steps. */
bool pipeline_link(struct pipeline_reading *reading) MUST_CHECK;
bool pipeline_sort(struct pipeline_reading *reading) MUST_CHECK;

#endif
