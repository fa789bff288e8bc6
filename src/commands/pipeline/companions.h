/* SPDX-License-Identifier: MIT
 * Which servers the steps of a pipeline need, and when each runs: a Triton for the models of all steps from before the
 * first baseline, a service from its first step to its last, or to a step that needs a different one. Used by
 * pipeline_work.h. Begin with pipeline_companions_open(). */
#ifndef COMMANDS_PIPELINE_COMPANIONS_H
#define COMMANDS_PIPELINE_COMPANIONS_H

#include "commands/pipeline/companion.h"

struct pipeline_work;
struct pipeline_part;
struct container_cards;

struct pipeline_companions {
    struct companion *items;
    size_t count;
    const struct pipeline_service **services; /* service of each; NULL: Triton for models */
    bool *needs;                              /* of step i, in the order, item j: needs[i * stride + j] */
    size_t stride;
    const struct target **concurrent; /* running ones that may use GPUs; NULL-ended */
    struct inherited_signals signals;
    char models[WORK_PATH_SIZE];  /* absolute path of --models-dir; "": none */
    char image[256];              /* image of Triton for models */
    struct container_mount mount; /* mount of the model folder */
    struct arena store;           /* words and names */
    const char *const *cards;     /* cards of --gpus; NULL-ended */
    bool cards_none, cards_all, cards_here;
};

/* For the existing steps; starts nothing. Pulls images. */
bool pipeline_companions_open(struct pipeline_work *work, struct error *err) MUST_CHECK;
void pipeline_companions_close(struct pipeline_work *work); /* stops all that are running; harmless twice */

/* pipeline_cards.c: reads --gpus; and the GPUs of a container that requests this many, -1: it requests none. */
bool pipeline_cards_read(struct pipeline_work *work, struct error *err) MUST_CHECK;
struct container_cards pipeline_cards(const struct pipeline_work *work, int64_t wanted);
/* "host", or NULL: the engine's default. */
const char *pipeline_network(const struct pipeline_work *work);

/* FOLDER/NAME.server.log in the folder of --metrics-dir. False: too long. */
bool pipeline_server_log(const struct pipeline_work *work, const struct companion *companion,
                         char path[WORK_PATH_SIZE]) MUST_CHECK;

/* Starts the servers of models, before any measurement. */
bool pipeline_companions_begin(struct pipeline_work *work, struct error *err) MUST_CHECK;
/* Before a step: starts its servers. After it: stops those that no later step needs; last: of the last round. */
bool pipeline_companions_before(struct pipeline_work *work, size_t part, struct error *err) MUST_CHECK;
void pipeline_companions_after(struct pipeline_work *work, size_t part, bool last);

/* "NAME=ADDRESS:PORT" of all servers of a step, except those that it sets itself; NULL-ended, in the store. NULL: err
 * says why. address: in place of each server's, or NULL. */
char **pipeline_companions_variables(struct pipeline_work *work, const struct pipeline_part *part, const char *address,
                                     struct error *err);

#endif
