/* SPDX-License-Identifier: MIT
 * A container that carbon makes, starts, attends and removes. Used by app/container_job.h and container_attend.c. Begin
 * with container_create(). */
#ifndef CONTAINER_CONTAINER_RUN_H
#define CONTAINER_CONTAINER_RUN_H

#include "container/container.h"

struct container_mount {
    const char *source, *target; /* whole paths: on this machine, in the container */
    bool read_only;
};

/* Graphics cards of NVIDIA's that a container gets. */
struct container_cards {
    unsigned count;         /* number of cards */
    bool all;               /* or all */
    const char *const *ids; /* or these: numbers, UUIDs; NULL-ended; NULL: not named */
};

static inline bool container_cards_any(const struct container_cards *cards)
{
    return cards->all || cards->count || cards->ids;
}

/* All borrowed. */
struct container_plan {
    const char *image;              /* "name:tag", "name", "name@sha256:..." */
    char *const *command;           /* NULL-ended; NULL or empty: the image's own */
    const char *const *environment; /* "NAME=VALUE", NULL-ended; NULL: none */
    const struct container_mount *mounts;
    size_t mount_count;
    const char *name;           /* NULL: the engine gives one */
    const char *cpus;           /* "0-3,8"; NULL: all */
    const char *group_parent;   /* the control group below which it is made; NULL: the engine's own */
    const char *working_folder; /* NULL: the image's */
    const char *network;        /* "host"; NULL: the engine's own */
    struct container_cards cards;
    const char *run_id; /* value of its label "carbon.run" */
};

/* Makes it and does not start it. ERROR_ABSENT: no such image; ERROR_USAGE: the engine does not accept the plan. */
bool container_create(const struct engine *engine, const struct container_plan *plan, char id[80],
                      struct error *err) MUST_CHECK;

/* Starts it, copies its output to standard output and error as it comes, waits for its end and returns its exit
 * status: the container's own; 128 + n for a signal; 127 or 126 where the engine found no such command in the image or
 * could not run it, 125 where the engine failed: with a message on standard error then. For a process of its own:
 * SIGINT, SIGTERM, SIGHUP and SIGQUIT are passed on to the container, from the second on as SIGKILL, and when the
 * parent dies the container is killed and removed. Without a reader of its output it is killed, as SIGPIPE
 * would end a command: 141. libcurl is loaded before (engine_open has), so that nothing of that falls into the run. */
int container_attend(const struct engine *engine, const char *id);

/* Ends it with SIGKILL where it runs, and removes it with its volumes of no name. Gone already is good. */
bool container_remove(const struct engine *engine, const char *id, struct error *err) MUST_CHECK;

/* Removes every container with the label "carbon.run" whose value is run_id; NULL: of any run, but only those that do
 * not run. How many in *removed. */
bool containers_clean(const struct engine *engine, const char *run_id, size_t *removed, struct error *err) MUST_CHECK;

#endif
