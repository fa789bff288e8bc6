/* SPDX-License-Identifier: MIT
 * What the engines are called. */
#include "container/engine.h"

#include "base/c_locale.h"

#include <stdio.h>

const char *engine_name(enum engine_kind kind)
{
    static const char *const names[ENGINE_KINDS] = { [ENGINE_DOCKER] = "docker", [ENGINE_PODMAN] = "podman" };

    return names[kind];
}

const char *engine_shown(const struct engine *engine, char shown[ENGINE_SHOWN_SIZE])
{
    if (!engine->user)
        return engine_name(engine->kind);
    snprintf(shown, ENGINE_SHOWN_SIZE, "%s of user %u", engine_name(engine->kind), (unsigned)engine->user);
    return shown;
}

bool engine_kind_of(const char *name, enum engine_kind *kind)
{
    for (size_t i = 0; i < ENGINE_KINDS; i++)
        if (c_strcasecmp(name, engine_name((enum engine_kind)i)) == 0) {
            *kind = (enum engine_kind)i;
            return true;
        }
    return false;
}
