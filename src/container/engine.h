/* SPDX-License-Identifier: MIT
 * A container engine of this machine, Docker or podman, asked through its Unix socket; both speak Docker's API. */
#ifndef CONTAINER_ENGINE_H
#define CONTAINER_ENGINE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum engine_kind { ENGINE_DOCKER, ENGINE_PODMAN };
enum { ENGINE_KINDS = 2 };

struct engine {
    enum engine_kind kind;
    char socket[108];      /* its path */
    char version[32];      /* "20.10.24" */
    char group_driver[16]; /* what makes the control groups of its containers: "cgroupfs", "systemd"; "": not said */
};

const char *engine_name(enum engine_kind kind); /* "docker", "podman" */

/* "docker", "podman"; false: it is none. */
bool engine_kind_of(const char *name, enum engine_kind *kind) MUST_CHECK;

/* Looks where its sockets are (DOCKER_HOST or CONTAINER_HOST, and nowhere else where that is set; else the user's
 * runtime folder, then the system's) and asks who answers: what is called DOCKER_HOST may be podman, and is told as
 * such. ERROR_ABSENT: no socket, or nobody behind it; ERROR_DENIED: there, but not for this user, with the safe step
 * that changes it; ERROR_USAGE: the environment names an engine on another machine. */
bool engine_open(struct engine *engine, enum engine_kind kind, struct error *err) MUST_CHECK;

/* Every engine that answers, Docker first, each socket once; how many. 0: err says what the nearest of them lacks: one
 * that is there and cannot be used rather than one that is not there. */
size_t engines_open(struct engine engines[ENGINE_KINDS], struct error *err) MUST_CHECK;

#endif
