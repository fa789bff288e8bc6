/* SPDX-License-Identifier: MIT
 * Containers of an engine: the list of them, finding one by name, and its present state. Used in app, commands/serve,
 * container and target. Begin with container_find(). */
#ifndef CONTAINER_CONTAINER_H
#define CONTAINER_CONTAINER_H

#include "container/engine.h"

#include <sys/types.h>

struct container {
    char id[80];    /* 64 hexadecimal digits */
    char name[128]; /* without the slash */
    char image[256];
    bool running;
    bool began;         /* false: the engine has never started it */
    pid_t pid;          /* of its first process, as seen from this machine; 0: it does not run, or unknown */
    int exit_status;    /* of one that has ended; -1: not known */
    bool out_of_memory; /* the kernel killed it: out of memory */
    char address[46];   /* of its network, as this machine and other containers reach it; "": it has none of its own */
};

/* The running container that is meant by a word: by its id (12 digits or more, or the whole), else its exact name, else
 * a label ("key=value", or a value of one), else a part of its name or image, without regard to case. Of several
 * engines all are looked through, and *engine is the one that has it. ERROR_ABSENT: none, with those that run (and with
 * one of that name which has stopped); ERROR_USAGE: more than one, with their names and ids. */
bool container_find(const struct engine *engines, size_t count, const char *wanted, const struct engine **engine,
                    struct container *found, struct error *err) MUST_CHECK;

/* By its id, running or not. ERROR_ABSENT: there is none (any more). */
bool container_inspect(const struct engine *engine, const char *id, struct container *now,
                       struct error *err) MUST_CHECK;

#endif
