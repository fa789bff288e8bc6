/* SPDX-License-Identifier: MIT
 * Starts a container in the image "bb:1" and follows it as a target:
 *
 *   contained docker|podman made COMMAND...      in a control group of carbon's own
 *   contained docker|podman coming COMMAND...    waited for, where no group can be made
 *
 * Says on one line what it used: seconds of CPU time, peak of memory in bytes, and where both are from. */
#include "base/clock.h"
#include "base/units.h"
#include "container/container_run.h"
#include "container/engine_open.h"
#include "target/target_container.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONGEST_S = 60 };

static int fail(const struct error *err)
{
    fprintf(stderr, "%s: %s; %s\n", err->what, err->why, err->fix);
    return 1;
}

static void say(const struct usage_value *figure, double unit)
{
    if (figure->known)
        printf("%.6f %s; ", (double)figure->value / unit, figure->from);
    else
        printf("unknown; ");
}

/* Until the container has ended and its group is empty, as a measurement does. */
static void follow(struct target *target, pid_t attending)
{
    const uint64_t until_ns = clock_monotonic_ns() + LONGEST_S * NS_PER_S_INT;
    struct usage usage;
    int status = 0;

    while (waitpid(attending, &status, WNOHANG) == 0 && clock_monotonic_ns() < until_ns) {
        poll(NULL, 0, 10);
        target_poll(target, clock_monotonic_ns());
    }
    /* podman's own process ends a moment after its container */
    for (int i = 0; i < 200 && !target_ended(target); i++) {
        poll(NULL, 0, 10);
        target_read(target, &usage);
    }
    target_read(target, &usage);
    printf("status %d; cpu_s ", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    say(&usage.cpu_ns, NS_PER_S);
    printf("peak ");
    say(&usage.memory_peak_bytes, 1);
    printf("received ");
    say(&usage.received_bytes, 1);
    printf("ended %d %s\n", target_ended(target), target_name(target));
}

static int run(const struct engine *engine, bool made, char **command)
{
    const enum root_group_kind kind = target_group_kind(engine);
    char group[ROOT_GROUP_NAME_SIZE], id[80];
    struct container_plan plan = { .image = "bb:1", .command = command, .run_id = "contained" };
    struct target target = { .fd = -1 };
    struct usage before;
    struct error err;
    pid_t attending;

    if (made && kind == ROOT_GROUP_NONE)
        return fputs("a group is of no use to this engine\n", stderr), 1;
    if (made && !target_make_group(&target, kind, group, &err))
        return fail(&err);
    plan.group_parent = made ? group : NULL;
    if (!container_create(engine, &plan, id, &err))
        return fail(&err);
    if (!made && !target_open_coming(&target, engine, id, &err))
        return fail(&err);
    target_read(&target, &before);
    fflush(NULL);
    attending = fork();
    if (attending == 0)
        _exit(container_attend(engine, id));
    follow(&target, attending);
    if (!container_remove(engine, id, &err))
        fail(&err);
    target_close(&target);
    return 0;
}

int main(int argc, char **argv)
{
    struct engine engine;
    enum engine_kind kind;
    struct error err;

    if (argc < 4 || !engine_kind_of(argv[1], &kind))
        return 2;
    if (!engine_open(&engine, kind, &err))
        return fail(&err);
    return run(&engine, strcmp(argv[2], "made") == 0, argv + 3);
}
