/* SPDX-License-Identifier: MIT
 * A container engine of this machine, Docker or podman, asked through its Unix socket; both speak Docker's API. */
#ifndef CONTAINER_ENGINE_H
#define CONTAINER_ENGINE_H

#include "base/error.h"

#include <sys/types.h>

enum engine_kind { ENGINE_DOCKER, ENGINE_PODMAN };
enum { ENGINE_KINDS = 2, ENGINE_SHOWN_SIZE = 32 };

struct engine {
    enum engine_kind kind;
    char socket[108];      /* its path */
    char version[32];      /* "20.10.24" */
    char group_driver[16]; /* what makes the control groups of its containers: "cgroupfs", "systemd"; "": not said */
    uid_t user;            /* who answers there: 0, or a user who runs it without root's rights */
};

const char *engine_name(enum engine_kind kind); /* "docker", "podman" */

/* "podman"; "podman of user 1000" */
const char *engine_shown(const struct engine *engine, char shown[ENGINE_SHOWN_SIZE]);

/* "docker", "podman"; false: it is none. */
bool engine_kind_of(const char *name, enum engine_kind *kind) MUST_CHECK;

#endif
