/* SPDX-License-Identifier: MIT
 * A container that is yet to start, looked for now and then. */
#include "target/target_container.h"

#include <stdio.h>
#include <stdlib.h>

struct coming {
    struct engine engine;
    char id[80];
    struct target inside; /* once it runs */
    bool runs, ended;
};

/* Whether it has come: seen once, it is followed; one that has ended before that is over, and nothing is known of it.
 */
static void look_for(struct coming *coming)
{
    struct container now;
    struct error err = { .kind = ERROR_NONE };

    if (!container_inspect(&coming->engine, coming->id, &now, &err))
        coming->ended = err.kind == ERROR_ABSENT;
    else if (now.running && now.pid > 0)
        coming->runs = target_open_started(&coming->inside, &coming->engine, &now, NULL);
    else
        coming->ended = now.exit_status >= 0;
}

static void coming_poll(struct target *target)
{
    struct coming *coming = target->state;

    if (!coming->runs && !coming->ended)
        look_for(coming);
    if (coming->runs)
        coming->inside.kind->poll(&coming->inside);
}

static void coming_read(const struct target *target, struct usage *so_far)
{
    const struct coming *coming = target->state;

    if (coming->runs)
        coming->inside.kind->read(&coming->inside, so_far);
}

static void coming_now(const struct target *target, struct target_now *now)
{
    const struct coming *coming = target->state;

    if (coming->runs)
        coming->inside.kind->now(&coming->inside, now);
}

static bool coming_ended(const struct target *target)
{
    const struct coming *coming = target->state;

    return coming->runs ? target_ended(&coming->inside) : coming->ended;
}

static enum target_member coming_has(const struct target *target, pid_t pid)
{
    const struct coming *coming = target->state;

    return coming->runs ? target_has(&coming->inside, pid) : TARGET_UNSEEN;
}

static void coming_close(struct target *target)
{
    struct coming *coming = target->state;

    if (coming->runs)
        target_close(&coming->inside);
    free(coming);
}

static const struct target_kind coming_kind = {
    .poll = coming_poll,
    .read = coming_read,
    .now = coming_now,
    .ended = coming_ended,
    .has = coming_has,
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
