/* SPDX-License-Identifier: MIT
 * A pipeline: steps that read what others write, as a file describes them. The language is that of NVIDIA Clara
 * (operators in containers), and steps may be plain commands too. Used throughout commands/pipeline. Begin with
 * pipeline_read().
 *
 * io/yaml_read.c takes the events of libyaml into nodes that know their bytes in the file. Before that
 * yaml_source.c puts two characters that the file does not use in the place of the braces of each ${{ NAME }},
 * which YAML would take for maps, and puts them back in every text afterwards. pipeline_read.c leads: values in the
 * place of placeholders (pipeline_template.c), steps (pipeline_step.c, pipeline_process.c), those of other files
 * (pipeline_import.c), what reads from what and the order (pipeline_order.c). pipeline_requests.c makes a list of
 * changes to the text, and pipeline_requests_check.c holds the tree of the new text to the old one, so that a file
 * is never written that says something else. */
#ifndef COMMANDS_PIPELINE_PIPELINE_H
#define COMMANDS_PIPELINE_PIPELINE_H

#include "io/yaml_read.h"

#include <stdint.h>

enum {
    PIPELINE_PAYLOAD = -1, /* what a pipeline is started with */
    PIPELINE_MAX_STEPS = 1000,
    PIPELINE_NAME_MAX = 255, /* characters */
    PIPELINE_MAX_WARNINGS = 100,
    PIPELINE_MAX_IMPORTS = 8, /* depth of nested imports */
};

struct pipeline_input {
    int from;         /* index of a step, or PIPELINE_PAYLOAD */
    const char *name; /* the output of that step; NULL: not said */
    const char *path; /* NULL: typed, it has no path */
    const struct yaml_node *node;
};

struct pipeline_output {
    const char *name; /* NULL: not said */
    const char *path; /* NULL: typed, it has no path */
};

struct pipeline_requests {
    int64_t cpu, gpu, memory_mb; /* -1: not given, or no integer */
};

/* How a step reaches a server: a variable of its environment that holds "ADDRESS:PORT". */
struct pipeline_connection {
    const char *name;
    unsigned port;
};

/* A server that a step wants to have beside it. */
struct pipeline_service {
    const char *name;
    const char *image; /* NULL: a plain process */
    char **command;    /* NULL-ended; NULL: the image's own */
    struct pipeline_connection *connections;
    size_t connection_count;
    int64_t gpus; /* -1: not said */
    size_t line;
};

struct pipeline_step {
    const char *name;
    const char *image;  /* "image:tag"; NULL: a plain process */
    char **command;     /* NULL-ended; NULL: the image's own */
    char **environment; /* "NAME=value" in the order of the file, NULL-ended; never NULL */
    struct pipeline_input *inputs;
    struct pipeline_output *outputs;
    size_t input_count, output_count;
    char **models; /* of an inference server; NULL-ended; NULL: none */
    struct pipeline_service *services;
    size_t service_count;
    const char *dir;  /* NULL: not said */
    const char *cpus; /* "0-3,8"; NULL: not said */
    double timeout_s; /* NAN: not said */
    bool allow_failure;
    struct pipeline_requests requests;
    size_t line, column;          /* where it begins in `yaml` */
    bool imported;                /* `yaml` and `node` are another file's */
    const struct yaml *yaml;      /* texts of nodes are those behind the placeholders */
    const struct yaml_node *node; /* the map of its keys */
};

/* A key that means nothing here: a slip, or what another program reads. */
struct pipeline_warning {
    const char *key, *near; /* near: a known one like it; NULL: none is */
    const char *path;       /* the file */
    size_t line, column;
};

struct pipeline {
    const char *name;        /* any text; the file's own name where it has none */
    const char *api_version; /* NULL: not said */
    struct pipeline_step *steps;
    size_t count;
    size_t *order; /* indices: each after those that it reads from, else as in the file */
    struct pipeline_warning warnings[PIPELINE_MAX_WARNINGS];
    size_t warning_count, warnings_left_out;
    /* parameters without a value; after a failure, where there are more than a message holds */
    const char **missing;
    size_t missing_count;
    struct yaml yaml; /* the file itself */
    struct pipeline_import *imports;
    struct arena store;
};

/* settings: count texts "NAME=VALUE", values of the file's parameters; of several of one name the last. Followed by
 * pipeline_close, after a failure too. The pipeline stays where it is: steps point into it. */
bool pipeline_read(struct pipeline *pipeline, const char *path, const char *const *settings, size_t count,
                   struct error *err) MUST_CHECK;
void pipeline_close(struct pipeline *pipeline); /* harmless twice */

/* ERROR_USAGE: "'FILE' line N: step 'NAME' WHAT". False, always. */
bool pipeline_refuse(const struct pipeline_step *step, struct error *err, const char *what);

#endif
