/* SPDX-License-Identifier: MIT
 * Where an engine's socket is, and who answers there. Used in app, commands/pipeline and commands/serve. Begin with
 * engine_open(). */
#ifndef CONTAINER_ENGINE_OPEN_H
#define CONTAINER_ENGINE_OPEN_H

#include "container/engine.h"

#include <stddef.h>

/* Looks where its sockets are (DOCKER_HOST or CONTAINER_HOST, and nowhere else where that is set; else the user's
 * runtime folder, then the system's) and finds which engine responds: DOCKER_HOST may be podman, and is reported as
 * such. ERROR_ABSENT: no socket, or no engine behind it; ERROR_DENIED: there, but not for this user, with the safe step
 * that changes it; ERROR_USAGE: the environment names an engine on another machine. */
bool engine_open(struct engine *engine, enum engine_kind kind, struct error *err) MUST_CHECK;

/* Every engine that answers, Docker first, each socket once; how many. 0: err says what the nearest of them lacks: one
 * that is there and cannot be used rather than one that is not there. */
size_t engines_open(struct engine engines[ENGINE_KINDS], struct error *err) MUST_CHECK;

#endif
