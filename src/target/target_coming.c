/* SPDX-License-Identifier: MIT
 * A container that is yet to start, looked for now and then. */
#include "target/target_container.h"

#include <stdio.h>
#include <stdlib.h>

struct coming {
    struct engine engine;
    char id[80];
    struct target inside; /* once it runs */
    bool ended;
};

/* Whether it has come: seen once, it is followed; one that has ended before that is over, and nothing is known of it.
 */
static void look_for(struct target *target)
{
    struct coming *coming = target->state;
    struct container now;
    struct error err = { .kind = ERROR_NONE };

    if (!container_inspect(&coming->engine, coming->id, &now, &err))
        coming->ended = err.kind == ERROR_ABSENT;
    else if (now.running && now.pid > 0)
        target->inside = target_open_started(&coming->inside, &coming->engine, &now, NULL) ? &coming->inside : NULL;
    else
        coming->ended = now.exit_status >= 0;
}

static void coming_poll(struct target *target)
{
    const struct coming *coming = target->state;

    if (!target->inside && !coming->ended)
        look_for(target);
    if (target->inside)
        target_look(target->inside);
}

static bool coming_ended(const struct target *target)
{
    const struct coming *coming = target->state;

    return target->inside ? target_ended(target->inside) : coming->ended;
}

static void coming_close(struct target *target)
{
    struct coming *coming = target->state;

    if (target->inside)
        target_close(target->inside);
    free(coming);
}

static const struct target_kind coming_kind = {
    .poll = coming_poll,
    .ended = coming_ended,
    .close = coming_close,
};

bool target_open_coming(struct target *target, const struct engine *engine, const char *id, struct error *err)
{
    struct coming *coming = calloc(1, sizeof *coming);

    *target = (struct target){ .fd = -1 };
    if (!coming)
        return error_errno(err, "no memory to wait for a container");
    coming->engine = *engine;
    snprintf(coming->id, sizeof coming->id, "%s", id);
    target->state = coming;
    target->kind = &coming_kind;
    target->may_miss_end = true;
    target->from_nothing = true;
    snprintf(target->name, sizeof target->name, "%.12s", id);
    return true;
}
