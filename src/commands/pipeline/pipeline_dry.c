/* SPDX-License-Identifier: MIT
 * What a pipeline would run, without running it. */
#include "commands/pipeline/pipeline_work.h"

#include "base/auto.h"
#include "form/shell.h"

#include <stdlib.h>
#include <string.h>

/* A growing argv; no memory: `failed`. */
struct words {
    char **words;
    size_t count, room;
    bool failed;
};

static void add(struct words *argv, const char *word)
{
    if (argv->count + 2 > argv->room) {
        const size_t room = 2 * argv->room + 16;
        char **more = realloc(argv->words, room * sizeof *more);

        if (!more) {
            argv->failed = true;
            return;
        }
        argv->words = more;
        argv->room = room;
    }
    argv->words[argv->count] = strdup(word);
    argv->failed |= !argv->words[argv->count];
    if (argv->words[argv->count])
        argv->words[++argv->count] = NULL;
}

static void add_mount(struct words *argv, const struct container_mount *mount)
{
    struct text text;

    text_open(&text, 1 << 16);
    text_add(&text, "%s:%s%s", mount->source, mount->target, mount->read_only ? ":ro" : "");
    add(argv, "-v");
    add(argv, text_ok(&text) ? text.data : "");
    text_close(&text);
}

/* As CPOST's: variables, inputs, outputs, image, command. */
static void add_container(struct words *argv, const struct pipeline_part *part)
{
    add(argv, engine_name(part->engine->kind));
    add(argv, "run");
    add(argv, "-d");
    add(argv, "--rm");
    for (const char **variable = part->variables; *variable; variable++) {
        add(argv, "--env");
        add(argv, *variable);
    }
    for (size_t i = 0; i < part->job.plan.mount_count; i++)
        add_mount(argv, &part->job.plan.mounts[i]);
    if (part->job.plan.cpus) {
        add(argv, "--cpuset-cpus");
        add(argv, part->job.plan.cpus);
    }
    if (part->step->dir) {
        add(argv, "--workdir");
        add(argv, part->step->dir);
    }
    add(argv, part->step->image);
}

static void add_process(struct words *argv, const struct pipeline_part *part)
{
    if (!part->step->environment[0] && !part->step->dir)
        return;
    add(argv, "env");
    if (part->step->dir) {
        add(argv, "-C");
        add(argv, part->step->dir);
    }
    for (char **variable = part->step->environment; *variable; variable++)
        add(argv, *variable);
}

static bool print_part(const struct pipeline_part *part, size_t number, struct error *err)
{
    struct words argv = { .words = NULL };
    struct text text;
    bool good;

    if (part->engine)
        add_container(&argv, part);
    else
        add_process(&argv, part);
    for (char **word = part->step->command; word && *word; word++)
        add(&argv, *word);
    text_open(&text, 1 << 22);
    if (!argv.failed)
        shell_command(argv.words, &text);
    good = !argv.failed && text_ok(&text);
    if (good)
        printf("%zu %s: %s\n", number, part->step->name, text.data);
    else
        error_errno(err, "no memory for the text of '%s'", part->step->name);
    text_close(&text);
    while (argv.count)
        free(argv.words[--argv.count]);
    free(argv.words);
    return good;
}

bool pipeline_dry_run(const struct pipeline_work *work, struct error *err)
{
    for (size_t i = 0; i < work->pipeline.count; i++)
        if (!print_part(&work->parts[i], i + 1, err))
            return false;
    return true;
}
