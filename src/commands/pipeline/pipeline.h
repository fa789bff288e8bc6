/* SPDX-License-Identifier: MIT
 * A pipeline: steps that read the output of others, described by a file. The language is that of NVIDIA Clara
 * (operators in containers); steps may also be plain commands. Used throughout commands/pipeline. Begin with
 * pipeline_read().
 *
 * io/yaml_read.c turns the events of libyaml into nodes with their position in the file. Before that, yaml_source.c
 * replaces the braces of each ${{ NAME }}, which YAML would read as maps, by two characters that the file does not use,
 * and restores them in every text afterwards. pipeline_read.c leads: values for placeholders (pipeline_template.c),
 * steps (pipeline_step.c, pipeline_process.c), those of other files (pipeline_import.c), inputs and order
 * (pipeline_order.c). pipeline_requests.c makes a list of changes to the text, and pipeline_requests_check.c compares
 * the tree of the new text with the old one, so that the written file never says anything else. */
#ifndef COMMANDS_PIPELINE_PIPELINE_H
#define COMMANDS_PIPELINE_PIPELINE_H

#include "io/yaml_read.h"

#include <stdint.h>

enum {
    PIPELINE_PAYLOAD = -1, /* the payload of the whole pipeline */
    PIPELINE_MAX_STEPS = 1000,
    PIPELINE_NAME_MAX = 255, /* characters */
    PIPELINE_MAX_WARNINGS = 100,
    PIPELINE_MAX_IMPORTS = 8, /* depth of nested imports */
};

struct pipeline_input {
    int from;         /* index of a step, or PIPELINE_PAYLOAD */
    const char *name; /* the output of that step; NULL: not given */
    const char *path; /* NULL: typed, it has no path */
    const struct yaml_node *node;
};

struct pipeline_output {
    const char *name; /* NULL: not given */
    const char *path; /* NULL: typed, it has no path */
};

struct pipeline_requests {
    int64_t cpu, gpu, memory_mb; /* -1: not given, or not an integer */
};

/* How a step finds a server: an environment variable that holds "ADDRESS:PORT". */
struct pipeline_connection {
    const char *name;
    unsigned port;
};

/* A server that a step needs. */
struct pipeline_service {
    const char *name;
    const char *image; /* NULL: a plain process */
    char **command;    /* NULL-ended; NULL: the image's own */
    struct pipeline_connection *connections;
    size_t connection_count;
    int64_t gpus; /* -1: not given */
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
    const char *dir;  /* NULL: not given */
    const char *cpus; /* "0-3,8"; NULL: not given */
    double timeout_s; /* NAN: not given */
    bool allow_failure;
    struct pipeline_requests requests;
    size_t line, column;          /* where it begins in `yaml` */
    bool imported;                /* `yaml` and `node` belong to another file */
    const struct yaml *yaml;      /* texts of nodes, with placeholders replaced */
    const struct yaml_node *node; /* the map of its keys */
};

/* An unknown key: a mistake, or a key of another program. */
struct pipeline_warning {
    const char *key, *near; /* near: a similar known key; NULL: none */
    const char *path;       /* the file */
    size_t line, column;
};

struct pipeline {
    const char *name;        /* any text; the file's name by default */
    const char *api_version; /* NULL: not given */
    struct pipeline_step *steps;
    size_t count;
    size_t *order; /* indices: each after the steps that it reads from, otherwise in file order */
    struct pipeline_warning warnings[PIPELINE_MAX_WARNINGS];
    size_t warning_count, warnings_left_out;
    /* parameters without a value; after a failure, if they do not all fit in a message */
    const char **missing;
    size_t missing_count;
    struct yaml yaml; /* the file itself */
    struct pipeline_import *imports;
    struct arena store;
};

/* settings: count texts "NAME=VALUE", values of the file's parameters; the last one of each name counts. Call
 * pipeline_close in any case. Do not move the pipeline: steps point into it. */
bool pipeline_read(struct pipeline *pipeline, const char *path, const char *const *settings, size_t count,
                   struct error *err) MUST_CHECK;
void pipeline_close(struct pipeline *pipeline); /* harmless twice */

/* ERROR_USAGE: "'FILE' line N: step 'NAME' WHAT". False, always. */
bool pipeline_refuse(const struct pipeline_step *step, struct error *err, const char *what);

#endif
