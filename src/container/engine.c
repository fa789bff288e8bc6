/* SPDX-License-Identifier: MIT
 * What the engines are called; whoever asks one needs no more of it. */
#include "container/engine.h"

const char *engine_name(enum engine_kind kind)
{
    static const char *const names[ENGINE_KINDS] = { [ENGINE_DOCKER] = "docker", [ENGINE_PODMAN] = "podman" };

    return names[kind];
}
