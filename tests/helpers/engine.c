/* SPDX-License-Identifier: MIT
 * The functions of src/container on a command line, for tests with real engines:
 *
 *   engine KIND|all open | find WORD | inspect ID | stats ID | image NAME | pull NAME
 *   engine KIND create IMAGE [name=N] [cpus=L] [group=G] [folder=F] [run=R] [env=K=V] [mount=FROM:TO[:ro]] --
 * COMMAND... engine KIND attend ID       by a process of its own, as carbon does; its status engine KIND remove ID |
 * clean [RUN] */
#include "container/container_image.h"
#include "container/container_run.h"
#include "container/container_stats.h"
#include "container/engine_open.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX = 16 };

static int fail(const struct error *err)
{
    printf("%d: %s | %s | %s\n", (int)err->kind, err->what, err->why, err->fix);
    return 1;
}

static void show(const char *key, struct stats_figure figure)
{
    if (figure.known)
        printf("%s=%" PRIu64 " ", key, figure.value);
    else
        printf("%s=unknown ", key);
}

static int do_open(const struct engine *engines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        printf("%s %s '%s' '%s'\n", engine_name(engines[i].kind), engines[i].socket, engines[i].version,
               engines[i].group_driver);
    return 0;
}

static int show_container(const struct engine *engine, const struct container *container)
{
    printf("%s %s name=%s image=%s running=%d pid=%s exit=%d memory=%d\n", engine_name(engine->kind), container->id,
           container->name, container->image, container->running, container->pid > 0 ? "known" : "unknown",
           container->exit_status, container->out_of_memory);
    return 0;
}

static int do_stats(const struct engine *engine, const char *id)
{
    struct container_stats stats;
    struct error err;

    if (!container_stats(engine, id, &stats, &err))
        return fail(&err);
    printf("cpus=%u ", stats.cpus);
    show("cpu_ns", stats.cpu_ns);
    show("system_cpu_ns", stats.system_cpu_ns);
    show("memory", stats.memory_bytes);
    show("working_set", stats.working_set_bytes);
    show("peak", stats.memory_peak_bytes);
    show("limit", stats.memory_limit_bytes);
    puts("");
    return 0;
}

static int do_create(const struct engine *engine, char **argv)
{
    struct container_mount mounts[MAX];
    const char *environment[MAX] = { NULL };
    struct container_plan plan = { .image = *argv++, .environment = environment, .mounts = mounts };
    size_t variables = 0;
    struct error err;
    char id[80];

    for (; *argv && strcmp(*argv, "--") != 0; argv++) {
        char *value = strchr(*argv, '='), *target;
        if (!value)
            return 99;
        *value++ = '\0';
        if (strcmp(*argv, "name") == 0)
            plan.name = value;
        else if (strcmp(*argv, "cpus") == 0)
            plan.cpus = value;
        else if (strcmp(*argv, "group") == 0)
            plan.group_parent = value;
        else if (strcmp(*argv, "folder") == 0)
            plan.working_folder = value;
        else if (strcmp(*argv, "run") == 0)
            plan.run_id = value;
        else if (strcmp(*argv, "env") == 0 && variables < MAX - 1)
            environment[variables++] = value;
        else if (strcmp(*argv, "mount") == 0 && plan.mount_count < MAX && (target = strchr(value, ':'))) {
            struct container_mount *mount = &mounts[plan.mount_count++];
            *target++ = '\0';
            *mount = (struct container_mount){ .source = value, .target = strsep(&target, ":") };
            mount->read_only = target && strcmp(target, "ro") == 0;
        } else
            return 99;
    }
    plan.command = *argv ? argv + 1 : NULL;
    if (!container_create(engine, &plan, id, &err))
        return fail(&err);
    puts(id);
    return 0;
}

/* The parent, whose death ends the container, is this process. */
static int do_attend(const struct engine *engine, const char *id)
{
    const pid_t child = fork();
    int status = 0;

    if (child == 0)
        _exit(container_attend(engine, id));
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 99;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

int main(int argc, char **argv)
{
    struct engine engines[ENGINE_KINDS];
    const struct engine *engine = engines;
    struct container container;
    struct error err = { .kind = ERROR_NONE };
    enum engine_kind kind;
    size_t count = 1, removed = 0;
    const char *verb = argc > 2 ? argv[2] : "", *word = argc > 3 ? argv[3] : "";
    bool good;

    if (argc < 3)
        return 99;
    if (engine_kind_of(argv[1], &kind))
        good = engine_open(&engines[0], kind, &err);
    else
        good = (count = engines_open(engines, &err)) > 0;
    if (!good)
        return fail(&err);
    if (strcmp(verb, "open") == 0)
        return do_open(engines, count);
    if (strcmp(verb, "stats") == 0)
        return do_stats(engine, word);
    if (strcmp(verb, "create") == 0)
        return do_create(engine, argv + 3);
    if (strcmp(verb, "attend") == 0)
        return do_attend(engine, word);
    if (strcmp(verb, "find") == 0)
        return container_find(engines, count, word, &engine, &container, &err) ? show_container(engine, &container)
                                                                               : fail(&err);
    if (strcmp(verb, "inspect") == 0)
        return container_inspect(engine, word, &container, &err) ? show_container(engine, &container) : fail(&err);
    if (strcmp(verb, "image") == 0)
        return image_find(engine, word, &err) ? 0 : fail(&err);
    if (strcmp(verb, "pull") == 0)
        return image_pull(engine, word, NULL, &err) ? 0 : fail(&err);
    if (strcmp(verb, "remove") == 0)
        return container_remove(engine, word, &err) ? 0 : fail(&err);
    if (strcmp(verb, "clean") == 0)
        return containers_clean(engine, *word ? word : NULL, &removed, &err) ? printf("%zu\n", removed) < 0
                                                                             : fail(&err);
    return 99;
}
